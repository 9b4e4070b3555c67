"""Read rows from files, and write records to files."""

from karat.core.messages import list_names, quote
from karat.rows.cells import Kind, read_text, write_json
from karat.rows.collection import open_sources
from karat.rows.columns import Columns, find_columns, parse_columns
from karat.rows.containers.csv import Formulas
from karat.rows.layout import Layout
from karat.rows.row import BadRow, Record, Row, list_paths, pick, read_mapping
from karat.rows.sink import Sink, open_sink
from karat.rows.source import Source, open_source

__all__ = [
    "BadRow",
    "Columns",
    "Formulas",
    "Kind",
    "Layout",
    "Record",
    "Row",
    "Sink",
    "Source",
    "find_columns",
    "list_names",
    "list_paths",
    "open_sink",
    "open_source",
    "open_sources",
    "parse_columns",
    "pick",
    "quote",
    "read_mapping",
    "read_text",
    "write_json",
]
