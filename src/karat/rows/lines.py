"""Physical lines of a file, each of bounded length."""

from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Final

from msgspec import Struct

MEGABYTE: Final = 1 << 20
LIMIT: Final = 16 * MEGABYTE
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class TooLong(Struct, frozen=True):
    """A line beyond the limit, of which only the length was kept."""

    length: int

    def describe(self) -> str:
        """The length and the limit, for a bad row."""
        return f"line is {self.length / MEGABYTE:.1f} MB long, the limit is {LIMIT // MEGABYTE} MB"


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | TooLong]]:
    """Lines with their numbers from 1, without a byte order mark, never holding more than the limit."""
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
