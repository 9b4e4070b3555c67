"""Label plans: which items were chosen for labelling, from which items, and with which probabilities.

The probabilities of a plan apply in every dataset that uses its labels.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from karat.store.database import Database
from karat.store.records import Dataset, Planned, Run

_REACHES: Final = """
    SELECT p.dataset,
        (SELECT COUNT(*) FROM rows o WHERE o.dataset = p.dataset AND o.first),
        (SELECT COUNT(*) FROM rows r WHERE r.dataset = ?1 AND r.first
            AND EXISTS (SELECT 1 FROM rows o WHERE o.dataset = p.dataset AND o.item = r.item)),
        (SELECT COUNT(*) FROM planned c WHERE c.dataset = p.dataset AND c.stratum IS NULL
            AND EXISTS (SELECT 1 FROM rows r WHERE r.dataset = ?1 AND r.item = c.item) AND NOT {used})
    FROM label_plans p
"""
_SHARED: Final = """
    SELECT r.item FROM rows r WHERE r.dataset = ?1 AND r.first
        AND EXISTS (SELECT 1 FROM rows o WHERE o.dataset = ?2 AND o.item = r.item)
        AND NOT EXISTS (
            SELECT 1 FROM planned c WHERE c.dataset = ?2 AND c.item = r.item AND c.stratum IS NULL AND NOT {used}
        )
"""
_USED: Final = """EXISTS (
    SELECT 1 FROM labels l CROSS JOIN label_uses u ON u.dataset = ?1 AND u.label = l.id WHERE l.item = c.item
)"""
# Labels of a dataset on items that a plan drew. They count as drawn if the plan is the dataset's own, or if they
# are labels of the planned dataset. With ?3 the dataset carries out the plan itself: labels given for it
# later count too, except those in its label column, because it is unknown how those rows were chosen.
_DRAWN: Final = """
    SELECT c.item, MAX(
        ?1 = ?2 OR u.origin IS ?2 OR EXISTS (SELECT 1 FROM label_uses v WHERE v.dataset = ?2 AND v.label = l.id)
        OR (?3 AND l.created >= p.created AND NOT EXISTS (
            SELECT 1 FROM rows r WHERE r.dataset = ?1 AND r.item = c.item AND r.label IS NOT NULL
        ))
    )
    FROM label_plans p CROSS JOIN planned c ON c.dataset = p.dataset AND c.stratum IS NOT NULL
        CROSS JOIN labels l ON l.item = c.item CROSS JOIN label_uses u ON u.dataset = ?1 AND u.label = l.id
    WHERE p.dataset = ?2 GROUP BY c.item
"""
_AHEAD: Final = """
    SELECT 1 FROM planned c CROSS JOIN labels l ON l.item = c.item
        CROSS JOIN label_uses v ON v.dataset = ?2 AND v.label = l.id
    WHERE c.dataset = ?2 AND c.stratum IS NOT NULL AND NOT {used} LIMIT 1
"""
_CHUNK: Final = 5_000
_CANDIDATES: Final = """
    SELECT r.position, r.item, o.value, o.confidence, o.decided_by,
        EXISTS (
            SELECT 1 FROM labels l CROSS JOIN label_uses u ON u.dataset = ?3 AND u.label = l.id WHERE l.item = r.item
        ),
        EXISTS (SELECT 1 FROM planned p WHERE p.dataset = ?1 AND p.item = r.item)
    FROM rows r LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?2
    WHERE r.dataset = ?3 AND r.position > ?4 AND r.first ORDER BY r.position LIMIT ?5
"""


class Reach(Struct, frozen=True):
    """How much of one dataset the plan of another covers: the plan's items, and those that both have.

    `missing` items were labelled before the plan, but their labels are not used here.
    """

    dataset: int
    items: int
    shared: int
    missing: int


class Draws(Struct, frozen=True):
    """The items of a dataset that plans chose, and the plan of each item that a plan in use could have chosen."""

    chosen: dict[int, Planned]
    plans: dict[int, int]


def find_reaches(database: Database, dataset: Dataset) -> list[Reach]:
    """Return how much of a dataset each plan of the store covers."""
    return [Reach(*fields) for fields in database.read(_REACHES.format(used=_USED), dataset.id)]


def find_home(database: Database, dataset: Dataset) -> int:
    """Return the dataset whose plan this one uses: itself, or one with the same items if only that has a plan.

    The plan of another dataset is not used if it depends on labels that this dataset does not use.
    """
    return _find_home(database, dataset, find_reaches(database, dataset))


def _find_home(database: Database, dataset: Dataset, reaches: Sequence[Reach]) -> int:
    if any(reach.dataset == dataset.id for reach in reaches):
        return dataset.id
    items = database.read("SELECT COUNT(*) FROM rows WHERE dataset = ? AND first", dataset.id)[0][0]
    same = [one.dataset for one in reaches if one.items == one.shared == items and not one.missing]
    return min(same, default=dataset.id)


def find_draws(database: Database, dataset: Dataset) -> Draws:
    """Return what plans chose of a dataset.

    A plan is in use once an item that it drew has a label that counts as drawn. An item that several plans in use cover
    belongs to the dataset's own plan, else to the one that covers most.
    """
    reaches = find_reaches(database, dataset)
    home = _find_home(database, dataset, reaches)
    drawn = {one.dataset: _find_drawn(database, dataset, one.dataset, home) for one in reaches if one.shared}
    used = [reach for reach in reaches if any(drawn.get(reach.dataset, {}).values())]
    if not used:
        return Draws(read_chosen(database, home), {})
    used.sort(
        key=lambda reach: (
            reach.dataset != home,
            -reach.shared,
            -sum(drawn[reach.dataset].values()),
            reach.dataset,
        )
    )
    chosen, plans = dict[int, Planned](), dict[int, int]()
    for reach in used:
        shared = database.read(_SHARED.format(used=_USED), dataset.id, reach.dataset)
        new = {item for (item,) in shared} - plans.keys()
        plans |= dict.fromkeys(new, reach.dataset)
        those = {item: one for item, one in read_chosen(database, reach.dataset).items() if item in new}
        chosen |= _leave_aside(those, {item for item, counts in drawn[reach.dataset].items() if not counts})
    return Draws(chosen, plans)


def _find_drawn(database: Database, dataset: Dataset, plan: int, home: int) -> dict[int, bool]:
    """Return the labelled items that a plan drew, and whether their labels count as drawn.

    A dataset that shares the plan of another carries it out itself, unless it lacks labels of the other.
    """
    shares = plan == home and not database.read(_AHEAD.format(used=_USED), dataset.id, plan)
    return {item: bool(counts) for item, counts in database.read(_DRAWN, dataset.id, plan, shares)}


def _leave_aside(chosen: dict[int, Planned], aside: AbstractSet[int]) -> dict[int, Planned]:
    """Return chosen items without those whose labels do not count, with the probabilities of the rest adjusted."""
    before = Counter(one.stratum for one in chosen.values())
    kept = {item: one for item, one in chosen.items() if item not in aside}
    after = Counter(one.stratum for one in kept.values())
    return {
        item: one
        if one.stratum is None
        else Planned(item, one.draw, one.stratum, one.chance * after[one.stratum] / before[one.stratum])
        for item, one in kept.items()
    }


def read_chosen(database: Database, dataset: int) -> dict[int, Planned]:
    """Return all items that the plan of a dataset has chosen so far."""
    query = "SELECT item, draw, stratum, chance FROM planned WHERE dataset = ?"
    return {fields[0]: Planned(*fields) for fields in database.read(query, dataset)}


class Candidate(Struct, frozen=True, gc=False):
    """An item that may be chosen, with the verdict that decides its stratum."""

    position: int
    item: int
    value: int | None
    confidence: float | None
    decided_by: str | None
    labelled: bool
    planned: bool


class LabelPlan:
    """The plan of one dataset, which can grow; datasets of the same items share it if they can."""

    def __init__(self, database: Database, dataset: Dataset) -> None:
        self._database = database
        self._dataset = dataset
        self._home = find_home(database, dataset)

    def find(self) -> tuple[int, int] | None:
        """Return the run whose verdicts make the strata, and how fine they are; None without a plan."""
        query = "SELECT run, detail FROM label_plans WHERE dataset = ?"
        found = self._database.read(query, self._home)
        return found[0] if found else None

    def candidates(self, run: Run) -> Iterator[Candidate]:
        """Yield the different items of the dataset."""
        position = -1
        where = (self._home, run.judge_id, self._dataset.id)
        while found := self._database.read(_CANDIDATES, *where, position, _CHUNK):
            position = found[-1][0]
            for *verdict, labelled, planned in found:
                at, item, value, confidence, decided_by = verdict
                yield Candidate(at, item, value, confidence, decided_by, bool(labelled), bool(planned))

    def chosen(self) -> dict[int, Planned]:
        """Return all items that were chosen so far."""
        return read_chosen(self._database, self._home)

    def grow(self, run: Run, detail: int, chosen: Sequence[Planned], chances: Mapping[str, float]) -> None:
        """Store newly chosen items, and the new probabilities of all items of their strata."""
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
