"""Read from the store what summaries and reports need."""

import shlex
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.scored_row import ScoredRow
from karat.core.types import Item, Outcome, ProtocolName, Spent
from karat.report.figures.agreement import Agreement, agree, check_accuracy
from karat.report.figures.comparison import (
    MOST_PARTS,
    POINTS,
    Comparison,
    Slices,
    compare,
    share_questions,
    slice_by,
    split_by_group,
)
from karat.report.figures.confidence import Expectation, find_ranges
from karat.report.figures.correction import Need, correct_share, least_correct, need_labels
from karat.report.figures.judge_comparison import (
    Judges,
    Places,
    compare_judges,
    find_splits,
    match_rows,
    show_split,
)
from karat.report.figures.summary import PASS, Summary, count_clusters, estimate_share, summarise
from karat.report.same_judge import (
    Naming,
    is_repeat,
    is_same_judge,
    name_answers,
    name_judges,
    note_names,
    refuse_judges,
    refuse_repeat,
    warn_of_judges,
)
from karat.report.tags import SYSTEM, read_scored_rows
from karat.rows import quote
from karat.stats import Number
from karat.store import Run, Store

MOST_SYSTEMS = 20
MOST_SLICES = 100
_PLAIN = Naming()
ReadRows: TypeAlias = Callable[[Sequence[int]], Sequence[tuple[str, Item, Outcome | None]]]
_KINDS = {"human": "human-judged sets", "written": "model-written files"}


def summarise_run(
    store: Store, run: Run, *, passing: int = PASS, cluster: str | None = None, spent: Spent | None = None
) -> Summary:
    """Summarise a run, corrected if it has labels; single rows are read only if the correction needs them."""
    least = least_correct(run.protocol, passing)
    labelled = store.labels_of(run.dataset).any()
    rows = read_scored_rows(store, run, cluster=cluster) if labelled or cluster is not None else None
    together, apart = (
        (store.clusters(run, least), store.clusters(run, least, by_system=True))
        if rows is None
        else (count_clusters(rows, least), count_clusters(rows, least, by_system=True))
    )
    corrected = rows if labelled and rows else None
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
        expectation=read_expectation(store, run),
    )


def read_expectation(store: Store, run: Run) -> Expectation | None:
    """Return the expected accuracy of a run; None if its confidences are not from the current embedded judge."""
    from karat.embedded import UNSURE, hash_fitted, read_confidence

    judge, confidence = run.identity.get("judge"), run.identity.get("confidence")
    if judge != "embedded" or confidence != hash_fitted("confidence.json"):
        return None
    verdicts, mean, unsure = store.count_confidences(run, below=UNSURE)
    if mean is None:
        return None
    # Ranges were measured on all verdicts of a group, and do not apply to only the most confident ones.
    groups = () if "abstain" in run.identity else read_confidence().left_out
    misses = {
        name: [group.right - group.expected for group in groups if group.kind == kind]
        for kind, name in _KINDS.items()
    }
    return Expectation(verdicts, mean, find_ranges(mean, misses), unsure, UNSURE)


def estimate_all(
    store: Store, run: Run, summary: Summary, *, passing: int = PASS, cluster: str | None = None
) -> Number:
    """Estimate the share correct of all rows, with unjudged rows as wrong; clustered like the summary."""
    least = least_correct(run.protocol, passing)
    clusters = (
        store.clusters(run, least, unjudged=True)
        if cluster is None
        else count_clusters(read_scored_rows(store, run, cluster=cluster), least, unjudged=True)
    )
    return estimate_share(summary.share.correct, summary.rows, clusters)


def read_agreement(store: Store, run: Run, *, passing: int = PASS, cluster: str | None = None) -> Agreement:
    """Measure the agreement of a run's verdicts with its labels."""
    rows = read_scored_rows(store, run, cluster=cluster)
    if not any(row.labels for row in rows) and run.is_export:
        name = shlex.quote(f"{run.dataset.source}#{run.identity['grader']}")
        raise UsageError(
            f"{run.dataset.source} carries no labels of people; `karat labels plan {name}` keeps its verdicts as a run and"
            " draws rows worth labelling"
        )
    if not any(row.labels for row in rows):
        raise UsageError(
            f"run {run.id} has no labels; use `karat labels plan {run.id}` to draw rows to label, then `karat labels add {run.id} FILE` to import the labels"
        )
    return agree(rows, run.protocol, passing, cluster)


def read_need(
    store: Store, run: Run, width: float, *, passing: int = PASS, cluster: str | None = None
) -> Need:
    """Estimate how many labels a run needs for an interval of this width."""
    return need_labels(read_scored_rows(store, run, cluster=cluster), run.protocol, passing, width)


def read_comparison(
    store: Store,
    runs: Sequence[Run],
    *,
    by: str | None = None,
    passing: int = PASS,
    cluster: str | None = None,
    points: float = POINTS,
    different_judges: bool = False,
    naming: Naming = _PLAIN,
) -> Comparison | Slices | Judges:
    """Compare two runs, or the groups of one; two judges of the same answers are compared as judges."""
    if len(runs) == 1:
        rows = read_scored_rows(store, runs[0], by=by or SYSTEM, cluster=cluster)
        return compare_groups(rows, by or SYSTEM, runs[0].protocol, passing, points)
    first, other = runs
    if first.id == other.id:
        raise UsageError(
            f"run {first.id} cannot be compared with itself; use `karat compare {first.id} --by COLUMN` to compare groups of its rows"
        )
    refuse_protocols(first.protocol, other.protocol)
    if is_repeat(store, first, other):
        raise refuse_repeat(first, other, name_answers(first, other, naming), naming)
    places = find_same_answers(store, first, other)
    if places is not None:
        names = name_judges(first, other, naming)
        return read_judges(store, (first, other), names, places, by=by, passing=passing, cluster=cluster)
    names, same = name_answers(first, other, naming), is_same_judge(first, other)
    if not same and not different_judges:
        raise refuse_judges(store, first, other, names, naming)
    sides = {
        name: read_scored_rows(store, run, by=by, cluster=cluster)
        for name, run in zip(names, runs, strict=True)
    }
    if by is not None:
        refuse_many(by, [row for rows in sides.values() for row in rows], MOST_SLICES)
    return compare(
        sides,
        first.protocol,
        passing,
        points,
        warnings={} if same else {names: warn_of_judges(first, other, names)},
        notes=note_names(first, other),
    )


def find_same_answers(store: Store, first: Run, other: Run) -> Places | None:
    """Find the rows of two runs with the same answers, judged by two judges.

    None if the answers differ, or the judge is certainly the same.
    """
    if first.fingerprint == other.fingerprint:
        return None
    if first.dataset.id == other.dataset.id:
        return tuple(range(first.dataset.rows)), tuple(range(first.dataset.rows))
    return match_rows(store.item_numbers(first.dataset), store.item_numbers(other.dataset))


def read_judges(
    store: Store,
    runs: tuple[Run, Run],
    names: tuple[str, str],
    places: Places,
    *,
    by: str | None = None,
    passing: int = PASS,
    cluster: str | None = None,
) -> Judges:
    """Compare two judges of the same answers, with rows on which they differ."""
    first, other = runs
    return compare_rows(
        JudgedRun(names[0], read_scored_rows(store, first, by=by, cluster=cluster), _read_rows(store, first)),
        JudgedRun(names[1], read_scored_rows(store, other), _read_rows(store, other)),
        places,
        first.protocol,
        passing,
        by=by,
        notes=note_names(first, other),
    )


class JudgedRun(Struct, frozen=True):
    """All rows of a run by a judge of this name; `read` returns ids, items and outcomes by position."""

    name: str
    rows: Sequence[ScoredRow]
    read: ReadRows


def compare_rows(
    first: JudgedRun,
    other: JudgedRun,
    places: Places,
    protocol: ProtocolName,
    passing: int,
    *,
    by: str | None,
    notes: Sequence[str] = (),
) -> Judges:
    """Compare two judges on rows at these positions with the same answers; column values are those of the first."""
    rows = [first.rows[place] for place in places[0]]
    others = [other.rows[place] for place in places[1]]
    if by is not None:
        refuse_many(by, rows, MOST_SLICES)
    splits = find_splits(rows, others, protocol, passing)
    left = first.read([rows[at].position for at in splits])
    right = other.read([others[at].position for at in splits])
    return compare_judges(
        (first.name, rows),
        (other.name, others),
        protocol,
        passing,
        examples=[
            show_split(name, item, said, answer)
            for (name, item, said), (_, _, answer) in zip(left, right, strict=True)
        ],
        apart=len(first.rows) + len(other.rows) - 2 * len(rows),
        notes=notes,
    )


def _read_rows(store: Store, run: Run) -> ReadRows:
    return lambda positions: [(row.id, row.item, row.outcome) for row in store.graded_at(run, positions)]


def refuse_protocols(one: str, other: str) -> None:
    """Refuse to compare runs of different protocols."""
    if one != other:
        raise UsageError(
            f"one run uses the protocol {one} and the other {other}; compare runs of the same protocol"
        )


def compare_groups(
    rows: Sequence[ScoredRow], by: str, protocol: ProtocolName, passing: int, points: float = POINTS
) -> Comparison | Slices:
    """Compare the groups of a run: in pairs if they answer the same questions, otherwise each against the rest."""
    refuse_many(by, rows, MOST_SLICES)
    groups = split_by_group(rows)
    if len(groups) < 2:  # noqa: PLR2004 - it takes two to compare
        raise _refuse_gap(by, list(groups))
    if not share_questions(groups):
        most = len(groups) if by == SYSTEM else MOST_PARTS  # systems are never combined
        return slice_by(rows, by, protocol, passing, most)
    refuse_many(by, rows, MOST_SYSTEMS)
    sides = {name: [structs.replace(row, groups=()) for row in part] for name, part in groups.items()}
    return compare(sides, protocol, passing, points)


def _refuse_gap(by: str, groups: Sequence[str]) -> UsageError:
    if groups:
        told = f" {by}: all rows have the value {quote(groups[0])}, so there is nothing to compare"
        return UsageError(option("by"), told)
    if by == SYSTEM:
        told = " system: the rows have no system column; name the column to compare by, such as "
        return UsageError(option("by"), told, option("by"), " model")
    return UsageError(option("by"), f" {by}: no row has a value in this column")


def refuse_many(by: str, rows: Sequence[ScoredRow], most: int) -> None:
    """Refuse a column with too many different values."""
    found = {group for row in rows for group in row.groups}
    if len(found) > most:
        raise UsageError(
            option("by"),
            f" {by}: {len(found):,} different values are too many to compare; at most {most} can be",
        )
