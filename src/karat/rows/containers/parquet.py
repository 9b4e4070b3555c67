"""Read and write Parquet files by pyarrow, which is an extra and has no type stubs."""

import importlib
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, Final

import msgspec

from karat.core.errors import SetupError, UsageError
from karat.core.messages import list_names, one_line, quote
from karat.rows.cells import ColumnKind, Kind, convert, infer_kind, make_json, write_json
from karat.rows.containers.lines import MEGABYTE
from karat.rows.row import BadRow, Record

MOST_ROWS: Final = 1_000
BATCH_BYTES: Final = 16 * MEGABYTE
INFERRED_FROM: Final = 1_000
GROUP_ROWS: Final = 10_000
GROUP_BYTES: Final = 64 * MEGABYTE
KEY: Final = "karat.json"
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def load_arrow(module: str = "pyarrow") -> Any:  # noqa: ANN401 - pyarrow has no type stubs
    """Import a module of pyarrow when it is first needed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SetupError(
            "Parquet files need pyarrow: pip install '.[parquet]' in a clone of karat, or pip install pyarrow"
        ) from None


def read_records(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Yield every row with its number from 1, its values converted to what JSON can hold."""
    return read_groups(stream, name)


def read_groups(
    stream: BinaryIO, name: str, groups: list[int] | None = None, *, first: int = 1
) -> Iterator[Record | BadRow]:
    """Yield the rows of some row groups, or of all; `first` is the number of the first row."""
    arrow = load_arrow()
    try:
        # Without the read-ahead and with a buffer, a row group of any size is read in pages.
        file = load_arrow("pyarrow.parquet").ParquetFile(stream, pre_buffer=False, buffer_size=MEGABYTE)
        _refuse_twins(file.schema_arrow.names, name)
        start = first
        for batch in file.iter_batches(batch_size=_size_batches(file.metadata), row_groups=groups):
            yield from _read_batch(batch, start)
            start += batch.num_rows
    except (arrow.ArrowException, ValueError) as error:
        raise UsageError(f"{name}: not a readable Parquet file: {one_line(str(error))}") from None


def _refuse_twins(names: list[str], name: str) -> None:
    twins = [column for column, times in Counter(names).items() if times > 1]
    if twins:
        raise UsageError(f"{name}: has more than one column named {list_names(twins)}")


def _size_batches(metadata: Any) -> int:  # noqa: ANN401 - pyarrow has no type stubs
    """Return how many rows fit the bytes that may be held, by the average row of the largest row group."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    widest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1)
    return max(1, min(MOST_ROWS, int(BATCH_BYTES / max(widest, 1))))


def _read_batch(batch: Any, start: int) -> Iterator[Record | BadRow]:  # noqa: ANN401 - pyarrow has no type stubs
    """Yield the rows of a batch; if a value cannot be read, only its row is bad."""
    try:
        rows = _convert(batch)
    except (ValueError, OverflowError):
        for index in range(batch.num_rows):
            yield _read_single(batch.slice(index, 1), start + index)
    else:
        yield from enumerate(rows, start)


def _read_single(batch: Any, line: int) -> Record | BadRow:  # noqa: ANN401 - pyarrow has no type stubs
    try:
        return line, _convert(batch)[0]
    except UnicodeDecodeError:
        return BadRow(line, "not UTF-8")
    except (ValueError, OverflowError) as error:
        return BadRow(line, f"unreadable value: {one_line(str(error))}")


def _convert(batch: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - pyarrow has no type stubs
    arrow = load_arrow()
    names = batch.schema.names
    columns = [_coarsen(column, arrow).to_pylist() for column in batch.columns]
    rows = zip(*columns, strict=True) if columns else ()
    return [{name: make_json(value) for name, value in zip(names, row, strict=True)} for row in rows]


def _coarsen(column: Any, arrow: Any) -> Any:  # noqa: ANN401 - pyarrow has no type stubs
    """Convert nanoseconds to microseconds, the finest unit of Python's own times."""
    kind = _coarsen_type(column.type, arrow)
    return column if kind == column.type else column.cast(kind, safe=False)


def _coarsen_type(kind: Any, arrow: Any) -> Any:  # noqa: ANN401 - pyarrow has no type stubs
    types = arrow.types
    if types.is_timestamp(kind):
        return arrow.timestamp("us", kind.tz) if kind.unit == "ns" else kind
    if types.is_time64(kind):
        return arrow.time64("us")
    if types.is_duration(kind):
        return arrow.duration("us") if kind.unit == "ns" else kind
    if types.is_list(kind):
        return arrow.list_(kind.value_field.with_type(_coarsen_type(kind.value_type, arrow)))
    if types.is_struct(kind):
        return arrow.struct([field.with_type(_coarsen_type(field.type, arrow)) for field in kind])
    return kind


class JsonCells:
    """Collects which text columns also hold JSON, and the rows whose text only looks like JSON."""

    def __init__(self) -> None:
        self._mixed: set[str] = set()
        self._doubtful: dict[str, array[int]] = {}

    def note(self, row: int, column: str, value: object) -> None:
        """Note a cell of a text column."""
        if isinstance(value, str):
            if _may_be_json(value):
                self._doubtful.setdefault(column, array("q")).append(row)
        elif value is not None:
            self._mixed.add(column)

    def describe(self) -> dict[str, str]:
        """Return the metadata to write beside the columns."""
        texts = {column: list(self._doubtful.get(column, ())) for column in sorted(self._mixed)}
        return {KEY: msgspec.json.encode(texts).decode()}


class CellTypes:
    """Which text cells of a file are JSON, as its metadata say."""

    def __init__(self, columns: Mapping[str, list[int]]) -> None:
        self._texts = {column: frozenset(rows) for column, rows in columns.items()}

    def restore(self, row: int, record: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a row as they were before they were written."""
        return {
            name: _decode(value) if name in self._texts and row not in self._texts[name] else value
            for name, value in record.items()
        }


def read_cell_types(path: str) -> CellTypes | None:
    """Read which cells of a Parquet file are JSON; None if karat did not write it."""
    arrow: Any = load_arrow()
    with suppress(arrow.ArrowException, ValueError, OSError):
        beside: dict[bytes, bytes] = load_arrow("pyarrow.parquet").read_metadata(path).metadata or {}
        stated = beside.get(KEY.encode())
        return None if stated is None else CellTypes(msgspec.json.decode(stated, type=dict[str, list[int]]))
    return None


def _may_be_json(text: str) -> bool:
    """Check whether text looks like a JSON list, object, number or boolean."""
    return text[:1] in ("[", "{") or text in ("true", "false") or _NUMBER.fullmatch(text) is not None


def _decode(value: object) -> object:
    if not isinstance(value, str) or not _may_be_json(value):
        return value
    return msgspec.json.decode(value)


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
    """Return about how many bytes a value takes."""
    if isinstance(value, str):
        return len(value)
    return 8 if value is None or isinstance(value, int | float) else len(write_json(value))
