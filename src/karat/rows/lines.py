"""Lines of a file, each of bounded length, and the format of a file by its ending and first bytes."""

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

UNPACKED: Final = (".parquet",)
JSON_LINES: Final = frozenset({".jsonl", ".ndjson", ".json"})
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_ENOUGH: Final = 1 << 16  # bytes of a head that are looked at


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


def split_ending(path: str, known: Sequence[str], *, hint: str = "") -> tuple[str, bool]:
    """Return the ending that names the format, and whether `.gz` follows; `hint` ends the error for another ending."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    ending = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    if ending not in known or (packed and ending in UNPACKED):
        raise UsageError(f"{one_line(path)}: unknown ending; karat knows {_list_endings(known)}{hint}")
    return ending, packed


def _list_endings(known: Sequence[str]) -> str:
    packable = [ending for ending in known if ending not in UNPACKED]
    return f"{' '.join(packable)} (each also with .gz) and {' '.join(UNPACKED)}"


def refuse_misfit(head: bytes, ending: str, name: str) -> None:
    """Refuse UTF-16, and a JSON array in place of JSON lines, by the first bytes."""
    if ending != ".parquet" and head.startswith(_UTF16):
        raise UsageError(f"{name}: is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)")
    if ending in JSON_LINES and _strip(head).startswith(b"["):
        raise UsageError(_complain(name, "a JSON array; jq -c '.[]' makes lines of it"))


def describe_table(head: bytes, ending: str, name: str) -> str | None:
    """Return the problem of JSON lines that begin like a CSV or TSV table; None if they do not."""
    start = _strip(head)
    first = start.partition(b"\n")[0]
    if ending not in JSON_LINES or first.startswith(b"{"):
        return None
    if b"," in first or b";" in first:
        return _complain(name, "CSV; give it as a file that ends in .csv")
    return _complain(name, "TSV; give it as a file that ends in .tsv") if b"\t" in first else None


def _strip(head: bytes) -> bytes:
    return head[:_ENOUGH].removeprefix(BYTE_ORDER_MARK).lstrip()


def _complain(name: str, looks: str) -> str:
    return f"{name} is read as JSONL, one object per line; this looks like {looks}"
