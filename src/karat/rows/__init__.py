"""Rows in, rows out."""

from karat.rows.columns import Columns, find_columns, parse_columns
from karat.rows.kinds import Kind
from karat.rows.paths import list_paths
from karat.rows.row import BadRow, Row, read_mapping
from karat.rows.sink import Sink, open_sink
from karat.rows.source import Source, open_source

__all__ = [
    "BadRow",
    "Columns",
    "Kind",
    "Row",
    "Sink",
    "Source",
    "find_columns",
    "list_paths",
    "open_sink",
    "open_source",
    "parse_columns",
    "read_mapping",
]
