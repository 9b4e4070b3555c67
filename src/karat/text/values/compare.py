"""Compare the dates, periods and quantities of an answer with those of a reference."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from karat.text.hedges import find_doubt, is_enumerated, is_in_pair, is_in_passing
from karat.text.lexicon import any_case, asks_when
from karat.text.normal import normalise
from karat.text.values.dates import Day, Period, covers_date, dates_clash
from karat.text.values.numbers import Quantity, is_rounding
from karat.text.values.reference import Reference, Values
from karat.text.values.units import FEATURE_CURRENCIES, find_unit

_ABOUT = any_case(
    r"\b(?:about|around|approximately|approx|roughly|nearly|almost|over|under|more|less|fewer|at least|at most|up to|some|"
    r"circa|c(?=\.?\s?\d)|estimated|between|average|as of|exceed\w*|above|below)\b|[~<>≈±+]"
)
_COUNTED = any_case(r"\bhow (?:many|much|far|long|tall|high|big|old|fast|deep|heavy|large|wide)\b")
_BOUND_BEFORE = any_case(
    r"\b(?:at least|at most|up to|over|under|nearly|almost|more|less|fewer|above|below|exceed\w*|beyond|within|before|after|until|by|since|"
    r"about|around|approx(?:imately|\.)?|roughly|circa|c\.?|ca\.?|some|close to|near|upwards of|in excess of|(?:minimum|maximum|short) of|as (?:many|much) as|approaching|twice|thrice|double|triple|half of|third of|quarter of|times)\W+(?:(?:than|the|a|year)\W+)*$|[~<>≈≥≤±∼∽√∛≠]\W*$"
)
_BOUND_AFTER = any_case(
    r"[^\W\d_]|\s?(?:[+!<>≤≥×÷]|-?ish\b|(?:or so|or more|or less|or fewer|plus|something|odd|pairs?|couples|dozens?|sets|times)\b)"
)
_ERA = any_case(r"(?:\s\w+)?\s?b\.?c\b")
_PERCENT = any_case(r"%|\bper ?cent")
_ONE = any_case(r"\bone\b")
_SENTENCE = re.compile(r"[.!?](?:\s|$)|\n")
_HEDGED = any_case(r"\W*(?:about|around|approx|roughly|circa|ca?\.)|\W*~")
_PART = re.compile(r"\b(?:early|late|mid|since|from|by)\b")
_DEADLINE = any_case(r"\W*by\b")
_GROUPED = re.compile(r"\d[.,]\d{3}(?!\d)")
# Words by which a question asks for a unit. It may name one for other reasons: "the second half", "how long is a foot".
_ASKED_UNIT = any_case(
    r"\b(?:in|how many|number of|or)\s+(?:degrees\s+)?([a-z]+s|feet|fahrenheit|celsius|kelvin|km|cm|mm|kg|mph|usd|eur|gbp|yen)\b(?!\s+of\b)"
)
_REACH = 30
_TOLERANCE = 5
_CLOSE = 200
_GROUP = 1000
_ValueT = TypeVar("_ValueT")


def values_agree(reference: Reference, answer: Values, question: Values) -> bool:
    """Return whether the only date, period or quantity of an answer is that of the reference, and is asserted."""
    mention = (
        _find_date(reference, answer, question)
        or _find_period(reference, answer, question)
        or _find_quantity(reference, answer, question)
    )
    if mention is None:
        return _is_rounded(reference, answer, question)
    if not _is_firm(answer, mention, question):
        return False
    return not _is_limited(answer, mention) or _HEDGED.match(reference.text) is not None


def _find_date(reference: Reference, answer: Values, question: Values) -> Day | None:
    """Return the date of an answer if it states all of the reference's date, and the same "early" or "since"."""
    if reference.date is None:
        return None
    date = find_single_date(answer, question) or find_leading_date(answer, question)
    if date is None or not covers_date(reference.date, date):
        return None
    before = answer.text[max(0, date.start - _REACH) : date.start]
    return None if _name_part(reference.text) - _name_part(before) else date


def _find_period(reference: Reference, answer: Values, question: Values) -> Period | None:
    """Return the period of an answer if it is that of the reference or a part of it, and all its dates are in the period."""
    wanted, given = reference.period, find_single_period(answer, question)
    if wanted is None or given is None or not asks_when(question.text) or not wanted.includes(given):
        return None
    fits = all(date.year is not None and wanted.holds(date.year) for date in answer.dates or ())
    return given if fits else None


def is_within_period(reference: Reference, answer: Values, question: Values) -> bool:
    """Return whether the only date of an answer is in the decade or century of the reference, and is asserted."""
    date = find_single_date(answer, question) or find_leading_date(answer, question)
    if reference.period is None or date is None or date.year is None or answer.periods:
        return False
    return (
        asks_when(question.text)
        and reference.period.holds(date.year)
        and _is_firm(answer, date, question)
        and not _is_limited(answer, date)
    )


def _find_quantity(reference: Reference, answer: Values, question: Values) -> Quantity | None:
    """Return the quantity of an answer if it equals that of the reference."""
    if reference.quantity is None:
        return None
    quantity = find_single_quantity(reference.quantity, answer, question)
    if quantity is None or not _quantities_equal(reference.quantity, quantity, question):
        return None
    return None if _ERA.match(answer.text, quantity.end) else quantity


def _is_rounded(reference: Reference, answer: Values, question: Values) -> bool:
    """Return whether the only quantity of an answer is a more exact form of the reference: 42.195 km for 42.2 km. A less exact one is less specific."""
    wanted = reference.quantity
    given = find_single_quantity(wanted, answer, question) if wanted else None
    if wanted is None or given is None or given.kind != wanted.kind or answer.dates:
        return False
    gap, whole = abs(wanted.value - given.value), wanted.count.denominator == given.count.denominator == 1
    return (
        not whole
        and given.step < wanted.step
        and gap * _CLOSE <= abs(wanted.value)
        and is_rounding(wanted, given)
        and _counts_same(wanted, given, question)
        and _is_firm(answer, given, question)
        and not _is_limited(answer, given)
    )


def _is_limited(answer: Values, mention: Day | Period | Quantity) -> bool:
    """Return whether an answer gives a limit or an estimate instead of a value: "at least 10", "10+", "about 10"."""
    before = answer.text[max(0, mention.start - _REACH) : mention.start]
    after = _BOUND_AFTER.match(answer.text, mention.end)
    return _BOUND_BEFORE.search(before) is not None or after is not None


def _name_part(text: str) -> set[str]:
    """Return the words that restrict a date to a part of a year, a start or a limit: early, since, by."""
    return set(_PART.findall(text.lower()))


def values_conflict(reference: Reference, answer: Values, question: Values) -> bool:
    """Return whether the only date, period or quantity of an answer is of the same kind as the reference, and certainly different."""
    deadline = _DEADLINE.match(reference.text) is not None  # an earlier date does not contradict it
    if reference.date is not None:
        return not deadline and _dates_conflict(reference, reference.date, answer, question)
    if reference.period is not None:
        asked = asks_when(question.text) and not deadline
        return asked and _lies_outside(reference.period, answer, question)
    wanted = reference.quantity
    quantity = find_single_quantity(wanted, answer, question) if wanted else None
    if wanted is None or quantity is None or answer.dates or _ONE.search(answer.text):
        return False
    return _is_firm(answer, quantity, question) and (
        _is_in_other_unit(wanted, quantity, question.text)
        or _quantity_differs(reference, wanted, quantity, answer, question)
    )


def _dates_conflict(reference: Reference, wanted: Day, answer: Values, question: Values) -> bool:
    date = find_single_date(answer, question)
    bare_year = wanted.month is None and wanted.year is not None
    return (
        date is not None
        and dates_clash(wanted, date)
        and not (bare_year and _COUNTED.search(question.text))
        and not _is_vague(reference, answer)
        and not _has_other_numbers(answer, question)
        and _is_firm(answer, date, question)
    )


def _lies_outside(wanted: Period, answer: Values, question: Values) -> bool:
    """Return whether the only date or period of an answer is outside the wanted period."""
    if _has_other_numbers(answer, question):
        return False
    date, period = find_single_date(answer, question), find_single_period(answer, question)
    if period is not None:
        return not answer.dates and wanted.is_apart_from(period) and _is_firm(answer, period, question)
    if date is None or date.year is None or answer.periods or _ABOUT.search(answer.text):
        return False
    return wanted.excludes(date.year) and _is_firm(answer, date, question)


def _quantity_differs(
    reference: Reference, wanted: Quantity, quantity: Quantity, answer: Values, question: Values
) -> bool:
    if wanted.kind != quantity.kind or not _counts_same(wanted, quantity, question):
        return False
    # The same figure on another scale is not a rounding: 100 °F for 100 °C.
    rescaled = wanted.kind == "temperature" and wanted.count == quantity.count
    # "-3.2" may be given as "a decrease of 3.2".
    if abs(wanted.value) == abs(quantity.value) or _is_regrouped(
        reference.text, wanted, answer.text, quantity
    ):
        return False
    if is_rounding(wanted, quantity) and not rescaled:
        return False
    gap, size = abs(wanted.value - quantity.value), max(abs(wanted.value), abs(quantity.value))
    vague = _ABOUT.search(answer.text) or _ABOUT.search(reference.text)
    return gap * _TOLERANCE > size if vague else True


def _is_regrouped(one: str, wanted: Quantity, other: str, given: Quantity) -> bool:
    """Return whether two values differ only by the meaning of a point or a comma: "1.500" is 1.5 or 1,500."""
    apart = wanted.value in (given.value * _GROUP, given.value / _GROUP)
    return apart and (_GROUPED.search(one) is not None or _GROUPED.search(other) is not None)


def _is_vague(reference: Reference, answer: Values) -> bool:
    ancient = reference.date is not None and reference.date.year is not None and reference.date.year < 0
    return ancient or bool(_ABOUT.search(answer.text) or _ABOUT.search(reference.text))


def _has_other_numbers(answer: Values, question: Values) -> bool:
    """Return whether an answer has numbers besides its dates, which may be dates that were not read."""
    if answer.quantities is None:
        return True
    known = {each.value for each in question.quantities or ()}
    return any(each.value not in known for each in answer.quantities)


def find_leading_date(answer: Values, question: Values) -> Day | None:
    """Return the only date of the first sentence with a date. Later sentences often tell what came before or after."""
    added = _list_added(answer.dates or (), question.dates or (), Day.parts)
    stop = _SENTENCE.search(answer.text, added[0].end) if added else None
    return _pick_only([date for date in added if stop is None or date.start < stop.start()], Day.parts)


def find_single_date(answer: Values, question: Values) -> Day | None:
    """Return the only date of an answer that is not in the question. None if there are several."""
    if answer.dates is None or question.dates is None:
        return None
    return _pick_only(_list_added(answer.dates, question.dates, Day.parts), Day.parts)


def find_single_period(answer: Values, question: Values) -> Period | None:
    """Return the only period of an answer that is not in the question. None if there are several."""
    return _pick_only(_list_added(answer.periods, question.periods, Period.years), Period.years)


def find_single_quantity(wanted: Quantity, answer: Values, question: Values) -> Quantity | None:
    """Return the only quantity of the wanted kind that is not in the question. None if there are several."""
    if answer.quantities is None:
        return None
    added = _list_added(answer.quantities, question.quantities or (), Quantity.key)
    if wanted.kind not in {"plain", "ordinal", "percent"}:
        added = [each for each in added if each.kind == wanted.kind]
    return _pick_only(added, Quantity.key)


def _list_added(
    given: Iterable[_ValueT], known: Iterable[_ValueT], key: Callable[[_ValueT], Hashable]
) -> list[_ValueT]:
    """Return the values of an answer that are not in the question."""
    keys = set(map(key, known))
    return [each for each in given if key(each) not in keys]


def _pick_only(values: Sequence[_ValueT], key: Callable[[_ValueT], Hashable]) -> _ValueT | None:
    """Return the first value if all are the same."""
    return values[0] if len(set(map(key, values))) == 1 else None


def _quantities_equal(wanted: Quantity, given: Quantity, question: Values) -> bool:
    if wanted.kind == "plain" and not wanted.noun and given.kind != "ordinal" and given.count == wanted.value:
        if given.kind == "percent":
            return _PERCENT.search(question.text) is not None
        return not _is_in_other_unit(wanted, given, question.text)
    if wanted.value != given.value:
        return False
    kinds = {wanted.kind, given.kind}
    if len(kinds) > 1:
        return kinds == {"plain", "percent"} and given.value.denominator != 1
    return _counts_same(wanted, given, question)


def _is_in_other_unit(wanted: Quantity, given: Quantity, question: str) -> bool:
    """Return whether an answer has the number of the reference, but in another unit than the question asks for: centimetres for metres."""
    if wanted.kind != "plain" or wanted.noun or given.count != wanted.value:
        return False
    asked = [unit for word in _ASKED_UNIT.findall(question) if (unit := find_unit(word))]
    if given.kind in FEATURE_CURRENCIES:
        named = {unit.dimension for unit in asked} & FEATURE_CURRENCIES
        return bool(named) and given.kind not in named
    alike = [unit for unit in asked if unit.dimension == given.kind]
    return bool(alike) and all(unit.factor * wanted.value + unit.offset != given.value for unit in alike)


def _counts_same(wanted: Quantity, given: Quantity, question: Values) -> bool:
    """Return whether two quantities count the same thing, or the question names what is counted."""
    if wanted.kind != "plain" or not wanted.noun:
        return True
    if given.noun and _strip_plural(given.noun) == _strip_plural(wanted.noun):
        return True
    return _strip_plural(wanted.noun) in {_strip_plural(word) for word in question.text.lower().split()}


def _strip_plural(word: str) -> str:
    return word.rstrip("?.,").removesuffix("s")


def _is_firm(answer: Values, mention: Day | Period | Quantity, question: Values) -> bool:
    text, start, end = answer.text, mention.start, mention.end
    if is_enumerated(text, start, end) or is_in_pair(text, start, end, len(text.split())):
        return False
    asked = frozenset(normalise(question.text).split())
    return not is_in_passing(text, start, end) and find_doubt(text, start, end, asked) is None
