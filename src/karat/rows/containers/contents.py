"""What a file holds: by its ending, and by its first bytes where those are certain."""

import zipfile
from collections.abc import Callable, Iterator, Mapping
from io import BufferedReader
from typing import Any, BinaryIO, Final, Literal, TypeAlias, cast

import msgspec

from karat.core.errors import UsageError
from karat.core.messages import one_line
from karat.rows.containers import jsonl, parquet
from karat.rows.containers.archives import is_archive, read_samples
from karat.rows.containers.csv import read_csv_records, read_tsv_records
from karat.rows.containers.excel import read_sheet
from karat.rows.containers.json_documents import read_array
from karat.rows.containers.lines import BYTE_ORDER_MARK, MEGABYTE
from karat.rows.names import find_role
from karat.rows.row import BadRow, Record, list_paths, pick, read_chat

Kind: TypeAlias = Literal["lines", "array", "document", "csv", "tsv", "parquet", "excel", "archive"]
Reader: TypeAlias = Callable[[BinaryIO, str], Iterator[Record | BadRow]]

KINDS: Final[Mapping[str, Kind]] = {
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "document",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".xlsx": "excel",
    ".eval": "archive",
}
READERS: Final[Mapping[Kind, Reader]] = {
    "lines": jsonl.read_records,
    "array": read_array,
    "csv": read_csv_records,
    "tsv": read_tsv_records,
    "parquet": parquet.read_records,
    "excel": read_sheet,
    "archive": read_samples,
}
TABLES: Final = frozenset({"csv", "tsv", "excel"})
"""Kinds whose cells can hold a list only as text."""
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_HEAD: Final = MEGABYTE


def find_kind(stream: BufferedReader, ending: str, name: str) -> Kind:
    """Return what a stream holds; its place is moved."""
    expected = KINDS.get(ending, "document")
    head = stream.read(_HEAD)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        return _look_into_zip(stream, name)
    if expected in ("parquet", "excel", "archive"):
        return expected  # its reader says what is wrong with it
    if head.startswith(_UTF16):
        raise UsageError(f"{name}: is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)")
    return _find_text_kind(head.removeprefix(BYTE_ORDER_MARK).lstrip(), expected, complete=len(head) < _HEAD)


def _look_into_zip(stream: BufferedReader, name: str) -> Kind:
    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        raise UsageError(f"{name}: not a readable zip file: {one_line(str(error))}") from None
    if "xl/workbook.xml" in names:
        return "excel"
    if is_archive(names):
        return "archive"
    raise UsageError(f"{name}: is a zip file, but neither an Excel file nor an Inspect log; unpack it")


def _find_text_kind(text: bytes, expected: Kind, *, complete: bool) -> Kind:
    first, _, rest = text.partition(b"\n")
    table = expected in ("csv", "tsv")
    if text.startswith(b"["):
        certain = text[1:].lstrip()[:1] in (b"{", b"[", b"]") or not table
        return "array" if certain else expected
    if text.startswith(b"{"):
        return _find_object_kind(first, rest, expected, complete=complete)
    if table or any(line.lstrip().startswith(b"{") for line in rest.splitlines()[:50]):
        return expected if expected != "document" else "lines"
    return _find_table_kind(first) or "lines"


def _find_object_kind(first: bytes, rest: bytes, expected: Kind, *, complete: bool) -> Kind:
    """Tell objects on lines of their own from one object that takes the whole file."""
    if (
        expected in ("csv", "tsv")
        and not _is_object(first + (rest if complete else b""))
        and not _is_object(first)
    ):
        return expected
    after = rest.lstrip()
    whole = _is_object(first)
    if after.startswith(b"{") or (whole and (after or expected == "lines")):
        return "lines"
    if whole:  # the only line
        return "lines" if _is_row(first) else "document"
    if after:
        return "lines" if rest.startswith(b"{") else "document"
    return "lines" if complete or expected == "lines" else "document"


def _find_table_kind(header: bytes) -> Kind | None:
    if b"," in header or b";" in header:
        return "csv"
    return "tsv" if b"\t" in header else None


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_row(text: bytes) -> bool:
    """Check whether a single object is a row by itself: it has a reference and an answer, or holds no rows.

    Texts under names that say no part are predictions by id.
    """
    found: dict[str, Any] = msgspec.json.decode(text)
    parts = {
        role[0]
        for path in list_paths(found, {})
        if (role := find_role(path)) and not _is_list(pick(found, path))
    }
    by_id = not parts and all(isinstance(value, str) for value in found.values())
    return {"reference", "answer"} <= parts or not (
        by_id or any(_holds_rows(value) for value in found.values())
    )


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in cast("list[object]", value))


def _holds_rows(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_rows(inner) for inner in cast("dict[str, object]", value).values())
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return read_chat(cast("object", value)) is None and any(
        isinstance(entry, dict | list) for entry in entries
    )
