"""Numbers in digits and in words are read with their kind, or the text is left alone."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from example_lines import Line, check_lines
from karat.text.values.numbers import read_quantities, read_quantity

EXAMPLES = Path(__file__).with_name("numbers.jsonl")


def quantities(line: Line) -> list[list[str]] | None:
    found = read_quantities(line["text"])
    return None if found is None else [[str(each.value), each.kind] for each in found]


def test_quantities_are_read_with_their_kind_and_unsure_ones_not_at_all() -> None:
    check_lines(EXAMPLES, quantities=quantities)


@settings(deadline=None)
@given(st.integers(0, 999_999_999))
def test_digits_and_grouped_digits_are_the_same_number(value: int) -> None:
    plain, grouped = read_quantity(str(value)), read_quantity(f"{value:,}")
    assert plain is not None
    assert grouped is not None
    assert plain.value == grouped.value == value
