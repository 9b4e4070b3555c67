"""Decades and centuries: years that a text leaves open, as "the late 1980s" or "the 7th century"."""

import re

import msgspec
from msgspec import Struct

from karat.text.vocabulary import list_words


class Period(Struct, frozen=True):
    """The years that a period surely has, the years that it may have, and where it stands in the text."""

    first: int
    last: int
    earliest: int
    latest: int
    start: int = 0
    end: int = 0
    short: bool = False
    """Whether its century was left out: "the 80s"."""

    def years(self) -> tuple[int, int, int, int]:
        """Return the edges."""
        return self.first, self.last, self.earliest, self.latest

    def holds(self, year: int) -> bool:
        """Tell whether a year surely lies in the period."""
        return self.first <= year <= self.last

    def excludes(self, year: int) -> bool:
        """Tell whether a year surely lies outside."""
        if self.short:
            return _tens(year) != _tens(self.first)
        return not self.earliest <= year <= self.latest

    def includes(self, other: "Period") -> bool:
        """Tell whether another period is the same or a part of it."""
        if self.short or other.short:
            same = self.latest - self.earliest == other.latest - other.earliest
            return same and self.first % 100 <= other.first % 100 and other.last % 100 <= self.last % 100
        return self.first <= other.first and other.last <= self.last

    def is_apart_from(self, other: "Period") -> bool:
        """Tell whether two periods have no year in common but the edge of a century; one without an era may be of any."""
        if min(self.first, other.first) < 0 < max(self.first, other.first):
            return False
        if self.short or other.short:
            same = self.latest - self.earliest == other.latest - other.earliest
            return same and _tens(self.first) != _tens(other.first)
        return self.latest <= other.earliest or other.latest <= self.earliest


def _tens(year: int) -> int:
    return year // 10 % 10


_TENS = list_words("twenties thirties forties fifties sixties seventies eighties nineties")
_ORDINALS = list_words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
)
_FLAGS = re.IGNORECASE | re.ASCII
_PART = r"(?:(?P<part>early|late|mid|middle|beginning|start|end|turn|first half|second half|latter half|last half)(?:\s?-\s?|\s+)(?:of\s+|part\s+of\s+|years\s+of\s+)?(?:the\s+)?)?"
_ERA = r"(?:\s?(?P<era>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)(?![a-z]))?"
_DECADE = re.compile(rf"\b{_PART}(?P<decade>1[0-9]\d0|20\d0)['’]?s\b(?!\s?b\.?c)", _FLAGS)
_NAMED = re.compile(rf"\b{_PART}nineteen[- ](?P<tens>{'|'.join(_TENS)})\b", _FLAGS)
# "In his early 60s" is an age.
_SHORT = re.compile(rf"(?:\bthe\s|(?<!\w)(?=['’])){_PART}['’]?(?P<short>[2-9]0)['’]?s\b", _FLAGS)
_CENTURY = re.compile(
    rf"\b{_PART}(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>twenty[- ]first|{'|'.join(_ORDINALS)}))[\s-]+century\b{_ERA}",
    _FLAGS,
)
_SIGN = re.compile(r"0['’]?s\b|centur|nineteen", _FLAGS)
_LEAD = re.compile(
    r"\W*(?:(?:it|this|that|they|he|she|there) \w+ )?(?:(?:sometime|some time|somewhere|back|by|in|during|around|about|from|since|of|for|the|was|is|were|both|throughout)\s+)*",
    re.IGNORECASE,
)
_LATEST_CENTURY = 21
_LAST_CENTURY, _THIS_CENTURY = 1900, 2000
_DECADE_YEARS, _CENTURY_YEARS = 10, 100
# Of ten years and of a hundred: what "early", "mid" and "late" surely mean; where they end is not agreed.
_PARTS = {
    _DECADE_YEARS: {"": (0, 9), "early": (0, 3), "mid": (4, 6), "late": (7, 9), "start": (0, 1), "end": (8, 9), "first half": (0, 4), "second half": (5, 9)},
    _CENTURY_YEARS: {"": (1, 99), "early": (1, 25), "mid": (40, 60), "late": (75, 99), "start": (1, 10), "end": (90, 99), "first half": (1, 50), "second half": (51, 99)},
}  # fmt: skip
_MEANT = {"middle": "mid", "beginning": "start", "latter half": "second half", "last half": "second half"}


def read_periods(text: str) -> list[Period]:
    """Return the decades and centuries of a text in order; most have no sign of one."""
    if _SIGN.search(text) is None:
        return []
    found = [
        period
        for form in (_DECADE, _NAMED, _SHORT, _CENTURY)
        for match in form.finditer(text)
        if (period := _read_match(match)) is not None
    ]
    return sorted(found, key=lambda period: period.start)


def read_period(text: str) -> Period | None:
    """Return the period that a text is, and nothing but it."""
    periods = read_periods(text)
    if len(periods) != 1:
        return None
    lead = _LEAD.match(text)
    begin = min(lead.end() if lead else 0, periods[0].start)
    rest = text[begin : periods[0].start] + text[periods[0].end :]
    return periods[0] if not rest.strip(" .,;()'\"") else None


def _read_match(match: re.Match[str]) -> Period | None:
    parts = match.groupdict()
    part = (parts.get("part") or "").lower()
    part = _MEANT.get(part, part)
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
        return None  # ten years or a hundred
    span = _CENTURY_YEARS if first % _CENTURY_YEARS == 0 and first != _THIS_CENTURY else _DECADE_YEARS
    return msgspec.structs.replace(_cut(first, span, part, at), short=parts.get("short") is not None)


def _read_century(parts: dict[str, str | None], part: str, at: tuple[int, int]) -> Period | None:
    number = int(parts["number"]) if parts["number"] else _count(str(parts["word"]))
    if not 1 <= number <= _LATEST_CENTURY:
        return None
    before_christ = (parts["era"] or "").lower().startswith("b")
    return _cut(_CENTURY_YEARS * (-number if before_christ else number - 1), _CENTURY_YEARS, part, at)


def _count(word: str) -> int:
    word = word.lower()
    return (
        _LATEST_CENTURY
        if word.startswith("twenty") and len(word) > len("twentieth")
        else 1 + _ORDINALS.index(word)
    )


def _cut(begin: int, span: int, part: str, at: tuple[int, int]) -> Period:
    first, last = _PARTS[span][part]
    # Whether 1900 belongs to the 19th century or to the 20th is not agreed either.
    latest = begin + span - (span == _DECADE_YEARS)
    return Period(begin + first, begin + last, begin, latest, *at)
