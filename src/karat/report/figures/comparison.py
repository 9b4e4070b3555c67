"""Which is better, by how much, and how sure that is: sides paired by question, or each part of a run against the rest."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.scored_row import Mark
from karat.core.types import ProtocolName
from karat.report.figures.correction import Headline, correct_share, least_correct
from karat.report.figures.pairs import Options, Pair, adjust, differ, make_pair, read_outcomes, read_scores
from karat.stats import Number, Undefined

POINTS: Final = 2.0
LEVEL: Final = 0.95
FEWEST: Final = 5  # questions with a verdict in a part that may stand out
MOST_PARTS: Final = 12


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


class Slice(Struct, frozen=True):
    """One part: its own share with a plain 95 % interval, and its difference from the rest with one that holds for all parts at once.

    Where a column has too many values, those of the smallest parts are `combined` into one part; it is 0 for a value by itself.
    `adjusted` is the probability of so large a difference by chance, among all slices (Holm). It stands out, above or below, if that interval leaves out zero and it has verdicts on five questions at least.
    """

    name: str
    rows: int
    judged: int
    questions: int
    share: Number
    difference: Number
    adjusted: float | None
    shown: Literal["above", "below"] | None
    corrected: Number | None = None
    headline: Headline = "raw"
    assumption: str | None = None
    warning: str | None = None
    combined: int = 0


class Slices(Struct, frozen=True):
    """The parts of a run by one column, the largest first; `without` rows say nothing there, `waiting` ones of all `rows` are still to be judged."""

    column: str
    protocol: ProtocolName
    passing: int
    slices: tuple[Slice, ...]
    without: int
    level: float
    rows: int = 0
    judged: int = 0
    waiting: int = 0


def check_points(points: float) -> None:
    """Refuse a difference that could not matter to anybody."""
    if not 0 < points <= 100:  # noqa: PLR2004 - points of a share; NaN is none
        raise UsageError(option("points"), f" must be more than 0 and at most 100, not {points:g}")


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


def slice_by(
    marks: Sequence[Mark], column: str, protocol: ProtocolName, passing: int, most: int = MOST_PARTS
) -> Slices:
    """Hold each group of rows against all rows outside it: the `most` largest, and all others as one."""
    groups = list(split_by_group(marks))
    sets = [(name, {name}) for name in groups[:most]]
    others = set(groups[most:])
    if others:
        sets.append((f"others ({len(others):,} value{'s' * (len(others) > 1)})", others))
    halves = len(sets) == 2 and all(len(mark.groups) == 1 for mark in marks)  # noqa: PLR2004 - one is the rest of the other
    level = together(1 if halves else len(sets))
    parts = [_slice(name, marks, names, protocol, passing, level) for name, names in sets]
    if others:
        parts[-1] = structs.replace(parts[-1], combined=len(others))
    adjusted = adjust([part.adjusted for part in parts])
    return Slices(
        column=column,
        protocol=protocol,
        passing=passing,
        slices=tuple(structs.replace(part, adjusted=p) for part, p in zip(parts, adjusted, strict=True)),
        without=sum(not mark.groups for mark in marks),
        level=level,
        rows=len(marks),
        judged=sum(mark.value is not None for mark in marks),
        waiting=sum(mark.waiting for mark in marks),
    )


def _slice(
    name: str,
    marks: Sequence[Mark],
    names: set[str],
    protocol: ProtocolName,
    passing: int,
    level: float,
) -> Slice:
    from karat.stats.clustered import share

    rows = [mark for mark in marks if not names.isdisjoint(mark.groups)]
    here = [mark for mark in rows if mark.value is not None]
    rest = [mark for mark in marks if mark.value is not None and names.isdisjoint(mark.groups)]

    def read(marks: Sequence[Mark]) -> list[float]:
        return read_outcomes(marks, least_correct(protocol, passing))

    found = differ(rest, here, read, level)
    corrected = correct_share(rows, protocol, passing)
    return Slice(
        name=name,
        rows=len(rows),
        judged=len(here),
        questions=len({mark.cluster for mark in rows}),
        share=share(read(here), [mark.cluster for mark in here]),
        difference=found.estimate,
        adjusted=found.p,
        shown=_show(found.estimate) if len({mark.cluster for mark in here}) >= FEWEST else None,
        corrected=None if corrected is None else corrected.share.corrected,
        headline="raw" if corrected is None else corrected.headline,
        assumption=None if corrected is None else corrected.assumption,
        warning=None if corrected is None else corrected.warning,
    )


def _show(difference: Number) -> Literal["above", "below"] | None:
    if isinstance(difference, Undefined) or difference.low <= 0 <= difference.high:
        return None
    return "above" if difference.low > 0 else "below"
