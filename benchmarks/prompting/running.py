"""Asking a judge by a variant, through the ordinary store: what was asked before is not asked again."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import structs

from karat.core.keys import hash_content, item_key
from karat.core.types import Outcome, Spent, Verdict
from karat.judges import Plan, Request, plan_judge
from karat.models import Parameters
from karat.run import Step, grade_run, open_run
from karat.store import Dataset, NewRow, Run, Store
from prompting.labelled import Row
from prompting.said import Said, Seat
from prompting.variants import Seating, Variant

_BATCHES = 4  # a permuted judge deals the items of four batches anew
_TOLD = 60.0
_UNCHECKED = "nothing was checked, because there are too few rows: one item per prompt"


class Asking(NamedTuple):
    """How the endpoint is asked."""

    judge: str
    concurrency: int = 2
    timeout: float = 600.0
    logprobs: bool = False


class Measured(NamedTuple):
    """What was said of the rows, and what the batch check found where it was asked."""

    said: list[Said]
    check: list[str]


async def measure(store: Store, asking: Asking, variant: Variant, sets: Sequence[Sequence[Row]]) -> Measured:
    """Judge the rows of every set by a variant.

    Batches are the same at every start and for every endpoint: rows sit as they were drawn, set by set. Only where the
    batch check chooses do all sets make one run, as a user's file would.
    """
    plan = _plan(asking, variant)
    seats = _seats(variant.seating)
    said, check = list[Said](), list[str]()
    for rows in sets if seats is not None else [list(chain(*sets))]:
        run = open_run(store, _load(store, rows), plan)
        note = _Teller(f"{variant}, {rows[0].set}", store.count_pending(run))
        await grade_run(store, run, plan, fixed_size=seats, watch=note.count, notice=note.tell)
        note.finish()
        said += _collect(store, run, rows)
        if seats is None:
            found = store.find_batch_check(run)
            check = [*found[1], f"{found[0]} per prompt chosen"] if found else [_UNCHECKED]
    return Measured(said, check)


def _plan(asking: Asking, variant: Variant) -> Plan:
    """The judge as one that is asked in this seating: its verdicts there are not those of another."""
    seating = variant.seating
    request = Request(
        judge=asking.judge,
        protocol=variant.wording.protocol,
        wording=variant.wording,
        items_per_prompt="auto" if seating.size is None else seating.size,
        permute=seating.passes,
        parameters=Parameters(logprobs=asking.logprobs),
        concurrency=asking.concurrency,
        timeout=asking.timeout,
    )
    plan = plan_judge(request, os.environ)
    return structs.replace(plan, identity={**plan.identity, "seating": seating.name})


def _seats(seating: Seating) -> int | None:
    if seating.size is None:
        return None
    return seating.size * (_BATCHES if seating.passes > 1 else 1)


def _load(store: Store, rows: Sequence[Row]) -> Dataset:
    key = hash_content(["prompts", [[row.set, row.id, item_key(row.item).hex()] for row in rows]])
    return store.find_dataset(key) or store.load_dataset(key, "prompts", "id=id", _Intake(rows), named=True)


class _Intake:
    def __init__(self, rows: Sequence[Row]) -> None:
        self.fields: dict[str, None] = {}
        self.skipped = 0
        self._rows = rows

    def __iter__(self) -> Iterator[NewRow]:
        for number, row in enumerate(self._rows, 1):
            yield NewRow(number, f"{row.set}/{row.id}", row.item, None, {})


def _collect(store: Store, run: Run, rows: Sequence[Row]) -> Iterator[Said]:
    for row, graded in zip(rows, store.graded(run), strict=True):
        outcome = graded.outcome
        if outcome is None:
            raise RuntimeError(f"{row.set}/{row.id} was not judged")
        yield _say(row, outcome, _share(store, outcome))


def _say(row: Row, outcome: Outcome, spent: Sequence[float]) -> Said:
    verdict = outcome if isinstance(outcome, Verdict) else None
    distribution = None if verdict is None else verdict.distribution
    return Said(
        row.set,
        row.id,
        row.question,
        row.truth,
        None if verdict is None else float(verdict.value),
        None if isinstance(outcome, Verdict) else outcome.cause,
        distribution[0] if distribution and verdict is not None and isinstance(verdict.value, bool) else None,
        _seat(outcome),
        *(round(tokens, 2) for tokens in spent),
    )


def _seat(outcome: Outcome) -> tuple[Seat, ...]:
    """One seat for each pass that took one ask; a permuted judge has several passes, with a vote of each."""
    values = [vote.value for vote in outcome.votes or ()]
    if isinstance(outcome, Verdict) and outcome.votes is None:
        values = [outcome.value]
    if len(values) != len(outcome.replies):
        return ()
    return tuple(
        Seat(heard.place, heard.items, float(value))
        for heard, value in zip(outcome.replies, values, strict=True)
        if value is not None
    )


def _share(store: Store, outcome: Outcome) -> tuple[float, float, float]:
    """The row's part of the tokens of its replies, whoever paid for them."""
    costs = store.find_costs([reply.key for reply in outcome.replies])
    parts = [(costs.get(reply.key, Spent()), reply.items) for reply in outcome.replies]
    return (
        sum(spent.input_tokens / items for spent, items in parts),
        sum(spent.cached_tokens / items for spent, items in parts),
        sum(spent.output_tokens / items for spent, items in parts),
    )


class _Teller:
    """Says on standard error how far a variant has come, about once a minute."""

    def __init__(self, name: str, pending: int) -> None:
        self._name = name
        self._pending = pending
        self._done = 0
        self._begun = self._told = time.monotonic()
        self.tell(f"{pending} rows to ask about" if pending else "known already")

    def count(self, step: Step) -> None:
        self._done += step.items
        if time.monotonic() - self._told >= _TOLD:
            self._told = time.monotonic()
            self.tell(f"{self._done} of {self._pending}")

    def tell(self, words: str) -> None:
        print(f"{self._name}: {words}", file=sys.stderr, flush=True)

    def finish(self) -> None:
        if self._done:
            self.tell(f"{self._done} rows in {time.monotonic() - self._begun:.0f} s")
