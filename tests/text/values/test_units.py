"""Figures with units of measure: read, converted and compared."""

from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from example_lines import Line, check_lines, read_item
from karat.core.types import Item
from karat.text import apply_rules, classify_figure, unify_currencies
from karat.text.values.figures import read_only_figure
from karat.text.values.units import read_unit
from text_checks import figure_class, verdict

EXAMPLES = Path(__file__).with_name("units.jsonl")


def unit(line: Line) -> str | None:
    found, end = read_unit(line["text"], 0)
    assert end == (len(line["text"]) if found else 0)
    return found and found.dimension


def factor(line: Line) -> str | None:
    found, _ = read_unit(line["text"], 0)
    exact = found is not None and found.factor == Fraction(line["factor"])
    return line["factor"] if exact else str(found and found.factor)


def unit_text(line: Line) -> str:
    return line["text"][: read_unit(line["text"], 0)[1]]


def is_measure(line: Line) -> bool:
    figure = read_only_figure(line["text"])
    return figure is not None and bool(figure.kind)


def is_money(line: Line) -> bool:
    item = read_item(line)
    return unify_currencies(item) != item


def amount(line: Line) -> str:
    """Compare two amounts of money, whichever is the reference, and in a sentence too."""
    one, other = line["reference"], line["answer"]
    pairs = (one, other), (other, one), (one, f"It costs {other}.")
    rulings = [apply_rules(Item(line["question"], (reference,), answer)) for reference, answer in pairs]
    names = {ruling.name if ruling else "undecided" for ruling in rulings}
    return "same" if names == {"number"} else "other" if names == {"number_conflict"} else str(names)


def test_units_and_currencies_are_read_and_figures_compared_in_any_of_them() -> None:
    check_lines(
        EXAMPLES,
        unit=unit,
        factor=factor,
        unit_text=unit_text,
        is_measure=is_measure,
        is_money=is_money,
        amount=amount,
        like=figure_class,
        verdict=verdict,
    )


@given(
    some.integers(10_000, 10**6),
    some.sampled_from(
        [
            ("km", "m", 1000),
            ("kg", "g", 1000),
            ("hours", "minutes", 60),
            ("m²", "cm²", 10_000),
            ("kWh", "MJ", Fraction(18, 5)),
        ]
    ),
)
def test_a_conversion_is_the_same_and_its_double_another(count: int, pair: tuple[str, str, Fraction]) -> None:
    whole, part, factor = pair
    converted = count * factor
    if converted.denominator != 1:
        return
    assert classify_figure(f"{count} {whole}", f"{converted} {part}", "") == "same"
    assert classify_figure(f"{count} {whole}", f"{2 * converted} {part}", "") == "other"


def test_rounding_does_not_depend_on_the_unit() -> None:
    exact = classify_figure("365 m", "It is 370 m.", "")
    for measure in ("m", "km", "miles", "kg", "g", "litres"):
        assert classify_figure(f"365 {measure}", f"It is 370 {measure}.", "") == exact, measure
        assert classify_figure(f"365 {measure}", f"about 370 {measure}", "") == "rounded", measure
