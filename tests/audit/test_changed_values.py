"""Numbers, dates and units of probes, checked against independent oracles."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pint
import pytest
from dateutil import parser as dateutil
from hypothesis import assume, given
from hypothesis import strategies as st
from text_to_num import alpha2digit

from karat.audit.probes import dates, numbers
from karat.audit.probes.dates import Date, parse_date
from karat.audit.probes.numbers import Amount, parse_amount

registry = pint.UnitRegistry()
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

days = st.dates(
    min_value=datetime(1000, 1, 1, tzinfo=UTC).date(), max_value=datetime(2098, 12, 31, tzinfo=UTC).date()
)
amounts = st.builds(
    Amount,
    st.integers(0, 10**6).map(Decimal) | st.decimals(0, 10**5, places=2).map(abs),
    scale=st.sampled_from(["", " million", " billion"]),
    tail=st.sampled_from(["", " km", " metres", "%", " people"]),
)


def read_value(text: str) -> Decimal:
    """The number of a text by digits, or by text2num, with its magnitude."""
    plain = text.replace(",", "")
    found = re.search(r"\d+(?:\.\d+)?", plain)
    if found is None:
        words = re.sub("|".join(SCALES), "", plain.replace("-", " "))
        found = re.search(r"\d+", alpha2digit(words, "en", threshold=0))
    assert found is not None, text
    scale = next((factor for name, factor in SCALES.items() if name in text), 1)
    return Decimal(found[0]) * scale


@given(amounts)
def test_a_number_written_otherwise_has_the_same_value(amount: Amount) -> None:
    for text in numbers.rewrite(amount):
        assert read_value(text) == read_value(amount.write())


@given(amounts)
def test_a_number_is_read_as_it_was_written(amount: Amount) -> None:
    assume(not amount.tail.startswith("%") or not amount.scale)
    read = parse_amount(amount.write())
    assert read is not None
    assert (read.value, read.scale, read.tail) == (amount.value, amount.scale, amount.tail)


@given(amounts)
def test_a_step_and_another_magnitude_change_the_value(amount: Amount) -> None:
    for moved in (*numbers.shift(amount), *numbers.scale(amount)):
        assert read_value(moved.write()) != read_value(amount.write())


@given(amounts)
def test_a_step_is_small_and_a_magnitude_is_large(amount: Amount) -> None:
    value = read_value(amount.write())
    assume(value > 0)
    assert all(read_value(moved.write()) >= 10 * value for moved in numbers.scale(amount) if not amount.scale)
    assert all(abs(moved.value - amount.value) <= max(amount.value, 1) for moved in numbers.shift(amount))


@given(st.integers(0, 99))
def test_small_numbers_are_spelled_as_people_do(number: int) -> None:
    words = numbers.spell(number)
    assert words is not None
    assert alpha2digit(words.replace("-", " "), "en", threshold=0) == str(number)
    assert parse_amount(words) == Amount(Decimal(number), spelled=True)


@pytest.mark.parametrize(
    "text", ["Apollo 11", "3M", "14th century", "U2", "a number", "12 Angry Men and more of them", "1969-70"]
)
def test_text_that_is_not_a_number_is_not_changed(text: str) -> None:
    assert parse_amount(text) is None


@given(days)
def test_a_date_in_another_format_is_the_same_day(day: datetime) -> None:
    date = Date(day.year, day.month, day.day)
    assert parse_date(date.write()) == date
    for text in dates.rewrite(date):
        assert dateutil.parse(text, fuzzy=True).date() == day


@given(days)
def test_another_date_is_another_day(day: datetime) -> None:
    date = Date(day.year, day.month, day.day)
    for moved in (*dates.shift(date), *dates.shift_far(date)):
        assert dateutil.parse(moved.write()).date() != day
    assert all(abs((dateutil.parse(moved.write()).date() - day).days) <= 366 for moved in dates.shift(date))
    assert all(
        abs((dateutil.parse(moved.write()).date() - day).days) >= 3650 for moved in dates.shift_far(date)
    )


@given(days)
def test_blurred_dates_are_less_and_sharpened_ones_more_specific(day: datetime) -> None:
    whole, month, year = Date(day.year, day.month, day.day), Date(day.year, day.month), Date(day.year)
    assert {month.write(), str(day.year)} == set(dates.blur(whole))
    assert list(dates.blur(year)) == [f"the {str(day.year)[:3]}0s"]
    assert all(parse_date(text).year == day.year for text in dates.sharpen(year))  # pyright: ignore[reportOptionalMemberAccess]
    assert all(parse_date(text).month == day.month for text in dates.sharpen(month))  # pyright: ignore[reportOptionalMemberAccess]


@pytest.mark.parametrize("text", ["31 February 1999", "30 foo 1999", "the 1960s", "in 1969", "12345", "May"])
def test_text_that_is_not_a_date_is_not_parsed(text: str) -> None:
    assert parse_date(text) is None


MEASURES = [
    "kilometres",
    "km",
    "metres",
    "centimetres",
    "kilograms",
    "kg",
    "tonnes",
    "litres",
    "weeks",
    "hours",
    "minutes",
    "°C",
    "°F",
]


def quantity(text: str) -> Any:
    number, _, unit = text.replace(",", "").partition(" ")
    names = {"°C": "degC", "°F": "degF", "tonnes": "metric_ton", "miles": "mile", "feet": "foot", "inches": "inch", "pounds": "pound", "gallons": "gallon",
             "ounces": "ounce"}  # fmt: skip
    return registry.Quantity(float(number), names.get(unit, unit))


@given(st.integers(1, 5000), st.sampled_from(MEASURES))
def test_another_unit_keeps_the_value(number: int, unit: str) -> None:
    amount = parse_amount(f"{number} {unit}")
    assert amount is not None
    base = quantity(f"{number} {unit}").to_base_units()
    for text in numbers.convert(amount):
        assert quantity(text).to_base_units().magnitude == pytest.approx(base.magnitude, rel=1e-9)


@given(st.integers(1, 5000), st.sampled_from([unit for unit in MEASURES if unit != "weeks"]))
def test_a_changed_unit_changes_the_value(number: int, unit: str) -> None:
    amount = parse_amount(f"{number} {unit}")
    assert amount is not None
    base = quantity(f"{number} {unit}").to_base_units()
    changed = [quantity(moved.write()).to_base_units() for moved in numbers.exchange(amount)]
    assert changed
    assert all(abs(one.magnitude - base.magnitude) > 1e-9 for one in changed)


def test_currencies_are_exchanged_without_conversion() -> None:
    amount = parse_amount("$7.2 million")
    assert amount is not None
    assert {moved.write() for moved in numbers.exchange(amount)} == {"€7.2 million", "£7.2 million"}
    assert list(numbers.convert(amount)) == []
