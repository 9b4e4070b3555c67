"""Which is better, by how much, and how sure is that: paired by question."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct, structs

from karat.core.errors import UsageError
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.correction import Headline, correct_share, least_correct
from karat.report.pairs import Options, Pair, adjust, make_pair, read_outcomes, read_scores
from karat.stats import Number

POINTS: Final = 2.0
LEVEL: Final = 0.95


def check_points(points: float) -> None:
    """Refuse a difference that could not matter to anybody."""
    if not 0 < points <= 100:  # noqa: PLR2004 - points of a share; NaN is none
        raise UsageError(f"--points must be more than 0 and at most 100, not {points:g}")


class Side(Struct, frozen=True):
    """One of those that are compared; `waiting` rows are still to be judged. The fields after that are those of its correction."""

    name: str
    rows: int
    judged: int
    share: Number
    score: Number | None = None
    corrected: Number | None = None
    waiting: int = 0
    headline: Headline = "raw"
    assumption: str | None = None
    warning: str | None = None
    labelled: int = 0
    known: int = 0
    known_from: tuple[str, ...] = ()


class Comparison(Struct, frozen=True):
    """All sides, and every two of them, also group by group; the intervals hold for all pairs at once with the probability 0.95.

    The pairs on all rows are one family and those within groups another: intervals and p values of each are adjusted
    for as many as there are of its kind. `level` is that of one interval among the groups, or else among the pairs.
    `warning` says that the sides have different judges, so that a difference may be the judges' and not the answers';
    `notes` say what else a reader has to know.
    """

    protocol: ProtocolName
    passing: int
    points: float
    sides: tuple[Side, ...]
    pairs: tuple[Pair, ...]
    level: float
    warning: str | None = None
    notes: tuple[str, ...] = ()


def compare(
    sides: Mapping[str, Sequence[Mark]],
    protocol: ProtocolName,
    passing: int,
    points: float = POINTS,
    *,
    couples: Sequence[tuple[str, str]] | None = None,
    warnings: Mapping[tuple[str, str], str] | None = None,
    notes: Sequence[str] = (),
) -> Comparison:
    """Compare every two sides, or only these `couples`; rows of one cluster are about the same question.

    Rows that stand in groups are also compared group by group. Couples of different judges have a warning each.
    """
    warnings = warnings or {}
    couples = list(combinations(sides, 2)) if couples is None else couples
    groups = sorted({group for marks in sides.values() for mark in marks for group in mark.groups})
    tasks = [(group, a, b) for a, b in couples for group in (None, *groups)]
    overall, within = together(len(couples)), together(len(couples) * max(1, len(groups)))
    pairs = [
        make_pair(
            (a, _within(sides[a], group)),
            (b, _within(sides[b], group)),
            group,
            Options(protocol, passing, points, different_judges=(a, b) in warnings),
            overall if group is None else within,
        )
        for group, a, b in tasks
    ]
    return Comparison(
        protocol=protocol,
        passing=passing,
        points=points,
        sides=tuple(_side(name, marks, protocol, passing) for name, marks in sides.items()),
        pairs=_adjust(pairs),
        level=within,
        warning="; ".join(warnings.values()) or None,
        notes=tuple(notes),
    )


def _adjust(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs with p values adjusted within their family: those on all rows, and those within groups."""
    overall = iter(adjust([pair.p for pair in pairs if pair.group is None]))
    within = iter(adjust([pair.p for pair in pairs if pair.group is not None]))
    return tuple(
        structs.replace(pair, adjusted=next(overall if pair.group is None else within)) for pair in pairs
    )


def together(count: int, level: float = LEVEL) -> float:
    """The level of each of several intervals that hold together with the given one (Bonferroni)."""
    return 1 - (1 - level) / max(1, count)


def _side(name: str, marks: Sequence[Mark], protocol: ProtocolName, passing: int) -> Side:
    from karat.stats.clustered import mean, share

    judged = [mark for mark in marks if mark.value is not None]
    clusters = [mark.cluster for mark in judged]
    corrected = correct_share(marks, protocol, passing)
    return Side(
        name=name,
        rows=len(marks),
        judged=len(judged),
        share=share(read_outcomes(judged, least_correct(protocol, passing)), clusters),
        score=None if protocol == "match" else mean(read_scores(judged), clusters, bounds=(0.0, 1.0)),
        corrected=None if corrected is None else corrected.share.corrected,
        waiting=sum(mark.waiting for mark in marks),
        headline="raw" if corrected is None else corrected.headline,
        assumption=None if corrected is None else corrected.assumption,
        warning=None if corrected is None else corrected.warning,
        labelled=0 if corrected is None else corrected.labelled,
        known=0 if corrected is None else corrected.known,
        known_from=() if corrected is None else corrected.known_from,
    )


def _within(marks: Sequence[Mark], group: str | None) -> Sequence[Mark]:
    return marks if group is None else [mark for mark in marks if group in mark.groups]


def split_by_group(marks: Sequence[Mark]) -> dict[str, list[Mark]]:
    """The rows of each group, the largest first."""
    groups = defaultdict[str, list[Mark]](list)
    for mark in marks:
        for group in mark.groups:
            groups[group].append(mark)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def share_questions(groups: Mapping[str, Sequence[Mark]]) -> bool:
    """Whether most questions are answered in more than one group, by different rows, as those of systems are."""
    groups_of = Counter(cluster for marks in groups.values() for cluster in {mark.cluster for mark in marks})
    several = any(len(mark.groups) > 1 for marks in groups.values() for mark in marks)
    shared = sum(count > 1 for count in groups_of.values())
    return not several and 2 * shared > len(groups_of)
