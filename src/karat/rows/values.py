"""Cell values as text and as JSON."""

import base64
import datetime as dt
import math
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec

LONE_SURROGATE: Final = "half a surrogate pair is no text"


def read_text(value: object) -> str | None:
    """Text as it is, numbers and booleans as JSON writes them; None where there is no one text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return write_json(value)
    return None


def write_json(value: object) -> str:
    """A value as JSON on one line; NaN and the infinities become null."""
    return msgspec.json.encode(value).decode()


def name_type(value: object) -> str:
    """What JSON calls a value's type, with its article."""
    if isinstance(value, list | tuple):
        return "a list"
    return "an object" if isinstance(value, dict) else "null" if value is None else "a value"


def make_json(value: object) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Any Python value as the nearest one that JSON can hold."""
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
