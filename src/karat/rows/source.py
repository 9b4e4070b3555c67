"""Read rows from a file or standard input, row by row, as often as needed."""

import hashlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Final, Self, cast

from karat.core.errors import NoRowsError, UsageError
from karat.core.messages import one_line
from karat.rows.columns import NEEDED, Columns
from karat.rows.containers.archives import read_header
from karat.rows.containers.compression import explain_broken, unpack
from karat.rows.containers.contents import KINDS, READERS, TABLES, Kind, find_kind
from karat.rows.containers.json_documents import Document, find_records, read_document, read_whole
from karat.rows.containers.lines import MEGABYTE, split_ending
from karat.rows.layout import Layout, find_layout, list_places, spread_columns
from karat.rows.row import BadRow, Record, Row

PACKINGS: Final = (".gz", ".zst")
PEEKED_ROWS: Final = 50
_PIPE: Final = "; text can be piped into karat as -"


def open_source(path: str) -> "Source":
    """Open a file by the ending and content of the path, or text from standard input for `-`."""
    return open_file(path)


def open_file(path: str, *, format: str | None = None) -> "Source":  # noqa: A002 - the option's name
    """Open a file as one of a named format, or of the one that it is recognised as."""
    if path == "-":
        spool = _spool_stdin()
        return Source("<stdin>", spool.name, "", spool=spool, format=format)
    _refuse_folder(Path(path))
    ending, _ = split_ending(path, tuple(KINDS), hint=_PIPE, packings=PACKINGS)
    _refuse_unreadable(Path(path))
    return Source(path, path, ending, format=format)


class Source:
    """An input that is opened anew for every reading."""

    def __init__(
        self,
        name: str,
        path: str,
        ending: str,
        *,
        spool: IO[bytes] | None = None,
        format: str | None = None,  # noqa: A002 - the option's name
    ) -> None:
        self.name = name
        self._shown = one_line(name)
        self._path = Path(path)
        self._ending = ending
        self._spool = spool
        self._format = format
        self._kind: Kind | None = None
        self._document: Document | None = None
        self._layouts: dict[str, Layout] = {}
        self.left_out: list[str] = []
        """Files of a folder or pattern that hold no rows, each with the reason."""

    @property
    def unanswered(self) -> int:
        """How many references of a file of their own no answer had in the last reading."""
        return 0

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
        """Yield all rows in order, good and bad, up to `limit` good ones.

        Columns that `find_columns` returned belong to the layout that it found; any others are read as they are named.
        """
        layout = next((one for one in self._layouts.values() if one.columns == columns), None) or Layout(
            columns
        )
        good = 0
        lists_in_text = self._find_kind() in TABLES and not layout.mapped
        with closing(self._read_records()) as records:
            read = layout.read(records, lists_in_text=lists_in_text)
            for row in read if limit is None or limit > 0 else ():
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
        return self.find_layout(chosen).columns

    def find_layout(self, chosen: Mapping[str, str]) -> Layout:
        """Return how records become rows, by the first ones."""
        key = repr(sorted(chosen.items()))
        if key not in self._layouts:
            self._layouts[key] = self._find_layout(chosen, NEEDED)
        return self._layouts[key]

    def find_half(self, chosen: Mapping[str, str], needed: str) -> Layout:
        """Return how records become rows of which only the answer or the reference is needed."""
        return self._find_layout(chosen, (needed,))

    def _find_layout(self, chosen: Mapping[str, str], needed: Sequence[str]) -> Layout:
        records = self._peek_records()
        document = self._document or Document()
        try:
            return find_layout(records, document.head, document.place or (), chosen, self._format, needed)
        except UsageError as error:
            raise type(error)(f"{self._shown}: ", error) from None

    def _peek_records(self) -> list[dict[str, object]]:
        """Return the first good records; raise if there is no good one."""
        found: list[dict[str, object]] = []
        bad: BadRow | None = None
        with closing(self._read_records()) as records:
            for seen, record in enumerate(records, 1):
                if isinstance(record, BadRow):
                    bad = bad or record
                else:
                    found.append(record[1])
                if found and seen >= PEEKED_ROWS:
                    break
        if bad and not any(found):
            raise UsageError(f"{self._shown}:{bad.line}: {bad.problem}, and no row after it can be read")
        return found

    def _find_kind(self) -> Kind:
        if self._kind is None:
            with self._open() as stream:
                self._kind = find_kind(stream, self._ending, self._shown)
        return self._kind

    def _read_records(self) -> Generator[Record | BadRow]:
        empty = True
        for record in self._read_any():
            empty = False
            yield record
        if empty:
            raise NoRowsError(f"{self._shown}: holds no rows")

    def _read_any(self) -> Iterator[Record | BadRow]:
        """Yield all records of what the file holds, if any."""
        kind = self._find_kind()
        yield from self._read_document() if kind == "document" else self._read_stream(kind)

    def _read_stream(self, kind: Kind) -> Iterator[Record | BadRow]:
        with self._open() as stream:
            if kind == "archive" and self._document is None:
                self._document = Document(read_header(stream, self._shown))
                stream.seek(0)
            yield from READERS[kind](stream, self._shown)

    def _read_document(self) -> Iterator[Record | BadRow]:
        """Yield the records of one object: of a list in it, of columns side by side, or the object itself."""
        if self._document is None:
            with self._open() as stream:
                self._document = find_records(stream, self._shown, list_places(self._format))
        place, head = self._document.place, self._document.head
        with self._open() as stream:
            if place is not None:
                yield from read_document(stream, self._shown, place, head)
            else:
                yield from spread_columns(read_whole(stream, self._shown))

    @contextmanager
    def _open(self) -> Generator[io.BufferedReader]:
        with _explain_failure(self._shown), self._path.open("rb", buffering=MEGABYTE) as raw:
            yield unpack(cast("io.BufferedReader", raw), self._shown)


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
def _explain_failure(name: str) -> Generator[None]:
    """Turn errors of the system or of unpacking into one line for the user."""
    try:
        with explain_broken(name):
            yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else one_line(str(error))
        raise UsageError(f"{name}: cannot be read: {reason}") from None
