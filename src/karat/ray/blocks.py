"""Divide the input into blocks, reproducibly, and read them."""

import io
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.keys import hash_content
from karat.core.messages import one_line
from karat.ray.files import File, find_files, open_file
from karat.rows import BadRow, Columns, Layout, Record, Row, Source
from karat.rows.containers.compression import explain_broken, unpack
from karat.rows.containers.contents import KINDS
from karat.rows.containers.json_documents import Document
from karat.rows.containers.lines import split_ending
from karat.rows.containers.parquet import load_arrow, read_groups
from karat.rows.formats import Head, find_format
from karat.rows.source import PACKINGS

_ENDINGS = tuple(KINDS)
_AT_ONCE = 16
_SAFE = "=,+@"
_NOTHING: Mapping[str, str] = {}
_LONGEST = 180  # file systems allow 255 bytes, including suffixes
_KEPT = 140


class Block(Struct, frozen=True):
    """A file or one of its row groups, judged as a unit; `rows` is None if it is unknown before reading."""

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
        """The name of the block's verdict file."""
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
        ending, packed = split_ending(file.name, _ENDINGS, packings=PACKINGS)
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
    """A block as an input; unlike a single file it may have no rows.

    All blocks of a run are read as the format of the first one; without `format` it is recognised.
    """

    def __init__(
        self,
        block: Block,
        *,
        format: str | None = None,  # noqa: A002 - the option's name
        chosen: Mapping[str, str] = _NOTHING,
    ) -> None:
        super().__init__(block.file, block.path, block.ending, format=format)
        self._block = block
        self._chosen = chosen

    def rows(self, columns: Columns, *, limit: int | None = None) -> Iterator[Row | BadRow]:
        """Yield all rows; those of a named format are made of records by what stands around them in this block."""
        known = None if self._format is None else find_format(self._format)
        if known is not None and known.start is not None:
            self._layouts[""] = Layout(columns, known, self._read_head(), self._chosen)
        yield from super().rows(columns, limit=limit)

    def _read_head(self) -> Head:
        records: list[dict[str, Any]] = []
        with suppress(UsageError):  # a block of bad rows, which are named when they are read
            records = self._peek_records()
        document = self._document or Document()
        return Head(document.head, document.place or (), records)

    @contextmanager
    def _open(self) -> Generator[io.BufferedReader]:
        try:
            with open_file(self._block.path) as stream, explain_broken(self._shown):
                yield unpack(stream, self._shown)
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
