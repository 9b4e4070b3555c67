"""Two judges of the same answers: pair the rows of their runs, compare the judges, and pick rows on which they differ."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, structs

from karat.core.scored_row import ScoredRow
from karat.core.types import Item, Outcome, ProtocolName, Verdict
from karat.report.figures.comparison import LEVEL, together
from karat.report.figures.correction import least_correct
from karat.report.figures.judge_overlap import (
    JudgeFigures,
    JudgePair,
    Overlap,
    measure_judge,
    measure_overlap,
    pair_rows,
)
from karat.report.format import count

Places: TypeAlias = tuple[Sequence[int], Sequence[int]]  # positions of the same answers in two runs
EXAMPLES: Final = 5


class Split(Struct, frozen=True):
    """A row on which two judges differ."""

    id: str
    question: str | None
    references: tuple[str, ...]
    answer: str
    values: tuple[int | bool | None, int | bool | None]
    reasons: tuple[str | None, str | None]


class Judges(Struct, frozen=True):
    """Two judges of the same answers, on all rows and within groups, with some rows on which they differ.

    Differences within groups have intervals of `level`, so that all of them hold at once with probability 0.95.
    `apart` rows are in only one of the two runs.
    """

    protocol: ProtocolName
    passing: int
    judges: tuple[JudgeFigures, JudgeFigures]
    overall: Overlap
    groups: tuple[Overlap, ...]
    examples: tuple[Split, ...]
    level: float
    apart: int = 0
    notes: tuple[str, ...] = ()


def compare_judges(
    first: tuple[str, Sequence[ScoredRow]],
    second: tuple[str, Sequence[ScoredRow]],
    protocol: ProtocolName,
    passing: int,
    *,
    examples: Sequence[Split] = (),
    apart: int = 0,
    notes: Sequence[str] = (),
) -> Judges:
    """Compare two judges; the rows of both hold the same answers in the same order.

    Clusters, groups and labels are those of the first; labels are those of the second if only it has some.
    """
    (name, given), (other, others) = first, second
    pairs = _share_labels(given, others)
    scored_rows, others = [one for one, _ in pairs], [two for _, two in pairs]
    judges = JudgePair((name, other), protocol, passing)
    rows = pair_rows(scored_rows, others, judges)
    groups = sorted({group for scored_row in scored_rows for group in scored_row.groups})
    level = together(len(groups))
    return Judges(
        protocol=protocol,
        passing=passing,
        judges=(measure_judge(0, scored_rows, rows, judges), measure_judge(1, others, rows, judges)),
        overall=measure_overlap(None, rows, pairs, judges, LEVEL),
        groups=tuple(
            measure_overlap(
                group,
                [row for row in rows if group in row.first.groups],
                [pair for pair in pairs if group in pair[0].groups],
                judges,
                level,
            )
            for group in groups
        ),
        examples=tuple(examples),
        level=level,
        apart=apart,
        notes=(*notes, *_note_labels(given, second[1], judges.names)),
    )


def match_rows(first: Sequence[object], second: Sequence[object]) -> Places | None:
    """Pair the rows of two runs by their items; None unless one run holds all items of the other, each as often.

    Return positions in the first and in the second, in the order of the first.
    """
    places = dict[object, list[int]]()
    for place, item in reversed(list(enumerate(second))):
        places.setdefault(item, []).append(place)
    pairs = [(place, found.pop()) for place, item in enumerate(first) if (found := places.get(item))]
    if len(pairs) < min(len(first), len(second)):
        return None
    return [one for one, _ in pairs], [other for _, other in pairs]


def find_splits(
    rows: Sequence[ScoredRow],
    others: Sequence[ScoredRow],
    protocol: ProtocolName,
    passing: int,
    most: int = EXAMPLES,
) -> list[int]:
    """Return positions of a few evenly spaced rows on which the judges differ; on levels, first those that differ on correctness."""
    least = least_correct(protocol, passing)
    both = [
        (place, one.value, other.value)
        for place, (one, other) in enumerate(zip(rows, others, strict=True))
        if one.value is not None and other.value is not None and one.value != other.value
    ]
    found = [place for place, one, other in both if (one >= least) != (other >= least)] or [
        place for place, *_ in both
    ]
    count = min(most, len(found))
    return [found[at * len(found) // count] for at in range(count)]


def show_split(name: str, item: Item, one: Outcome | None, other: Outcome | None) -> Split:
    """Return a row with the verdicts of two judges."""
    values = tuple(said.value if isinstance(said, Verdict) else None for said in (one, other))
    reasons = tuple(None if said is None else said.reason for said in (one, other))
    return Split(
        name, item.question, item.references, item.answer, (values[0], values[1]), (reasons[0], reasons[1])
    )


def _share_labels(
    rows: Sequence[ScoredRow], others: Sequence[ScoredRow]
) -> list[tuple[ScoredRow, ScoredRow]]:
    """Give the rows of both the same labels, probabilities, groups and clusters; labels of the second if the first has none."""
    labelled = rows if any(row.labels for row in rows) else others
    return [
        (_take_labels(one, one, source), _take_labels(two, one, source))
        for one, two, source in zip(rows, others, labelled, strict=True)
    ]


def _take_labels(row: ScoredRow, place: ScoredRow, source: ScoredRow) -> ScoredRow:
    return structs.replace(
        row,
        cluster=place.cluster,
        groups=place.groups,
        labels=source.labels,
        chance=source.chance,
        stratum=source.stratum,
        plan=source.plan,
        known_from=source.known_from,
    )


def _note_labels(
    rows: Sequence[ScoredRow], others: Sequence[ScoredRow], names: tuple[str, str]
) -> Iterator[str]:
    """Note that labels of the second run are left out if both runs have some."""
    if not any(row.labels for row in rows):
        return
    more = sum(bool(two.labels) and not one.labels for one, two in zip(rows, others, strict=True))
    if more:
        yield (
            f"the labels are those of the run of {names[0]}; {count(more, 'row')} with labels only in the run of {names[1]}"
            f" {'counts' if more == 1 else 'count'} as not labelled"
        )
