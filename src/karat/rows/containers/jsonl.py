"""Read and write JSON lines: one object per line."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, cast

import msgspec

from karat.rows.cells import LONE_SURROGATE, name_type, write_json
from karat.rows.containers.lines import TooLong, read_lines
from karat.rows.row import BadRow, Record


def read_records(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:  # noqa: ARG001 - one shape for all formats
    """Yield the object of every line; blank lines are counted but skipped."""
    decode = msgspec.json.Decoder().decode
    for number, line in read_lines(stream):
        if isinstance(line, TooLong):
            yield BadRow(number, line.describe())
            continue
        try:
            value = decode(line)
        except (ValueError, RecursionError) as error:
            if line.strip():
                yield BadRow(number, describe_failure(line, error))
            continue
        if isinstance(value, dict):
            yield number, cast("dict[str, Any]", value)
        else:
            yield BadRow(number, f"not a JSON object but {name_scalar(value)}")


def describe_failure(line: bytes, error: Exception) -> str:
    """Return why a record cannot be read."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    if isinstance(error, RecursionError):
        return "broken JSON: nested too deeply"
    if _has_lone_surrogate(line):
        return LONE_SURROGATE
    constant = _find_constant(line)
    if constant is not None:
        return f"broken JSON: JSON knows no {constant}; write null"
    return f"broken JSON: {str(error).removeprefix('JSON is malformed: ')}"


def _find_constant(line: bytes) -> str | None:
    """Return NaN or an infinity if that is all that is wrong; Python's own reader accepts them."""
    found = list[str]()
    try:
        json.loads(line, parse_constant=found.append)
    except (ValueError, RecursionError):
        return None
    return found[0] if found else None


def _has_lone_surrogate(line: bytes) -> bool:
    """Check for half a surrogate pair, which Python's own reader accepts and nothing can write."""
    try:
        write_json(json.loads(line))
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        pass
    return False


def name_scalar(value: object) -> str:
    """Return what a record is instead of an object."""
    if isinstance(value, str):
        return "a string"
    if isinstance(value, bool):
        return "a boolean"
    return "a number" if isinstance(value, int | float) else name_type(value)


class JsonlWriter:
    """Writes the known fields in their order and any others after them."""

    def __init__(self, stream: BinaryIO, fields: Sequence[str]) -> None:
        self._stream = stream
        self._fields = fields
        self._encode = msgspec.json.Encoder().encode

    def write(self, record: dict[str, Any]) -> None:
        """One object on one line."""
        ordered = {field: record[field] for field in self._fields if field in record}
        self._stream.write(self._encode(ordered | record) + b"\n")

    def finish(self) -> None:
        """Nothing is held back."""

    def abandon(self) -> None:
        """Nothing is held open."""
