"""From the store to what summaries are made of."""

from collections.abc import Sequence
from pathlib import PurePath

from msgspec import structs

from karat.core.errors import UsageError
from karat.core.marks import Mark
from karat.core.types import ProtocolName, Spent
from karat.report.agreement import Agreement, agree, check_accuracy
from karat.report.comparison import POINTS, Comparison, compare, share_questions, split_by_group
from karat.report.correction import correct_share, least_correct
from karat.report.marks import SYSTEM, read_marks
from karat.report.need import Need, need_labels
from karat.report.slices import Slices, slice_by
from karat.report.summary import PASS, Summary, count_clusters, estimate_share, summarise
from karat.rows import quote
from karat.stats import Number
from karat.store import Run, Store

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
    corrected = marks if labelled and marks else None
    return summarise(
        run.protocol,
        store.groups(run),
        store.spent(run) if spent is None else spent,
        passing=passing,
        ballots=store.ballots(run),
        reasons=store.reasons(run),
        skipped=run.dataset.skipped,
        losses=store.losses(run),
        clusters=together,
        system_clusters=apart,
        correction=None if corrected is None else correct_share(corrected, run.protocol, passing),
        accuracy=None if corrected is None else check_accuracy(corrected, run.protocol, passing),
    )


def estimate_all(
    store: Store, run: Run, summary: Summary, *, passing: int = PASS, cluster: str | None = None
) -> Number:
    """The share correct of all rows, in which a row without a verdict counts as wrong; clustered like the summary."""
    least = least_correct(run.protocol, passing)
    clusters = (
        store.clusters(run, least, unjudged=True)
        if cluster is None
        else count_clusters(read_marks(store, run, cluster=cluster), least, unjudged=True)
    )
    return estimate_share(summary.share.correct, summary.rows, clusters)


def read_agreement(store: Store, run: Run, *, passing: int = PASS, cluster: str | None = None) -> Agreement:
    """The verdicts of a run against its labels."""
    marks = read_marks(store, run, cluster=cluster)
    if not any(mark.labels for mark in marks):
        raise UsageError(
            f"run {run.id} has no labels; `karat labels plan {run.id}` draws rows worth labelling, `karat labels add {run.id} FILE` takes labels in"
        )
    return agree(marks, run.protocol, passing, cluster)


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
    """Two runs against each other, or the groups of one."""
    if len(runs) == 1:
        marks = read_marks(store, runs[0], by=by or SYSTEM, cluster=cluster)
        return compare_groups(marks, by or SYSTEM, runs[0].protocol, passing, points)
    first, other = runs
    if first.id == other.id:
        raise UsageError(
            f"run {first.id} cannot be compared with itself; `karat compare {first.id} --by COLUMN` compares its parts"
        )
    refuse_protocols(first.protocol, other.protocol)
    sides = {
        name: read_marks(store, run, by=by, cluster=cluster)
        for name, run in zip(name_runs(first, other), runs, strict=True)
    }
    if by is not None:
        refuse_many(by, [mark for marks in sides.values() for mark in marks], MOST_SLICES)
    return compare(sides, first.protocol, passing, points, same_rows=first.dataset.id == other.dataset.id)


def refuse_protocols(one: str, other: str) -> None:
    """Refuse to compare verdicts that mean different things."""
    if one != other:
        raise UsageError(f"one run is judged by {one} and the other by {other}; compare runs of one protocol")


def name_runs(first: Run, other: Run) -> tuple[str, str]:
    """What tells two runs apart: their answers, their judges, or else their numbers."""
    options = (
        [PurePath(run.dataset.source).name for run in (first, other)],
        [first.dataset.source, other.dataset.source],
        [first.judge, other.judge],
    )
    one, two = next(
        (names for names in options if names[0] != names[1]), [f"run {first.id}", f"run {other.id}"]
    )
    return one, two


def compare_groups(
    marks: Sequence[Mark], by: str, protocol: ProtocolName, passing: int, points: float = POINTS
) -> Comparison | Slices:
    """The groups of a run: every two of them where they answer the same questions, otherwise each against the rest."""
    refuse_many(by, marks, MOST_SLICES)
    groups = split_by_group(marks)
    if len(groups) < 2:  # noqa: PLR2004 - it takes two to compare
        raise UsageError(_describe_gap(by, list(groups)))
    if not share_questions(groups):
        return slice_by(marks, by, protocol, passing)
    refuse_many(by, marks, MOST_SYSTEMS)
    sides = {name: [structs.replace(mark, groups=()) for mark in part] for name, part in groups.items()}
    return compare(sides, protocol, passing, points)


def _describe_gap(by: str, groups: Sequence[str]) -> str:
    if groups:
        return f"--by {by}: all rows say {quote(groups[0])}, so there is nothing to compare"
    if by == SYSTEM:
        return "--by system: the rows name no systems; name the column that does, such as --by model"
    return f"--by {by}: no row says anything there"


def refuse_many(by: str, marks: Sequence[Mark], most: int) -> None:
    """Refuse a column that has a different value in nearly every row."""
    found = {group for mark in marks for group in mark.groups}
    if len(found) > most:
        raise UsageError(
            f"--by {by}: {len(found):,} different values are too many to compare; at most {most} are"
        )
