"""Purge a run: its verdicts, the replies that it paid for and, if no other run has its answers, these and their labels.

What another run uses is kept: outcomes of the same judge on items that another run also has, replies that a kept
outcome was read from, labels that are in use in another file, and the answers if another run is on them.
"""

from sqlite3 import Connection
from typing import Final

from msgspec import Struct

from karat.core.errors import UsageError, option
from karat.store.encoding import read_heard
from karat.store.records import Run

_OTHERS = "SELECT COUNT(*) FROM runs WHERE dataset = ?1 AND id <> ?2"
_PLAN_OF_RUN = "SELECT 1 FROM label_plans WHERE run = ?"
_PLANNED_ELSEWHERE = """
    SELECT d.source FROM planned p CROSS JOIN labels l ON l.item = p.item
        CROSS JOIN label_uses u ON u.label = l.id AND u.dataset <> p.dataset JOIN datasets d ON d.id = u.dataset
    WHERE p.dataset = ? AND p.draw > 0 LIMIT 1
"""
_OUTCOMES = """
    DELETE FROM outcomes WHERE judge = ?1 AND item IN (SELECT item FROM rows WHERE dataset = ?2) AND NOT EXISTS (
        SELECT 1 FROM runs o CROSS JOIN rows w ON w.dataset = o.dataset AND w.item = outcomes.item
        WHERE o.judge = ?1 AND o.id <> ?3
    )
"""
_REPLIES = "SELECT replies FROM outcomes WHERE replies IS NOT NULL"
_COMPLETIONS = "DELETE FROM completions WHERE run = ? AND key NOT IN (SELECT key FROM temp.kept_replies)"
_OF_RUN: Final = (
    "DELETE FROM losses WHERE run = ?",
    "DELETE FROM waves WHERE run = ?",
    "DELETE FROM provider_batches WHERE run = ?",
)
_CHECK = "DELETE FROM batch_checks WHERE judge = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE judge = ?1 AND id <> ?2)"
_GIVEN = "SELECT label FROM label_uses WHERE dataset = ? AND origin IS NULL"
_LABELS = """
    DELETE FROM labels WHERE NOT EXISTS (SELECT 1 FROM label_uses u WHERE u.label = labels.id) AND (
        id IN (SELECT label FROM temp.given_labels) OR item IN (SELECT item FROM temp.lone_items)
    )
"""
_LONE = """
    SELECT DISTINCT r.item FROM rows r WHERE r.dataset = ?1 AND NOT EXISTS (
        SELECT 1 FROM datasets d CROSS JOIN rows w ON w.dataset = d.id AND w.item = r.item WHERE d.id <> ?1
    )
"""
_OF_DATASET: Final = (
    "DELETE FROM planned WHERE dataset = ?",
    "DELETE FROM label_plans WHERE dataset = ?",
    "DELETE FROM label_uses WHERE dataset = ?",
    "UPDATE label_uses SET origin = NULL WHERE origin = ?",
)


class Purged(Struct, frozen=True):
    """How much was removed."""

    verdicts: int
    replies: int
    rows: int = 0
    labels: int = 0


def purge_run(connection: Connection, run: Run) -> Purged:
    """Remove a run with everything that no other run needs; its number is not given again."""
    (others,) = connection.execute(_OTHERS, (run.dataset.id, run.id)).fetchone()
    _refuse_planned(connection, run, alone=not others)
    verdicts = connection.execute(_OUTCOMES, (run.judge_id, run.dataset.id, run.id)).rowcount
    replies = _delete_replies(connection, run)
    for query in _OF_RUN:
        connection.execute(query, (run.id,))
    connection.execute(_CHECK, (run.judge_id, run.id))
    rows, labels = (0, 0) if others else _delete_answers(connection, run.dataset.id)
    connection.execute("DELETE FROM runs WHERE id = ?", (run.id,))
    connection.execute("INSERT INTO purged_runs VALUES (?)", (run.id,))
    return Purged(verdicts, replies, rows, labels)


def _refuse_planned(connection: Connection, run: Run, *, alone: bool) -> None:
    """Refuse to remove a plan on which the figures of another run depend."""
    if not alone and connection.execute(_PLAN_OF_RUN, (run.id,)).fetchone():
        raise UsageError(
            f"rows to label were drawn by the verdicts of run {run.id}, and other runs on the same answers use them;"
            " purge those runs first, or delete this one without ",
            option("purge"),
        )
    elsewhere = connection.execute(_PLANNED_ELSEWHERE, (run.dataset.id,)).fetchone() if alone else None
    if elsewhere:
        raise UsageError(
            f"labels that were drawn for run {run.id} are also used in {elsewhere[0]}; delete it without ",
            option("purge"),
        )


def _delete_replies(connection: Connection, run: Run) -> int:
    """Remove the replies that the run paid for, except those that a remaining outcome was read from."""
    connection.execute("CREATE TEMP TABLE kept_replies (key BLOB PRIMARY KEY) WITHOUT ROWID")
    for (replies,) in connection.execute(_REPLIES).fetchall():
        keys = [(bytes.fromhex(heard.key),) for heard in read_heard(replies)]
        connection.executemany("INSERT OR IGNORE INTO temp.kept_replies VALUES (?)", keys)
    deleted = connection.execute(_COMPLETIONS, (run.id,)).rowcount
    connection.execute("DROP TABLE temp.kept_replies")
    return deleted


def _delete_answers(connection: Connection, dataset: int) -> tuple[int, int]:
    """Remove a dataset: its rows, the items that no other dataset has, and labels that none uses; count rows and labels."""
    connection.execute(f"CREATE TEMP TABLE given_labels AS {_GIVEN.replace('?', str(dataset))}")
    connection.execute(f"CREATE TEMP TABLE lone_items AS {_LONE.replace('?1', str(dataset))}")
    for query in _OF_DATASET:
        connection.execute(query, (dataset,))
    labels = connection.execute(_LABELS).rowcount
    rows = connection.execute("DELETE FROM rows WHERE dataset = ?", (dataset,)).rowcount
    connection.execute("DELETE FROM outcomes WHERE item IN (SELECT item FROM temp.lone_items)")
    connection.execute("DELETE FROM items WHERE id IN (SELECT item FROM temp.lone_items)")
    connection.execute("DELETE FROM datasets WHERE id = ?", (dataset,))
    connection.execute("DROP TABLE temp.given_labels")
    connection.execute("DROP TABLE temp.lone_items")
    return rows, labels
