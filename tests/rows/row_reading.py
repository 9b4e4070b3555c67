"""Short ways to make an input and to read all of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from karat.core.errors import KaratError
from karat.rows import BadRow, Columns, Row, open_source

T = TypeVar("T")

PLAIN = Columns(reference="reference", answer="answer")


def read(path: Path, columns: Columns | None = None) -> list[Row | BadRow]:
    with open_source(str(path)) as source:
        return list(source.rows(columns or source.find_columns({})))


def read_bytes(
    folder: Path, name: str, content: bytes, columns: Columns | None = PLAIN
) -> list[Row | BadRow]:
    path = folder / name
    path.write_bytes(content)
    return read(path, columns)


def attempt(work: Callable[[], T]) -> T | str:
    """Give what the work gives, or the message of the error that is meant for the user."""
    try:
        return work()
    except KaratError as error:
        return str(error)


def problems(rows: list[Row | BadRow]) -> Mapping[int, str]:
    return {row.line: row.problem for row in rows if isinstance(row, BadRow)}


def good(rows: list[Row | BadRow]) -> list[Row]:
    return [row for row in rows if isinstance(row, Row)]
