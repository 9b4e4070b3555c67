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
_LOOKED_AT = 20_000


def is_suspicious(item: Item) -> bool:
    """Tell whether a field of the item holds role words, orders, or look-alikes of a reply or a fence."""
    return any(
        _SIGNS.search(text[:_LOOKED_AT]) for text in (item.answer, item.question or "", *item.references)
    )
