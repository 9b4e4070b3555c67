"""Values of an answer in the reference's own writing, where they are the same: "two weeks" beside "14 days" is read as "14 days".

Who compares words sees that nothing is shared by "fifty dollars" and "$50"; who reads values sees that they are one.
"""

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from karat.text.dates import Day, read_dates
from karat.text.fold import fold
from karat.text.numbers import NUMBER_WORDS
from karat.text.quantities import Quantity, is_rounding, list_quantities

_VALUE = re.compile(
    r"\d|\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|half|halves|thirds?|quarters?|\w+th)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"\d[\d,.]*\d|\d|\b{NUMBER_WORDS}(?!\w)", re.IGNORECASE)
_NEAR, _ROUNDED = Fraction(1, 100), Fraction(1, 50)
_MANY = 10_000
_LONGEST = 4000


class _Value(Struct, frozen=True):
    """A date or a quantity, and how it is written."""

    what: Day | Quantity
    text: str


def respell_values(reference: str, answer: str, question: str) -> str:
    """Return the answer with its values written as the reference writes them, but for those that it has from the question."""
    if len(answer) > _LONGEST or not _VALUE.search(answer):
        return answer
    wanted = _read_reference(reference)
    if not wanted:
        return answer
    folded = fold(answer)
    changed, written, asked = folded, {each.text.strip().lower() for each in wanted}, fold(question).lower()
    for given in sorted(_read(folded), key=lambda value: -value.what.start):
        spelt = next((spelt for each in wanted if (spelt := _spell(given, each)) is not None), None)
        own = given.text.strip().lower()
        if spelt is not None and own not in written and own not in asked:
            space = " " * (len(given.text) - len(given.text.lstrip()))
            changed = f"{changed[: given.what.start]}{space}{spelt.lstrip()}{changed[given.what.end :]}"
    return answer if changed == folded else changed


@lru_cache(maxsize=4096)
def _read_reference(text: str) -> tuple[_Value, ...]:
    return tuple(_read(fold(text))) if len(text) <= _LONGEST and _VALUE.search(text) else ()


def _read(text: str) -> list[_Value]:
    """Return the days and quantities of a text; a year alone is a number like others."""
    dates = [date for date in read_dates(text) or () if date.month is not None]
    masked = text
    for date in dates:
        masked = f"{masked[: date.start]}{'_' * (date.end - date.start)}{masked[date.end :]}"
    values: list[Day | Quantity] = [*dates, *list_quantities(masked)]
    return [_Value(value, text[value.start : value.end]) for value in values]


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
    """Tell whether two quantities of one kind are equal, as near as another unit lets them be, or one is the other rounded."""
    away = abs(one.value - other.value)
    if not away:
        return one.kind != "plain" or one.count == other.count
    if not is_rounding(one, other):
        return False
    if one.count and other.count and one.value / one.count == other.value / other.count:
        # What has decimals or many digits may be said more roughly, and what is counted may not.
        exact = other.count.denominator != 1 or other.count >= _MANY
        return exact and one.step > other.step and away <= _ROUNDED * abs(other.value)
    return away <= _NEAR * abs(other.value)


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
        and "ordinal" not in {one.kind, other.kind}
    )


def _spell_number(given: str, wanted: str) -> str | None:
    """Write the number of a quantity as another does, where one has it in figures and the other in words."""
    ours, theirs = _NUMBER.search(given), _NUMBER.search(wanted)
    if ours is None or theirs is None or ours[0][0].isdigit() == theirs[0][0].isdigit():
        return None
    return f"{given[: ours.start()]}{theirs[0]}{given[ours.end() :]}"
