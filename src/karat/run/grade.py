"""Grading a dataset from beginning to end."""

import asyncio
from collections.abc import Callable, Sequence

from karat.core.errors import UsageError, option
from karat.core.spending import total
from karat.judges import Judge, LlmJudge, Plan, make_judge
from karat.models import BatchClient
from karat.run.batch_check import choose_size
from karat.run.forecast import Forecast, forecast
from karat.run.local import Step, run_judge, run_seated
from karat.run.provider_batches import run_in_waves
from karat.store import Dataset, Run, Store


def open_run(store: Store, dataset: Dataset, plan: Plan) -> Run:
    """Begin the run of a planned judge on a dataset, or go on with it."""
    return store.open_run(dataset, plan.fingerprint, plan.name, plan.identity)


async def grade_run(
    store: Store,
    run: Run,
    plan: Plan,
    *,
    retry: bool = False,
    seats: int | None = None,
    purse: Sequence[Run] = (),
    watch: Callable[[Step], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Judge what is pending, and close the judge whatever happens.

    With `seats` the rows are judged in groups of that size as they stand. What the runs of one `purse` spent counts
    against the budget together.
    """
    with store.claim(run):
        cache, batches = store.completions_of(run), store.batches_of(run)
        if plan.request.via == "calls" and batches.unfinished():
            raise UsageError(
                f"run {run.id} has a batch out at the provider; the same command with ",
                option("via"),
                " batch collects it",
            )
        ledger = batches if plan.request.via == "batch" else None
        purses = purse or (run,)
        spent = total(store.spent(one) for one in purses)
        lost = sum(store.losses(one).most_usd for one in purses)
        judge = make_judge(plan, cache, notice, spent, ledger, lost_usd=lost)
        try:
            if isinstance(judge, LlmJudge) and isinstance(judge.client, BatchClient):
                await judge.client.collect_unfinished()
                cache.reopen()
                await _settle_group(store, run, plan, judge, watch, notice)
                await run_in_waves(store, run, judge, judge.client, retry=retry, watch=watch)
            elif seats is not None:
                await run_seated(store, run, judge, seats, watch=watch)
            else:
                await _settle_group(store, run, plan, judge, watch, notice)
                await run_judge(store, run, judge, retry=retry, watch=watch, notice=notice)
        finally:
            await judge.close()


async def _settle_group(
    store: Store,
    run: Run,
    plan: Plan,
    judge: Judge,
    watch: Callable[[Step], None],
    notice: Callable[[str], None],
) -> None:
    """Let the batch check choose how many items share a prompt, unless the user did; none by provider batches."""
    if plan.items_per_prompt == "auto" and plan.wording is not None:
        most = plan.wording.most_items if plan.request.via == "calls" else 1
        judge.group = await choose_size(store, run, judge, most, watch=watch, notice=notice)
    elif judge.shared and judge.group > 1:
        size = judge.group if plan.items_per_prompt == "auto" else min(plan.items_per_prompt, judge.group)
        notice(f"{size} items per prompt as you say, not checked against verdicts given alone")


def forecast_run(store: Store, run: Run, plan: Plan, *, retry: bool = False) -> Forecast:
    """Say what the run would take, without asking anyone."""
    return asyncio.run(forecast(store, run, plan, group_size(store, run, plan), retry=retry))


def group_size(store: Store, run: Run, plan: Plan) -> int:
    """How many items share a prompt, as far as that is known: the number that was given, or found by a batch check."""
    known = store.find_batch_check(run) if plan.items_per_prompt == "auto" else None
    return make_judge(plan).group if known is None else known[0]
