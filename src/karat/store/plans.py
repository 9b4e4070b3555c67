"""Which items of a dataset were chosen for labelling, and with what probability."""

import time
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from karat.store.database import Database
from karat.store.records import Dataset, Planned, Run

_CHUNK = 5_000
_CANDIDATES = """
    SELECT r.position, r.item, o.value, o.confidence, o.decided_by,
        EXISTS (SELECT 1 FROM labels l WHERE l.item = r.item AND l.replaced IS NULL),
        EXISTS (SELECT 1 FROM planned p WHERE p.dataset = r.dataset AND p.item = r.item)
    FROM rows r LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?
    WHERE r.dataset = ? AND r.position > ? AND r.first ORDER BY r.position LIMIT ?
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
    """The plan of one dataset: there is one, and it can grow."""

    def __init__(self, database: Database, dataset: Dataset) -> None:
        self._database = database
        self._dataset = dataset

    def find(self) -> tuple[int, int] | None:
        """The number of the run whose verdicts divide the dataset into strata, and how finely they do."""
        query = "SELECT run, detail FROM label_plans WHERE dataset = ?"
        found = self._database.read(query, self._dataset.id)
        return found[0] if found else None

    def candidates(self, run: Run) -> Iterator[Candidate]:
        """The different items of the dataset."""
        position = -1
        while found := self._database.read(_CANDIDATES, run.judge_id, self._dataset.id, position, _CHUNK):
            position = found[-1][0]
            for *verdict, labelled, planned in found:
                at, item, value, confidence, decided_by = verdict
                yield Candidate(at, item, value, confidence, decided_by, bool(labelled), bool(planned))

    def chosen(self) -> dict[int, Planned]:
        """All items that were chosen so far."""
        query = "SELECT item, draw, stratum, chance FROM planned WHERE dataset = ?"
        return {fields[0]: Planned(*fields) for fields in self._database.read(query, self._dataset.id)}

    def grow(self, run: Run, detail: int, chosen: Sequence[Planned], chances: Mapping[str, float]) -> None:
        """Keep newly chosen items, and the chances that all items of their strata have by now."""
        with self._database.transaction() as connection:
            values = (self._dataset.id, run.id, detail, time.time())
            connection.execute("INSERT OR IGNORE INTO label_plans VALUES (?, ?, ?, ?)", values)
            connection.executemany(
                "INSERT INTO planned VALUES (?, ?, ?, ?, ?)",
                [(self._dataset.id, one.item, one.draw, one.stratum, one.chance) for one in chosen],
            )
            connection.executemany(
                "UPDATE planned SET chance = ? WHERE dataset = ? AND stratum = ?",
                [(chance, self._dataset.id, stratum) for stratum, chance in chances.items()],
            )
