"""Versions, addresses, fiscal periods and the like: whatever differs in one sign is another."""

import re

_CODE = re.compile(
    r"(?<![\w.@+-])(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|v?\d+(?:\.\d+){2,3}|(?:FY|[HQ][1-4][\s-]?(?:FY)?)\s?'?(?:\d{2}|\d{4})|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})(?![\w@-]|\.\w)",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}|\d{4}\.\d{1,2}\.\d{1,2}")
_PAIRED = re.compile(r"(?:[0-9a-f]{2}[:-]){5}")
_SPELT = re.compile(r"\b(?:quarter|half|fiscal|year)\b|\b[1-4]Q", re.IGNORECASE)
_PERIOD = re.compile(r"(?:(?P<part>[hq][1-4])[\s-]?)?(?:fy)?\s?'?(?P<year>\d{2}|\d{4})")
_LONGEST, _FEW = 4000, 3


def has_other_code(reference: str, answer: str, question: str) -> bool:
    """Tell whether a reference has one code, a version of three numbers, a fiscal period or an address, and an answer only others; those of the question do not count, unless it offers them and the answer is nothing else."""
    if len(reference) > _LONGEST or len(answer) > _LONGEST:
        return False
    known = _list_codes(question[:_LONGEST]) if len(answer.split()) > _FEW else set[str]()
    wanted, given = _list_codes(reference) - known, _list_codes(answer) - known
    if len(wanted) != 1 or not given or not wanted.isdisjoint(given):
        return False
    if _SPELT.search(answer):
        return False  # the period may be said in words
    short = next(iter(wanted)).removesuffix(".0")
    return re.search(rf"(?<![\w.]){re.escape(short)}(?![\w]|\.\d)", answer.lower()) is None


def _list_codes(text: str) -> set[str]:
    """Return the codes of a text, each in one writing; a date is none."""
    return {_write(code) for code in map(_lower, _CODE.finditer(text)) if not _DATE.fullmatch(code)}


def _lower(match: re.Match[str]) -> str:
    return match[0].lower().removeprefix("v")


def _write(code: str) -> str:
    """Return a code in one writing: "Q3 FY22" is "Q3 2022"."""
    period = _PERIOD.fullmatch(code)
    if period:
        return f"{period['part'] or 'fy'} {period['year'][-2:]}"
    return code.replace("-", ":") if _PAIRED.match(code) else code
