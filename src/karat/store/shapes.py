"""How what is stored turns into values, and values into what is stored."""

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from karat.core.spending import add_up
from karat.core.types import (
    NOTHING,
    Heard,
    Item,
    Outcome,
    Point,
    ProtocolName,
    Unjudged,
    Verdict,
    Vote,
)
from karat.store.records import Dataset, Graded, Run

_encode = msgspec.json.Encoder().encode


def write_text(content: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """A value as JSON text."""
    return _encode(content).decode()


def read_item(question: str | None, references: str, answer: str) -> Item:
    """An item as it is stored."""
    return Item(question, msgspec.json.decode(references, type=tuple[str, ...]), answer)


def read_dataset(fields: Sequence[Any]) -> Dataset:
    """A dataset as it is stored."""
    number, source, columns, names, rows, skipped = fields
    return Dataset(number, source, columns, msgspec.json.decode(names, type=tuple[str, ...]), rows, skipped)


def read_run(fields: Sequence[Any]) -> Run:
    """A run with its dataset and judge."""
    number, started, finished, *dataset, judge, fingerprint, name, protocol, identity = fields
    known = next(known for known in get_args(ProtocolName) if known == protocol)
    return Run(
        number,
        read_dataset(dataset),
        judge,
        fingerprint,
        name,
        known,
        msgspec.json.decode(identity),
        started,
        finished,
    )


def write_outcome(number: int, outcome: Outcome, run: Run, now: float) -> tuple[Any, ...]:
    """The fields of an outcome in the order of its table."""
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


def read_graded(fields: Sequence[Any], run: Run) -> Graded:
    """A row with its outcome; who did not pay for it finds no cost."""
    position, name, system, columns, first, question, references, answer, *stored = fields
    cached = not first or (stored[0] is not None and stored[2] != run.id)
    outcome = None if stored[0] is None else _read_outcome(stored, run.protocol, paid=not cached)
    item = read_item(question, references, answer)
    return Graded(position, name, item, system, msgspec.json.decode(columns), outcome, cached)


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
    spent = add_up(calls, given, cached, said, cost, uncounted) if paid else NOTHING
    votes = None if cast is None else msgspec.json.decode(cast, type=tuple[Vote, ...])
    replies = () if heard is None else msgspec.json.decode(heard, type=tuple[Heard, ...])
    if cause is not None:
        return Unjudged(cause, reason, spent, votes, replies)
    return Verdict(
        value=bool(value) if protocol == "match" else value,
        score=score,
        decided_by=decided_by,
        confidence=confidence,
        matched_reference=matched,
        reason=reason,
        distribution=None
        if distribution is None
        else msgspec.json.decode(distribution, type=tuple[float, ...]),
        items_per_prompt=company,
        votes=votes,
        points=None if made is None else msgspec.json.decode(made, type=tuple[Point, ...]),
        spent=spent,
        replies=replies,
    )
