"""Grading a dataset from beginning to end."""

from collections.abc import Callable

from karat.judges import Plan, make_judge
from karat.run.local import Step, run_judge
from karat.run.plan import Forecast, forecast
from karat.store import Dataset, Run, Store


def open_run(store: Store, dataset: Dataset, plan: Plan) -> Run:
    """Begin the run of a planned judge on a dataset, or go on with it."""
    return store.open_run(dataset, plan.fingerprint, plan.request.judge, plan.identity)


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
    judge = make_judge(plan, store.completions_of(run), notice, store.spent(run))
    try:
        await run_judge(store, run, judge, retry=retry, watch=watch)
    finally:
        await judge.close()


def forecast_run(store: Store, run: Run, plan: Plan, *, retry: bool = False) -> Forecast:
    """Say what the run would take."""
    return forecast(store, run, make_judge(plan), plan, retry=retry)
