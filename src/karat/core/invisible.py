"""Characters that are not seen, move the cursor or turn the direction of writing, made visible."""

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def name_invisible(text: str) -> str:
    """Put the code point where a character cannot be seen or turns the direction of writing; tabs and line feeds stay."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def escape_invisible(text: str) -> str:
    """JSON text with such characters as escapes, which mean the same to whoever reads it."""
    return _INVISIBLE.sub(lambda match: _escape(ord(match[0])), text)


def _escape(code: int) -> str:
    if code < 0x10000:  # noqa: PLR2004 - the first plane of Unicode
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
