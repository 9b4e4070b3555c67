"""Versions, addresses and the like: whatever differs in one sign is another."""

import re

_CODE = re.compile(
    r"(?<![\w.@+-])(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|v?\d+(?:\.\d+){2,3}|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})(?![\w@-]|\.\w)",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}|\d{4}\.\d{1,2}\.\d{1,2}")
_PAIRED = re.compile(r"(?:[0-9a-f]{2}[:-]){5}")
_LONGEST = 4000


def has_other_code(reference: str, answer: str, question: str) -> bool:
    """Tell whether a reference has one code, a version of three numbers or an address, and an answer only others; those of the question do not count."""
    if len(reference) > _LONGEST or len(answer) > _LONGEST:
        return False
    known = _list_codes(question[:_LONGEST])
    wanted, given = _list_codes(reference) - known, _list_codes(answer) - known
    if len(wanted) != 1 or not given or not wanted.isdisjoint(given):
        return False
    short = next(iter(wanted)).removesuffix(".0")
    return re.search(rf"(?<![\w.]){re.escape(short)}(?![\w]|\.\d)", answer.lower()) is None


def _list_codes(text: str) -> set[str]:
    """Return the codes of a text, each in one writing; a date is none."""
    found = (each[0].lower().removeprefix("v") for each in _CODE.finditer(text))
    return {
        code.replace("-", ":") if _PAIRED.match(code) else code for code in found if not _DATE.fullmatch(code)
    }
