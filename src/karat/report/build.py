"""Build a report of runs, and write it as an HTML page if a path is given."""

import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.report.content import Example, Facts, Report, RunReport
from karat.report.figures.agreement import Agreement
from karat.report.figures.comparison import Comparison, compare, slice_by
from karat.report.figures.judge_comparison import Judges
from karat.report.figures.summary import PASS
from karat.report.load import (
    MOST_SYSTEMS,
    compare_groups,
    find_same_answers,
    read_agreement,
    read_judges,
    summarise_run,
)
from karat.report.same_judge import (
    Naming,
    is_repeat,
    is_same_judge,
    name_judges,
    note_names,
    refuse_judges,
    refuse_repeat,
    warn_of_judges,
)
from karat.report.tags import SYSTEM, Tags, find_tags, read_scored_rows
from karat.rows.atomic_file import Target
from karat.store import Graded, Run, Store

if TYPE_CHECKING:
    from karat.report.page.markup import Markup

_PLAIN = Naming()
DIFFERING = ("judge Yes, people No", "judge No, people Yes")
EXAMPLES = 3
MOST_ITEMS = 50_000
_ENDINGS = (".html", ".htm")


def report_on(
    store: Store,
    runs: Sequence[int],
    *,
    karat: str,
    now: float,
    output: str | None = None,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
    passing: int = PASS,
    items: int = MOST_ITEMS,
    more: "Sequence[Markup]" = (),
    different_judges: bool = False,
    naming: Naming = _PLAIN,
) -> Report:
    """Report on runs (by default the latest); a page holds at most `items` of their rows, and the sections in `more`."""
    if items < 1:
        raise UsageError(option("items"), f" must be at least 1, not {items}")
    if output is not None:
        check_page(output)
    found = [store.find_run(number) for number in dict.fromkeys(runs)] or [store.find_run()]
    report = gather(
        store,
        found,
        karat=karat,
        now=now,
        passing=passing,
        by=by,
        cluster=cluster,
        different_judges=different_judges,
        naming=naming,
    )
    if output is not None:
        from karat.report.page import make_page

        make_page(store, found, report, output, most=items, more=more)
    return report


def check_page(path: str) -> None:
    """Refuse a path that cannot be written to, before anything is read."""
    if Path(path).suffix.lower() not in _ENDINGS:
        raise UsageError(f"{path}: the report is an HTML page; give a file name that ends in .html")
    Target(path)


def gather(
    store: Store,
    runs: Sequence[Run],
    *,
    karat: str,
    now: float,
    passing: int,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
    different_judges: bool = False,
    naming: Naming = _PLAIN,
) -> Report:
    """Read and summarise runs; without `by`, they are sliced by the tags with few different values."""
    found = tuple(_gather_run(store, run, passing, by, cluster) for run in runs)
    compared = _compare(store, runs, passing, cluster, naming, different_judges=different_judges)
    warning = None if compared.comparison is None else compared.comparison.warning
    return Report(
        karat, show_time(now), warning, found, compared.comparison, compared.judges, compared.incomparable
    )


def show_time(moment: float) -> str:
    """Format a time in UTC."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(moment))


def _gather_run(
    store: Store, run: Run, passing: int, by: Sequence[str] | None, cluster: str | None
) -> RunReport:
    summary = summarise_run(store, run, passing=passing, cluster=cluster)
    labelled, systems = summary.correction is not None, len(summary.systems)
    tags = find_tags(store, run.dataset) if by is None else Tags(tuple(by))
    agreement = read_agreement(store, run, passing=passing, cluster=cluster) if labelled else None
    return RunReport(
        facts=_facts(run),
        passing=passing,
        summary=summary,
        agreement=None if agreement is None else structs.replace(agreement, cells={}),
        systems=compare_groups(
            read_scored_rows(store, run, by=SYSTEM, cluster=cluster), SYSTEM, run.protocol, passing
        )
        if 1 < systems <= MOST_SYSTEMS
        else None,
        slices=tuple(
            slice_by(read_scored_rows(store, run, by=column, cluster=cluster), column, run.protocol, passing)
            for column in tags.names
        ),
        spent_by=store.spent_by(run),
        examples={} if agreement is None else _find_examples(store, run, agreement),
        more_tags=tags.more,
    )


def _find_examples(store: Store, run: Run, agreement: Agreement) -> dict[str, tuple[Example, ...]]:
    """Return a few evenly spaced rows of each cell in which judge and people differ."""
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


class _Compared(Struct, frozen=True):
    """Comparisons of different answers, comparisons of judges of the same answers, and pairs that cannot be compared."""

    comparison: Comparison | None = None
    judges: tuple[Judges, ...] = ()
    incomparable: tuple[str, ...] = ()


def _compare(
    store: Store,
    runs: Sequence[Run],
    passing: int,
    cluster: str | None,
    naming: Naming,
    *,
    different_judges: bool,
) -> _Compared:
    """Compare all pairs of runs of one protocol: as judges of the same answers, or as answers paired by question."""
    if len(runs) == 1 or len({run.protocol for run in runs}) > 1:
        return _Compared()
    named = {f"run {run.id}": run for run in runs}
    couples, warnings, notes = list[tuple[str, str]](), dict[tuple[str, str], str](), dict[str, None]()
    judges, incomparable = list[Judges](), list[str]()
    for names in combinations(named, 2):
        couple = first, other = named[names[0]], named[names[1]]
        if is_repeat(store, first, other):
            incomparable.append(str(refuse_repeat(first, other, names, naming)))
            continue
        places = find_same_answers(store, first, other)
        if places is not None:
            judged_by = name_judges(first, other, naming)
            judges.append(read_judges(store, couple, judged_by, places, passing=passing, cluster=cluster))
        elif is_same_judge(first, other):
            couples.append(names)
            notes |= dict.fromkeys(note_names(first, other))
        elif different_judges:
            couples.append(names)
            warnings[names] = warn_of_judges(first, other, names)
        else:
            incomparable.append(str(refuse_judges(store, first, other, names, naming)))
    compared = {name for names in couples for name in names}
    sides = {
        name: read_scored_rows(store, run, cluster=cluster) for name, run in named.items() if name in compared
    }
    comparison = compare(
        sides, runs[0].protocol, passing, couples=couples, warnings=warnings, notes=list(notes)
    )
    return _Compared(comparison if couples else None, tuple(judges), tuple(incomparable))


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
