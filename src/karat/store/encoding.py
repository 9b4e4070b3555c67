"""Convert stored fields to values and values to stored fields, and load the rows of a dataset."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, get_args

import msgspec

from karat.core.errors import Phrase, UsageError
from karat.core.keys import item_key
from karat.core.scored_row import Group
from karat.core.types import (
    NOTHING,
    Cause,
    Heard,
    Item,
    Outcome,
    Point,
    ProtocolName,
    Unjudged,
    Verdict,
    Vote,
    add_up,
)
from karat.store.records import Dataset, Graded, NewRow, Run

_encode = msgspec.json.Encoder().encode
read_columns = msgspec.json.Decoder(dict[str, Any]).decode
read_votes = msgspec.json.Decoder(tuple[Vote, ...]).decode
read_lines = msgspec.json.Decoder(list[str]).decode
_read_texts = msgspec.json.Decoder(tuple[str, ...]).decode
_read_heard = msgspec.json.Decoder(tuple[Heard, ...]).decode
_read_points = msgspec.json.Decoder(tuple[Point, ...]).decode
_read_numbers = msgspec.json.Decoder(tuple[float, ...]).decode
_LATEST = 253402300799.0  # the last second of the year 9999
_CAUSES = frozenset[str](get_args(Cause))
_HIGHEST: dict[ProtocolName, int] = {"match": 1, "equivalence": 5, "keypoints": 5}
_LOADED = 5_000
_STAGE = "CREATE TEMP TABLE IF NOT EXISTS staged (position INTEGER PRIMARY KEY, line, id, key, first, question, refs, answer, system, columns, label)"
_KEEP_ITEMS = "INSERT OR IGNORE INTO items (key, question, refs, answer) SELECT key, question, refs, answer FROM staged ORDER BY position"
_KEEP_ROWS = """
    INSERT INTO rows SELECT ?1, s.position, s.line, s.id, i.id,
        s.first AND NOT EXISTS (SELECT 1 FROM rows r WHERE r.dataset = ?1 AND r.item = i.id), s.system, s.columns, s.label
    FROM staged s JOIN items i ON i.key = s.key ORDER BY s.position
"""


def write_text(content: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """Return a value as JSON text."""
    return _encode(content).decode()


def read_item(question: str | None, references: str, answer: str) -> Item:
    """Return an item from its stored fields."""
    read = _read_texts(references)
    if not read:
        raise ValueError("an item without a reference")
    return Item(question, read, answer)


def read_dataset(fields: Sequence[Any]) -> Dataset:
    """Return a dataset from its stored fields."""
    number, source, columns, names, rows, skipped = fields
    return Dataset(number, source, columns, _read_texts(names), rows, skipped)


def read_run(fields: Sequence[Any]) -> Run:
    """Return a run with its dataset and judge."""
    number, started, finished, *dataset, judge, fingerprint, name, protocol, identity = fields
    if protocol not in _HIGHEST:
        raise ValueError(f"unknown protocol {protocol!r}")
    check_time(started)
    return Run(
        number,
        read_dataset(dataset),
        judge,
        fingerprint,
        name,
        protocol,
        read_columns(identity),
        started,
        finished,
    )


def write_outcome(number: int, outcome: Outcome, run: Run, now: float) -> tuple[Any, ...]:
    """Return the fields of an outcome in the order of its table."""
    spent = outcome.spent
    replies = write_text(outcome.replies) if outcome.replies else None
    costs = (
        spent.calls, spent.input_tokens or 0, spent.cached_tokens, spent.output_tokens or 0, spent.cost_usd, now, replies,
    )  # fmt: skip
    votes = None if outcome.votes is None else write_text(outcome.votes)
    if isinstance(outcome, Unjudged):
        nothing = (None,) * 5
        return (
            number,
            run.judge_id,
            run.id,
            *nothing,
            outcome.reason,
            None,
            None,
            votes,
            outcome.cause,
            *costs,
            None,
            spent.uncounted,
        )
    distribution = None if outcome.distribution is None else write_text(outcome.distribution)
    points = None if outcome.points is None else write_text(outcome.points)
    return (
        number, run.judge_id, run.id, int(outcome.value), outcome.score, outcome.confidence, outcome.decided_by,
        outcome.matched_reference, outcome.reason, distribution, outcome.items_per_prompt, votes, None, *costs,
        points, spent.uncounted,
    )  # fmt: skip


def check_time(seconds: float) -> None:
    """Raise if a time is impossible."""
    if not 0 <= seconds <= _LATEST:
        raise ValueError(f"{seconds:g} is not a valid time")


def check_confidence(confidence: float | None) -> None:
    """Raise if a confidence is not between 0 and 1."""
    if confidence is not None and not 0 <= confidence <= 1:
        raise ValueError(f"{confidence:g} is not a valid confidence")


def check_outcome(value: int | None, cause: str | None, protocol: ProtocolName) -> None:
    """Raise if an outcome has neither a value of its protocol nor a known cause."""
    if cause is None and (value is None or not 0 <= value <= _HIGHEST[protocol]):
        raise ValueError(f"{value} is not a verdict of {protocol}")
    if cause is not None and cause not in _CAUSES:
        raise ValueError(f"unknown cause {cause!r}")


def read_group(fields: Sequence[Any], protocol: ProtocolName) -> Group:
    """Return counted rows; those that were not tried have neither a value nor a cause."""
    group = Group(*fields)
    if group.value is not None or group.cause is not None:
        check_outcome(group.value, group.cause, protocol)
    return group


def read_graded(fields: Sequence[Any], run: Run) -> Graded:
    """Return a row with its outcome; its cost is 0 if this run did not pay for it."""
    position, name, system, columns, first, question, references, answer, *stored = fields
    cached = not first or (stored[0] is not None and stored[2] != run.id)
    paid = run.is_export or not cached  # what another tool paid is never known
    outcome = None if stored[0] is None else _read_outcome(stored, run.protocol, paid=paid)
    item = read_item(question, references, answer)
    return Graded(position, name, item, system, read_columns(columns), outcome, cached)


def _read_outcome(stored: Sequence[Any], protocol: ProtocolName, *, paid: bool) -> Outcome:
    (
        _,
        _,
        _,
        value,
        score,
        confidence,
        decided_by,
        matched,
        reason,
        distribution,
        company,
        cast,
        cause,
        calls,
        given,
        cached,
        said,
        cost,
        _,
        heard,
        made,
        uncounted,
    ) = stored
    check_outcome(value, cause, protocol)
    check_confidence(confidence)
    spent = add_up(calls, given, cached, said, cost, uncounted) if paid else NOTHING
    votes = None if cast is None else read_votes(cast)
    replies = () if heard is None else _read_heard(heard)
    if cause is not None:
        return Unjudged(cause, reason, spent, votes, replies)
    return Verdict(
        value=bool(value) if protocol == "match" else value,
        score=score,
        decided_by=decided_by,
        confidence=confidence,
        matched_reference=matched,
        reason=reason,
        distribution=None if distribution is None else _read_numbers(distribution),
        items_per_prompt=company,
        votes=votes,
        points=None if made is None else _read_points(made),
        spent=spent,
        replies=replies,
    )


def load_rows(connection: sqlite3.Connection, dataset: int, rows: Iterator[NewRow]) -> int:
    """Write the rows of a dataset, each item once, and return how many rows there are."""
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
    """Raise if an id occurs twice, and name the first."""
    found = connection.execute(
        "SELECT id, MIN(line), MAX(line) FROM rows WHERE dataset = ? GROUP BY id HAVING COUNT(*) > 1 ORDER BY 2 LIMIT 1",
        (dataset,),
    ).fetchone()
    if found:
        name, first, last = found
        raise UsageError(
            f"{source}:{last}: id {name!r} is already used in line {first}; make ids unique, or ignore the column",
            Phrase(" with --columns id=", ""),
        )
