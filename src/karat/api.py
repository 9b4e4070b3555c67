"""The public functions: grade answers, audit judges, and estimate how reliable the grades are.

No store is used unless one is given, and no file is written unless one is named.
"""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, overload

from karat.arguments import public, refuse_at_exit, wait_for
from karat.core.errors import UsageError, option
from karat.core.options import Options
from karat.core.types import Item, Outcome, ProtocolName

if TYPE_CHECKING:
    from karat.audit.probe import Row
    from karat.audit.rates import Audit
    from karat.core.scored_row import ScoredRow
    from karat.labels import ImportedLabels, LabelPlanning
    from karat.report.content import Report
    from karat.report.figures.agreement import Agreement
    from karat.report.figures.comparison import Comparison, Slices
    from karat.report.figures.correction import Need
    from karat.report.figures.judge_comparison import Judges
    from karat.report.figures.summary import Summary
    from karat.store import Run

Place: TypeAlias = str | os.PathLike[str]
References: TypeAlias = str | Sequence[str]
ItemLike: TypeAlias = Item | Mapping[str, Any] | tuple[str | None, References, str]


class Grades(Sequence[Outcome]):
    """The outcomes in the order of the items, with their summary and the data for comparisons."""

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        records: list[dict[str, Any]],
        summary: "Summary",
        marks: "Sequence[ScoredRow]",
        run: "Run",
        items: Sequence[Item],
    ) -> None:
        self.outcomes = tuple(outcomes)
        self.records = records
        self.summary = summary
        self.marks = tuple(marks)
        self.run = run
        self.items = tuple(items)

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Outcome]: ...
    def __getitem__(self, index: int | slice) -> Outcome | Sequence[Outcome]:
        return self.outcomes[index]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        share = self.summary.share
        return f"<Grades: {share.correct} correct of {share.judged} judged, {len(self)} in all>"


def judge(
    question: str | None,
    reference: References,
    answer: str,
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    **options: Unpack[Options],
) -> Outcome:
    """Judge one answer against a reference, or any one of several: returns a `Verdict`, or `Unjudged` with a cause."""
    return grade([(question, reference, answer)], judge=judge, protocol=protocol, **options)[0]


@public
def grade(
    items: Iterable[ItemLike],
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    store: Place | None = None,
    passing: int = 4,
    label_scale: str | None = None,
    known_labels: bool | None = None,
    cluster: str | None = None,
    **options: Unpack[Options],
) -> Grades:
    """Grade items: `(question, reference or references, answer)`, `karat.Item`s or mappings with those keys, also `label`.

    With a `store`, `known_labels=True` also uses labels of identical items that were graded before, and
    `known_labels=False` stops using them; None keeps the current setting.
    """
    return wait_for(
        agrade(
            items,
            judge=judge,
            protocol=protocol,
            store=store,
            passing=passing,
            label_scale=label_scale,
            known_labels=known_labels,
            cluster=cluster,
            **options,
        )
    )


@public
async def agrade(
    items: Iterable[ItemLike],
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    store: Place | None = None,
    passing: int = 4,
    label_scale: str | None = None,
    known_labels: bool | None = None,
    cluster: str | None = None,
    **options: Unpack[Options],
) -> Grades:
    """The asynchronous form of `grade`."""
    from karat.judges import build_request, plan_judge, unless_default
    from karat.labels import import_column, parse_scale
    from karat.report.load import summarise_run
    from karat.report.tags import check_column
    from karat.run import ItemIntake, grade_run, load_items, open_run, records
    from karat.store import Store

    refuse_at_exit()
    plan = plan_judge(build_request(unless_default(judge), protocol, options), os.environ)
    if plan.request.via == "batch" and store is None:
        raise UsageError("via='batch' may take a day and needs a store to resume from: give store=PATH")
    if known_labels and store is None:
        raise UsageError("known_labels=True needs a store to read labels from: give store=PATH")
    scale = None if label_scale is None else parse_scale(label_scale)
    intake = ItemIntake(items)
    with Store(_path_of(store)) as opened:
        dataset = load_items(opened, intake)
        check_column(dataset, option("cluster"), cluster)
        import_column(opened, dataset, scale=scale)
        if known_labels is not None:
            labels = opened.labels_of(dataset)
            _ = labels.use_known() if known_labels else labels.leave_known()
        run = open_run(opened, dataset, plan)
        await grade_run(opened, run, plan)
        graded = list(opened.graded(run))
        outcomes = [each.outcome for each in graded if each.outcome is not None]
        summary = summarise_run(opened, run, passing=passing, cluster=cluster)
        marks, rows = list(opened.scored_rows(run)), [each.item for each in graded]
        return Grades(outcomes, list(records(run, graded)), summary, marks, run, rows)


@public
def audit_judge(
    judge: str = "embedded",
    *,
    protocol: ProtocolName | None = None,
    items: Iterable[ItemLike] | None = None,
    limit: int | None = None,
    families: Sequence[str] | None = None,
    probes: Sequence[Place] = (),
    max_rate: Mapping[str, float] | None = None,
    max_no_verdict: Mapping[str, float] | None = None,
    draw: int = 0,
    store: Place | None = None,
    **options: Unpack[Options],
) -> "Audit":
    """Attack a judge and test its consistency, on probes made from `items` or from the bundled rows.

    A `label` of an item says whether its answer is right or wrong.
    """
    return wait_for(
        aaudit_judge(
            judge,
            protocol=protocol,
            items=items,
            limit=limit,
            families=families,
            probes=probes,
            max_rate=max_rate,
            max_no_verdict=max_no_verdict,
            draw=draw,
            store=store,
            **options,
        )
    )


@public
async def aaudit_judge(
    judge: str = "embedded",
    *,
    protocol: ProtocolName | None = None,
    items: Iterable[ItemLike] | None = None,
    limit: int | None = None,
    families: Sequence[str] | None = None,
    probes: Sequence[Place] = (),
    max_rate: Mapping[str, float] | None = None,
    max_no_verdict: Mapping[str, float] | None = None,
    draw: int = 0,
    store: Place | None = None,
    **options: Unpack[Options],
) -> "Audit":
    """The asynchronous form of `audit_judge`."""
    from karat.audit.bank import gather_bank, parse_families
    from karat.audit.rates import parse_limits
    from karat.audit.run import audit_judge as audit
    from karat.judges import build_request, plan_judge, unless_default
    from karat.store import Store

    refuse_at_exit()
    limits = parse_limits(_write_limits(max_rate), _write_limits(max_no_verdict))
    plan = plan_judge(build_request(unless_default(judge), protocol, options), os.environ)
    wanted = None if families is None else parse_families(",".join(families))
    rows = _gather_rows(items, limit, draw)
    bank = gather_bank(rows, wanted, [os.fspath(path) for path in probes], draw)
    with Store(_path_of(store)) as opened:
        return await audit(opened, plan, bank, limits, families=wanted)


def _write_limits(limits: Mapping[str, float] | None) -> list[str]:
    return [f"{name}={rate}" for name, rate in (limits or {}).items()]


def _gather_rows(items: Iterable[ItemLike] | None, limit: int | None, draw: int) -> "Sequence[Row]":
    from karat.audit.bank import Given, bundled_rows, gather_rows, read_label
    from karat.run import ItemIntake

    if items is None:
        return bundled_rows()[:limit]
    given = (Given(row.id, row.item, read_label(row.columns.get("label"))) for row in ItemIntake(items))
    return gather_rows(given, limit=limit, seed=draw)


@public
def agree(
    run: int | Grades | Place | None = None,
    *,
    store: Place | None = None,
    passing: int = 4,
    cluster: str | None = None,
) -> "Agreement":
    """Measure agreement with labels, for `grades`, verdict files, or a run in a store (by default the latest)."""
    from karat.report.figures.agreement import agree as hold_against_labels
    from karat.report.grades import score_rows
    from karat.report.load import read_agreement
    from karat.run.verdict_files import open_runs

    if isinstance(run, Grades):
        return hold_against_labels(score_rows(run, cluster=cluster), run.run.protocol, passing, cluster)
    with open_runs(store, [run]) as (opened, (found,)):
        return read_agreement(opened, found, passing=passing, cluster=cluster)


@public
def compare(
    run: int | Grades | Place | None = None,
    other: int | Grades | Place | None = None,
    *,
    by: str | None = None,
    store: Place | None = None,
    passing: int = 4,
    cluster: str | None = None,
    points: float = 2.0,
    different_judges: bool = False,
) -> "Comparison | Slices | Judges":
    """Compare two runs, verdict files or `grades`, or the groups of rows of one by a column.

    Different answers by one judge: which are better, and by how much. The same answers by two judges: how often they
    agree. Different answers by different judges are refused unless `different_judges` is set.
    """
    from karat.report.figures.comparison import check_points
    from karat.report.grades import compare_grades
    from karat.report.load import read_comparison
    from karat.report.same_judge import name_files
    from karat.run.verdict_files import open_runs

    check_points(points)
    if other is None and by is None:
        raise UsageError("compare needs two runs, or one run and by=COLUMN, such as by='system'")
    if isinstance(run, Grades) or isinstance(other, Grades):
        if not isinstance(run, Grades) or not isinstance(other, Grades | None):
            raise UsageError(
                "grades can be compared only with grades, and runs with runs; give two of the same kind"
            )
        return compare_grades(
            run,
            other,
            by=by,
            passing=passing,
            cluster=cluster,
            points=points,
            different_judges=different_judges,
        )
    given = [run] if other is None else [run, other]
    with open_runs(store, given) as (opened, runs):
        return read_comparison(
            opened,
            runs,
            by=by,
            passing=passing,
            cluster=cluster,
            points=points,
            different_judges=different_judges,
            naming=name_files(runs, given, _path_of(store)),
        )


@public
def add_labels(
    run: int,
    labels: Place | Iterable[Mapping[str, Any]],
    *,
    store: Place,
    author: str | None = None,
    scale: str | None = None,
    on_bad_row: Literal["stop", "skip"] = "stop",
) -> "ImportedLabels":
    """Import labels of the rows of a run: a file, or mappings with id, label and author."""
    from karat.labels import import_file, import_records, parse_scale
    from karat.rows import open_source
    from karat.store.locate import open_store

    chosen, skip = None if scale is None else parse_scale(scale), on_bad_row == "skip"
    with open_store(store) as opened:
        dataset = opened.find_run(run).dataset
        if isinstance(labels, (str, os.PathLike)):
            with open_source(os.fspath(labels)) as source:
                return import_file(opened, dataset, source, scale=chosen, author=author, skip=skip)
        return import_records(opened, dataset, labels, scale=chosen, author=author or "library", skip=skip)


@public
def plan_labels(
    run: int | None = None,
    *,
    n: int = 200,
    output: Place | None = None,
    seed: int = 0,
    formulas: Literal["escape", "keep"] = "escape",
    store: Place,
) -> "LabelPlanning":
    """Draw a random sample of a run's rows to label, with known probabilities; write it to a file if one is named.

    In CSV and TSV, text that a spreadsheet would run as a formula gets an apostrophe; `formulas="keep"` leaves it.
    """
    from karat.labels import check_plan_file, draw_plan, write_plan
    from karat.store.locate import open_store

    if output is not None:
        check_plan_file(os.fspath(output))
    with open_store(store) as opened:
        found = opened.find_run(run)
        planning = draw_plan(opened, found, n, seed=seed)
        if output is not None:
            write_plan(opened, found, planning, os.fspath(output), formulas=formulas)
        return planning


@public
def need_labels(
    run: int | None = None, *, width: float, store: Place, passing: int = 4, cluster: str | None = None
) -> "Need":
    """Estimate how many labels the corrected share correct needs for an interval of a given width."""
    from karat.report.load import read_need
    from karat.store.locate import open_store

    with open_store(store) as opened:
        return read_need(opened, opened.find_run(run), width, passing=passing, cluster=cluster)


@public
def write_report(
    *runs: int | Place,
    store: Place | None = None,
    output: Place | None = None,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
    passing: int = 4,
    items: int = 50_000,
    different_judges: bool = False,
) -> "Report":
    """Report on verdict files, or on runs in a store (by default the latest); `output` names an HTML file to write."""
    from karat import __version__
    from karat.report.build import report_on
    from karat.report.same_judge import name_files
    from karat.rows.atomic_file import is_same_file
    from karat.rows.formats.grades import split_grader
    from karat.run.verdict_files import open_runs

    given = runs or (None,)
    for other in (store, *runs):
        if (
            output is not None
            and isinstance(other, (str, os.PathLike))
            and is_same_file(output, split_grader(os.fspath(other))[0])
        ):
            raise UsageError(f"{os.fspath(output)} would overwrite {os.fspath(other)}; choose another name")
    with open_runs(store, given) as (opened, chosen):
        return report_on(
            opened,
            [run.id for run in chosen],
            karat=__version__,
            now=time.time(),
            output=_path_of(output),
            by=by,
            cluster=cluster,
            passing=passing,
            items=items,
            different_judges=different_judges,
            naming=name_files(chosen, given, _path_of(store)),
        )


def _path_of(place: Place | None) -> str | None:
    return None if place is None else os.fspath(place)
