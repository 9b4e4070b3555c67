"""Grading a dataset from beginning to end."""

from collections.abc import Callable

from karat.core.errors import UsageError
from karat.judges import Judge, LlmJudge, Plan, make_judge
from karat.models import BatchClient
from karat.run.batchcheck import choose_size
from karat.run.keeping import Step
from karat.run.local import run_judge
from karat.run.plan import Forecast, forecast
from karat.run.waves import run_in_waves
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
    watch: Callable[[Step], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Judge what is pending, and close the judge whatever happens."""
    with store.claim(run):
        cache, batches = store.completions_of(run), store.batches_of(run)
        if plan.request.via == "calls" and batches.unfinished():
            raise UsageError(
                f"run {run.id} has a batch out at the provider; the same command with --via batch collects it"
            )
        ledger = batches if plan.request.via == "batch" else None
        lost = store.losses(run).most_usd
        judge = make_judge(plan, cache, notice, store.spent(run), ledger, lost_usd=lost)
        try:
            if isinstance(judge, LlmJudge) and isinstance(judge.client, BatchClient):
                await judge.client.collect_unfinished()
                cache.reopen()
                await _settle_group(store, run, plan, judge, watch, notice)
                await run_in_waves(store, run, judge, judge.client, retry=retry, watch=watch)
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
    elif judge.group > 1:
        notice(f"{judge.group} items per prompt as you say, not checked against verdicts given alone")


def forecast_run(store: Store, run: Run, plan: Plan, *, retry: bool = False) -> Forecast:
    """Say what the run would take; where no batch check was made yet, at one item per prompt."""
    judge = make_judge(plan)
    known = store.find_batch_check(run) if plan.items_per_prompt == "auto" else None
    if known is not None:
        judge.group = known[0]
    return forecast(store, run, judge, plan, retry=retry)
