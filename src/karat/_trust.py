"""The library's verbs about how far grades can be trusted: `agree`, `compare`, and labels."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from karat._api import Grades
from karat._arguments import public
from karat._verdicts import Place, open_runs, open_store
from karat.core.errors import UsageError

if TYPE_CHECKING:
    from karat.core.scored_row import Mark
    from karat.core.types import ProtocolName
    from karat.labels import LabelPlanning, Taken
    from karat.report.figures.agreement import Agreement
    from karat.report.figures.comparison import Comparison, Slices
    from karat.report.figures.correction import Need
    from karat.report.figures.judge_comparison import Judges
    from karat.report.load import JudgedRun


@public
def agree(
    run: int | Grades | Place | None = None,
    *,
    store: Place | None = None,
    passing: int = 4,
    cluster: str | None = None,
) -> "Agreement":
    """Hold verdicts against labels: of `grades`, verdict files, or a run in a store (the latest one if none is named)."""
    from karat.report.figures.agreement import agree as hold
    from karat.report.load import read_agreement

    if isinstance(run, Grades):
        marks, protocol = _marks(run, None, cluster)
        return hold(marks, protocol, passing, cluster)
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
    """Compare two runs, verdict files or `grades`, or the parts of one by a column.

    Different answers by one judge: which are better and by how much. The same answers by two judges: how often these
    agree. Different answers by different judges are refused unless `different_judges` is set.
    """
    from karat.report.figures.comparison import check_points
    from karat.report.load import read_comparison
    from karat.report.same_judge import name_files

    check_points(points)
    if other is None and by is None:
        raise UsageError("compare takes two runs, or one and by=COLUMN, such as by='system'")
    if isinstance(run, Grades) or isinstance(other, Grades):
        return _compare_grades(run, other, by, passing, cluster, points, different_judges=different_judges)
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
            naming=name_files(runs, given, None if store is None else os.fspath(store)),
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
) -> "Taken":
    """Keep labels of the rows of a run: a file, or mappings with id, label and author."""
    from karat.labels import parse_scale, take_file, take_records
    from karat.rows import open_source

    chosen, skip = None if scale is None else parse_scale(scale), on_bad_row == "skip"
    with open_store(store) as opened:
        dataset = opened.find_run(run).dataset
        if isinstance(labels, (str, os.PathLike)):
            with open_source(os.fspath(labels)) as source:
                return take_file(opened, dataset, source, scale=chosen, author=author, skip=skip)
        return take_records(opened, dataset, labels, scale=chosen, author=author or "library", skip=skip)


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
    """Draw rows of a run worth labelling, each with a known chance, and write them to a file if one is named.

    In CSV and TSV, text that a spreadsheet would run as a formula gets an apostrophe; `formulas="keep"` leaves it.
    """
    from karat.labels import check_plan_file, draw_plan, write_plan

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
    """Say how many labels the corrected share correct takes for an interval of a width."""
    from karat.report.load import read_need

    with open_store(store) as opened:
        return read_need(opened, opened.find_run(run), width, passing=passing, cluster=cluster)


def _compare_grades(
    first: object,
    other: object,
    by: str | None,
    passing: int,
    cluster: str | None,
    points: float,
    *,
    different_judges: bool,
) -> "Comparison | Slices | Judges":
    from karat.report.figures.comparison import compare as compare_sides
    from karat.report.figures.judge_comparison import match_rows
    from karat.report.load import compare_groups, compare_rows, refuse_protocols
    from karat.report.same_judge import describe_judges, describe_repeat, warn_of_judges

    if not isinstance(first, Grades) or not isinstance(other, (Grades, type(None))):
        raise UsageError("grades are compared with grades, and runs with runs")
    marks, protocol = _marks(first, by, cluster)
    if other is None:
        return compare_groups(marks, by or "system", protocol, passing, points)
    others, their_protocol = _marks(other, by, cluster)
    refuse_protocols(protocol, their_protocol)
    names = ("first", "second")
    sides = {"first": marks, "second": others}
    places = match_rows(first.items, other.items)
    if first.run.fingerprint == other.run.fingerprint:
        if places is not None:
            told = describe_repeat(names, (len(first), len(other)), first.run.judge)
            raise UsageError(
                f"{told}; karat.compare(grades, by=COLUMN) compares the parts of one, or grade the items with another judge and compare the judges"
            )
        return compare_sides(sides, protocol, passing, points)
    if places is not None:
        alike = first.run.judge == other.run.judge
        return compare_rows(
            _name_run(first, marks, "first" if alike else None),
            _name_run(other, others, "second" if alike else None),
            places,
            protocol,
            passing,
            by=by,
        )
    if not different_judges:
        raise UsageError(
            f"{describe_judges(first.run, other.run, names)}, so a difference could be the judges' and not the answers'; "
            f"grade both with one judge, such as karat.grade(items, judge={first.run.judge!r}) (--different-judges compares them as they are)"
        )
    return compare_sides(
        sides, protocol, passing, points, warnings={names: warn_of_judges(first.run, other.run, names)}
    )


def _name_run(grades: Grades, marks: "Sequence[Mark]", which: str | None) -> "JudgedRun":
    """Grades under the name of their judge, and `which` of two where that is the same."""
    from karat.report.load import JudgedRun

    name = grades.run.judge if which is None else f"{grades.run.judge} ({which})"
    return JudgedRun(
        name,
        marks,
        lambda places: [(grades.records[at]["id"], grades.items[at], grades[at]) for at in places],
    )


def _marks(grades: Grades, by: str | None, cluster: str | None) -> "tuple[Sequence[Mark], ProtocolName]":
    """The rows of grades, with groups and clusters from the columns that the items came with."""
    from msgspec import structs

    from karat.core.keys import hash_number
    from karat.report.tags import SYSTEM, read_tag, read_tags

    marks = list["Mark"]()
    for mark, record in zip(grades.marks, grades.records, strict=True):
        groups = mark.groups
        if by == SYSTEM:
            groups = () if mark.system is None else (mark.system,)
        elif by is not None:
            groups = read_tags(record, by)
        about = mark.cluster
        if cluster is not None:
            tag = read_tag(record, cluster)
            about = hash_number(f"row {record['id']}" if tag is None else f"question {tag}")
        marks.append(structs.replace(mark, groups=groups, cluster=about))
    return marks, grades.summary.protocol
