"""Grade a dataset from beginning to end."""

import asyncio
from collections.abc import Callable, Sequence

from karat.core.errors import UsageError, option
from karat.core.types import total
from karat.judges import Judge, Plan, make_batch_judge, make_judge
from karat.run.batch_check import choose_size
from karat.run.forecast import Forecast, forecast
from karat.run.local import Step, run_fixed_groups, run_judge
from karat.run.provider_batches import run_by_batches
from karat.store import Dataset, Run, Store


def open_run(store: Store, dataset: Dataset, plan: Plan) -> Run:
    """Start the run of a planned judge on a dataset, or continue it."""
    return store.open_run(dataset, plan.fingerprint, plan.name, plan.identity)


async def grade_run(
    store: Store,
    run: Run,
    plan: Plan,
    *,
    retry: bool = False,
    fixed_size: int | None = None,
    budget_runs: Sequence[Run] = (),
    watch: Callable[[Step], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Judge the pending rows.

    With `fixed_size` the rows are judged in groups of that size, in input order. The runs in `budget_runs` share one
    budget: what all of them spent counts against it.
    """
    with store.claim(run):
        batches, paid = store.batches_of(run), budget_runs or (run,)
        if plan.request.via == "calls" and batches.unfinished():
            raise UsageError(
                f"run {run.id} has an unfinished provider batch; run the same command with ",
                option("via"),
                " batch to collect it",
            )
        cache = store.completions_of(run)
        spent = total(store.spent(one) for one in paid)
        lost = sum(store.losses(one).most_usd for one in paid)
        if plan.request.via == "batch":
            judge = make_batch_judge(plan, batches, cache, notice, spent, lost_usd=lost)
            try:
                await judge.collect_unfinished()
                cache.reopen()
                size = await _choose_group(store, run, plan, judge, watch, notice)
                await run_by_batches(store, run, judge, size, retry=retry, watch=watch)
            finally:
                await judge.close()
            return
        judge = make_judge(plan, cache, notice, spent, lost_usd=lost)
        try:
            if fixed_size is not None:
                await run_fixed_groups(store, run, judge, fixed_size, watch=watch)
            else:
                size = await _choose_group(store, run, plan, judge, watch, notice)
                await run_judge(store, run, judge, size, retry=retry, watch=watch, notice=notice)
        finally:
            await judge.close()


async def _choose_group(
    store: Store,
    run: Run,
    plan: Plan,
    judge: Judge,
    watch: Callable[[Step], None],
    notice: Callable[[str], None],
) -> int:
    """Return how many items are asked together: the user's number, or that of the batch check; 1 by provider batches."""
    if plan.items_per_prompt == "auto" and plan.wording is not None:
        most = plan.wording.most_items if plan.request.via == "calls" else 1
        return await choose_size(store, run, judge, most, watch=watch, notice=notice)
    if judge.shared and judge.group > 1:
        size = min(plan.prompt_size, judge.group)
        notice(f"{size} items per prompt, as requested; not checked against verdicts of single-item prompts")
    return judge.group


def forecast_run(store: Store, run: Run, plan: Plan, *, retry: bool = False) -> Forecast:
    """Return the forecast of a run, without a call."""
    return asyncio.run(forecast(store, run, plan, group_size(store, run, plan), retry=retry))


def group_size(store: Store, run: Run, plan: Plan) -> int:
    """Return how many items are asked together, as far as that is known: found by a batch check, or planned."""
    known = store.find_batch_check(run) if plan.items_per_prompt == "auto" else None
    return plan.group if known is None else known[0]
