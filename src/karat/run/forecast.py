"""Forecast what a run would take before its first call: at least, as expected, and at most."""

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec import Struct, structs

from karat.core.types import Outcome, Verdict
from karat.judges import Judge, Plan, make_judge
from karat.models import Cache
from karat.run.batch_check import ask_in_groups, draw_sample, sizes_of
from karat.run.local import Piece, judge_pieces
from karat.run.provider_batches import ROUND_ITEMS, group_round
from karat.run.rehearsal import Range, Rehearsal, Takes, add_up
from karat.store import Run, Store


class Forecast(Struct, frozen=True):
    """Counted rows, and ranges of calls, tokens and cost; `cost_usd` is None if no price is known.

    `checks` says that a batch check comes first; `items_per_prompt` is then the size that it should find.
    """

    rows: int
    known: int
    decided: int
    items_per_prompt: int
    checks: bool
    calls: Range
    input_tokens: Range
    output_tokens: Range
    cost_usd: Range | None
    budget_left_usd: float | None = None

    @property
    def takes(self) -> Takes:
        """The four ranges."""
        return Takes(self.calls, self.input_tokens, self.output_tokens, self.cost_usd)


class Rehearsed:
    """A judge whose calls are only counted, and the `size` of the groups that it is asked in."""

    def __init__(self, plan: Plan, group: int, cache: Cache | None = None, *, remembers: bool = True) -> None:
        self._rehearsals = list[Rehearsal]()
        self._make = partial(Rehearsal, cache=cache, remembers=remembers)
        members = tuple(member for member in plan.members if member.endpoint is not None)
        self.judge: Judge = make_judge(structs.replace(plan, members=members), client_of=self._client_of)
        self.size = group
        self.decided = 0

    def _client_of(self, plan: Plan) -> Rehearsal:
        self._rehearsals.append(self._make(plan))
        return self._rehearsals[-1]

    async def keep(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        """Keep nothing; count the items that were decided without a call."""
        self.decided += sum(
            isinstance(outcome, Verdict) and outcome.decided_by.startswith("rule:") for _, outcome in outcomes
        )

    async def check(self, sample: list[Piece], most: int) -> None:
        """Rehearse a batch check that accepts the largest size; at most it tries all sizes, and the sample is asked once more."""
        before = [(one.asked, one.weight) for one in self._rehearsals]
        await ask_in_groups(self.judge, sample, 1)
        alone = [
            (one.asked - asked, one.weight - weight)
            for one, (asked, weight) in zip(self._rehearsals, before, strict=True)
        ]
        best, *others = sizes_of(most)
        await ask_in_groups(self.judge, sample, best)
        for one, (asked, weight) in zip(self._rehearsals, alone, strict=True):
            one.repeat(asked, weight, len(others) + 1)
        self.size = best

    def count(self) -> Takes:
        """Return what the asks so far take."""
        return add_up(one.count() for one in self._rehearsals)


async def forecast(store: Store, run: Run, plan: Plan, group: int, *, retry: bool = False) -> Forecast:
    """Rehearse what is pending: no call is made and nothing is kept."""
    pending = store.count_pending(run, retry=retry)
    budget = plan.request.budget
    left = None if budget is None else max(0.0, budget - _spent(store, run, plan))
    cache = store.completions_of(run)
    rehearsed = Rehearsed(plan, group, cache if cache.held else None)
    sample = list[Piece]()
    if plan.endpoint is not None:
        if plan.items_per_prompt == "auto" and plan.wording is not None and plan.request.via == "calls":
            most = plan.wording.most_items
            sample = [] if store.find_batch_check(run) else draw_sample(store, run, rehearsed.judge, most)
            if sample:
                await rehearsed.check(sample, most)
        await _rehearse(store, run, plan, rehearsed, {number for number, _ in sample}, retry=retry)
    else:
        rehearsed.decided = pending
    takes = rehearsed.count()
    return Forecast(
        rows=run.dataset.rows,
        known=run.dataset.rows - pending,
        decided=rehearsed.decided,
        items_per_prompt=rehearsed.size
        if plan.items_per_prompt == "auto"
        else min(plan.items_per_prompt, rehearsed.size),
        checks=bool(sample),
        calls=takes.calls,
        input_tokens=takes.input_tokens,
        output_tokens=takes.output_tokens,
        cost_usd=takes.cost_usd,
        budget_left_usd=left,
    )


async def _rehearse(
    store: Store, run: Run, plan: Plan, rehearsed: Rehearsed, done: set[int], *, retry: bool
) -> None:
    chunks = store.pending(run, retry=retry)
    if plan.request.via == "batch":
        await _rehearse_rounds(store, run, rehearsed, chunks)
        return
    left = ([piece for piece in chunk if piece[0] not in done] for chunk in chunks)
    await judge_pieces(
        (chunk for chunk in left if chunk),
        rehearsed.judge,
        rehearsed.keep,
        seed=run.fingerprint,
        size=rehearsed.size,
    )


async def _rehearse_rounds(
    store: Store, run: Run, rehearsed: Rehearsed, chunks: Iterable[list[Piece]]
) -> None:
    """Group as provider batches do; the round in which an earlier process was stopped keeps its groups."""
    judge = rehearsed.judge
    groups = [
        list(zip(numbers, store.find_items(numbers), strict=True))
        for numbers in store.batches_of(run).find_round() or []
    ]
    begun = {number for group in groups for number, _ in group}
    waiting = list[Piece]()
    for chunk in chunks:
        for number, item in chunk:
            outcome = judge.decide(item)
            if outcome is not None:
                await rehearsed.keep([(number, outcome)])
            elif number not in begun:
                waiting.append((number, item))
        while len(waiting) >= ROUND_ITEMS:
            groups += group_round(waiting[:ROUND_ITEMS], rehearsed.size, run.fingerprint)
            waiting = waiting[ROUND_ITEMS:]
        await _ask(judge, groups)
    groups += group_round(waiting, rehearsed.size, run.fingerprint)
    await _ask(judge, groups)


async def _ask(judge: Judge, groups: list[list[Piece]]) -> None:
    for group in groups:
        await judge.ask(tuple(item for _, item in group))
    groups.clear()


def _spent(store: Store, run: Run, plan: Plan) -> float:
    """Return what counts against the budget already."""
    spent = store.spent(run)
    if spent.cost_usd is None and plan.price is not None:
        spent = plan.price.charge(spent)
    return (spent.cost_usd or 0.0) + store.losses(run).most_usd
