"""Divide the input into blocks, the same at every start, and read them."""

import gzip
import io
import zlib
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import quote

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.keys import hash_content
from karat.core.messages import one_line
from karat.ray.files import File, find_files, open_file
from karat.rows import BadRow, Record, Source
from karat.rows.formats import TABLE
from karat.rows.lines import MEGABYTE, split_ending
from karat.rows.parquet import load_arrow, read_groups

_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
_AT_ONCE = 16
_SAFE = "=,+@"
_LONGEST = 180  # file systems take 255 bytes, with what is put behind the name
_KEPT = 140


class Block(Struct, frozen=True):
    """A file, or a row group of one, which is judged as a whole; `rows` is None if only reading tells."""

    name: str
    path: str
    file: str
    ending: str
    packed: bool
    size: int
    identity: str
    group: int | None = None
    first: int = 1
    rows: int | None = None

    @property
    def output(self) -> str:
        """The name of its verdict file."""
        return f"{self.name}.parquet"


def plan_blocks(answers: str, output: str | None = None) -> list[Block]:
    """Return one block for each row group of a Parquet file, and one for each other file."""
    files = find_files(answers, _ENDINGS, output)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        groups = list(pool.map(_read_groups, files))
    return list(divide(zip(files, groups, strict=True)))


def divide(files: Iterable[tuple[File, Sequence[tuple[int, int]] | None]]) -> Iterable[Block]:
    """Yield the blocks of files, given the rows and bytes of their row groups."""
    for file, groups in files:
        ending, packed = split_ending(file.name, _ENDINGS)
        known = [file.name, file.size, file.changed]
        name = name_block(file.name)
        if groups is None:
            identity = hash_content(known)
            yield Block(name, file.path, file.name, ending, packed, file.size, identity)
            continue
        first = 1
        for number, (rows, size) in enumerate(groups):
            identity = hash_content([*known, number, rows])
            yield Block(
                f"{name}-{number:05}",
                file.path,
                file.name,
                ending,
                packed,
                size,
                identity,
                number,
                first,
                rows,
            )
            first += rows


def name_block(file: str) -> str:
    """Return a file's name without slashes or other special characters of a URL; a long one ends in a hash."""
    name = quote(file, safe=_SAFE).replace("~", "~7E").replace("%", "~")
    return name if len(name) <= _LONGEST else f"{name[:_KEPT]}~~{hash_content(file)[:32]}"


def _read_groups(file: File) -> list[tuple[int, int]] | None:
    """Return rows and bytes of the row groups, from the footer of a Parquet file."""
    if not file.name.lower().endswith(".parquet"):
        return None
    arrow: Any = load_arrow()
    try:
        with open_file(file.path) as stream:
            footer = load_arrow("pyarrow.parquet").read_metadata(stream)
    except (arrow.ArrowException, ValueError, OSError) as error:
        raise UsageError(f"{file.path}: not a readable Parquet file: {one_line(str(error))}") from None
    groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
    return [(group.num_rows, group.total_byte_size) for group in groups]


class BlockSource(Source):
    """A block as an input; unlike a single file it may have no rows."""

    def __init__(self, block: Block) -> None:
        super().__init__(block.file, block.path, block.ending, format=TABLE)
        self._block = block

    @contextmanager
    def _open(self) -> Generator[io.BufferedReader]:
        try:
            with open_file(self._block.path) as stream:
                yield _unpack(stream) if self._block.packed else stream
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise UsageError(f"{self._shown}: broken gzip data: {one_line(str(error))}") from None
        except OSError as error:
            reason = error.strerror or one_line(str(error))
            raise UsageError(f"{self._shown}: cannot be read: {reason}") from None

    def _read_records(self) -> Generator[Record | BadRow]:
        block = self._block
        if block.group is None:
            yield from self._read_any()
            return
        with self._open() as stream:
            yield from read_groups(stream, self._shown, [block.group], first=block.first)


def _unpack(stream: io.BufferedReader) -> io.BufferedReader:
    return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=stream)), MEGABYTE)
