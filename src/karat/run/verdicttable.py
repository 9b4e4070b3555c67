"""One verdict file: its rows, with the input's own columns as they were before they were written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from karat.core.errors import UsageError
from karat.rows import BadRow, Columns, Record, Row, open_source
from karat.rows.columns import NESTS
from karat.rows.endings import split_ending
from karat.rows.jsoncells import Told, read_told
from karat.rows.misfits import JSON_LINES
from karat.rows.row import read_row
from karat.rows.source import READERS
from karat.run.records import FIELDS, bare_name


class VerdictTable(Struct, frozen=True):
    """A verdict file; `exact` says that text in it is text, and not what a table of text made of something else."""

    path: Path
    exact: bool
    told: Told | None = None

    def records(self) -> Iterator[Record]:
        """The records of a file, which may have none: a block of bad rows left out ends so."""
        with open_source(str(self.path)) as source:
            try:
                yield from (self._restore(record) for record in source.records())
            except UsageError as error:
                if not str(error).endswith("holds no rows"):
                    raise

    def own_columns(self, record: dict[str, Any], columns: str) -> dict[str, Any]:
        """The input's own columns by their own names; one that holds others holds them again."""
        nesting = frozenset[str]() if self.exact else _find_nesting(columns)
        own = {"id": record["id"]} if record.get("id") is not None else {}
        for name, value in record.items():
            if name not in FIELDS:
                bare = bare_name(name)
                own[bare] = _read_object(value) if bare in nesting else value
        return own

    def read(self, line: int, own: dict[str, Any], columns: Columns) -> Row:
        """A row; text that would be a list without any reference is text, since rows without one are never judged."""
        row = read_row(line, own, columns, lists_in_text=not self.exact)
        if isinstance(row, BadRow):
            row = read_row(line, own, columns, lists_in_text=False)
        if isinstance(row, BadRow):
            raise UsageError(f"{self.path}:{line}: {row.problem}")
        return row

    def _restore(self, record: Record | BadRow) -> Record:
        if isinstance(record, BadRow):
            raise UsageError(f"{self.path}:{record.line}: {record.problem}")
        line, cells = record
        return line, cells if self.told is None else self.told.restore(line, cells)


def open_table(path: Path) -> VerdictTable:
    """A verdict file by its ending; a Parquet file tells by itself which of its cells are JSON."""
    ending, _ = split_ending(path.name, tuple(READERS))
    told = read_told(str(path)) if ending == ".parquet" else None
    return VerdictTable(path, ending in JSON_LINES or told is not None, told)


def _find_nesting(columns: str) -> frozenset[str]:
    """The columns that hold others: a table of text takes such an object as text. All other text is what it says."""
    paths = (pair.partition("=")[2].strip() for pair in columns.split(","))
    return frozenset(path.partition(".")[0] for path in paths if "." in path) | set(NESTS)


def _read_object(value: object) -> object:
    if isinstance(value, str) and value.startswith("{"):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            return value
    return value
