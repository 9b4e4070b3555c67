"""Versions, addresses and the like: whatever differs in one sign is another."""

import re

_CODE = re.compile(
    r"(?<![\w.@-])(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|v?\d+(?:\.\d+){2,3}|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})(?![\w@-]|\.\w)",
    re.IGNORECASE,
)
_LONGEST = 4000


def has_other_code(reference: str, answer: str, question: str) -> bool:
    """Tell whether a reference has one code, a version of three numbers or an address, and an answer only others; those of the question do not count."""
    if len(reference) > _LONGEST or len(answer) > _LONGEST:
        return False
    known = _list_codes(question)
    wanted, given = _list_codes(reference) - known, _list_codes(answer) - known
    return len(wanted) == 1 and bool(given) and wanted.isdisjoint(given)


def _list_codes(text: str) -> set[str]:
    return {found[0].lower().removeprefix("v") for found in _CODE.finditer(text)}
