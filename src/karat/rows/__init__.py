"""Rows in, rows out."""

from karat.rows.columns import Columns, find_columns, parse_columns
from karat.rows.kinds import Kind
from karat.rows.paths import list_paths, pick
from karat.rows.row import BadRow, Record, Row, read_mapping
from karat.rows.sink import Sink, open_sink
from karat.rows.source import Source, open_source
from karat.rows.spreadsheet import Formulas
from karat.rows.values import read_text, write_json
from karat.rows.wording import list_names, quote

__all__ = [
    "BadRow",
    "Columns",
    "Formulas",
    "Kind",
    "Record",
    "Row",
    "Sink",
    "Source",
    "find_columns",
    "list_names",
    "list_paths",
    "open_sink",
    "open_source",
    "parse_columns",
    "pick",
    "quote",
    "read_mapping",
    "read_text",
    "write_json",
]
