"""Labels: what people say of items, and what they said before.

A label belongs to an item, that is to a question with its references and an answer: it says whether this answer
is right, so it holds in every file in which the same item stands and beside every judge.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct

from karat.core.labels import Label
from karat.store.database import Database
from karat.store.records import Dataset, KeptLabel, RawLabel

KEY = "item:"
_CHUNK = 2_000
_OF_DATASET = "EXISTS (SELECT 1 FROM rows r WHERE r.dataset = ? AND r.item = l.item)"
_ANY = f"SELECT 1 FROM labels l WHERE l.replaced IS NULL AND {_OF_DATASET} LIMIT 1"  # noqa: S608 - as below
_HISTORY = f"""
    SELECT l.item, l.author, l.value, l.scale, l.source, l.created, l.replaced FROM labels l
    WHERE {_OF_DATASET} ORDER BY l.item, l.id
"""  # noqa: S608 - nothing of it comes from outside
_RAW = """
    SELECT item, position, line, label FROM rows
    WHERE dataset = ? AND (item, position) > (?, ?) AND label IS NOT NULL ORDER BY item, position LIMIT ?
"""
_SAID = "SELECT value, scale FROM labels WHERE item = ? AND author = ? AND replaced IS NULL"
_REPLACE = "UPDATE labels SET replaced = ? WHERE item = ? AND author = ? AND replaced IS NULL"
_KEEP = "INSERT INTO labels VALUES (NULL, ?, ?, ?, ?, ?, ?, NULL)"


class NewLabel(Struct, frozen=True):
    """A label on its way into the store, with the place where it was given."""

    item: int
    label: Label
    source: str


class DatasetLabels:
    """The labels of the items that stand in one dataset."""

    def __init__(self, database: Database, dataset: Dataset) -> None:
        self._database = database
        self._dataset = dataset

    def any(self) -> bool:
        """Whether any item of the dataset has a label."""
        return bool(self._database.read(_ANY, self._dataset.id))

    def history(self) -> list[KeptLabel]:
        """All labels that were ever given, in the order of their giving within an item."""
        found = self._database.read(_HISTORY, self._dataset.id)
        return [KeptLabel(item, Label(*label), *rest) for item, label, rest in map(_split, found)]

    def keep(self, labels: Iterable[NewLabel]) -> tuple[int, int]:
        """Keep labels given together, in the order of their items; how many are new, and how many they replace.

        What one author says of one item is replaced as a whole, and only where something else is said now.
        """
        now, added, replaced = time.time(), 0, 0
        with self._database.transaction() as connection:
            for item, news in groupby(labels, key=lambda new: new.item):
                given = defaultdict[str, list[NewLabel]](list)
                for new in news:
                    given[new.label.author].append(new)
                for author, theirs in given.items():
                    before = connection.execute(_SAID, (item, author)).fetchall()
                    if sorted(before) == sorted((new.label.value, new.label.scale) for new in theirs):
                        continue
                    connection.execute(_REPLACE, (now, item, author))
                    values = [
                        (item, author, new.label.value, new.label.scale, new.source, now) for new in theirs
                    ]
                    connection.executemany(_KEEP, values)
                    added += len(theirs)
                    replaced += len(before)
        return added, replaced

    def raw(self) -> Iterator[RawLabel]:
        """What the label column says, in the order of the items."""
        last = (-1, -1)
        while found := self._database.read(_RAW, self._dataset.id, *last, _CHUNK):
            last = found[-1][:2]
            for item, _, line, content in found:
                yield RawLabel(item, line, msgspec.json.decode(content))

    def raw_kinds(self) -> list[Any]:
        """The different contents of the label column."""
        query = "SELECT DISTINCT label FROM rows WHERE dataset = ? AND label IS NOT NULL"
        return [msgspec.json.decode(content) for (content,) in self._database.read(query, self._dataset.id)]

    def scale(self) -> str | None:
        """The scale on which the label column was taken last; None where it was not."""
        query = "SELECT label_scale FROM datasets WHERE id = ?"
        return self._database.read(query, self._dataset.id)[0][0]

    def note_scale(self, scale: str) -> None:
        """Remember that the label column was taken on this scale."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE datasets SET label_scale = ? WHERE id = ?", (scale, self._dataset.id))

    def name_items(self) -> dict[int, tuple[int, str]]:
        """The position and id of the first row of each labelled item."""
        query = """
            SELECT r.item, MIN(r.position), r.id FROM rows r
            WHERE r.dataset = ? AND r.item IN (SELECT item FROM labels) GROUP BY 1
        """
        return {item: (at, name) for item, at, name in self._database.read(query, self._dataset.id)}

    def find_items(self, names: set[str]) -> dict[str, int]:
        """The items of the rows with these ids, and of items with these keys."""
        found, position = dict[str, int](), -1
        query = """
            SELECT r.position, r.id, r.item, i.key FROM rows r JOIN items i ON i.id = r.item
            WHERE r.dataset = ? AND r.position > ? ORDER BY r.position LIMIT ?
        """
        while rows := self._database.read(query, self._dataset.id, position, _CHUNK):
            position = rows[-1][0]
            for _, name, item, key in rows:
                for known in (name, write_key(key)):
                    if known in names:
                        found.setdefault(known, item)
        return found


def write_key(key: bytes) -> str:
    """The key of an item as text that no spreadsheet takes for a number."""
    return f"{KEY}{key.hex()}"


def _split(fields: tuple[Any, ...]) -> tuple[int, tuple[Any, ...], tuple[Any, ...]]:
    return fields[0], fields[1:4], fields[4:]
