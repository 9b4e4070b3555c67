"""Answers that ask instead of answering."""

import re
from collections.abc import Iterable

_ASKS = re.compile(r"[?？][\s\"'”’)*]*$")
_STOP = re.compile(r"[.!?]\s|\n")
_LONGEST = 300


def asks_back(answer: str, references: Iterable[str]) -> bool:
    """Tell whether the answer is one question, and no reference is."""
    if len(answer) > _LONGEST or not _ASKS.search(answer) or _STOP.search(answer.strip()):
        return False
    return not any(_ASKS.search(reference) for reference in references)
