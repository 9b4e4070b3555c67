"""From the store to what summaries are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from msgspec import UNSET, structs

from karat.core.errors import UsageError
from karat.core.marks import Mark
from karat.core.types import Spent
from karat.report.agreement import Agreement, agree
from karat.report.comparison import POINTS, Comparison, compare, share_questions, split_by_group
from karat.report.correction import correct_share, least_correct
from karat.report.need import Need, need_labels
from karat.report.slices import Slices, slice_by
from karat.report.summary import PASS, Summary, count_clusters, summarise
from karat.rows import list_names, pick, quote, read_text, write_json
from karat.store import Dataset, Run, Store

SYSTEM = "system"
MOST_SYSTEMS = 20
MOST_SLICES = 100


def summarise_run(
    store: Store, run: Run, *, passing: int = PASS, cluster: str | None = None, spent: Spent | None = None
) -> Summary:
    """A run counted up, and corrected where it has labels; rows are held one by one only where that needs them."""
    least = least_correct(run.protocol, passing)
    labelled = store.labels_of(run.dataset).any()
    marks = read_marks(store, run, cluster=cluster) if labelled or cluster is not None else None
    together, apart = (
        (store.clusters(run, least), store.clusters(run, least, by_system=True))
        if marks is None
        else (count_clusters(marks, least), count_clusters(marks, least, by_system=True))
    )
    return summarise(
        run.protocol,
        store.groups(run),
        store.spent(run) if spent is None else spent,
        passing=passing,
        ballots=store.ballots(run),
        reasons=store.reasons(run),
        skipped=run.dataset.skipped,
        clusters=together,
        system_clusters=apart,
        correction=correct_share(marks, run.protocol, passing) if labelled and marks else None,
    )


def read_marks(store: Store, run: Run, *, by: str | None = None, cluster: str | None = None) -> list[Mark]:
    """The rows of a run in numbers; `by` names the column of their groups, `cluster` that of what belongs together."""
    check_column(run.dataset, "--cluster", cluster)
    check_column(run.dataset, "--by", None if by == SYSTEM else by)
    marks = store.marks(
        run,
        cluster_of=None if cluster is None else lambda fields: read_tag(fields, cluster),
        groups_of=None if by is None or by == SYSTEM else lambda fields: read_tags(fields, by),
    )
    if by != SYSTEM:
        return list(marks)
    return [structs.replace(mark, groups=() if mark.system is None else (mark.system,)) for mark in marks]


def read_agreement(
    store: Store, run: Run, *, passing: int = PASS, cluster: str | None = None
) -> Agreement:
    """The verdicts of a run against its labels."""
    marks = read_marks(store, run, cluster=cluster)
    if not any(mark.labels for mark in marks):
        raise UsageError(
            f"run {run.id} has no labels; `karat labels plan {run.id}` draws rows worth labelling, `karat labels add {run.id} FILE` takes labels in"
        )
    return agree(marks, run.protocol, passing)


def read_need(
    store: Store, run: Run, width: float, *, passing: int = PASS, cluster: str | None = None
) -> Need:
    """How many labels a run needs for an interval of this width."""
    return need_labels(read_marks(store, run, cluster=cluster), run.protocol, passing, width)


def read_comparison(
    store: Store,
    runs: Sequence[Run],
    *,
    by: str | None = None,
    passing: int = PASS,
    cluster: str | None = None,
    points: float = POINTS,
) -> Comparison | Slices:
    """Two runs against each other, or the groups of one: paired where they answer the same questions, else as slices."""
    first, *others = runs
    if not others:
        return _compare_groups(store, first, by or SYSTEM, passing, cluster, points)
    (other,) = others
    if first.id == other.id:
        raise UsageError(f"run {first.id} cannot be compared with itself; `karat compare {first.id} --by COLUMN` compares its parts")
    if first.protocol != other.protocol:
        raise UsageError(
            f"run {first.id} is judged by {first.protocol} and run {other.id} by {other.protocol}; compare runs of one protocol"
        )
    names = name_runs(first, other)
    sides = {
        name: read_marks(store, run, by=by, cluster=cluster) for name, run in zip(names, runs, strict=True)
    }
    if by is not None:
        _refuse_many(by, [mark for marks in sides.values() for mark in marks], MOST_SLICES)
    return compare(
        sides, first.protocol, passing, points, same_rows=first.dataset.id == other.dataset.id
    )


def name_runs(first: Run, other: Run) -> tuple[str, str]:
    """What tells two runs apart: their answers, their judges, or else their numbers."""
    if first.dataset.source != other.dataset.source:
        return first.dataset.source, other.dataset.source
    if first.judge != other.judge:
        return first.judge, other.judge
    return f"run {first.id}", f"run {other.id}"


def _compare_groups(
    store: Store, run: Run, by: str, passing: int, cluster: str | None, points: float
) -> Comparison | Slices:
    marks = read_marks(store, run, by=by, cluster=cluster)
    groups = split_by_group(marks)
    if len(groups) < 2:  # noqa: PLR2004 - it takes two to compare
        raise UsageError(_describe_gap(run, by, list(groups)))
    if share_questions(groups):
        _refuse_many(by, marks, MOST_SYSTEMS)
        sides = {name: [structs.replace(mark, groups=()) for mark in part] for name, part in groups.items()}
        return compare(sides, run.protocol, passing, points)
    _refuse_many(by, marks, MOST_SLICES)
    return slice_by(marks, by, run.protocol, passing)


def _describe_gap(run: Run, by: str, groups: Sequence[str]) -> str:
    if groups:
        return f"--by {by}: all rows of run {run.id} say {quote(groups[0])}; there is nothing to compare"
    if by == SYSTEM:
        return f"run {run.id} knows no systems; name another column with --by COLUMN, or a second run"
    return f"--by {by}: no row of run {run.id} says anything there"


def _refuse_many(by: str, marks: Sequence[Mark], most: int) -> None:
    found = {group for mark in marks for group in mark.groups}
    if len(found) > most:
        raise UsageError(f"--by {by}: {len(found):,} different values are too many to compare; at most {most} are")


def read_tag(fields: Mapping[str, Any], column: str) -> str | None:
    """What a column or dotted path says of a row, as text; None where it says nothing."""
    value = pick(fields, column)
    if value is UNSET or value is None:
        return None
    text = read_text(value)
    return (write_json(value) if text is None else text) or None


def read_tags(fields: Mapping[str, Any], column: str) -> tuple[str, ...]:
    """The groups of a row: a list names several."""
    value = pick(fields, column)
    if isinstance(value, list):
        found = (read_tag({"": entry}, "") for entry in cast("list[object]", value))
        return tuple(dict.fromkeys(text for text in found if text is not None))
    tag = read_tag(fields, column)
    return () if tag is None else (tag,)


def check_column(dataset: Dataset, option: str, column: str | None) -> None:
    """Refuse a column that no row has."""
    fields = dataset.fields
    if column is not None and column not in fields and column.partition(".")[0] not in fields:
        raise UsageError(
            f"{option}: no column {quote(column)} in {dataset.source}; the columns are {list_names(fields)}"
        )
