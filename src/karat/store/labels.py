"""Human labels of items, and earlier labels that they replaced.

A label belongs to an item: a question with its references and an answer. It is used in a dataset only if
it was given for that dataset, or if the user asked for the labels of other datasets. The table `label_uses` has a row
for each use; `origin` is the dataset for which the label was given, NULL if that is the dataset itself.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from sqlite3 import Connection
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from karat.core.scored_row import Label
from karat.store.database import Database
from karat.store.encoding import check_time
from karat.store.records import Dataset, KeptLabel, RawLabel

_Stored: TypeAlias = tuple[int, float, str]
KEY = "item:"
_CHUNK = 2_000
_read = msgspec.json.Decoder().decode
# CROSS JOIN fixes the order of joining: the labels of an item are found first, then whether they are used.
_HISTORY = """
    SELECT l.item, l.author, l.value, l.scale, l.source, l.created,
        CASE WHEN EXISTS (SELECT 1 FROM label_uses u WHERE u.dataset = ?1 AND u.label = l.id) THEN NULL
            ELSE l.replaced END
    FROM (
        SELECT n.item, n.author, MAX(n.id) AS last FROM label_uses u CROSS JOIN labels n ON n.id = u.label
        WHERE u.dataset = ?1 GROUP BY 1, 2
    ) used CROSS JOIN labels l ON l.item = used.item AND l.author = used.author AND l.id <= used.last
    ORDER BY l.item, l.id
"""
_RAW = """
    SELECT item, position, line, label FROM rows
    WHERE dataset = ? AND (item, position) > (?, ?) AND label IS NOT NULL ORDER BY item, position LIMIT ?
"""
_USED = """
    SELECT l.id, l.value, l.scale FROM labels l CROSS JOIN label_uses u ON u.dataset = ? AND u.label = l.id
    WHERE l.item = ? AND l.author = ?
"""
_LATEST = "SELECT id, value, scale FROM labels WHERE item = ? AND author = ? AND replaced IS NULL"
_REPLACE = "UPDATE labels SET replaced = ? WHERE item = ? AND author = ? AND replaced IS NULL"
_KEEP = "INSERT INTO labels VALUES (NULL, ?, ?, ?, ?, ?, ?, NULL)"
_USE = "INSERT INTO label_uses VALUES (?, ?, NULL) ON CONFLICT DO UPDATE SET origin = NULL"
_LEAVE = "DELETE FROM label_uses WHERE dataset = ? AND label = ?"
# ?2: include labels of other datasets that are already in use.
_KNOWN = """
    SELECT l.id AS label, l.item AS item,
        (SELECT MIN(u.dataset) FROM label_uses u WHERE u.label = l.id AND u.origin IS NULL) AS origin
    FROM rows r CROSS JOIN labels l ON l.item = r.item
    WHERE r.dataset = ?1 AND r.first AND l.replaced IS NULL AND NOT EXISTS (
        SELECT 1 FROM labels n CROSS JOIN label_uses u ON u.dataset = ?1 AND u.label = n.id
        WHERE n.item = l.item AND n.author = l.author AND (u.origin IS NULL OR NOT ?2)
    )
"""
_KNOWN_SOURCES = f"""
    SELECT d.source, COUNT(*) FROM ({_KNOWN}) k JOIN datasets d ON d.id = k.origin GROUP BY d.id ORDER BY d.id
"""  # noqa: S608 - nothing of it comes from outside
_KNOWN_ROWS = """
    SELECT COUNT(*) FROM rows r WHERE r.dataset = ?1
        AND EXISTS (SELECT 1 FROM labels l WHERE l.item = r.item AND l.replaced IS NULL)
        AND NOT EXISTS (
            SELECT 1 FROM labels l CROSS JOIN label_uses u ON u.dataset = ?1 AND u.label = l.id
            WHERE l.item = r.item AND (u.origin IS NULL OR NOT ?2)
        )
"""
# Two datasets disagree on an item if each was given a label for it that the other does not use, with another value.
_DISPUTED_ROWS = f"""
    SELECT COUNT(*) FROM rows r WHERE r.dataset = ?1 AND r.item IN (SELECT k.item FROM ({_KNOWN}) k) AND EXISTS (
        SELECT 1 FROM labels l CROSS JOIN label_uses u ON u.label = l.id AND u.origin IS NULL
            CROSS JOIN labels m ON m.item = l.item AND m.id > l.id AND m.value <> l.value
            CROSS JOIN label_uses v ON v.label = m.id AND v.origin IS NULL AND v.dataset <> u.dataset
        WHERE l.item = r.item
            AND NOT EXISTS (SELECT 1 FROM label_uses w WHERE w.dataset = u.dataset AND w.label = m.id)
            AND NOT EXISTS (SELECT 1 FROM label_uses w WHERE w.dataset = v.dataset AND w.label = l.id)
    )
"""  # noqa: S608 - as above
_LEAVE_KNOWN = "DELETE FROM label_uses WHERE dataset = ? AND origin IS NOT NULL"
_USE_KNOWN = f"INSERT INTO label_uses SELECT ?1, label, origin FROM ({_KNOWN})"  # noqa: S608 - as above


class NewLabel(Struct, frozen=True):
    """A label to be stored, with the place where it was given."""

    item: int
    label: Label
    source: str


class KnownLabels(Struct, frozen=True):
    """Labels that were given for identical items of other datasets and are not used in this one.

    `rows` is how many rows without a label would get one; `sources` are the files that the labels were given for. On
    `disputed` rows different files have labels of different values.
    """

    labels: int
    rows: int
    sources: tuple[str, ...]
    disputed: int = 0


class DatasetLabels:
    """The labels that are used in one dataset."""

    def __init__(self, database: Database, dataset: Dataset) -> None:
        self._database = database
        self._dataset = dataset

    def any(self) -> bool:
        """Check whether any label is used in the dataset."""
        query = "SELECT 1 FROM label_uses WHERE dataset = ? LIMIT 1"
        return bool(self._database.read(query, self._dataset.id))

    def find_known(self, *, used: bool = False) -> KnownLabels:
        """Return the labels that `use_known` would add; with `used` also those that it added earlier."""
        return self._find_known(self._database.read, used=used)

    def use_known(self) -> KnownLabels:
        """Use the current labels of identical items of other datasets in this one."""
        with self._database.transaction() as connection:
            connection.execute(_LEAVE_KNOWN, (self._dataset.id,))
            known = self._find_known(
                lambda query, dataset, used: connection.execute(query, (dataset, used)).fetchall(), used=True
            )
            connection.execute(_USE_KNOWN, (self._dataset.id, True))
        return known

    def count_used_known(self) -> int:
        """Return how many labels of other datasets are used in this one."""
        query = "SELECT COUNT(*) FROM label_uses WHERE dataset = ? AND origin IS NOT NULL"
        return self._database.read(query, self._dataset.id)[0][0]

    def leave_known(self) -> int:
        """Stop using the labels of other datasets, and return how many there were."""
        with self._database.transaction() as connection:
            return connection.execute(_LEAVE_KNOWN, (self._dataset.id,)).rowcount

    def _find_known(self, read: Callable[[str, int, bool], list[Any]], *, used: bool) -> KnownLabels:
        found = read(_KNOWN_SOURCES, self._dataset.id, used)
        rows = read(_KNOWN_ROWS, self._dataset.id, used)[0][0] if found else 0
        disputed = read(_DISPUTED_ROWS, self._dataset.id, used)[0][0] if found else 0
        sources = tuple(dict.fromkeys(source for source, _ in found))
        return KnownLabels(sum(labels for _, labels in found), rows, sources, disputed)

    def history(self) -> list[KeptLabel]:
        """Return the labels in use and those that they replaced, per item in the order of their creation."""
        return self._database.read_as(_read_kept, _HISTORY, self._dataset.id)

    def keep(self, labels: Iterable[NewLabel]) -> tuple[int, int]:
        """Store labels for this dataset, sorted by item; return how many are new to it, and how many they replace.

        The labels of one author on one item are replaced together, and only if they differ. Other datasets continue to use
        the labels that were given for them.
        """
        now, added, replaced = time.time(), 0, 0
        with self._database.transaction() as connection:
            for item, news in groupby(labels, key=lambda new: new.item):
                given = defaultdict[str, list[NewLabel]](list)
                for new in news:
                    given[new.label.author].append(new)
                for author, theirs in given.items():
                    used = connection.execute(_USED, (self._dataset.id, item, author)).fetchall()
                    if not _is_same(used, theirs):
                        added += len(theirs)
                        replaced += len(used)
                        used = self._give(connection, used, theirs, now)
                    connection.executemany(_USE, [(self._dataset.id, number) for number, *_ in used])
        return added, replaced

    def _give(
        self, connection: Connection, used: list[_Stored], given: Sequence[NewLabel], now: float
    ) -> list[_Stored]:
        """Stop using an author's earlier labels of an item, and return the stored form of the new ones."""
        connection.executemany(_LEAVE, [(self._dataset.id, number) for number, *_ in used])
        item, author = given[0].item, given[0].label.author
        latest = connection.execute(_LATEST, (item, author)).fetchall()
        if not _is_same(latest, given):
            connection.execute(_REPLACE, (now, item, author))
            values = [(item, author, new.label.value, new.label.scale, new.source, now) for new in given]
            connection.executemany(_KEEP, values)
            latest = connection.execute(_LATEST, (item, author)).fetchall()
        return latest

    def raw(self) -> Iterator[RawLabel]:
        """Yield the contents of the label column, in the order of the items."""
        last = (-1, -1)
        while found := self._database.read_as(_read_raw, _RAW, self._dataset.id, *last, _CHUNK):
            last = found[-1][0]
            for _, label in found:
                yield label

    def raw_kinds(self) -> list[Any]:
        """Return the different contents of the label column."""
        query = "SELECT DISTINCT label FROM rows WHERE dataset = ? AND label IS NOT NULL"
        return self._database.read_as(lambda fields: _read(fields[0]), query, self._dataset.id)

    def scale(self) -> str | None:
        """Return the scale on which the label column was imported last; None if it was not."""
        query = "SELECT label_scale FROM datasets WHERE id = ?"
        return self._database.read(query, self._dataset.id)[0][0]

    def note_scale(self, scale: str) -> None:
        """Record the scale on which the label column was imported."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE datasets SET label_scale = ? WHERE id = ?", (scale, self._dataset.id))

    def name_items(self) -> dict[int, tuple[int, str]]:
        """Return the position and id of the first row of each labelled item."""
        query = """
            SELECT l.item, MIN(r.position), r.id
            FROM (SELECT DISTINCT n.item FROM label_uses u JOIN labels n ON n.id = u.label WHERE u.dataset = ?1) l
            LEFT JOIN rows r ON r.dataset = ?1 AND r.item = l.item GROUP BY 1
        """
        return dict(self._database.read_as(_read_place, query, self._dataset.id))

    def find_items(self, names: set[str]) -> dict[str, int]:
        """Return the items of rows with these ids, and of items with these keys."""
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
    """Return the key of an item as text that no spreadsheet reads as a number."""
    return f"{KEY}{key.hex()}"


def _is_same(stored: Iterable[_Stored], given: Iterable[NewLabel]) -> bool:
    """Check whether an author's stored labels of an item equal the given ones."""
    return sorted(said for _, *said in stored) == sorted([new.label.value, new.label.scale] for new in given)


def _read_kept(fields: tuple[Any, ...]) -> KeptLabel:
    item, author, value, scale, source, created, replaced = fields
    check_time(created)
    return KeptLabel(item, Label(author, value, scale), source, created, replaced)


def _read_place(fields: tuple[Any, ...]) -> tuple[int, tuple[int, str]]:
    item, position, name = fields
    if position is None:
        raise ValueError("an item with a label has no row")
    return item, (position, name)


def _read_raw(fields: tuple[Any, ...]) -> tuple[tuple[int, int], RawLabel]:
    """Return the position of a label among the others, and the label."""
    item, position, line, content = fields
    return (item, position), RawLabel(item, line, _read(content))
