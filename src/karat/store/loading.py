"""Rows on their way into the store."""

import sqlite3
from collections.abc import Iterator
from itertools import islice

import msgspec

from karat.core.errors import UsageError
from karat.core.keys import item_key
from karat.store.records import NewRow
from karat.store.shapes import write_text

_LOADED = 5_000
_encode = msgspec.json.Encoder().encode
_STAGE = "CREATE TEMP TABLE IF NOT EXISTS staged (position INTEGER PRIMARY KEY, line, id, key, first, question, refs, answer, system, columns, label)"
_KEEP_ITEMS = "INSERT OR IGNORE INTO items (key, question, refs, answer) SELECT key, question, refs, answer FROM staged ORDER BY position"
_KEEP_ROWS = """
    INSERT INTO rows SELECT ?1, s.position, s.line, s.id, i.id,
        s.first AND NOT EXISTS (SELECT 1 FROM rows r WHERE r.dataset = ?1 AND r.item = i.id), s.system, s.columns, s.label
    FROM staged s JOIN items i ON i.key = s.key ORDER BY s.position
"""


def load_rows(connection: sqlite3.Connection, dataset: int, rows: Iterator[NewRow]) -> int:
    """Write the rows of a dataset, each item once, and count them."""
    count = 0
    connection.execute(_STAGE)
    while chunk := list(islice(rows, _LOADED)):
        _load(connection, dataset, count, chunk)
        count += len(chunk)
    return count


def _load(connection: sqlite3.Connection, dataset: int, start: int, chunk: list[NewRow]) -> None:
    keys = [item_key(row.item) for row in chunk]
    firsts = {key: index for index, key in reversed(list(enumerate(keys)))}
    staged = [
        (
            start + index, row.line, row.id, key, firsts[key] == index, row.item.question,
            write_text(row.item.references), row.item.answer, row.system, _encode(row.columns),
            None if row.label is None else write_text(row.label),
        )
        for index, (key, row) in enumerate(zip(keys, chunk, strict=True))
    ]  # fmt: skip
    connection.execute("DELETE FROM staged")
    connection.executemany("INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", staged)
    connection.execute(_KEEP_ITEMS)
    connection.execute(_KEEP_ROWS, (dataset,))
    connection.execute("DELETE FROM staged")


def refuse_duplicates(connection: sqlite3.Connection, dataset: int, source: str) -> None:
    """Name the first id that stands twice."""
    found = connection.execute(
        "SELECT id, MIN(line), MAX(line) FROM rows WHERE dataset = ? GROUP BY id HAVING COUNT(*) > 1 ORDER BY 2 LIMIT 1",
        (dataset,),
    ).fetchone()
    if found:
        name, first, last = found
        raise UsageError(
            f"{source}:{last}: id {name!r} stands already in line {first}; make ids unique, or leave the column out with --columns id="
        )
