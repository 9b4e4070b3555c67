"""Which cells of a typed table's text columns are text, and which are JSON that text had to hold."""

import re
from array import array
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from karat.rows.arrow import load_arrow

KEY: Final = "karat.json"
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


class JsonCells:
    """Columns of text that also hold JSON, with the numbers of the rows whose text only looks like JSON."""

    def __init__(self) -> None:
        self._mixed: set[str] = set()
        self._doubtful: dict[str, array[int]] = {}

    def note(self, row: int, column: str, value: object) -> None:
        """One more cell of a column of text."""
        if isinstance(value, str):
            if _may_be_json(value):
                self._doubtful.setdefault(column, array("q")).append(row)
        elif value is not None:
            self._mixed.add(column)

    def describe(self) -> dict[str, str]:
        """What is written beside the columns."""
        told = {column: list(self._doubtful.get(column, ())) for column in sorted(self._mixed)}
        return {KEY: msgspec.json.encode(told).decode()}


class Told:
    """What a file tells of its cells."""

    def __init__(self, columns: Mapping[str, list[int]]) -> None:
        self._texts = {column: frozenset(rows) for column, rows in columns.items()}

    def restore(self, row: int, record: dict[str, Any]) -> dict[str, Any]:
        """The values of a row as they were before they were written."""
        return {
            name: _decode(value) if name in self._texts and row not in self._texts[name] else value
            for name, value in record.items()
        }


def read_told(path: str) -> Told | None:
    """What a Parquet file tells of its cells; None where something else wrote it."""
    arrow: Any = load_arrow()
    with suppress(arrow.ArrowException, ValueError, OSError):
        beside: dict[bytes, bytes] = load_arrow("pyarrow.parquet").read_metadata(path).metadata or {}
        told = beside.get(KEY.encode())
        return None if told is None else Told(msgspec.json.decode(told, type=dict[str, list[int]]))
    return None


def _may_be_json(text: str) -> bool:
    """Whether a list, an object, a number or a boolean could be written so."""
    return text[:1] in ("[", "{") or text in ("true", "false") or _NUMBER.fullmatch(text) is not None


def _decode(value: object) -> object:
    if not isinstance(value, str) or not _may_be_json(value):
        return value
    return msgspec.json.decode(value)
