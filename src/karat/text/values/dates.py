"""Read dates, decades and centuries, as far as they are stated."""

import re

from msgspec import Struct

from karat.text.lexicon import MONTHS, ORDINALS, any_case, list_words


class Day(Struct, frozen=True):
    """A full or partial date, and its position in the text."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    start: int = 0
    end: int = 0

    def parts(self) -> tuple[int | None, int | None, int | None]:
        """Return year, month and day."""
        return self.year, self.month, self.day


_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_ERA = r"(?:\s?(?P<era>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)(?![a-z]))"
_EDGE = r"(?<![\w$€£,.:/-])"
_END = r"(?![\w%]|[-/:,.]\d)"
_THREE_NUMBERS = rf"(?P<a>\d{{1,2}})(?P<sep>[-/.])(?P<b>\d{{1,2}})(?P=sep){_YEAR}"
_DATE_FORMS = tuple(
    any_case(_EDGE + form + _END)
    for form in (
        rf"{_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})",
        rf"{_MONTH}\s{_DAY}\s?,?\s{_YEAR}",
        rf"{_DAY}(?:\sof)?[\s-]{_MONTH}\s?[,-]?\s?{_YEAR}",
        _THREE_NUMBERS,
        rf"{_MONTH},?\s(?:of\s)?{_YEAR}",
        rf"(?:the\s)?{_DAY}(?:\sof)?\s{_MONTH}",
        rf"{_MONTH}\s(?:the\s)?{_DAY}",
        rf"(?P<year>\d{{1,4}}){_ERA}",
        r"a\.?d\.?\s(?P<year>\d{1,4})",
        _YEAR,
    )
)
_ANY = re.compile(r"\d")
_DATE_LEAD = any_case(
    r"^(?:(?:in|on|by|since|from|during|around|about|circa|c\.|the|year|early|late|mid)\s+)*"
)
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_MONTHS_IN_YEAR, _DAYS_IN_MONTH = 12, 31


def read_dates(text: str) -> list[Day] | None:
    """Return the dates in a text in order, or None if one of them is ambiguous."""
    if _ANY.search(text) is None:
        return []
    found: list[Day] = []
    taken = bytearray(len(text))
    for form in _DATE_FORMS:
        for match in form.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            day = _read_date_match(match)
            if day is None:
                return None
            if _is_possible(day):
                found.append(day)
                taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return sorted(found, key=lambda day: day.start)


_NUMERIC = re.compile(_EDGE + _THREE_NUMBERS + _END)


def read_ambiguous_dates(text: str) -> list[tuple[Day, ...]]:
    """Return the possible readings of each date of three numbers: month or day first, or day first if written with points."""
    found = list[tuple[Day, ...]]()
    for match in _NUMERIC.finditer(text):
        first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
        ways = ((second, first),) if match["sep"] == "." else ((first, second), (second, first))
        days = (Day(year, month, day, match.start(), match.end()) for month, day in ways)
        found.append(tuple(day for day in days if _is_possible(day)))
    return found


def read_date(text: str) -> Day | None:
    """Return the date of a text that has nothing else."""
    dates = read_dates(text)
    if dates is None or len(dates) != 1 or _read_beside(text, _DATE_LEAD, dates[0]).strip(" .,;()"):
        return None
    return dates[0]


def _read_beside(text: str, lead: re.Pattern[str], found: "Day | Period") -> str:
    """Return the rest of a text around a date or a period, without words such as "in the" before it."""
    before = lead.match(text)
    return text[before.end() if before else 0 : found.start] + text[found.end :]


def _read_date_match(match: re.Match[str]) -> Day | None:
    """Return the date of a match, or None if day and month cannot be distinguished."""
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    month: int | None = None
    day = int(parts["day"]) if parts.get("day") else None
    if parts.get("month"):
        month = 1 + next(i for i, name in enumerate(MONTHS) if name.startswith(parts["month"].lower()[:3]))
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


def covers_date(reference: Day, answer: Day) -> bool:
    """Return whether every part of the reference's date is the same in the answer."""
    pairs = zip(reference.parts(), answer.parts(), strict=True)
    return all(wanted is None or wanted == given for wanted, given in pairs)


def dates_clash(reference: Day, answer: Day) -> bool:
    """Return whether two dates differ in a part that both state."""
    pairs = zip(reference.parts(), answer.parts(), strict=True)
    return any(wanted is not None and given is not None and wanted != given for wanted, given in pairs)


# Decades and centuries.


class Period(Struct, frozen=True):
    """The years that certainly belong to a period, the years that may, and its position in the text."""

    first: int
    last: int
    earliest: int
    latest: int
    start: int = 0
    end: int = 0
    short: bool = False
    """Whether the century is left out: "the 80s"."""

    def years(self) -> tuple[int, int, int, int]:
        """Return the four limits."""
        return self.first, self.last, self.earliest, self.latest

    def holds(self, year: int) -> bool:
        """Return whether a year is certainly in the period."""
        return self.first <= year <= self.last

    def excludes(self, year: int) -> bool:
        """Return whether a year is certainly outside."""
        if self.short:
            return _decade_digit(year) != _decade_digit(self.first)
        return not self.earliest <= year <= self.latest

    def _is_as_long_as(self, other: "Period") -> bool:
        return self.latest - self.earliest == other.latest - other.earliest

    def includes(self, other: "Period") -> bool:
        """Return whether another period is the same or a part of it."""
        if self.short or other.short:
            inside = self.first % 100 <= other.first % 100 and other.last % 100 <= self.last % 100
            return self._is_as_long_as(other) and inside
        return self.first <= other.first and other.last <= self.last

    def is_apart_from(self, other: "Period") -> bool:
        """Return whether two periods share no year except the edge of a century. They are not compared if only one is before Christ."""
        if min(self.first, other.first) < 0 < max(self.first, other.first):
            return False
        if self.short or other.short:
            return self._is_as_long_as(other) and _decade_digit(self.first) != _decade_digit(other.first)
        return self.latest <= other.earliest or other.latest <= self.earliest


def _decade_digit(year: int) -> int:
    return year // 10 % 10


_TENS = list_words("twenties thirties forties fifties sixties seventies eighties nineties")
_FLAGS = re.IGNORECASE | re.ASCII
_PERIOD_PART = r"(?:(?P<part>early|late|mid|middle|beginning|start|end|turn|first half|second half|latter half|last half)(?:\s?-\s?|\s+)(?:of\s+|part\s+of\s+|years\s+of\s+)?(?:the\s+)?)?"
_DECADE = re.compile(rf"\b{_PERIOD_PART}(?P<decade>1[0-9]\d0|20\d0)['’]?s\b(?!\s?b\.?c)", _FLAGS)
_DECADE_IN_WORDS = re.compile(rf"\b{_PERIOD_PART}nineteen[- ](?P<tens>{'|'.join(_TENS)})\b", _FLAGS)
# "In his early 60s" is an age.
_SHORT_DECADE = re.compile(
    rf"(?:\bthe\s|(?<!\w)(?=['’])){_PERIOD_PART}['’]?(?P<short>[2-9]0)['’]?s\b", _FLAGS
)
_CENTURY = re.compile(
    rf"\b{_PERIOD_PART}(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>twenty[- ]first|{'|'.join(ORDINALS)}))[\s-]+century\b{_ERA}?",
    _FLAGS,
)
_PERIOD_SIGN = re.compile(r"0['’]?s\b|centur|nineteen", _FLAGS)
_PERIOD_LEAD = any_case(
    r"\W*(?:(?:it|this|that|they|he|she|there) \w+ )?(?:(?:sometime|some time|somewhere|back|by|in|during|around|about|from|since|of|for|the|was|is|were|both|throughout)\s+)*"
)
_CENTURIES = (*ORDINALS, "twenty first")
_LAST_CENTURY, _THIS_CENTURY = 1900, 2000
_DECADE_YEARS, _CENTURY_YEARS = 10, 100
# The years of a decade and of a century that certainly are "early", "mid" or "late". Usage differs about the other years.
_PART_YEARS = {
    _DECADE_YEARS: {"": (0, 9), "early": (0, 3), "mid": (4, 6), "late": (7, 9), "start": (0, 1), "end": (8, 9), "first half": (0, 4), "second half": (5, 9)},
    _CENTURY_YEARS: {"": (1, 99), "early": (1, 25), "mid": (40, 60), "late": (75, 99), "start": (1, 10), "end": (90, 99), "first half": (1, 50), "second half": (51, 99)},
}  # fmt: skip
_PART_SYNONYMS = {"middle": "mid", "beginning": "start", "latter half": "second half", "last half": "second half"}  # fmt: skip


def read_periods(text: str) -> list[Period]:
    """Return the decades and centuries of a text in order."""
    if _PERIOD_SIGN.search(text) is None:
        return []
    found = [
        period
        for form in (_DECADE, _DECADE_IN_WORDS, _SHORT_DECADE, _CENTURY)
        for match in form.finditer(text)
        if (period := _read_period_match(match)) is not None
    ]
    return sorted(found, key=lambda period: period.start)


def read_period(text: str) -> Period | None:
    """Return the period of a text that has nothing else."""
    periods = read_periods(text)
    if len(periods) != 1:
        return None
    return None if _read_beside(text, _PERIOD_LEAD, periods[0]).strip(" .,;()'\"") else periods[0]


def _read_period_match(match: re.Match[str]) -> Period | None:
    parts = match.groupdict()
    part = (parts.get("part") or "").lower()
    part = _PART_SYNONYMS.get(part, part)
    if part == "turn":
        return None
    at = match.start(), match.end()
    if parts.get("number") or parts.get("word"):
        return _read_century(parts, part, at)
    if parts.get("tens"):
        first = 1920 + 10 * _TENS.index(parts["tens"].lower())
    elif parts.get("short"):
        first = 1900 + int(parts["short"])
    else:
        first = int(parts["decade"])
    if first == _LAST_CENTURY:
        return None  # a decade or a century
    span = _CENTURY_YEARS if first % _CENTURY_YEARS == 0 and first != _THIS_CENTURY else _DECADE_YEARS
    return _make_period(first, span, part, at, short=parts.get("short") is not None)


def _read_century(parts: dict[str, str | None], part: str, at: tuple[int, int]) -> Period | None:
    word = (parts["word"] or "").lower().replace("-", " ")
    number = int(parts["number"]) if parts["number"] else 1 + _CENTURIES.index(word)
    if not 1 <= number <= len(_CENTURIES):
        return None
    before_christ = (parts["era"] or "").lower().startswith("b")
    return _make_period(_CENTURY_YEARS * (-number if before_christ else number - 1), _CENTURY_YEARS, part, at)


def _make_period(begin: int, span: int, part: str, at: tuple[int, int], *, short: bool = False) -> Period:
    first, last = _PART_YEARS[span][part]
    # 1900 may count as a year of the 19th or of the 20th century.
    latest = begin + span - (span == _DECADE_YEARS)
    return Period(begin + first, begin + last, begin, latest, *at, short)
