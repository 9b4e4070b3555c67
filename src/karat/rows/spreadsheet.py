"""Cells of tables that spreadsheets open: text that would run as a formula is marked, and known again afterwards."""

import re
from typing import Final, Literal, TypeAlias

Formulas: TypeAlias = Literal["escape", "keep"]

_MARK: Final = "'"
_FORMULA: Final = re.compile("[ \u00a0\ufeff]*[=+\\-@\t\r\n＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_VERDICTS: Final = frozenset({"id", "protocol", "status", "value", "score", "decided_by", "cause", "judge"})


def escape_formula(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe before what begins like one and is no number."""
    return _MARK + text if _runs(text) else text


def escape_mark(text: str) -> str:
    """Text as it is, but for apostrophes before a formula: one more is put there, which reading takes off."""
    return escape_formula(text) if text.startswith(_MARK) else text


def restore_formula(text: str) -> str:
    """The text that was escaped; any other as it is."""
    inner = text.removeprefix(_MARK)
    return inner if text != inner and _runs(inner) else text


def is_verdict_table(header: list[str]) -> bool:
    """Whether karat wrote a table of this header, so that an apostrophe before a formula is its own."""
    return set(header) >= _VERDICTS


def _runs(text: str) -> bool:
    # Apostrophes before a formula count as part of it, or they could not be told from the mark.
    bare = text.lstrip(_MARK)
    return _FORMULA.match(bare) is not None and not _NUMBER.fullmatch(bare)
