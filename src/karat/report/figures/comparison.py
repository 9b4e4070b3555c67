"""Comparisons with intervals: sides paired by question, or each group of a run against the rest."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.scored_row import ScoredRow
from karat.core.types import ProtocolName
from karat.report.figures.correction import Headline, correct_share, least_correct
from karat.report.figures.pairs import Options, Pair, adjust, differ, make_pair, read_outcomes, read_scores
from karat.stats import Number, Undefined

POINTS: Final = 2.0
LEVEL: Final = 0.95
FEWEST: Final = 5  # questions with a verdict that a group needs to stand out
MOST_PARTS: Final = 12


class Side(Struct, frozen=True):
    """One side of a comparison; `waiting` rows are not judged yet. The fields after that are those of its correction."""

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
    """All sides and all pairs of them, also by group; the intervals hold for all pairs at once with probability 0.95.

    The pairs on all rows are one family and those within groups another: intervals and p values of each are adjusted
    for the number of its kind. `level` is that of one interval among the groups, or else among the pairs.
    `warning` says that the sides have different judges, so that a difference may be the judges' and not the answers';
    `notes` are further remarks for the reader.
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
    """One group: its share with a plain 95 % interval, and its difference from the rest with one that holds for all groups at once.

    If a column has too many values, the smallest groups are `combined` into one; 0 for a group of one value.
    `adjusted` is the p value of the difference, adjusted for all slices (Holm). A slice stands out, above or below, if its interval excludes zero and it has verdicts on at least five questions.
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
    """The groups of a run by one column, the largest first; `without` rows have no value there, `waiting` of all `rows` are not judged yet."""

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
    """Refuse a difference outside 0 to 100 points."""
    if not 0 < points <= 100:  # noqa: PLR2004 - points of a share; NaN is none
        raise UsageError(option("points"), f" must be more than 0 and at most 100, not {points:g}")


def compare(
    sides: Mapping[str, Sequence[ScoredRow]],
    protocol: ProtocolName,
    passing: int,
    points: float = POINTS,
    *,
    couples: Sequence[tuple[str, str]] | None = None,
    warnings: Mapping[tuple[str, str], str] | None = None,
    notes: Sequence[str] = (),
) -> Comparison:
    """Compare all pairs of sides, or only these `couples`; rows of one cluster are about the same question.

    Rows with groups are also compared by group. Pairs with different judges have a warning each.
    """
    warnings = warnings or {}
    couples = list(combinations(sides, 2)) if couples is None else couples
    groups = sorted({group for rows in sides.values() for row in rows for group in row.groups})
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
        sides=tuple(_side(name, rows, protocol, passing) for name, rows in sides.items()),
        pairs=_adjust(pairs),
        level=within,
        warning="; ".join(warnings.values()) or None,
        notes=tuple(notes),
    )


def _adjust(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Adjust the p values within their family: pairs on all rows, and pairs within groups."""
    overall = iter(adjust([pair.p for pair in pairs if pair.group is None]))
    within = iter(adjust([pair.p for pair in pairs if pair.group is not None]))
    return tuple(
        structs.replace(pair, adjusted=next(overall if pair.group is None else within)) for pair in pairs
    )


def together(count: int, level: float = LEVEL) -> float:
    """Return the level of each of several intervals that together hold at the given level (Bonferroni)."""
    return 1 - (1 - level) / max(1, count)


def _side(name: str, rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int) -> Side:
    from karat.stats.clustered import mean, share

    judged = [row for row in rows if row.value is not None]
    clusters = [row.cluster for row in judged]
    corrected = correct_share(rows, protocol, passing)
    return Side(
        name=name,
        rows=len(rows),
        judged=len(judged),
        share=share(read_outcomes(judged, least_correct(protocol, passing)), clusters),
        score=None if protocol == "match" else mean(read_scores(judged), clusters, bounds=(0.0, 1.0)),
        corrected=None if corrected is None else corrected.share.corrected,
        waiting=sum(row.waiting for row in rows),
        headline="raw" if corrected is None else corrected.headline,
        assumption=None if corrected is None else corrected.assumption,
        warning=None if corrected is None else corrected.warning,
        labelled=0 if corrected is None else corrected.labelled,
        known=0 if corrected is None else corrected.known,
        known_from=() if corrected is None else corrected.known_from,
    )


def _within(rows: Sequence[ScoredRow], group: str | None) -> Sequence[ScoredRow]:
    return rows if group is None else [row for row in rows if group in row.groups]


def split_by_group(rows: Sequence[ScoredRow]) -> dict[str, list[ScoredRow]]:
    """Return the rows of each group, the largest first."""
    groups = defaultdict[str, list[ScoredRow]](list)
    for row in rows:
        for group in row.groups:
            groups[group].append(row)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def share_questions(groups: Mapping[str, Sequence[ScoredRow]]) -> bool:
    """Return whether most questions have answers in more than one group, in different rows, as with systems."""
    groups_of = Counter(cluster for rows in groups.values() for cluster in {row.cluster for row in rows})
    several = any(len(row.groups) > 1 for rows in groups.values() for row in rows)
    shared = sum(count > 1 for count in groups_of.values())
    return not several and 2 * shared > len(groups_of)


def slice_by(
    rows: Sequence[ScoredRow], column: str, protocol: ProtocolName, passing: int, most: int = MOST_PARTS
) -> Slices:
    """Compare each group of rows with all rows outside it: the `most` largest groups, and all others as one."""
    groups = list(split_by_group(rows))
    sets = [(name, {name}) for name in groups[:most]]
    others = set(groups[most:])
    if others:
        sets.append((f"others ({len(others):,} value{'s' * (len(others) > 1)})", others))
    halves = len(sets) == 2 and all(len(row.groups) == 1 for row in rows)  # noqa: PLR2004 - one is the rest of the other
    level = together(1 if halves else len(sets))
    parts = [_slice(name, rows, names, protocol, passing, level) for name, names in sets]
    if others:
        parts[-1] = structs.replace(parts[-1], combined=len(others))
    adjusted = adjust([part.adjusted for part in parts])
    return Slices(
        column=column,
        protocol=protocol,
        passing=passing,
        slices=tuple(structs.replace(part, adjusted=p) for part, p in zip(parts, adjusted, strict=True)),
        without=sum(not row.groups for row in rows),
        level=level,
        rows=len(rows),
        judged=sum(row.value is not None for row in rows),
        waiting=sum(row.waiting for row in rows),
    )


def _slice(
    name: str,
    scored_rows: Sequence[ScoredRow],
    names: set[str],
    protocol: ProtocolName,
    passing: int,
    level: float,
) -> Slice:
    from karat.stats.clustered import share

    rows = [row for row in scored_rows if not names.isdisjoint(row.groups)]
    here = [row for row in rows if row.value is not None]
    rest = [row for row in scored_rows if row.value is not None and names.isdisjoint(row.groups)]

    def read(scored_rows: Sequence[ScoredRow]) -> list[float]:
        return read_outcomes(scored_rows, least_correct(protocol, passing))

    found = differ(rest, here, read, level)
    corrected = correct_share(rows, protocol, passing)
    return Slice(
        name=name,
        rows=len(rows),
        judged=len(here),
        questions=len({row.cluster for row in rows}),
        share=share(read(here), [row.cluster for row in here]),
        difference=found.estimate,
        adjusted=found.p,
        shown=_show(found.estimate) if len({row.cluster for row in here}) >= FEWEST else None,
        corrected=None if corrected is None else corrected.share.corrected,
        headline="raw" if corrected is None else corrected.headline,
        assumption=None if corrected is None else corrected.assumption,
        warning=None if corrected is None else corrected.warning,
    )


def _show(difference: Number) -> Literal["above", "below"] | None:
    if isinstance(difference, Undefined) or difference.low <= 0 <= difference.high:
        return None
    return "above" if difference.low > 0 else "below"
