"""Answers that speak of who gives or gets them: such talk may turn anywhere."""

import re

from karat.core.types import Item
from karat.text.dressing import undress

_SPEAKER = re.compile(
    r"\b(?:I|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|[Yy]ou|[Yy]our)\b(?!\.)|(?<![\w`'$-])i(?=\s|'(?:m|d|ll|ve)\b)"
)
_LONGEST = 400


def speaks_of_speaker(item: Item) -> bool:
    """Tell whether a brief answer, once what dresses it up is off, speaks of "me" or "you" in words that neither question nor references have."""
    if len(item.answer) > _LONGEST or not _SPEAKER.search(item.answer):
        return False
    known = " ".join([item.question or "", *item.references]).lower().split()
    said = _SPEAKER.findall(undress(item.question or "", item.answer))
    return any(word.lower() not in known for word in said)
