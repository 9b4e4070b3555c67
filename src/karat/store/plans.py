"""Which items of a dataset were chosen for labelling, and with what probability."""

import time
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from karat.store.database import Database
from karat.store.populations import find_home, read_chosen
from karat.store.records import Dataset, Planned, Run

_CHUNK = 5_000
_CANDIDATES = """
    SELECT r.position, r.item, o.value, o.confidence, o.decided_by,
        EXISTS (
            SELECT 1 FROM labels l CROSS JOIN label_uses u ON u.dataset = ?3 AND u.label = l.id WHERE l.item = r.item
        ),
        EXISTS (SELECT 1 FROM planned p WHERE p.dataset = ?1 AND p.item = r.item)
    FROM rows r LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?2
    WHERE r.dataset = ?3 AND r.position > ?4 AND r.first ORDER BY r.position LIMIT ?5
"""


class Candidate(Struct, frozen=True, gc=False):
    """An item that may be chosen, with the verdict of the judge by which the choice is made."""

    position: int
    item: int
    value: int | None
    confidence: float | None
    decided_by: str | None
    labelled: bool
    planned: bool


class LabelPlan:
    """The plan of one dataset: there is one, and it can grow; datasets of the very same items share it if they can."""

    def __init__(self, database: Database, dataset: Dataset) -> None:
        self._database = database
        self._dataset = dataset
        self._home = find_home(database, dataset)

    def find(self) -> tuple[int, int] | None:
        """The number of the run whose verdicts divide the dataset into strata, and how finely they do."""
        query = "SELECT run, detail FROM label_plans WHERE dataset = ?"
        found = self._database.read(query, self._home)
        return found[0] if found else None

    def candidates(self, run: Run) -> Iterator[Candidate]:
        """The different items of the dataset."""
        position = -1
        where = (self._home, run.judge_id, self._dataset.id)
        while found := self._database.read(_CANDIDATES, *where, position, _CHUNK):
            position = found[-1][0]
            for *verdict, labelled, planned in found:
                at, item, value, confidence, decided_by = verdict
                yield Candidate(at, item, value, confidence, decided_by, bool(labelled), bool(planned))

    def chosen(self) -> dict[int, Planned]:
        """All items that were chosen so far."""
        return read_chosen(self._database, self._home)

    def grow(self, run: Run, detail: int, chosen: Sequence[Planned], chances: Mapping[str, float]) -> None:
        """Keep newly chosen items, and the chances that all items of their strata have by now."""
        with self._database.transaction() as connection:
            values = (self._home, run.id, detail, time.time())
            connection.execute("INSERT OR IGNORE INTO label_plans VALUES (?, ?, ?, ?)", values)
            connection.executemany(
                "INSERT INTO planned VALUES (?, ?, ?, ?, ?)",
                [(self._home, one.item, one.draw, one.stratum, one.chance) for one in chosen],
            )
            connection.executemany(
                "UPDATE planned SET chance = ? WHERE dataset = ? AND stratum = ?",
                [(chance, self._home, stratum) for stratum, chance in chances.items()],
            )
