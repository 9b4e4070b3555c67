"""Write records to a file, which appears when it is complete."""

import gzip
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import TracebackType
from typing import Any, BinaryIO, Final, Protocol, Self, cast

from karat.core.errors import UsageError
from karat.rows.atomic_file import Target
from karat.rows.cells import Kind
from karat.rows.containers.csv import CsvWriter, Formulas
from karat.rows.containers.jsonl import JsonlWriter
from karat.rows.containers.lines import split_ending
from karat.rows.containers.parquet import ParquetWriter, load_arrow

ENDINGS: Final = (".jsonl", ".csv", ".tsv", ".parquet")


class Sink(Protocol):
    """Takes records within a `with` block; after it the file is complete, or not there."""

    def write(self, record: dict[str, Any]) -> None:
        """One more record."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Writer(Protocol):
    """Writes records in one format."""

    def write(self, record: dict[str, Any]) -> None:
        """One more record."""
        ...

    def finish(self) -> None:
        """Writes what is held back."""
        ...

    def abandon(self) -> None:
        """Closes what is held open."""
        ...


def open_sink(
    path: str,
    fields: Sequence[str],
    types: Mapping[str, Kind] | None = None,
    *,
    formulas: Formulas = "keep",
) -> Sink:
    """Open a sink by the ending of the path; `fields` are all columns in order, `types` the known kinds.

    In CSV and TSV, text that a spreadsheet would run is escaped on request.
    """
    ending, packed = split_ending(path, ENDINGS)
    if ending == ".parquet":
        load_arrow()
    start: dict[str, Callable[[BinaryIO], Writer]] = {
        ".jsonl": partial(JsonlWriter, fields=fields),
        ".csv": partial(CsvWriter, fields=fields, formulas=formulas),
        ".tsv": partial(CsvWriter, fields=fields, delimiter="\t", formulas=formulas),
        ".parquet": partial(ParquetWriter, fields=fields, types=types or {}),
    }
    return _FileSink(Target(path), start[ending], packed=packed)


class _FileSink:
    def __init__(self, target: Target, start: Callable[[BinaryIO], Writer], *, packed: bool) -> None:
        self._target = target
        self._start = start
        self._packed = packed
        self._pack: gzip.GzipFile | None = None
        self._writer: Writer | None = None

    def __enter__(self) -> Self:
        stream = self._target.open()
        try:
            if self._packed:
                # No name and no time inside, so that the same records make the same bytes.
                self._pack = gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6)
            self._writer = self._start(cast("BinaryIO", self._pack or stream))
        except BaseException:
            self._discard()
            raise
        return self

    def write(self, record: dict[str, Any]) -> None:
        if self._writer is None:
            raise RuntimeError("a sink is written to within its with block")
        with self._explain_failure():
            self._writer.write(record)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._discard()
            return
        try:
            with self._explain_failure():
                self._finish()
        except BaseException:
            self._discard()
            raise

    @contextmanager
    def _explain_failure(self) -> Generator[None]:
        try:
            yield
        except UsageError as failure:
            raise UsageError(f"{self._target.name}: {failure}") from None
        except OSError as failure:
            raise self._target.explain(failure) from None

    def _finish(self) -> None:
        if self._writer is not None:
            self._writer.finish()
        if self._pack is not None:
            self._pack.close()
        self._target.commit()

    def _discard(self) -> None:
        # The file is thrown away: what cannot be flushed any more is no loss.
        with suppress(Exception):
            if self._writer is not None:
                self._writer.abandon()
        with suppress(Exception):
            if self._pack is not None:
                self._pack.close()
        self._target.discard()
