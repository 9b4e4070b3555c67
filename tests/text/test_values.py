import datetime as dt
from fractions import Fraction

import pytest
from dateutil import parser
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import apply_rules
from karat.text.values.dates import read_date, read_dates
from karat.text.values.numbers import read_quantities, read_quantity

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


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1969", (1969, None, None)),
        ("July 1969", (1969, 7, None)),
        ("July 20", (None, 7, 20)),
        ("the 4th of July", (None, 7, 4)),
        ("44 BC", (-44, None, None)),
        ("AD 79", (79, None, None)),
        ("20/07/1969", (1969, 7, 20)),
        ("5/5/1969", (1969, 5, 5)),
    ],
)
def test_a_date_is_read_as_far_as_it_is_stated(text: str, parts: tuple[int | None, ...]) -> None:
    read = read_date(text)
    assert read is not None
    assert read.parts() == parts


@pytest.mark.parametrize(
    "text", ["6/5/1969", "1,969", "$1969", "1960s", "19691", "1969-70", "13/13/2000", "May I go?", ""]
)
def test_what_is_no_sure_date_is_not_read(text: str) -> None:
    assert not read_dates(text)


@settings(deadline=None)
@given(st.integers(0, 999_999_999))
def test_digits_and_separated_digits_are_the_same_number(value: int) -> None:
    plain, grouped = read_quantity(str(value)), read_quantity(f"{value:,}")
    assert plain is not None
    assert grouped is not None
    assert plain.value == grouped.value == value


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


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("a hundred and five", Fraction(105), "plain"),
        ("three point five", Fraction(7, 2), "plain"),
        ("3.2 million", Fraction(3_200_000), "plain"),
        ("$3.2m", Fraction(3_200_000), "usd"),
        ("5 dollars", Fraction(5), "usd"),
        ("50%", Fraction(1, 2), "percent"),
        ("1 1/2 cups", Fraction(3, 2), "plain"),
        ("twenty-first", Fraction(21), "ordinal"),
        ("2 years", Fraction(24), "calendar"),
        ("-5", Fraction(-5), "plain"),
        ("5 has", Fraction(5), "plain"),
    ],
)
def test_quantities_are_read_with_their_kind(text: str, value: Fraction, kind: str) -> None:
    found = read_quantities(text)
    assert found is not None
    assert [(each.value, each.kind) for each in found] == [(value, kind)]


@pytest.mark.parametrize("text", ["5-10", "10:30", "COVID-19", "B-52", "1.5.2", "12. 9 km", "5'10\""])
def test_digits_that_are_no_plain_number_make_a_text_unsure(text: str) -> None:
    assert read_quantities(text) is None


@pytest.mark.parametrize("text", ["no one", "one of the best", "nothing"])
def test_a_pronoun_is_no_number(text: str) -> None:
    assert read_quantities(text) == []


@pytest.mark.parametrize(
    ("question", "reference", "answer", "accept"),
    [
        ("How many metres long is the bridge?", "5", "5 cm", False),
        ("How long is the bridge in metres?", "5", "5 m", True),
        ("How long is the bridge in metres?", "5", "5", True),
        ("How long is the bridge?", "5", "5 km", True),
        ("How many dollars did it cost?", "20", "€20", False),
        ("How many dollars did it cost?", "20", "$20", True),
        ("How much is it, in dollars or euros?", "20", "€20", True),
        ("What is the boiling point in degrees Fahrenheit?", "212", "212 °C", False),
        ("How long did the second half last?", "45", "45 minutes", True),
        ("How long is a foot?", "12", "12 inches", True),
        ("How long is a century?", "100", "100 years", True),
        ("How much did the Euro 2016 tickets cost?", "25", "£25", True),
    ],
)
def test_a_bare_number_is_in_the_unit_that_the_question_asks_for(
    question: str, reference: str, answer: str, accept: bool
) -> None:
    ruling = apply_rules(Item(question, (reference,), answer))
    assert ruling is not None
    assert ruling.accept is accept
