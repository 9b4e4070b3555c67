"""Dates and periods are read as far as they are stated."""

import datetime as dt
from pathlib import Path

from dateutil import parser
from hypothesis import given, settings
from hypothesis import strategies as st

from example_lines import Line, check_lines
from karat.core.types import Item
from karat.text import apply_rules
from karat.text.values.dates import read_date, read_dates, read_period, read_periods

EXAMPLES = Path(__file__).with_name("dates.jsonl")
DATES = st.dates(dt.date(1000, 1, 1), dt.date(2100, 12, 31))
FORMATS = [
    "{m} {d}, {y}",
    "{d} {m} {y}",
    "{y}-{n:02}-{d:02}",
    "{d}th of {m}, {y}",
    "{s} {d}, {y}",
    "{m} {d} {y}",
    "on {m} {d}, {y}",
    "{d}-{s}-{y}",
]


def print_date(date: dt.date, form: str) -> str:
    return form.format(m=date.strftime("%B"), s=date.strftime("%b"), n=date.month, d=date.day, y=date.year)


def date_parts(line: Line) -> tuple[int | None, ...] | None:
    read = read_date(line["text"])
    return read and read.parts()


def count_dates(line: Line) -> int:
    return len(read_dates(line["text"]) or [])


def period(line: Line) -> tuple[int, int] | None:
    read = read_period(line["text"])
    return read and (read.first, read.last)


def test_dates_and_periods_are_read_as_far_as_they_are_stated() -> None:
    check_lines(EXAMPLES, date=date_parts, dates=count_dates, period=period)


@settings(deadline=None)
@given(DATES, st.sampled_from(FORMATS))
def test_a_printed_date_is_read_as_printed(date: dt.date, form: str) -> None:
    read = read_date(print_date(date, form))
    assert read is not None
    assert read.parts() == (date.year, date.month, date.day)


@settings(deadline=None)
@given(DATES, st.sampled_from(["{m} {d}, {y}", "{d} {m} {y}", "{y}-{n:02}-{d:02}"]))
def test_dates_are_read_as_dateutil_reads_them(date: dt.date, form: str) -> None:
    text = print_date(date, form)
    read = read_date(text)
    assert read is not None
    assert dt.date(*[part or 0 for part in read.parts()]) == parser.parse(text).date()


@settings(deadline=None)
@given(DATES, DATES, st.sampled_from(FORMATS), st.sampled_from(FORMATS))
def test_dates_match_when_they_are_equal_and_conflict_when_not(
    one: dt.date, other: dt.date, first: str, second: str
) -> None:
    same = apply_rules(Item(None, (print_date(one, first),), print_date(one, second)))
    assert same is not None
    assert same.accept
    ruling = apply_rules(Item(None, (print_date(one, first),), print_date(other, second)))
    assert ruling is not None
    assert ruling.accept == (one == other)


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
