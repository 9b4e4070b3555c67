"""Read rows from a file or standard input, row by row, as often as needed."""

import gzip
import hashlib
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final, Self, TypeAlias, cast

from karat.core.errors import NoRowsError, UsageError
from karat.core.messages import one_line
from karat.rows import jsonl, parquet
from karat.rows.columns import Columns, find_columns
from karat.rows.csv import read_csv_records, read_tsv_records
from karat.rows.lines import MEGABYTE, describe_table, refuse_misfit, split_ending
from karat.rows.row import BadRow, Record, Row, list_paths, read_row

Reader: TypeAlias = Callable[[BinaryIO, str], Iterator[Record | BadRow]]

READERS: Final[Mapping[str, Reader]] = {
    ".jsonl": jsonl.read_records,
    ".ndjson": jsonl.read_records,
    ".json": jsonl.read_records,
    ".csv": read_csv_records,
    ".tsv": read_tsv_records,
    ".parquet": parquet.read_records,
}
PEEKED_ROWS: Final = 50
_PIPE: Final = "; JSON lines can be piped into karat as -"


def open_source(path: str) -> "Source":
    """Open a source by the ending of the path, or JSONL from standard input for `-`."""
    if path == "-":
        spool = _spool_stdin()
        return Source("<stdin>", spool.name, ".jsonl", spool=spool)
    _refuse_folder(Path(path))
    ending, packed = split_ending(path, tuple(READERS), hint=_PIPE)
    _refuse_unreadable(Path(path))
    return Source(path, path, ending, packed=packed)


class Source:
    """An input that is opened anew for every reading."""

    def __init__(
        self, name: str, path: str, ending: str, *, packed: bool = False, spool: IO[bytes] | None = None
    ) -> None:
        self.name = name
        self._shown = one_line(name)
        self._path = Path(path)
        self._ending = ending
        self._packed = packed
        self._spool = spool

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def place(self) -> str:
        """The resolved path of the file, relative to the working directory if it lies inside."""
        if self._spool is not None:
            return self.name
        found, here = self._path.resolve(), Path.cwd().resolve()
        return str(found.relative_to(here) if found.is_relative_to(here) else found)

    def close(self) -> None:
        """Remove the temporary copy of standard input."""
        if self._spool is not None:
            self._spool.close()

    def digest(self) -> str:
        """Return a hash of the raw bytes, by which the same input is recognised."""
        with _explain_failure(self._shown), self._path.open("rb") as stream:
            return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()

    def rows(self, columns: Columns, *, limit: int | None = None) -> Iterator[Row | BadRow]:
        """Yield all rows in order, good and bad, up to `limit` good ones."""
        good = 0
        lists_in_text = self._ending in {".csv", ".tsv"}
        with closing(self._read_records()) as records:
            for record in records if limit is None or limit > 0 else ():
                if isinstance(record, BadRow):
                    yield record
                    continue
                row = read_row(*record, columns, lists_in_text=lists_in_text)
                yield row
                good += isinstance(row, Row)
                if good == limit:
                    return

    def records(self) -> Generator[Record | BadRow]:
        """Yield all rows as records, whatever their columns mean."""
        with closing(self._read_records()) as records:
            yield from records

    def find_columns(self, chosen: Mapping[str, str]) -> Columns:
        """Return the roles of the columns, by the first rows."""
        names = self._peek_names(chosen)
        try:
            return find_columns(names, chosen)
        except UsageError as error:
            raise UsageError(f"{self._shown}: ", error) from None

    def _peek_names(self, chosen: Mapping[str, str]) -> list[str]:
        names: dict[str, None] = {}
        bad: BadRow | None = None
        seen = 0
        with closing(self._read_records()) as records:
            for record in records:
                seen += 1
                if isinstance(record, BadRow):
                    bad = bad or record
                else:
                    names |= dict.fromkeys(list_paths(record[1], chosen))
                if names and seen >= PEEKED_ROWS:
                    break
        if not names and bad:
            raise UsageError(self._explain_nothing(bad))
        return list(names)

    def _explain_nothing(self, bad: BadRow) -> str:
        """Return why no row can be read."""
        with self._open() as stream:
            table = describe_table(stream.peek(), self._ending, self._shown)
        return table or f"{self._shown}:{bad.line}: {bad.problem}, and no row after it can be read"

    def _read_records(self) -> Generator[Record | BadRow]:
        empty = True
        with self._open() as stream:
            refuse_misfit(stream.peek(), self._ending, self._shown)
            for record in READERS[self._ending](stream, self._shown):
                empty = False
                yield record
        if empty:
            raise NoRowsError(f"{self._shown}: holds no rows")

    @contextmanager
    def _open(self) -> Generator[io.BufferedReader]:
        with _explain_failure(self._shown), _open_bytes(self._path, packed=self._packed) as stream:
            yield stream


def _refuse_folder(path: Path) -> None:
    shown = one_line(str(path))
    with _explain_failure(shown):
        if path.is_dir():
            raise UsageError(f"{shown}: is a folder, not a file")


def _refuse_unreadable(path: Path) -> None:
    shown = one_line(str(path))
    with _explain_failure(shown):
        if not path.exists():
            raise UsageError(f"{shown}: no such file")
        if not path.is_file():
            raise UsageError(f"{shown}: is not a regular file; pipe it into karat as -")
        path.open("rb").close()


def _spool_stdin() -> IO[bytes]:
    """Copy standard input to a temporary file, since it is read more than once."""
    if cast("object", sys.stdin) is None:
        raise UsageError("standard input is closed; pipe JSON lines into karat, or name a file")
    with _explain_failure("<stdin>"):
        spool = tempfile.NamedTemporaryFile(prefix="karat-", suffix=".jsonl")  # noqa: SIM115 - the source closes it
        try:
            shutil.copyfileobj(sys.stdin.buffer, spool, MEGABYTE)
            spool.flush()
        except BaseException:
            spool.close()
            raise
        return spool


@contextmanager
def _open_bytes(path: Path, *, packed: bool) -> Generator[io.BufferedReader]:
    with path.open("rb", buffering=MEGABYTE) as raw:
        if not packed:
            yield cast("io.BufferedReader", raw)
            return
        with gzip.GzipFile(fileobj=raw) as unpacked:
            # The buffer's own readline is several times faster than the one of GzipFile.
            yield io.BufferedReader(cast("io.RawIOBase", unpacked), MEGABYTE)


@contextmanager
def _explain_failure(name: str) -> Generator[None]:
    """Turn errors of the system or gzip into one line for the user."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UsageError(f"{name}: broken gzip data: {one_line(str(error))}") from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else one_line(str(error))
        raise UsageError(f"{name}: cannot be read: {reason}") from None
