"""Answers that announce themselves: what follows "the answer is" is what counts."""

import re

_ANNOUNCED = re.compile(
    r"\b(?:the|my|our|this|final|correct|right|true|actual|real|best|proper)\s+answer\b(?:\s+(?:to|for|here|then)\b[^.!?\n:]{0,80}?)?"
    r"\s*(?:is|was|are|would be|must be|should be|has to be|remains|becomes|[:=-])"
    r"|(?:^|[\n.!?*#])\W{0,12}answer\s*[:=]",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?](?=\s+[^a-z\s]|\s*$)(?<!\b[A-Za-z]\.)|\n(?=.*\S)")
_LOOKED_AT = 4000


def is_announced_elsewhere(text: str, start: int, end: int) -> bool:
    """Tell whether some sentence announces the answer and does not hold the words of the mention."""
    if "answer" not in text.lower():
        return False
    announced = list(_ANNOUNCED.finditer(text, 0, _LOOKED_AT))
    if not announced:
        return False
    mention = re.compile(rf"(?<!\w){re.escape(text[start:end])}(?!\w)", re.IGNORECASE)
    for found in announced:
        begin = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip(" \n\t*\"'"))
        stop = _END.search(text, begin)
        if not mention.search(text, begin, stop.start() if stop else len(text)):
            return True
    return False
