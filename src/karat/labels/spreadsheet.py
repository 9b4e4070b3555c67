"""Text on its way through a spreadsheet: shown as text, never run as a formula, and known again afterwards."""

from typing import Final

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")
_GUARD: Final = "'"
_ROOM: Final = 32_000  # a cell of the common spreadsheets holds 32,767 characters


def guard_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula, cut where a cell has no room for more."""
    shown = text.replace("\0", "")
    if len(shown) > _ROOM:
        shown = f"{shown[:_ROOM]} … [cut: {len(text):,} characters in all]"
    return _GUARD + shown if shown.lstrip(" \u00a0\ufeff").startswith(_STARTS) else shown


def unguard_cell(text: str) -> str:
    """The text that was guarded; any other as it is."""
    inner = text.removeprefix(_GUARD)
    return inner if text != inner and guard_cell(inner) == text else text
