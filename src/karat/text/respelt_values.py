"""Values of an answer in the reference's own writing, where they are the same: "two weeks" beside "14 days" is read as "14 days".

Who compares words sees that nothing is shared by "fifty dollars" and "$50"; who reads values sees that they are one.
"""

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from karat.text.dates import Day, read_dates, read_either_way
from karat.text.fold import fold
from karat.text.forms import names_value
from karat.text.numbers import NUMBER_WORDS
from karat.text.quantities import Quantity, is_rounding, list_quantities

_NUMBER = re.compile(rf"\d[\d,.]*\d|\d|\b{NUMBER_WORDS}(?!\w)", re.IGNORECASE)
_NEAR = Fraction(1, 100)
# What makes another value of the one that follows or stands before; "6 feet 2 inches" is neither of them.
_LIMITED = re.compile(
    r"(?:\b(?:before|until|over|under|more than|less than|fewer than|almost|nearly|above|below|beyond|at least|at most|exceed\w*|half of|twice|double|(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred) (?:to|or|and))|\d\s?-|\d\s?(?:feet|foot|ft|miles?|hours?|hrs?|h|minutes?|mins?|years?|months?|weeks?|days?|pounds?|lbs?|m),?(?:\sand)?)\s*$",
    re.IGNORECASE,
)
_MULTIPLIED = re.compile(
    r"(?:,?\s*and)?\s+\d|\s+(?:pairs?|dozens?|couples|sets|and a|times|before|ago|earlier)\b", re.IGNORECASE
)
_LONGEST, _REACH = 4000, 24


class _Value(Struct, frozen=True):
    """A date or a quantity, and how it is written."""

    what: Day | Quantity
    text: str


def respell_values(reference: str, answer: str, question: str) -> str:
    """Return the answer with its values written as the reference writes them, but for those that it has from the question, and limits ("under 14 days")."""
    if len(answer) > _LONGEST or len(reference) > _LONGEST or not names_value(answer):
        return answer
    wanted = _read(fold(reference))
    if not wanted:
        return answer
    answer = _spell_numeric(wanted, answer)
    folded, asked = fold(answer), fold(question).lower()
    written = {each.text.strip().lower() for each in wanted}
    limits = any(_is_limit(fold(reference), each) for each in wanted)
    changed = folded
    for given in sorted(_read(folded), key=lambda value: -value.what.start):
        own = given.text.strip().lower()
        if own in written or (not limits and _is_limit(folded, given)) or _stands_in(own, asked):
            continue
        spelt = next((spelt for each in wanted if (spelt := _spell(given, each)) is not None), None)
        if spelt is not None:
            space = " " * (len(given.text) - len(given.text.lstrip()))
            changed = f"{changed[: given.what.start]}{space}{spelt.lstrip()}{changed[given.what.end :]}"
    return answer if changed == folded else changed


def _spell_numeric(wanted: tuple[_Value, ...], answer: str) -> str:
    """Write a date of numbers as the reference writes it, where it may be that: "10/09/2001" is the 9th of October to some."""
    folded = fold(answer)
    changed = folded
    for days in reversed(read_either_way(folded)):
        parts = {day.parts() for day in days}
        spelt = next(
            (each.text for each in wanted if isinstance(each.what, Day) and each.what.parts() in parts), None
        )
        if spelt is not None:
            changed = f"{changed[: days[0].start]}{spelt.strip()}{changed[days[0].end :]}"
    return answer if changed == folded else changed


@lru_cache(maxsize=4096)  # a reference has many answers, and an answer is held against several references
def _read(text: str) -> tuple[_Value, ...]:
    """Return the days and quantities of a text; a year alone is a number like others."""
    if not names_value(text):
        return ()
    dates = [date for date in read_dates(text) or () if date.month is not None]
    masked = text
    for date in dates:
        masked = f"{masked[: date.start]}{'_' * (date.end - date.start)}{masked[date.end :]}"
    values: list[Day | Quantity] = [*dates, *list_quantities(masked)]
    return tuple(_Value(value, text[value.start : value.end]) for value in values)


def _is_limit(text: str, value: _Value) -> bool:
    """Tell whether a word beside a value makes another of it."""
    before = text[max(0, value.what.start - _REACH) : value.what.start]
    return _LIMITED.search(before) is not None or _MULTIPLIED.match(text, value.what.end) is not None


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _spell(given: _Value, wanted: _Value) -> str | None:
    """Return how the wanted value writes the given one; None where they are not the same, or written alike."""
    one, other = given.what, wanted.what
    if isinstance(one, Day) or isinstance(other, Day):
        same = isinstance(one, Day) and isinstance(other, Day) and one.parts() == other.parts()
        return wanted.text if same else None
    if one.kind == other.kind and _is_same(one, other):
        return wanted.text
    if _is_share(one, other):
        return wanted.text
    return _spell_number(given.text, wanted.text) if _is_counted_alike(one, other) else None


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities of one kind are equal, or as near as another unit lets them be."""
    away = abs(one.value - other.value)
    if not away:
        return one.kind != "plain" or one.count == other.count
    if one.kind == "temperature" or not is_rounding(one, other):
        return False  # degrees have no natural share
    same_unit = one.count and other.count and one.value / one.count == other.value / other.count
    return not same_unit and away <= _NEAR * abs(other.value)


def _is_share(one: Quantity, other: Quantity) -> bool:
    """Tell whether one is a percentage and the other the same share as a fraction of nothing else."""
    if {one.kind, other.kind} != {"percent", "plain"} or one.value != other.value:
        return False
    return one.value.denominator != 1


def _is_counted_alike(one: Quantity, other: Quantity) -> bool:
    """Tell whether the same number stands before other words: "25 days", "twenty-five paid days"."""
    return (
        one.count == other.count
        and "plain" in {one.kind, other.kind}
        and {one.kind, other.kind}.isdisjoint({"ordinal", "percent"})
    )


def _spell_number(given: str, wanted: str) -> str | None:
    """Write the number of a quantity as another does, where one has it in figures and the other in words."""
    ours, theirs = _NUMBER.search(given), _NUMBER.search(wanted)
    if ours is None or theirs is None or ours[0][0].isdigit() == theirs[0][0].isdigit():
        return None
    return f"{given[: ours.start()]}{theirs[0]}{given[ours.end() :]}"
