r"""Expressions are read in LaTeX and in plain signs, or not at all."""

from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from example_lines import Line, check_lines
from karat.text.maths.expression import compare_expressions, evaluate

EXAMPLES = Path(__file__).with_name("expression.jsonl")
NUMBERS = st.integers(0, 999).map(str) | st.decimals(0, 99, places=2).map(str)


def _join(parts: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """Expressions in LaTeX beside the same ones as Python reads them."""
    two = st.tuples(parts, parts)
    return st.one_of(
        two.map(lambda each: (rf"\frac{{{each[0][0]}}}{{{each[1][0]}}}", f"(({each[0][1]})/({each[1][1]}))")),
        two.map(lambda each: (rf"\left({each[0][0]} + {each[1][0]}\right)", f"({each[0][1]}+{each[1][1]})")),
        two.map(lambda each: (rf"({each[0][0]} - {each[1][0]})", f"({each[0][1]}-({each[1][1]}))")),
        two.map(lambda each: (rf"({each[0][0]}) \cdot ({each[1][0]})", f"(({each[0][1]})*({each[1][1]}))")),
        st.tuples(parts, st.integers(0, 3)).map(
            lambda each: (rf"({each[0][0]})^{{{each[1]}}}", f"({each[0][1]})**{each[1]}")
        ),
    )


EXPRESSIONS = st.recursive(NUMBERS.map(lambda number: (number, f"Fraction('{number}')")), _join, max_leaves=4)


def value(line: Line) -> bool | None:
    return None if evaluate(line["text"]) is None else True


def test_scores_dates_and_words_are_no_expressions() -> None:
    check_lines(EXAMPLES, value=value)


@given(EXPRESSIONS)
def test_latex_has_the_value_that_python_computes(both: tuple[str, str]) -> None:
    latex, code = both
    try:
        expected = eval(code, {"Fraction": Fraction})  # noqa: S307 - built from our own parts
    except ZeroDivisionError:
        assert evaluate(latex) is None
        return
    found = evaluate(f"${latex}$")
    if found is None:  # what is too long or too large stays unread
        assert len(latex) > 80 or abs(expected) >= 10**9
    else:
        assert found.values == (expected,)


@given(st.integers(-999, 999), st.integers(1, 99))
def test_fractions_are_read_in_every_notation(above: int, below: int) -> None:
    sign, size = "-" if above < 0 else "", abs(above)
    for text in (
        f"{sign}{size}/{below}",
        rf"{sign}\frac{{{size}}}{{{below}}}",
        rf"$\dfrac{{{above}}}{{{below}}}$",
        rf"\(\frac{{{above}}}{{{below}}}\)",
    ):
        found = evaluate(text)
        assert found is not None
        assert found.values == (Fraction(above, below),)


@given(st.text("0123456789+-*/^()[]{},.√π\\frac $exy", max_size=80))
def test_reading_never_raises_and_an_expression_equals_itself(text: str) -> None:
    found = evaluate(text)
    assert found is None or compare_expressions(found, found) == "same"
