"""Records written as the row groups of a Parquet file."""

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, Final

from karat.core.errors import UsageError
from karat.rows.arrow import load_arrow
from karat.rows.jsoncells import JsonCells
from karat.rows.kinds import ColumnKind, Kind, convert, infer_kind
from karat.rows.lines import MEGABYTE
from karat.rows.values import write_json
from karat.rows.wording import quote

INFERRED_FROM: Final = 1_000
GROUP_ROWS: Final = 10_000
GROUP_BYTES: Final = 64 * MEGABYTE


class ParquetWriter:
    """Writes typed columns; a column without a given kind gets it from the first thousand records."""

    def __init__(self, stream: BinaryIO, fields: Sequence[str], types: Mapping[str, Kind]) -> None:
        self._stream = stream
        self._fields = fields
        self._types = types
        self._kinds: dict[str, ColumnKind] = {}
        self._table: Any = None
        self._schema: Any = None
        self._fresh: list[dict[str, Any]] = []
        self._columns: dict[str, list[Any]] = {field: [] for field in fields}
        self._rows = 0
        self._bytes = 0
        self._placed = 0
        self._json = JsonCells()

    def write(self, record: dict[str, Any]) -> None:
        """Holds a record until a row group is full: by rows, or by bytes where records are large."""
        stray = next((field for field in record if field not in self._columns), None)
        if stray is not None:
            raise UsageError(f"column {quote(stray)} was not announced")
        if self._table is None:
            self._fresh.append(record)
        else:
            self._place(record)
        self._rows += 1
        self._bytes += sum(_weigh(value) for value in record.values())
        if self._table is None and (len(self._fresh) >= INFERRED_FROM or self._bytes >= GROUP_BYTES):
            self._start()
        if self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._flush()

    def finish(self) -> None:
        """Writes what is held and the file's footer."""
        if self._table is None:
            self._start()
        if self._rows:
            self._flush()
        table: Any = self._table
        table.add_key_value_metadata(self._json.describe())
        self.abandon()

    def abandon(self) -> None:
        """Closes what pyarrow holds open."""
        if self._table is not None:
            self._table.close()

    def _start(self) -> None:
        for field in self._fields:
            inferred = infer_kind(record.get(field) for record in self._fresh)
            self._kinds[field] = self._types.get(field) or inferred
        arrow = load_arrow()
        kinds = {
            "text": arrow.string(),
            "json": arrow.string(),
            "bool": arrow.bool_(),
            "int": arrow.int64(),
            "float": arrow.float64(),
            "texts": arrow.list_(arrow.string()),
        }
        self._schema = arrow.schema([(field, kinds[self._kinds[field]]) for field in self._fields])
        self._table = load_arrow("pyarrow.parquet").ParquetWriter(self._stream, self._schema)
        for record in self._fresh:
            self._place(record)
        self._fresh = []

    def _place(self, record: Mapping[str, Any]) -> None:
        self._placed += 1
        for field, cells in self._columns.items():
            value, kind = record.get(field), self._kinds[field]
            cells.append(convert(value, kind, field))
            if kind == "text":
                self._json.note(self._placed, field, value)

    def _flush(self) -> None:
        batch = load_arrow().table(self._columns, schema=self._schema)
        self._table.write_table(batch, row_group_size=GROUP_ROWS)
        self._columns = {field: [] for field in self._fields}
        self._rows = self._bytes = 0


def _weigh(value: object) -> int:
    """About how many bytes a value holds."""
    if isinstance(value, str):
        return len(value)
    return 8 if value is None or isinstance(value, int | float) else len(write_json(value))
