"""Format names and foreign texts for karat's one-line messages."""

import re
from collections.abc import Sequence
from typing import Final

LONGEST_NAME = 80
MOST_NAMES = 40


def one_line(text: str) -> str:
    """Replace line breaks of any kind by spaces."""
    return " ".join(text.splitlines())


def quote(name: str) -> str:
    """Return a name in quotes, with invisible characters escaped; a long one is cut."""
    return repr(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


def list_names(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Return the first names in quotes with commas, and how many more there are."""
    shown = ", ".join(quote(name) for name in names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown


_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def name_invisible(text: str) -> str:
    """Replace invisible characters and those that change the direction of text by their code points."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def escape_invisible(text: str) -> str:
    """Replace such characters in JSON text by escapes, which mean the same."""
    return _INVISIBLE.sub(lambda match: _escape(ord(match[0])), text)


def _escape(code: int) -> str:
    if code < 0x10000:  # noqa: PLR2004 - the first plane of Unicode
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
