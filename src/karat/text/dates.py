"""Partial dates: a year, a month, a day, or any of them that is known."""

import re

from msgspec import Struct

from karat.text.vocabulary import list_words


class Day(Struct, frozen=True):
    """A date as far as it was stated, and where it stands in the text."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    start: int = 0
    end: int = 0

    def parts(self) -> tuple[int | None, int | None, int | None]:
        """Return year, month and day."""
        return self.year, self.month, self.day


_MONTHS = list_words("january february march april may june july august september october november december")
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_ERA = r"(?:\s?(?P<era>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)(?![a-z]))"
_EDGE = r"(?<![\w$€£,.:/-])"
_END = r"(?![\w%]|[-/:,.]\d)"
_FORMS = tuple(
    re.compile(_EDGE + form + _END, re.IGNORECASE)
    for form in (
        rf"{_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})",
        rf"{_MONTH}\s{_DAY}\s?,?\s{_YEAR}",
        rf"{_DAY}(?:\sof)?[\s-]{_MONTH}\s?[,-]?\s?{_YEAR}",
        rf"(?P<a>\d{{1,2}})(?P<sep>[-/.])(?P<b>\d{{1,2}})(?P=sep){_YEAR}",
        rf"{_MONTH},?\s(?:of\s)?{_YEAR}",
        rf"(?:the\s)?{_DAY}(?:\sof)?\s{_MONTH}",
        rf"{_MONTH}\s(?:the\s)?{_DAY}",
        rf"(?P<year>\d{{1,4}}){_ERA}",
        r"a\.?d\.?\s(?P<year>\d{1,4})",
        _YEAR,
    )
)
_ANY = re.compile(r"\d")
_LEAD = re.compile(
    r"^(?:(?:in|on|by|since|from|during|around|about|circa|c\.|the|year|early|late|mid)\s+)*", re.IGNORECASE
)
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_MONTHS_IN_YEAR, _DAYS_IN_MONTH = 12, 31


def read_dates(text: str) -> list[Day] | None:
    """Return the dates in a text in order, or None where one of them can be read in two ways."""
    if _ANY.search(text) is None:
        return []
    found: list[Day] = []
    taken = bytearray(len(text))
    for form in _FORMS:
        for match in form.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            day = _read_match(match)
            if day is None:
                return None
            if _is_possible(day):
                found.append(day)
                taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return sorted(found, key=lambda day: day.start)


_NUMERIC = re.compile(_EDGE + r"(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<year>\d{4})" + _END)


def read_either_way(text: str) -> list[tuple[Day, ...]]:
    """Return for each date of three numbers what it may be: the month or the day first, with points the day."""
    found: list[tuple[Day, ...]] = []
    for match in _NUMERIC.finditer(text):
        first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
        ways = ((second, first),) if match["sep"] == "." else ((first, second), (second, first))
        days = (Day(year, month, day, match.start(), match.end()) for month, day in ways)
        found.append(tuple(day for day in days if _is_possible(day)))
    return found


def read_date(text: str) -> Day | None:
    """Return the date that a text is, and nothing but it."""
    lead = _LEAD.match(text)
    begin = lead.end() if lead else 0
    dates = read_dates(text)
    if dates is None or len(dates) != 1:
        return None
    rest = text[begin : dates[0].start] + text[dates[0].end :]
    return dates[0] if not rest.strip(" .,;()") else None


def _read_match(match: re.Match[str]) -> Day | None:
    """Return the date of one match, or None where day and month cannot be told apart."""
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    month: int | None = None
    day = int(parts["day"]) if parts.get("day") else None
    if parts.get("month"):
        month = 1 + next(i for i, name in enumerate(_MONTHS) if name.startswith(parts["month"].lower()[:3]))
    if parts.get("m"):
        month, day = int(parts["m"]), int(parts["d"])
    if parts.get("a"):
        first, second = int(parts["a"]), int(parts["b"])
        if first != second and max(first, second) <= _MONTHS_IN_YEAR:
            return None
        month, day = (second, first) if first > _MONTHS_IN_YEAR else (first, second)
    if year is not None and (parts.get("era") or "").lower().startswith("b"):
        year = -year
    return Day(year, month, day, match.start(), match.end())


def _is_possible(date: Day) -> bool:
    fits_month = date.month is None or 1 <= date.month <= _MONTHS_IN_YEAR
    fits_day = date.day is None or 1 <= date.day <= _DAYS_IN_MONTH
    bare = date.month is None and date.end - date.start == len("1999")
    fits_year = not bare or date.year is None or _FIRST_YEAR <= date.year <= _LAST_YEAR
    return fits_month and fits_day and fits_year


def covers(reference: Day, answer: Day) -> bool:
    """Tell whether the answer states everything that the reference states, and equally."""
    pairs = zip(reference.parts(), answer.parts(), strict=True)
    return all(wanted is None or wanted == given for wanted, given in pairs)


def clashes(reference: Day, answer: Day) -> bool:
    """Tell whether both dates state the same part and state it differently."""
    pairs = zip(reference.parts(), answer.parts(), strict=True)
    return any(wanted is not None and given is not None and wanted != given for wanted, given in pairs)
