"""From the store to what a report says."""

import time
from collections.abc import Sequence

from msgspec import structs

from karat.report.agreement import Agreement
from karat.report.comparison import Comparison, compare
from karat.report.content import Example, Facts, Report, RunReport
from karat.report.marks import SYSTEM, read_marks
from karat.report.reading import MOST_SYSTEMS, read_agreement, read_comparison, summarise_run
from karat.report.slices import slice_by
from karat.report.tags import find_tags
from karat.store import Graded, Run, Store

DIFFERING = ("judge Yes, people No", "judge No, people Yes")
EXAMPLES = 3


def gather(
    store: Store,
    runs: Sequence[Run],
    *,
    karat: str,
    now: float,
    passing: int,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
) -> Report:
    """Read runs and count them up; without `by`, they are sliced by the tags that have few different values."""
    found = tuple(_gather_run(store, run, passing, by, cluster) for run in runs)
    return Report(karat, show_time(now), found, _compare(store, runs, passing, cluster))


def show_time(moment: float) -> str:
    """A moment as people write it down everywhere."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(moment))


def _gather_run(
    store: Store, run: Run, passing: int, by: Sequence[str] | None, cluster: str | None
) -> RunReport:
    summary = summarise_run(store, run, passing=passing, cluster=cluster)
    labelled, systems = summary.correction is not None, len(summary.systems)
    columns = find_tags(store, run.dataset).sliced if by is None else by
    agreement = read_agreement(store, run, passing=passing, cluster=cluster) if labelled else None
    return RunReport(
        facts=_facts(run),
        passing=passing,
        summary=summary,
        agreement=None if agreement is None else structs.replace(agreement, cells={}),
        systems=read_comparison(store, [run], by=SYSTEM, passing=passing, cluster=cluster)
        if 1 < systems <= MOST_SYSTEMS
        else None,
        slices=tuple(
            slice_by(read_marks(store, run, by=column, cluster=cluster), column, run.protocol, passing)
            for column in columns
        ),
        spent_by=store.spent_by(run),
        examples={} if agreement is None else _find_examples(store, run, agreement),
    )


def _find_examples(store: Store, run: Run, agreement: Agreement) -> dict[str, tuple[Example, ...]]:
    """A few rows of each cell in which judge and people differ, spread over all of them."""
    return {
        cell: tuple(_example(row) for row in store.graded_at(run, _spread(agreement.cells[cell])))
        for cell in DIFFERING
        if agreement.cells[cell]
    }


def _spread(positions: Sequence[int]) -> list[int]:
    count = min(EXAMPLES, len(positions))
    return [positions[at * len(positions) // count] for at in range(count)]


def _example(row: Graded) -> Example:
    reason = None if row.outcome is None else row.outcome.reason
    return Example(row.id, row.item.question, row.item.references, row.item.answer, reason)


def _compare(store: Store, runs: Sequence[Run], passing: int, cluster: str | None) -> Comparison | None:
    """Runs of one protocol against each other, paired where they are about the same questions."""
    if len(runs) == 1 or len({run.protocol for run in runs}) > 1:
        return None
    sides = {f"run {run.id}": read_marks(store, run, cluster=cluster) for run in runs}
    same = len({run.dataset.id for run in runs}) == 1
    return compare(sides, runs[0].protocol, passing, same_rows=same)


def _facts(run: Run) -> Facts:
    return Facts(
        run=run.id,
        judge=run.judge,
        protocol=run.protocol,
        answers=run.dataset.source,
        columns=run.dataset.columns,
        fingerprint=run.fingerprint,
        identity=run.identity,
        started=show_time(run.started),
        finished=None if run.finished is None else show_time(run.finished),
    )
