"""Answers that speak of who gives or gets them: such talk may turn anywhere."""

import re

from karat.core.types import Item
from karat.text.dressing import undress

# An "I" behind a name is a number: World War I.
_SPEAKER = re.compile(
    r"(?:^|[^\w\s-]\s*|\b[a-z][\w']*\s+)I\b(?!\.)|\b(?:[Mm]y|[Mm]e|[Yy]ou|[Yy]our)\b|(?<![\w`'$-])i(?=\s|'(?:m|d|ll|ve)\b)"
)
# What the long expression finds has one of these words; a search for first letters is fast.
_HINT = re.compile(r"[IMYimy](?<!\w.)(?:e|y|our?)?(?!\w)")
_WORD = re.compile(r"\w+")
_LONGEST = 400


def speaks_of_speaker(item: Item) -> bool:
    """Tell whether a brief answer, once what dresses it up is off, speaks of "me" or "you" in words that neither question nor references have."""
    if len(item.answer) > _LONGEST or not _HINT.search(item.answer) or not _SPEAKER.search(item.answer):
        return False
    known = set(_WORD.findall(" ".join([item.question or "", *item.references]).lower()))
    said = _SPEAKER.findall(undress(item.question or "", item.answer))
    return any(_WORD.findall(words.lower())[-1] not in known for words in said)
