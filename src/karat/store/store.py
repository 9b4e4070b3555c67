"""Runs, items, outcomes, completions and labels in one SQLite file."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self, get_args

from karat.core.errors import UsageError, option
from karat.core.scored_row import Cluster, Group, ScoredRow
from karat.core.types import UNTOLD, Cause, Item, Losses, Outcome, Spent, Vote, add_up
from karat.store.completions import RunBatches, RunCache
from karat.store.database import Database
from karat.store.encoding import (
    load_rows,
    read_columns,
    read_dataset,
    read_graded,
    read_group,
    read_item,
    read_lines,
    read_run,
    read_votes,
    refuse_duplicates,
    write_outcome,
    write_text,
)
from karat.store.label_plans import LabelPlan, find_draws
from karat.store.labels import DatasetLabels
from karat.store.locks import hold
from karat.store.records import Dataset, Graded, Intake, Run
from karat.store.scored_rows import read_clusters, read_rejected, read_scored_rows

_CHUNK = 512
_BITS = 64  # of SQLite's signed integers
_RETRIED = ("unavailable", "over_budget")

_KEEP_OUTCOME = "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PENDING = """
    SELECT r.position, i.id, i.question, i.refs, i.answer FROM rows r JOIN items i ON i.id = r.item
    LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?1
    WHERE r.dataset = ?2 AND r.position > ?3 AND r.first AND (o.item IS NULL OR o.cause IN ({causes}))
    ORDER BY r.position LIMIT ?4
"""
_ITEM_AT = """
    SELECT r.position, i.id, i.question, i.refs, i.answer FROM rows r JOIN items i ON i.id = r.item
    WHERE r.dataset = ? AND r.position = ? AND r.first
"""
_GRADED = """
    SELECT r.position, r.id, r.system, r.columns, r.first, i.question, i.refs, i.answer, o.*
    FROM rows r JOIN items i ON i.id = r.item LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?1
    WHERE r.dataset = ?2 AND r.position > ?3 ORDER BY r.position LIMIT ?4
"""
_GROUPS = """
    SELECT r.system, o.value, o.cause, o.decided_by, COUNT(*), SUM(o.score)
    FROM rows r LEFT JOIN outcomes o ON o.item = r.item AND o.judge = ?1
    WHERE r.dataset = ?2 GROUP BY 1, 2, 3, 4
"""
_CONFIDENCES = """
    SELECT COUNT(o.confidence), AVG(o.confidence), SUM(o.confidence < ?3)
    FROM rows r JOIN outcomes o ON o.item = r.item AND o.judge = ?1 WHERE r.dataset = ?2
"""
_REASONS = """
    SELECT o.cause, MIN(o.reason) FROM rows r JOIN outcomes o ON o.item = r.item AND o.judge = ?1
    WHERE r.dataset = ?2 AND o.cause IS NOT NULL AND o.reason IS NOT NULL GROUP BY 1
"""
_BALLOTS = """
    SELECT o.votes, COUNT(*) FROM rows r JOIN outcomes o ON o.item = r.item AND o.judge = ?1
    WHERE r.dataset = ?2 AND o.votes IS NOT NULL GROUP BY 1
"""
_SPENT = """
    SELECT COUNT(*), COALESCE(SUM(input_tokens), 0), COALESCE(SUM(cached_tokens), 0),
        COALESCE(SUM(output_tokens), 0), SUM(cost_usd IS NULL AND NOT uncounted), COALESCE(SUM(cost_usd), 0),
        COALESCE(SUM(uncounted), 0) FROM completions WHERE run = ?
"""
_SPENT_BY = """
    SELECT COALESCE(o.decided_by, 'unjudged'), SUM(o.input_tokens), SUM(o.cached_tokens), SUM(o.output_tokens),
        SUM(o.cost_usd IS NULL AND NOT o.uncounted), COALESCE(SUM(o.cost_usd), 0), SUM(o.uncounted)
    FROM rows r JOIN outcomes o ON o.item = r.item AND o.judge = ?1
    WHERE r.dataset = ?2 AND r.first AND o.run = ?3 AND o.calls > 0 GROUP BY 1
"""
_FIRST_ROWS = 1_000
_COMMON = """
    SELECT 1 FROM rows r JOIN items i ON i.id = r.item
    WHERE r.dataset = ?1 AND r.position < ?3 AND i.question IN (
        SELECT j.question FROM rows o JOIN items j ON j.id = o.item WHERE o.dataset = ?2 AND o.position < ?3
    ) LIMIT 1
"""
_MISSING = """
    SELECT 1 FROM (SELECT item, COUNT(*) AS times FROM rows WHERE dataset = ?1 GROUP BY item) one
    WHERE one.times > (SELECT COUNT(*) FROM rows o WHERE o.dataset = ?2 AND o.item = one.item) LIMIT 1
"""
_RUNS = """
    SELECT r.id, r.started, r.finished, d.id, d.source, d.columns, d.fields, d.rows, d.skipped,
        j.id, j.fingerprint, j.name, j.protocol, j.identity
    FROM runs r JOIN datasets d ON d.id = r.dataset JOIN judges j ON j.id = r.judge
"""


class Store:
    """The store, in a file or, if `path` is None, in memory."""

    def __init__(self, path: str | None) -> None:
        self._database = Database(path)
        self.path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def find_dataset(self, key: str) -> Dataset | None:
        """Return the dataset that was loaded under this key; None if there is none."""
        query = "SELECT id, source, columns, fields, rows, skipped FROM datasets WHERE key = ?"
        found = self._database.read_as(read_dataset, query, key)
        return found[0] if found else None

    def load_dataset(self, key: str, source: str, columns: str, intake: Intake, *, named: bool) -> Dataset:
        """Load rows, all or none; ids given in the input must be unique."""
        with self._database.transaction() as connection:
            if known := self.find_dataset(key):  # another process has loaded it in the meantime
                return known
            values = (key, source, columns, time.time())
            cursor = connection.execute(
                "INSERT INTO datasets VALUES (NULL, ?, ?, ?, '[]', 0, 0, ?, NULL)", values
            )
            dataset = cursor.lastrowid or 0
            count = load_rows(connection, dataset, iter(intake))
            if named:
                refuse_duplicates(connection, dataset, source)
            values = (write_text(list(intake.fields)), count, intake.skipped, dataset)
            connection.execute("UPDATE datasets SET fields = ?, rows = ?, skipped = ? WHERE id = ?", values)
        return Dataset(dataset, source, columns, tuple(intake.fields), count, intake.skipped)

    def open_run(self, dataset: Dataset, fingerprint: str, name: str, identity: dict[str, Any]) -> Run:
        """Start a run, or continue the one of the same dataset and judge."""
        with self._database.transaction() as connection:
            values = (fingerprint, name, identity["protocol"], write_text(identity))
            connection.execute("INSERT OR IGNORE INTO judges VALUES (NULL, ?, ?, ?, ?)", values)
            (judge,) = connection.execute(
                "SELECT id FROM judges WHERE fingerprint = ?", (fingerprint,)
            ).fetchone()
            connection.execute(
                "INSERT OR IGNORE INTO runs VALUES (NULL, ?, ?, ?, NULL)", (dataset.id, judge, time.time())
            )
            (run,) = connection.execute(
                "SELECT id FROM runs WHERE dataset = ? AND judge = ?", (dataset.id, judge)
            ).fetchone()
        return self.find_run(run)

    @contextmanager
    def claim(self, run: Run) -> Generator[None]:
        """Lock a run, so that no other process grades it, and pays for it, at the same time."""
        if self.path is None:
            yield
            return
        with hold(Path(f"{self.path}.locks") / f"run-{run.id}") as held:
            if not held:
                raise UsageError(
                    f"run {run.id} is being graded by another process; wait for it, or use another ",
                    option("store"),
                )
            yield

    def finish_run(self, run: Run) -> None:
        """Record that every row of the run has been tried."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE runs SET finished = ? WHERE id = ?", (time.time(), run.id))

    def forget_run(self, run: Run) -> None:
        """Delete a run without outcomes and calls, such as that of a forecast."""
        with self._database.transaction() as connection:
            connection.execute(
                "DELETE FROM runs WHERE id = ?1 AND finished IS NULL AND NOT EXISTS (SELECT 1 FROM outcomes WHERE run = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM completions WHERE run = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM provider_batches WHERE run = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM waves WHERE run = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM losses WHERE run = ?1)",
                (run.id,),
            )

    def reasons(self, run: Run) -> dict[str, str]:
        """Return one of the given reasons for each cause of unjudged rows."""
        return dict(self._database.read(_REASONS, run.judge_id, run.dataset.id))

    def find_run(self, run: int | None = None) -> Run:
        """Return the run of this number, or the latest one."""
        where = (
            "ORDER BY COALESCE(r.finished, r.started) DESC, r.id DESC LIMIT 1"
            if run is None
            else "WHERE r.id = ?"
        )
        known = run is None or run.bit_length() < _BITS
        wanted = () if run is None else (run,)
        found = self._database.read_as(read_run, _RUNS + where, *wanted) if known else []
        if found:
            return found[0]
        there = ", ".join(str(known.id) for known in self.runs()[-10:])
        hint = f"existing runs: {there}" if there else "there are none yet; `karat grade FILE` creates one"
        raise UsageError(f"no run {'' if run is None else f'{run} '}in {self.path}; {hint}")

    def runs(self) -> list[Run]:
        """Return all runs, oldest first."""
        return self._database.read_as(read_run, _RUNS + "ORDER BY r.id")

    def pending(self, run: Run, *, retry: bool = False) -> Iterator[list[tuple[int, Item]]]:
        """Yield the items of a run without a final outcome, each once, in chunks, in input order."""
        causes = ", ".join(f"'{cause}'" for cause in (get_args(Cause) if retry else _RETRIED))
        position = -1
        query = _PENDING.format(causes=causes)
        where = (run.judge_id, run.dataset.id)
        while found := self._database.read_as(_read_piece, query, *where, position, _CHUNK):
            position = found[-1][0]
            yield [piece for _, piece in found]

    def count_pending(self, run: Run, *, retry: bool = False) -> int:
        """Return how many different items have no final outcome."""
        causes = ", ".join(f"'{cause}'" for cause in (get_args(Cause) if retry else _RETRIED))
        query = _PENDING.format(causes=causes).replace(
            "r.position, i.id, i.question, i.refs, i.answer", "COUNT(*)"
        )
        return self._database.read(query, run.judge_id, run.dataset.id, -1, 1)[0][0]

    def item_at(self, run: Run, position: int) -> tuple[int, Item] | None:
        """Return the item of a row with its number; None if an earlier row has the same item."""
        found = self._database.read_as(_read_piece, _ITEM_AT, run.dataset.id, position)
        return found[0][1] if found else None

    def find_items(self, numbers: Sequence[int]) -> list[Item]:
        """Return items by their numbers, in that order."""
        query = "SELECT question, refs, answer FROM items WHERE id = ?"
        return [self._database.read_as(_read_item, query, number)[0] for number in numbers]

    def item_numbers(self, dataset: Dataset) -> list[int]:
        """Return the number of the item of each row, in input order."""
        found = self._database.read("SELECT item FROM rows WHERE dataset = ? ORDER BY position", dataset.id)
        return [number for (number,) in found]

    def item_keys(self, dataset: Dataset) -> list[bytes]:
        """Return the key of the item of each row, in input order; keys are the same in every store."""
        query = "SELECT key FROM rows JOIN items ON items.id = item WHERE dataset = ? ORDER BY position"
        return [key for (key,) in self._database.read(query, dataset.id)]

    def final_among(self, run: Run, numbers: Sequence[int]) -> set[int]:
        """Return which of these items have a verdict of the judge of a run."""
        query = "SELECT item FROM outcomes WHERE item = ? AND judge = ? AND cause IS NULL"
        return {number for number in numbers if self._database.read(query, number, run.judge_id)}

    def find_batch_check(self, run: Run) -> tuple[int, list[str]] | None:
        """Return the size that the batch check chose for the judge of this run, with its findings; None if there was none."""
        query = "SELECT size, found FROM batch_checks WHERE judge = ?"
        found = self._database.read_as(_read_check, query, run.judge_id)
        return found[0] if found else None

    def keep_batch_check(self, run: Run, size: int, found: list[str]) -> None:
        """Store the size that the batch check chose for a judge, and its findings."""
        with self._database.transaction() as connection:
            values = (run.judge_id, size, write_text(found), time.time())
            connection.execute("INSERT OR REPLACE INTO batch_checks VALUES (?, ?, ?, ?)", values)

    def keep_outcomes(self, run: Run, outcomes: Sequence[tuple[int, Outcome]]) -> Future[None]:
        """Write outcomes; they are on disk when the future is done."""
        now = time.time()
        values = [write_outcome(number, outcome, run, now) for number, outcome in outcomes]
        return self._database.write(lambda connection: connection.executemany(_KEEP_OUTCOME, values) and None)

    def graded(self, run: Run) -> Iterator[Graded]:
        """Yield the rows of a run with their outcomes, in input order."""
        position, count, shape = -1, 0, partial(read_graded, run=run)
        where = (run.judge_id, run.dataset.id)
        while found := self._database.read_as(shape, _GRADED, *where, position, _CHUNK):
            position, count = found[-1].position, count + len(found)
            yield from found
        self._database.check_rows(count, run.dataset.rows)

    def groups(self, run: Run) -> list[Group]:
        """Return the rows of a run, counted by system, value, cause and origin."""
        shape = partial(read_group, protocol=run.protocol)
        return self._database.read_as(shape, _GROUPS, run.judge_id, run.dataset.id)

    def count_confidences(self, run: Run, *, below: float) -> tuple[int, float | None, int]:
        """Return the number of verdicts with a confidence, their mean confidence, and how many are below a bound."""
        verdicts, mean, unsure = self._database.read(_CONFIDENCES, run.judge_id, run.dataset.id, below)[0]
        return verdicts, mean, unsure or 0

    def ballots(self, run: Run) -> list[tuple[tuple[Vote, ...], int]]:
        """Return the different votes of the members of a panel, each with its number of rows."""
        return self._database.read_as(_read_ballot, _BALLOTS, run.judge_id, run.dataset.id)

    def spent(self, run: Run) -> Spent:
        """Return the cost of a run so far; its calls include those without a reply."""
        if run.is_export:
            return UNTOLD
        calls, given, cached, made, unpriced, cost, uncounted = self._database.read(_SPENT, run.id)[0]
        calls += self.losses(run).calls
        return add_up(calls, given, cached, made, None if unpriced else cost, uncounted)

    def losses(self, run: Run) -> Losses:
        """Return the calls of a run that were sent and got no reply."""
        found = self._database.read("SELECT calls, most_usd FROM losses WHERE run = ?", run.id)
        return Losses(*found[0]) if found else Losses()

    def spent_by(self, run: Run) -> dict[str, Spent]:
        """Return the cost of a run's verdicts by `decided_by`; calls are not counted, because items share them."""
        found = self._database.read(_SPENT_BY, run.judge_id, run.dataset.id, run.id)
        return {
            origin: add_up(0, given, cached, made, None if unpriced else cost, uncounted)
            for origin, given, cached, made, unpriced, cost, uncounted in found
        }

    def columns(self, dataset: Dataset) -> Iterator[dict[str, Any]]:
        """Yield the input's own columns, row by row."""
        query = (
            "SELECT position, columns FROM rows WHERE dataset = ? AND position > ? ORDER BY position LIMIT ?"
        )
        position = -1
        while found := self._database.read_as(_read_columns, query, dataset.id, position, _CHUNK):
            position = found[-1][0]
            for _, columns in found:
                yield columns

    def find_replies(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the texts of the replies under these keys."""
        marks = ", ".join("?" * len(keys))
        query = f"SELECT key, text FROM completions WHERE key IN ({marks})"  # noqa: S608 - question marks only
        found = self._database.read(query, *(bytes.fromhex(key) for key in keys))
        return {key.hex(): text for key, text in found}

    def find_costs(self, keys: Sequence[str]) -> dict[str, Spent]:
        """Return the cost of the replies under these keys, whichever run paid for them."""
        marks = ", ".join("?" * len(keys))
        query = f"SELECT key, input_tokens, cached_tokens, output_tokens, cost_usd, uncounted FROM completions WHERE key IN ({marks})"  # noqa: S608 - question marks only
        found = self._database.read(query, *(bytes.fromhex(key) for key in keys))
        return {key.hex(): add_up(1, *spent) for key, *spent in found}

    def completions_of(self, run: Run) -> RunCache:
        """Return the completions as a cache for one run."""
        return RunCache(self._database, run)

    def labels_of(self, dataset: Dataset) -> DatasetLabels:
        """Return the labels of a dataset."""
        return DatasetLabels(self._database, dataset)

    def plan_of(self, dataset: Dataset) -> LabelPlan:
        """Return the label plan of a dataset."""
        return LabelPlan(self._database, dataset)

    def scored_rows(
        self,
        run: Run,
        *,
        cluster_of: Callable[[Mapping[str, Any]], str | None] | None = None,
        groups_of: Callable[[Mapping[str, Any]], tuple[str, ...]] | None = None,
    ) -> Iterator[ScoredRow]:
        """Yield the scored rows of a run, with their labels."""
        draws = find_draws(self._database, run.dataset)
        return read_scored_rows(self._database, run, draws, cluster_of=cluster_of, groups_of=groups_of)

    def clusters(
        self, run: Run, least: int, *, by_system: bool = False, unjudged: bool = False
    ) -> list[Cluster]:
        """Count the questions of a run by the number of their judged and correct rows (`least` or more).

        With `unjudged`, rows without a verdict count as judged and wrong.
        """
        found = read_clusters(self._database, run, least, by_system=by_system, unjudged=unjudged)
        return [Cluster(*fields) for fields in found]

    def rejected(self, run: Run, least: int, most: int) -> list[tuple[int, str, str | None]]:
        """Return position, origin and question of rows below `least`: for each origin the `most` with the lowest confidence."""
        return read_rejected(self._database, run, least, most)

    def share_questions(self, one: Dataset, other: Dataset) -> bool:
        """Check whether two datasets have a question in common among their first rows."""
        return bool(self._database.read(_COMMON, one.id, other.id, _FIRST_ROWS))

    def share_items(self, one: Dataset, other: Dataset) -> bool:
        """Return whether one of two datasets has all items of the other, each as often."""
        small, large = sorted((one, other), key=lambda dataset: dataset.rows)
        return not self._database.read(_MISSING, small.id, large.id)

    def graded_at(self, run: Run, positions: Sequence[int]) -> list[Graded]:
        """Return some rows of a run with their outcomes, in the order of the positions."""
        shape, where = partial(read_graded, run=run), (run.judge_id, run.dataset.id)
        return [self._database.read_as(shape, _GRADED, *where, at - 1, 1)[0] for at in positions]

    def batches_of(self, run: Run) -> RunBatches:
        """Return the ledger of provider batches of one run."""
        return RunBatches(self._database, run)


def _read_piece(fields: tuple[Any, ...]) -> tuple[int, tuple[int, Item]]:
    """Return the position of a row, and its item with its number."""
    position, number, *stored = fields
    return position, (number, read_item(*stored))


def _read_item(fields: tuple[Any, ...]) -> Item:
    return read_item(*fields)


def _read_check(fields: tuple[Any, ...]) -> tuple[int, list[str]]:
    return fields[0], read_lines(fields[1])


def _read_ballot(fields: tuple[Any, ...]) -> tuple[tuple[Vote, ...], int]:
    return read_votes(fields[0]), fields[1]


def _read_columns(fields: tuple[Any, ...]) -> tuple[int, dict[str, Any]]:
    return fields[0], read_columns(fields[1])
