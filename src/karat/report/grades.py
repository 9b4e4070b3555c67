"""Grades in memory, as `karat.grade` returns them: their scored rows, and comparisons of them."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import structs

from karat.core.errors import UsageError
from karat.core.keys import hash_number
from karat.core.scored_row import ScoredRow
from karat.core.types import Item, Outcome
from karat.report.figures.comparison import Comparison, Slices
from karat.report.figures.comparison import compare as compare_sides
from karat.report.figures.judge_comparison import Judges, match_rows
from karat.report.load import JudgedRun, ReadRows, compare_groups, compare_rows, refuse_protocols
from karat.report.same_judge import describe_repeat, refuse_difference, warn_of_judges
from karat.report.tags import SYSTEM, read_tag, read_tags
from karat.store import Run

_NAMES: tuple[str, str] = ("first", "second")


class GradedItems(Protocol):
    """Items with their outcomes, in the same order."""

    run: Run
    items: tuple[Item, ...]
    outcomes: tuple[Outcome, ...]
    records: list[dict[str, Any]]
    marks: tuple[ScoredRow, ...]


def score_rows(grades: GradedItems, *, by: str | None = None, cluster: str | None = None) -> list[ScoredRow]:
    """Return the scored rows of grades, with groups and clusters from the columns of the items."""
    return [
        structs.replace(
            mark,
            groups=_find_groups(mark, record, by),
            cluster=mark.cluster if cluster is None else _find_cluster(record, cluster),
        )
        for mark, record in zip(grades.marks, grades.records, strict=True)
    ]


def _find_groups(mark: ScoredRow, record: Mapping[str, Any], by: str | None) -> tuple[str, ...]:
    if by is None:
        return mark.groups
    if by == SYSTEM:
        return () if mark.system is None else (mark.system,)
    return read_tags(record, by)


def _find_cluster(record: Mapping[str, Any], column: str) -> int:
    tag = read_tag(record, column)
    return hash_number(f"row {record['id']}" if tag is None else f"question {tag}")


def compare_grades(
    first: GradedItems,
    other: GradedItems | None,
    *,
    by: str | None,
    passing: int,
    cluster: str | None,
    points: float,
    different_judges: bool,
) -> Comparison | Slices | Judges:
    """Compare grades with others, or groups of their rows by a column, like `read_comparison` for runs of a store."""
    protocol, marks = first.run.protocol, score_rows(first, by=by, cluster=cluster)
    if other is None:
        return compare_groups(marks, by or SYSTEM, protocol, passing, points)
    others = score_rows(other, by=by, cluster=cluster)
    refuse_protocols(protocol, other.run.protocol)
    places = match_rows(first.items, other.items)
    same_judge = first.run.fingerprint == other.run.fingerprint
    if same_judge and places is not None:
        told = describe_repeat(_NAMES, (len(first.items), len(other.items)), first.run.judge)
        raise UsageError(
            f"{told}; use karat.compare(grades, by=COLUMN) to compare groups of rows, or grade the items with another judge to compare the judges"
        )
    if places is not None:
        left, right = _name_judges(first, other)
        return compare_rows(
            JudgedRun(left, marks, _read_rows(first)),
            JudgedRun(right, others, _read_rows(other)),
            places,
            protocol,
            passing,
            by=by,
        )
    if not same_judge and not different_judges:
        remedy = f"grade both with one judge, such as karat.grade(items, judge={first.run.judge!r})"
        raise refuse_difference(first.run, other.run, _NAMES, remedy)
    warnings = {} if same_judge else {_NAMES: warn_of_judges(first.run, other.run, _NAMES)}
    sides = dict(zip(_NAMES, (marks, others), strict=True))
    return compare_sides(sides, protocol, passing, points, warnings=warnings)


def _name_judges(first: GradedItems, other: GradedItems) -> tuple[str, str]:
    """Return the names of two judges; equal names get "(first)" and "(second)"."""
    one, two = first.run.judge, other.run.judge
    return (one, two) if one != two else (f"{one} (first)", f"{two} (second)")


def _read_rows(grades: GradedItems) -> ReadRows:
    return lambda places: [(grades.records[at]["id"], grades.items[at], grades.outcomes[at]) for at in places]
