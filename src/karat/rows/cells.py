"""Convert cell values to text, to JSON and to the kinds of Parquet columns."""

import base64
import datetime as dt
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec

from karat.core.errors import UsageError
from karat.core.messages import quote

Kind: TypeAlias = Literal["text", "bool", "int", "float", "json"]
ColumnKind: TypeAlias = Kind | Literal["texts"]
LONE_SURROGATE: Final = "half a surrogate pair is no text"


def read_text(value: object) -> str | None:
    """Return text as it is, numbers and booleans as JSON; None for any other value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return write_json(value)
    return None


def write_json(value: object) -> str:
    """Return a value as JSON on one line; NaN and infinities become null."""
    return msgspec.json.encode(value).decode()


def name_type(value: object) -> str:
    """Return the JSON name of a value's type, with its article."""
    if isinstance(value, list | tuple):
        return "a list"
    return "an object" if isinstance(value, dict) else "null" if value is None else "a value"


def make_json(value: object) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Convert any Python value to the nearest one that JSON can hold."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case bytes():
            return _read_bytes(value)
        case list() | tuple():
            return [make_json(entry) for entry in cast("list[object]", value)]
        case Mapping():
            entries = cast("Mapping[object, object]", value)
            return {str(key): make_json(entry) for key, entry in entries.items()}
        case _:
            return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _read_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


def infer_kind(values: Iterable[object]) -> ColumnKind:
    """Return the narrowest kind that holds all values; text holds anything, other values as JSON."""
    present = [value for value in values if value is not None]
    if not present:
        return "text"
    narrow: tuple[ColumnKind, ...] = ("bool", "int", "float", "texts", "text")
    return next(kind for kind in narrow if all(_fits(value, kind) for value in present))


def convert(value: object, kind: ColumnKind, column: str) -> Any:  # noqa: ANN401 - what the kind says
    """Convert a value to its column's kind."""
    if value is None:
        return None
    if kind == "json":
        return write_json(value)
    if kind == "text":
        return value if isinstance(value, str) else write_json(value)
    if kind == "texts" and isinstance(value, str):
        return [value]
    if not _fits(value, kind):
        raise UsageError(
            f"column {quote(column)} holds {kind} values, but then {quote(write_json(value))}; write .jsonl instead"
        )
    return float(cast("float", value)) if kind == "float" else value


def _fits(value: object, kind: ColumnKind) -> bool:
    match kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return _is_number(value) and isinstance(value, int)
        case "float":
            return _is_number(value)
        case "texts":
            return isinstance(value, list) and all(
                isinstance(text, str | None) for text in cast("list[object]", value)
            )
        case "text" | "json":
            return True


def _is_number(value: object) -> bool:
    """Check for a number; integers beyond 64 bits do not count, since only text keeps them exact."""
    if isinstance(value, int):
        return not isinstance(value, bool) and -(2**63) <= value < 2**63
    return isinstance(value, float)
