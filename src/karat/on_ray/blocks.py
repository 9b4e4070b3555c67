"""The plan of a run: its blocks, which are the same at every start."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.keys import hash_content
from karat.on_ray.places import File, find_files, open_file
from karat.rows.arrow import load_arrow
from karat.rows.endings import split_ending
from karat.rows.source import READERS
from karat.rows.wording import one_line

_AT_ONCE = 16
_SAFE = "=,+@"
_LONGEST = 180  # file systems take 255 bytes, with what is put behind the name
_KEPT = 140


class Block(Struct, frozen=True):
    """A file, or a row group of one, judged as a whole; `rows` is None where only reading tells."""

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
    """One block for each row group of a Parquet file, and one for each other file."""
    files = find_files(answers, tuple(READERS), output)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        groups = list(pool.map(_read_groups, files))
    return list(divide(zip(files, groups, strict=True)))


def divide(files: Iterable[tuple[File, Sequence[tuple[int, int]] | None]]) -> Iterable[Block]:
    """The blocks of files, given the rows and bytes of the row groups that each has."""
    for file, groups in files:
        ending, packed = split_ending(file.name, tuple(READERS))
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
    """A file's name without slashes or anything that an address would read in another way; a long one ends in a hash."""
    name = quote(file, safe=_SAFE).replace("~", "~7E").replace("%", "~")
    return name if len(name) <= _LONGEST else f"{name[:_KEPT]}~~{hash_content(file)[:32]}"


def _read_groups(file: File) -> list[tuple[int, int]] | None:
    """Rows and bytes of the row groups, by the footer of a Parquet file."""
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
