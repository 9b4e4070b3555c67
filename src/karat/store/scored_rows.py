"""Read the scored rows of a run with their labels, and counts of them for reports."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from karat.core.keys import hash_number
from karat.core.scored_row import Label, ScoredRow
from karat.store.database import Database
from karat.store.encoding import check_confidence, read_columns
from karat.store.label_plans import Draws
from karat.store.records import Run

_CHUNK = 2_000
_CONFIDENCE = 7  # its index among the fields of a row
_SCORED_ROWS = """
    SELECT r.position, r.id, r.item, r.system, i.question, o.value, o.score, o.confidence, o.decided_by,
        o.item IS NULL OR COALESCE(o.cause, '') IN ('unavailable', 'over_budget'), {columns}
    FROM rows r JOIN items i ON i.id = r.item LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?
    WHERE r.dataset = ? AND r.position > ? ORDER BY r.position LIMIT ?
"""
_LABELS = """
    SELECT l.item, d.source, l.author, l.value, l.scale
    FROM labels l CROSS JOIN label_uses u ON u.dataset = ?1 AND u.label = l.id LEFT JOIN datasets d ON d.id = u.origin
    WHERE l.item IN (SELECT item FROM rows WHERE dataset = ?1 AND position > ?2 AND position <= ?3)
    ORDER BY l.item, l.author, l.id
"""
_CLUSTERS = """
    SELECT system, judged, correct, COUNT(*) FROM (
        SELECT {system} AS system, COUNT({counted}) AS judged, SUM(COALESCE(o.value, -1) >= ?) AS correct
        FROM rows r JOIN items i ON i.id = r.item LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?
        WHERE r.dataset = ? GROUP BY 1, COALESCE(i.question, r.position)
    ) GROUP BY 1, 2, 3
"""
_REJECTED = """
    SELECT position, decided_by, question FROM (
        SELECT r.position AS position, o.decided_by AS decided_by, i.question AS question, ROW_NUMBER() OVER (
            PARTITION BY o.decided_by ORDER BY o.confidence IS NULL, o.confidence, r.position
        ) AS place, COUNT(*) OVER (PARTITION BY o.decided_by) AS many
        FROM rows r JOIN items i ON i.id = r.item JOIN outcomes o ON o.item = r.item AND o.judge = ?
        WHERE r.dataset = ? AND r.first AND o.value < ?
    ) WHERE place <= ? ORDER BY place, many DESC, position
"""
Columns = Mapping[str, Any]


def read_scored_rows(
    database: Database,
    run: Run,
    draws: Draws,
    *,
    cluster_of: Callable[[Columns], str | None] | None = None,
    groups_of: Callable[[Columns], tuple[str, ...]] | None = None,
) -> Iterator[ScoredRow]:
    """Yield the rows in input order; without `cluster_of` the cluster is the question, or the row itself."""
    with_columns = cluster_of is not None or groups_of is not None
    query = _SCORED_ROWS.format(columns="r.columns" if with_columns else "NULL")
    position, count, shared = -1, 0, dict[Any, Any]()
    where = (run.judge_id, run.dataset.id)
    while found := database.read_as(_read_fields, query, *where, position, _CHUNK):
        labels = _labels(database, run, position, found[-1][0], shared)
        position, count = found[-1][0], count + len(found)
        for at, name, item, system, question, value, score, confidence, decided_by, waiting, fields in found:
            about = question if cluster_of is None else cluster_of(fields)
            chosen = draws.chosen.get(item)
            said, origins = labels.get(item, ((), ()))
            yield ScoredRow(
                at,
                hash_number(f"row {name}" if about is None else f"question {about}"),
                shared.setdefault(system, system),
                value,
                score,
                confidence,
                shared.setdefault(decided_by, decided_by),
                said,
                chosen.chance if chosen else None,
                chosen.stratum if chosen else None,
                draws.plans.get(item),
                () if groups_of is None else shared.setdefault(groups := groups_of(fields), groups),
                bool(waiting),
                origins,
            )
    database.check_rows(count, run.dataset.rows)


def _read_fields(fields: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the fields of a row, with its own columns parsed."""
    *others, columns = fields
    check_confidence(others[_CONFIDENCE])
    return (*others, {} if columns is None else read_columns(columns))


def _labels(
    database: Database, run: Run, after: int, until: int, shared: dict[Any, Any]
) -> dict[int, tuple[tuple[Label, ...], tuple[str, ...]]]:
    """Return the labels of items, and the other files for which some of them were given."""
    found = database.read(_LABELS, run.dataset.id, after, until)
    grouped = {
        item: (
            tuple(Label(*fields) for _, _, *fields in entries),
            tuple(dict.fromkeys(source for _, source, *_ in entries if source is not None)),
        )
        for item, entries in ((item, list(group)) for item, group in groupby(found, key=lambda one: one[0]))
    }
    return {item: shared.setdefault(labels, labels) for item, labels in grouped.items()}


def read_clusters(
    database: Database, run: Run, least: int, *, by_system: bool, unjudged: bool = False
) -> list[tuple[str | None, int, int, int]]:
    """Count questions by their judged and correct rows: system, judged, correct, questions.

    With `unjudged`, rows without a verdict count as judged and wrong.
    """
    query = _CLUSTERS.format(
        system="r.system" if by_system else "NULL", counted="*" if unjudged else "o.value"
    )
    return database.read(query, least, run.judge_id, run.dataset.id)


def read_rejected(database: Database, run: Run, least: int, most: int) -> list[tuple[int, str, str | None]]:
    """Return position, origin and question of rows below `least`, up to `most` for each origin of verdicts.

    The row with the lowest confidence of each origin comes first, then the second of each; origins with more rows come first. Identical
    rows count once.
    """
    return database.read(_REJECTED, run.judge_id, run.dataset.id, least, most)
