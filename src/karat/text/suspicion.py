"""Text that seems to speak to the judge: it is judged alone, where it can harm no neighbour."""

import re

from karat.core.types import Item

_SIGNS = re.compile(
    r"\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:above|previous|prior|instruction|rule|item|all)"
    r"|\banswer[\s_]*\d+\b\s*[\"']?\s*[:=]|\b(?:system|assistant|human|user)\s*:|\bgrad(?:er|ers|ing)\b|\bjudges?\b[^.\n]{0,30}\b(?:yes|correct|mark)"
    r"|#{2,}\s|</?\s*(?:answer|answers|score|predicted|correct|question|system|user|assistant|instructions?|item)\w*\s*>"
    r"|<\|[^|]{1,30}\|>|\{\s*[\"']|```",
    re.IGNORECASE,
)
# Without one of these no sign can be found in plain ASCII, and looking for them is much faster.
_NEEDED = ("<", "{", "##", "```", "ignore", "disregard", "forget", "grader", "grading", "judge")
_NEEDED_BY_COLON = ("answer", "system", "assistant", "human", "user")
_LOOKED_AT = 20_000


def is_suspicious(item: Item) -> bool:
    """Tell whether a field of the item holds role words, orders, or look-alikes of a reply or a fence."""
    texts = [text[:_LOOKED_AT] for text in (item.answer, item.question or "", *item.references)]
    if _is_plain("\n".join(texts)):
        return False
    return any(_SIGNS.search(text) for text in texts)


def _is_plain(text: str) -> bool:
    """Tell for sure that no sign is in a text; False says nothing about it."""
    if not text.isascii():
        return False
    lowered = text.lower()
    for needed in _NEEDED:
        if needed in lowered:
            return False
    if ":" not in lowered and "=" not in lowered:
        return True
    return not any(needed in lowered for needed in _NEEDED_BY_COLON)
