"""Decades and centuries: what lies in them is more specific, what lies outside is another answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import apply_rules, find_period_of_date
from karat.text.values.dates import read_period, read_periods


def rule(reference: str, answer: str, question: str = "When was it built?") -> bool | None:
    ruling = apply_rules(Item(question, (reference,), answer))
    return None if ruling is None else ruling.accept


def within(references: tuple[str, ...], answer: str, question: str = "When was it built?") -> int | None:
    return find_period_of_date(Item(question, references, answer))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the 1980s", 1980, 1989), ("1990's", 1990, 1999), ("'60s", 1960, 1969), ("the 60s", 1960, 1969), ("the nineteen sixties", 1960, 1969), ("2000s", 2000, 2009), ("late 1980s", 1987, 1989),
        ("the mid-1920s", 1924, 1926), ("the 7th century", 601, 699), ("nineteenth century", 1801, 1899), ("the twenty-first century", 2001, 2099), ("the early 20th century", 1901, 1925),
        ("5th century BC", -499, -401), ("the late 4th century BCE", -325, -301), ("the 1800s", 1801, 1899), ("the second half of the 19th century", 1851, 1899), ("the end of the 1960s", 1968, 1969),
    ],
)  # fmt: skip
def test_a_period_has_the_years_that_it_surely_has(text: str, first: int, last: int) -> None:
    period = read_period(text)
    assert period is not None
    assert (period.first, period.last) == (first, last)


@pytest.mark.parametrize(
    "text", ["in his early 60s", "20th Century Fox", "the turn of the 20th century", "the 19th and 20th centuries", "1980", "the 1920s and 1930s", "60s", "the 40th century", "between 1914 and 1918", "the 1900s", "the 1600s BC", "1500 s", "nineteen fıfties"]
)  # fmt: skip
def test_what_is_no_single_period_is_none(text: str) -> None:
    assert read_period(text) is None


@given(st.integers(min_value=1100, max_value=2029))
def test_a_year_lies_in_its_own_decade_and_in_no_other(year: int) -> None:
    first = year // 10 * 10
    if first % 100 == 0:
        return  # "the 1800s" are a century
    [own] = read_periods(f"the {first}s")
    assert own.holds(year)
    assert not own.excludes(year)
    assert own.excludes(first - 1)
    assert own.excludes(first + 10)


@pytest.mark.parametrize(
    ("references", "answer"),
    [
        (("the 1980s",), "1984"), (("the 19th century",), "It was built in 1850."), (("7th century",), "AD 628"), (("the early 20th century",), "1901"), (("late 1980s",), "in May 1988"),
        (("the mid-10th century BCE",), "957 BCE"), (("1931", "the 1870s"), "1872"), (("the 80s",), "1984"),
    ],
)  # fmt: skip
def test_a_date_of_the_period_is_within_it(references: tuple[str, ...], answer: str) -> None:
    assert within(references, answer) is not None


@pytest.mark.parametrize(
    ("references", "answer"),
    [
        (("the 1980s",), "1991"), (("late 1980s",), "1984"), (("the 19th century",), "before 1850"), (("the 1960s", "1968"), "1967"), (("the 1980s",), "not 1984"),
        (("the 1980s",), "1984 or 1991"), (("1984",), "the 1980s"), (("the 90s",), "It stopped in 2004, after the 1990s"), (("the 1980s",), "I was born in 1984."), (("the 18th century",), "He died in 1791."), (("the 1990s",), "It was sold in 1994."),
    ],
)  # fmt: skip
def test_what_is_outside_doubted_or_told_exactly_elsewhere_is_not_within(
    references: tuple[str, ...], answer: str
) -> None:
    assert within(references, answer) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("the 90s", "in the early 1990s"), ("the 19th century", "the 1800s"), ("19th century", "It was built in the nineteenth century.")],
)  # fmt: skip
def test_the_same_period_or_a_part_of_it_is_accepted(reference: str, answer: str) -> None:
    assert rule(reference, answer) is True


def test_a_decade_without_its_century_is_told_by_its_tens() -> None:
    assert rule("the 2020s", "the 20s", "In which decade was it?") is True
    assert rule("the 1880s", "the 90s", "In which decade was it?") is False
    assert rule("the 80s", "1884") is None


def test_tens_of_something_else_are_no_decade() -> None:
    assert rule("the 80s", "the 1980s", "What temperature is it in summer?") is None
    assert within(("in the 90s",), "1995", "How fast was he?") is None
    assert rule("1500 s", "1510 s", "What is the half-life period?") is not True


def test_dates_of_the_period_may_stand_beside_it() -> None:
    question, answer = (
        "In which decade were they introduced?",
        "They were introduced in the 1960s, specifically in 1963.",
    )
    assert rule("the 1960s", answer, question) is True
    assert rule("the 1960s", answer.replace("1963", "1973"), question) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("the 1980s", "1977"), ("the 19th century", "1750"), ("the 12th century", "1994"), ("the 1840s", "the 1860s"), ("4th century", "around the 6th century")],
)  # fmt: skip
def test_what_has_no_year_of_the_period_is_rejected(reference: str, answer: str) -> None:
    assert rule(reference, answer) is False


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("late 1980s", "1981"), ("the 19th century", "1900"), ("5th century", "5th century BC"), ("by the 5th century", "382 AD"), ("the 1960s", "the mid-1960s to late 1970s"), ("the 1980s", "1984"),
        ("1984", "the 1980s"), ("the 1980s", "the 20th century"),
    ],
)  # fmt: skip
def test_what_may_lie_in_the_period_is_left_to_others(reference: str, answer: str) -> None:
    assert rule(reference, answer) is None
