"""Removal of what a reader cannot see."""

import re
import unicodedata

_IGNORABLE = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
# A lone surrogate cannot be written as UTF-8: it shows nothing and breaks whoever sends it on.
_INVISIBLE = re.compile(f"[{_CONTROLS}{_IGNORABLE}\ud800-\udfff]+")
_LINE_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_RARE = re.compile(f"[\x0b-\r\x85\u2028\u2029{_CONTROLS}{_IGNORABLE}\ud800-\udfff]")
_RARE_ASCII = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def strip_invisible(text: str) -> str:
    """Remove characters that show nothing, and make every line break a newline."""
    if text.isascii():
        if text.isprintable() or _RARE_ASCII.search(text) is None:
            return text
    elif _RARE.search(text) is None:
        return text
    return _LINE_BREAK.sub("\n", _INVISIBLE.sub("", text))


def clean(text: str) -> str:
    """Remove invisible characters and bring equivalent characters to one form (NFKC)."""
    visible = strip_invisible(text)
    if visible.isascii():
        return visible
    return unicodedata.normalize("NFKC", visible)
