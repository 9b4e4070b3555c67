"""Dates: the same date in other formats, and other dates."""

import re
from calendar import monthrange
from collections.abc import Iterator

from msgspec import Struct, structs

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH},? (?P<year>\d{{4}})",
        rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})",
        rf"{_MONTH},? (?P<year>\d{{4}})",
        rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}",
        rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?",
        r"(?P<year>1\d{3}|20\d{2})",
    )
)
_FIRST, _LAST = 1000, 2099


class Date(Struct, frozen=True):
    """A date as far as it is known."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def write(self) -> str:
        """Format the date: 20 July 1969, July 1969, 20 July, 1969."""
        month = None if self.month is None else MONTHS[self.month - 1]
        return " ".join(str(part) for part in (self.day, month, self.year) if part is not None)


def parse_date(text: str) -> Date | None:
    """Parse a text that is only a date; None otherwise."""
    for form in _FORMS:
        found = form.fullmatch(text.strip().rstrip("."))
        if found:
            parts = found.groupdict()
            month = parts.get("month")
            date = Date(
                int(parts["year"]) if parts.get("year") else None,
                MONTHS.index(month.capitalize()) + 1 if month else None,
                int(parts["day"]) if parts.get("day") else None,
            )
            return date if _exists(date) else None
    return None


def rewrite(date: Date) -> Iterator[str]:
    """Yield the same date in other unambiguous formats."""
    if date.month is None:
        yield from (f"in {date.year}", f"the year {date.year}")
        return
    month = MONTHS[date.month - 1]
    if date.day is None:
        yield from (f"{month} of {date.year}", f"in {month}, {date.year}")
        return
    nth = f"{date.day}{_ending(date.day)}"
    if date.year is None:
        yield from (f"{month} {date.day}", f"the {nth} of {month}", f"{month} {nth}", f"{nth} {month}")
        return
    yield from (
        f"{month} {date.day}, {date.year}",
        f"{date.year:04}-{date.month:02}-{date.day:02}",
        f"the {nth} of {month}, {date.year}",
        f"{date.day} {month[:3]} {date.year}" if len(month) > 4 else f"{month} {nth}, {date.year}",  # noqa: PLR2004 - May, June, July
    )


def shift(date: Date) -> Iterator[Date]:
    """Yield dates one year, month or day away."""
    for step in (1, -1):
        moved = (
            None if date.year is None else structs.replace(date, year=date.year + step),
            None if date.month is None else structs.replace(date, month=date.month + step),
            None if date.day is None else structs.replace(date, day=date.day + step),
        )
        yield from (one for one in moved if one is not None and _exists(one))


def shift_far(date: Date) -> Iterator[Date]:
    """Yield dates a decade or a century away, or half a year if no year is known."""
    if date.year is None and date.month is not None:
        far = [structs.replace(date, month=(date.month + 5) % 12 + 1)]
    else:
        far = [structs.replace(date, year=(date.year or 0) + step) for step in (100, -100, 10, -10)]
    yield from (moved for moved in far if _exists(moved) and _FIRST <= (moved.year or _FIRST) <= _LAST)


def blur(date: Date) -> Iterator[str]:
    """Yield less specific dates: without the day, without the month, or the decade of a year."""
    if date.day is not None and date.month is not None:
        yield structs.replace(date, day=None).write() if date.year else f"in {MONTHS[date.month - 1]}"
    if date.month is not None and date.year is not None:
        yield str(date.year)
    if date.month is None and date.year is not None:
        yield f"the {date.year // 10 * 10}s"


def sharpen(date: Date) -> Iterator[str]:
    """Yield more specific dates: with a month for a year, with a day for a month of a year."""
    if date.year is not None and date.month is None:
        yield from (f"{month} {date.year}" for month in ("March", "October"))
    elif date.year is not None and date.day is None:
        yield from (structs.replace(date, day=day).write() for day in (11, 23))


def _exists(date: Date) -> bool:
    if date.month is not None and not 1 <= date.month <= 12:  # noqa: PLR2004 - months
        return False
    if date.day is None:
        return True
    return 1 <= date.day <= monthrange(date.year or 2000, date.month or 1)[1]


def _ending(day: int) -> str:
    if 10 <= day % 100 <= 20:  # noqa: PLR2004 - eleventh, twelfth, thirteenth
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
