"""Lines of a file, each of bounded length, and the format of a file by its ending."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import PurePath
from typing import BinaryIO, Final

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.messages import one_line

MEGABYTE: Final = 1 << 20
LIMIT: Final = 16 * MEGABYTE
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

UNPACKED: Final = (".parquet", ".xlsx", ".eval")


class TooLong(Struct, frozen=True):
    """A line beyond the limit, of which only the length was kept."""

    length: int

    def describe(self) -> str:
        """Return the problem for a bad row."""
        return f"line is {self.length / MEGABYTE:.1f} MB long, the limit is {LIMIT // MEGABYTE} MB"


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | TooLong]]:
    """Yield lines with their numbers from 1, without a byte order mark; a line beyond the limit is `TooLong`."""
    for number in count(1):
        line = stream.readline(LIMIT + 1)
        if not line:
            return
        if number == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if len(line) > LIMIT and not line.endswith(b"\n"):
            yield number, TooLong(len(line) + _skip_line(stream))
        else:
            yield number, line


def _skip_line(stream: BinaryIO) -> int:
    skipped = 0
    while piece := stream.readline(MEGABYTE):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def split_ending(
    path: str, known: Sequence[str], *, hint: str = "", packings: Sequence[str] = (".gz",)
) -> tuple[str, bool]:
    """Return the ending that names the format, and whether one of a packing follows.

    `hint` ends the error for another ending.
    """
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    packed = bool(suffixes) and suffixes[-1] in packings
    ending = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    if ending not in known or (packed and ending in UNPACKED):
        raise UsageError(
            f"{one_line(path)}: unknown ending; karat knows {_list_endings(known, packings)}{hint}"
        )
    return ending, packed


def _list_endings(known: Sequence[str], packings: Sequence[str]) -> str:
    packable = [ending for ending in known if ending not in UNPACKED]
    others = [ending for ending in known if ending in UNPACKED]
    return f"{' '.join(packable)} (each also with {' or '.join(packings)}) and {' '.join(others)}"
