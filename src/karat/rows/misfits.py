"""Input that is not what its ending says."""

from typing import Final

from karat.core.errors import UsageError
from karat.rows.lines import BYTE_ORDER_MARK

JSON_LINES: Final = frozenset({".jsonl", ".ndjson", ".json"})
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_ENOUGH: Final = 1 << 16


def refuse_misfit(head: bytes, ending: str, name: str) -> None:
    """Refuses UTF-16, and one JSON array where every line should be an object, by the first bytes."""
    if ending != ".parquet" and head.startswith(_UTF16):
        raise UsageError(f"{name}: is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)")
    if ending in JSON_LINES and _strip(head).startswith(b"["):
        raise UsageError(_complain(name, "a JSON array; jq -c '.[]' makes lines of it"))


def describe_table(head: bytes, ending: str, name: str) -> str | None:
    """What to say of JSON lines that begin like a table; None where they do not."""
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
