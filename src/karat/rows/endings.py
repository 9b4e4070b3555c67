"""What the ending of a file's name says."""

from collections.abc import Sequence
from pathlib import PurePath

from karat.core.errors import UsageError
from karat.rows.wording import one_line

UNPACKED = (".parquet",)


def split_ending(path: str, known: Sequence[str], *, hint: str = "") -> tuple[str, bool]:
    """The ending that names the format, and whether `.gz` follows it; the hint ends the refusal of any other."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    ending = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    if ending not in known or (packed and ending in UNPACKED):
        raise UsageError(f"{one_line(path)}: unknown ending; karat knows {_list_endings(known)}{hint}")
    return ending, packed


def _list_endings(known: Sequence[str]) -> str:
    packable = [ending for ending in known if ending not in UNPACKED]
    return f"{' '.join(packable)} (each also with .gz) and {' '.join(UNPACKED)}"
