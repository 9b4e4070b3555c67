"""Answers that give several answers, one beside the other."""

import re
from collections.abc import Iterable
from itertools import pairwise

_BREAK = re.compile(r"[;|\n]")
_NUMBERED = re.compile(
    r"(?<!\S)\(?1[.):]\s.*?\s\(?2[.):]\s|\(?\ba\)\s.*?\s\(?b\)\s", re.DOTALL | re.IGNORECASE
)
_NUMBER = re.compile(r"(?<!\S)\(?(?:\d{1,2}|[a-h]|i{1,3}|iv|v)[.):]\s", re.IGNORECASE)
_STATES = re.compile(
    r"\b(?:is|was|are|were|has|had|have|did|does|be|wrote|means)\b|:\s*$|\.\s*$", re.IGNORECASE
)
_BULLET = re.compile(r"\s*(?:the\s+)?(?:\(?\d{1,2}[.):]\s*|[-*•]\s*)?[\"'“*]*", re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s,;&\"'”“*]*(?:\band\b)?[\s,;&\"'”“*]*", re.IGNORECASE)
_CLOSED = re.compile(r"[\"'”*\s]*(?:[,.;(\n]|and\b|$)")
_LINE_START = re.compile(r"\n\s*(?:\(?\d{1,2}[.):]\s*|[-*•]\s*)?[\"'“*]*$")
_LONGEST_PART = 6
_SHORT = 12
_LOOKED_AT = 1000


def is_enumerated(text: str, start: int, end: int) -> bool:
    """Tell whether short phrases set apart by lines, semicolons, bars or numbers stand beside the mention."""
    if _is_numbered(text):
        return True
    if not _BREAK.search(text, 0, _LOOKED_AT):
        return False
    parts = _split(text[:_LOOKED_AT])
    own = [text[begin:stop] for begin, stop in parts if begin <= start < stop]
    if len(text.split()) > _SHORT and not any(map(_is_answer, own)):
        return False
    return any(_is_answer(text[begin:stop]) for begin, stop in parts if stop <= start or begin >= end)


def are_listed(text: str, spans: Iterable[tuple[int, int]]) -> bool:
    """Tell whether an answer is a list that begins with a mention, and another one is an item of its own: several of what was asked for.

    `spans` are places in the text. Two names of one thing are seldom set side by side without a word.
    """
    begins = sorted(set(spans))
    if not begins or not _BULLET.fullmatch(text, 0, begins[0][0]):
        return False
    return any(
        (_SEPARATOR.fullmatch(text, last, first) and _CLOSED.match(text, end))
        or _LINE_START.search(text, last, first)
        for (_, last), (first, end) in pairwise(begins)
    )


def unnumber(text: str) -> str:
    """Put the items of a numbered list on lines of their own, without their numbers."""
    return _NUMBER.sub("\n", text) if _is_numbered(text) else text


def _is_numbered(text: str) -> bool:
    """Tell whether an answer has a first and a second point; most have no sign of them."""
    signed = ("1" in text and "2" in text) or "a)" in text or "A)" in text
    return signed and _NUMBERED.search(text, 0, _LOOKED_AT) is not None


def _split(text: str) -> list[tuple[int, int]]:
    """Return where the parts between breaks begin and end."""
    breaks = list(_BREAK.finditer(text))
    begins = [0, *(each.end() for each in breaks)]
    return list(zip(begins, [*(each.start() for each in breaks), len(text)], strict=True))


def _is_answer(part: str) -> bool:
    """Tell whether a part is a phrase of its own and no label, sentence or reference struck out."""
    words = part.split()
    if not words or len(words) > _LONGEST_PART or _STATES.search(part):
        return False
    return any(word.strip("x.,()") and any(map(str.isalnum, word)) for word in words)
