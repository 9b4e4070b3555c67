"""Rows of a Parquet file, read batch by batch."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from karat.core.errors import UsageError
from karat.rows.arrow import load_arrow
from karat.rows.lines import MEGABYTE
from karat.rows.row import BadRow, Record
from karat.rows.values import make_json
from karat.rows.wording import list_names, one_line

MOST_ROWS: Final = 1_000
BATCH_BYTES: Final = 16 * MEGABYTE


def read_records(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Every row with its number from 1, its values turned into what JSON can hold."""
    return read_groups(stream, name)


def read_groups(
    stream: BinaryIO, name: str, groups: list[int] | None = None, *, first: int = 1
) -> Iterator[Record | BadRow]:
    """The rows of some row groups, or of all; `first` is the number of the first row."""
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
    """As many rows as fit the bytes that may be held, by the average row of the fattest row group."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    widest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1)
    return max(1, min(MOST_ROWS, int(BATCH_BYTES / max(widest, 1))))


def _read_batch(batch: Any, start: int) -> Iterator[Record | BadRow]:  # noqa: ANN401 - pyarrow has no type stubs
    """The rows of a batch; where one value cannot be read, its row alone is bad."""
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
    """Nanoseconds become microseconds, the finest that Python's own times can hold."""
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
