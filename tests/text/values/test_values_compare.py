"""Dates, periods and quantities of an answer agree with the reference, conflict with it, or leave the row undecided."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from example_lines import check_lines
from karat.core.types import Item
from karat.text import apply_rules
from text_checks import verdict

EXAMPLES = Path(__file__).with_name("compare.jsonl")


def rule(reference: str, answer: str, question: str = "When was it built?") -> bool | None:
    ruling = apply_rules(Item(question, (reference,), answer))
    return None if ruling is None else ruling.accept


def test_values_agree_conflict_or_leave_the_row_undecided() -> None:
    check_lines(EXAMPLES, verdict=verdict)


@settings(deadline=None)
@given(
    st.integers(1, 999),
    st.integers(1, 999),
    st.sampled_from(["{}", "{:,} km", "${:,}", "{}%", "{} kg", "{} minutes"]),
)
def test_different_numbers_are_never_accepted(one: int, other: int, form: str) -> None:
    ruling = apply_rules(Item(None, (form.format(one),), form.format(other)))
    if one == other:
        assert ruling is not None
        assert ruling.accept
    else:
        assert ruling is None or not ruling.accept


@settings(deadline=None)
@given(st.integers(1, 5000))
def test_units_of_one_quantity_are_converted(value: int) -> None:
    ruling = apply_rules(Item(None, (f"{value} km",), f"{value * 1000} metres"))
    assert ruling is not None
    assert ruling.accept


def test_a_decade_without_its_century_is_read_by_its_tens() -> None:
    assert rule("the 2020s", "the 20s", "In which decade was it?") is True
    assert rule("the 1880s", "the 90s", "In which decade was it?") is False
    assert rule("the 80s", "1884") is None


def test_tens_of_something_else_are_no_decade() -> None:
    assert rule("the 80s", "the 1980s", "What temperature is it in summer?") is None
    assert rule("1500 s", "1510 s", "What is the half-life period?") is not True


def test_dates_within_the_period_may_stand_beside_it() -> None:
    question, answer = (
        "In which decade were they introduced?",
        "They were introduced in the 1960s, specifically in 1963.",
    )
    assert rule("the 1960s", answer, question) is True
    assert rule("the 1960s", answer.replace("1963", "1973"), question) is None
