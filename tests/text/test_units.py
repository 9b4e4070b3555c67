"""Figures with units of measure: read, converted and held against each other."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from karat.core.types import Item
from karat.text import apply_rules, classify_figure, has_other_scale, unify_currencies
from karat.text.values.figures import read_only_figure
from karat.text.values.units import read_unit


@pytest.mark.parametrize(
    ("text", "dimension", "factor"),
    [
        ("km", "length", "1000"),
        ("km^2", "area", "1000000"),
        ("square miles", "area", "2589988.110336"),
        ("m^3", "volume", "1000"),
        ("g/mol", "mass/amount", "0.001"),
        ("g per mole", "mass/amount", "0.001"),
        ("mg/dL", "mass/volume", "0.00001"),
        ("kg/m^2", "mass/area", "1"),
        ("km per second", "speed", "1000"),
        ("km an hour", "speed", "5/18"),
        ("km/h", "speed", "5/18"),
        ("m/s^2", "acceleration", "1"),
        ("Ω", "resistance", "1"),
        ("μA", "current", "0.000001"),
        ("kWh", "energy", "3600000"),
    ],
)
def test_a_unit_is_read_with_its_dimension_and_factor(text: str, dimension: str, factor: str) -> None:
    unit, end = read_unit(text, 0)
    assert unit is not None
    assert (unit.dimension, unit.factor, end) == (dimension, Fraction(factor), len(text))


@pytest.mark.parametrize("text", ["m^4", "people", "m^-1", "kg^2"])
def test_what_is_no_unit_is_not_read_as_one(text: str) -> None:
    assert read_unit(text, 0) == (None, 0)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("km / 33 ft", "km"),
        ("litres per person", "litres"),
        ("dollars per hour", "dollars"),
        ("% per year", "%"),
        ("m a few", "m"),
    ],
)
def test_a_unit_of_two_has_two_units_of_measure(text: str, read: str) -> None:
    assert read_unit(text, 0)[1] == len(read)


@pytest.mark.parametrize(
    ("reference", "answer", "like"),
    [
        ("11.5 m", "h = v²/(2g) = 225/19.62 ≈ 11.47 m", "same"),
        ("2 Ω", "1/R = 1/6 + 1/3 = 1/2, hence R = 2 ohms.", "same"),
        ("5 km", "5,000 metres", "same"),
        ("25 kg/m²", "81 / (1.80 × 1.80) = 81/3.24 = 25.0", "same"),
        ("8,849 m", "It is 8,848.86 metres high.", "same"),
        ("643,801 km²", "about 644,000 square kilometres", "rounded"),
        ("643,801 km²", "Roughly 248,600 square miles.", "rounded"),
        ("299,792,458 m/s", "roughly 300,000 km per second", "rounded"),
        ("100.09 g/mol", "Around 100 g per mole.", "rounded"),
        ("42.195 km", "about 42.2 km", "rounded"),
        ("6 ft", "1.83 m", "same"),
        ("643,801 km²", "643,801 square miles", "other"),
        ("42.195 km", "40 km", "other"),
        ("0.3 µA", "300 mA", "other"),
        ("60 s", "61.2 s", "other"),
        ("3422 °C (6192 °F)", "3,695 K", "rounded"),
        ("165 °F", "74 °C", "rounded"),
        ("-40 °F", "-40 °C", "same"),
        ("100 °C", "373 °C", "other"),
        ("about 430 m below sea level", "-430 m", "same"),
        ("2,850 km", "It is 2,850 kilometres long, or 1,771 miles.", "rounded"),
        ("78%", "It is 78.08 percent of it, while oxygen is 20.95 percent.", None),
        ("5 kg", "5 m", None),
        ("365 days", "365.25 days", None),  # near, and a count of days is what it is
        ("the 80s", "1884", None),
        ("12 months", "366 days", None),
    ],
)
def test_figures_with_units_are_compared_in_any_unit(reference: str, answer: str, like: str | None) -> None:
    assert classify_figure(reference, answer, "What is it?") == like


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


@pytest.mark.parametrize("unit", ["m", "km", "miles", "kg", "g", "litres"])
def test_what_counts_as_rounding_does_not_hang_on_the_unit(unit: str) -> None:
    assert classify_figure(f"365 {unit}", f"It is 370 {unit}.", "") == classify_figure(
        "365 m", "It is 370 m.", ""
    )
    assert classify_figure(f"365 {unit}", f"about 370 {unit}", "") == "rounded"


@pytest.mark.parametrize("text", ["5 m", "5 km²", "25 kg/m²", "0.3 µA", "9 kcal", "120 mmHg", "42 m³/h"])
def test_a_figure_with_a_unit_is_one_figure(text: str) -> None:
    figure = read_only_figure(text)
    assert figure is not None
    assert figure.kind


@pytest.mark.parametrize("text", ["5 Mb", "5 mJ", "80s"])
def test_symbols_that_may_be_something_else_are_no_units(text: str) -> None:
    figure = read_only_figure(text)
    assert figure is None or not figure.kind


def test_a_hundredth_of_a_percentage_is_on_another_scale() -> None:
    assert has_other_scale("12%", "46.2/385 = 0.12%", "What is the margin?")
    assert not has_other_scale("12%", "46.2/385 = 0.12 or 12%", "What is the margin?")
    assert not has_other_scale("12%", "0.12", "What is the margin?")


@pytest.mark.parametrize(
    ("reference", "answer", "accepted"),
    [
        ("643,801 km²", "643801 square kilometres", True),
        ("2 Ω", "1/R = 1/6 + 1/3 = 1/2, so the distance R = 2 ohms.", True),
        ("42.195 km", "It is 40 km.", False),
    ],
)
def test_rules_are_sure_of_the_same_and_of_another_measure(
    reference: str, answer: str, *, accepted: bool
) -> None:
    ruling = apply_rules(Item("What is the body mass index, the area, the distance?", (reference,), answer))
    assert ruling is not None
    assert ruling.accept is accepted


@pytest.mark.parametrize(
    ("reference", "answer", "accepted"),
    [
        ("2 hours 30 minutes", "150 minutes", True),
        ("2 hours 30 minutes", "2.5 hours", True),
        ("150 minutes", "2 hours and 30 minutes", True),
        ("5 feet 10 inches", "70 inches", True),
        ("2 hours 30 minutes", "2 hours 20 minutes", False),
        ("5 feet 10 inches", "168 cm", False),
    ],
)
def test_a_measure_in_two_units_is_one(reference: str, answer: str, *, accepted: bool) -> None:
    ruling = apply_rules(Item("How long is it?", (reference,), answer))
    assert ruling is not None
    assert ruling.accept is accepted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("£50", "50 pounds"),
        ("£50", "50 pounds sterling"),
        ("£50 million", "50m pounds"),
        ("₩500", "500 won"),
        ("CHF 50", "50 francs"),
        ("CHF 50", "50 Swiss francs"),
        ("A$50", "50 dollars"),
        ("A$50", "AUD 50"),
        ("¥50", "50 yuan"),
        ("¥50", "50 yen"),
        ("MXN 50", "50 pesos"),
        ("SEK 500", "500 kronor"),
        ("₽1,000", "1,000 rubles"),
        ("50 rupees", "Rs. 50"),
        ("€50", "50 euros"),
    ],
)
def test_one_amount_is_the_same_by_sign_code_or_name(one: str, other: str) -> None:
    """A sign, a code and a name that may be of one currency name the same amount, whichever is the reference."""
    for reference, answer in ((one, other), (other, one), (one, f"It costs {other}.")):
        ruling = apply_rules(Item("How much does it cost?", (reference,), answer))
        assert ruling is not None, (reference, answer)
        assert ruling.accept
        assert ruling.name == "number"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("£50", "$50"),
        ("£50", "60 pounds"),
        ("₩500", "500 yen"),
        ("US$50", "A$50"),
        ("€50", "50 dollars"),
        ("CHF 50", "60 francs"),
    ],
)
def test_another_currency_or_amount_is_rejected(one: str, other: str) -> None:
    """An amount of another currency, or another amount of the same, is another number."""
    for reference, answer in ((one, other), (other, one)):
        ruling = apply_rules(Item("How much does it cost?", (reference,), answer))
        assert ruling is not None, (reference, answer)
        assert ruling.name == "number_conflict"


@pytest.mark.parametrize(
    ("reference", "answer"), [("50 pounds", "50 lbs"), ("5 games", "won 5 games"), ("50", "£50")]
)
def test_what_is_no_money_is_left_as_it_is(reference: str, answer: str) -> None:
    """Pounds that weigh, and "won" as a verb, are not written as money."""
    item = Item("How many?", (reference,), answer)
    assert unify_currencies(item) == item
