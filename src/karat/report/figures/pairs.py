"""The difference between two sides: estimate, tests, and a sentence about it."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from karat.core.scored_row import ScoredRow, truth
from karat.core.types import ProtocolName
from karat.report.figures.correction import (
    Basis,
    Headline,
    choose_headline,
    find_basis,
    find_gap,
    least_correct,
    selection_chances,
)
from karat.stats import Estimate, Number, Undefined

if TYPE_CHECKING:
    from karat.stats.paired import Difference

_PERCENT: Final = 100
NOT_BY_CHANCE: Final = Undefined(
    "the judges differ, and labels correct such a difference only where `karat labels plan` drew the labelled rows of both sides or all rows are labelled"
)


class Discordant(Struct, frozen=True):
    """Questions that only one of two sides answers right, and the p value of the exact McNemar test."""

    only_a: int
    only_b: int
    p: float


class Pair(Struct, frozen=True):
    """The difference of two sides, `b` minus `a`, on the questions with judged rows in both.

    They are paired by question, or unpaired if they have no question in common. What has no verdict on one side
    is left out, except in the corrected difference. `needed` is how many questions or rows detect a
    difference of `points` with 80 % power. `p` is McNemar's if that is defined; `adjusted` is adjusted for all comparisons of its kind: on all rows, or within groups (Holm).
    `headline` says which verdict comes first: `raw` is `verdict`, otherwise it is `corrected_verdict`. `assumption` is
    what the corrected one assumes, `warning` why it does not come first.
    """

    a: str
    b: str
    group: str | None
    paired_by: Literal["question"] | None
    shared: int
    left_out: int
    difference: Number
    p: float | None
    verdict: str
    adjusted: float | None = None
    needed: int | None = None
    score: Number | None = None
    mcnemar: Discordant | None = None
    corrected: Number | None = None
    corrected_verdict: str | None = None
    headline: Headline = "raw"
    assumption: str | None = None
    warning: str | None = None


class Options(Struct, frozen=True):
    """What counts as correct, the smallest difference of interest, and whether the sides have different judges."""

    protocol: ProtocolName
    passing: int
    points: float
    different_judges: bool = False

    def read_outcomes(self, rows: Sequence[ScoredRow]) -> list[float]:
        """1 for each judged row that is correct, 0 for the others."""
        return read_outcomes(rows, least_correct(self.protocol, self.passing))


def make_pair(
    one: tuple[str, Sequence[ScoredRow]],
    other: tuple[str, Sequence[ScoredRow]],
    group: str | None,
    options: Options,
    level: float,
) -> Pair:
    """Compare two sides, each with its name, on the rows of one group."""
    from karat.stats.paired import paired_difference, rows_needed

    (name_a, all_a), (name_b, all_b) = one, other
    a, b, shared = _shared(all_a, all_b)
    values_a, values_b = options.read_outcomes(a), options.read_outcomes(b)
    single = bool(shared) and len(a) == len(b) == len(shared)
    found = (
        paired_difference(values_a, values_b, _clusters(a), level=level)
        if single
        else differ(a, b, options.read_outcomes, level)
    )
    size = None if found.spread is None else rows_needed(options.points / _PERCENT, found.spread, level=level)
    per_row = 1.0 if single or not shared else len(shared) / (len(a) + len(b))
    needed = ceil(size * per_row) if isinstance(size, int) else None
    counts = count_discordant(values_a, values_b, _clusters(a)) if single else None
    unit = "questions" if shared else "rows"
    better = "is judged correct more often" if options.different_judges else "better"
    corrected = _correct(all_a, all_b, options, level)
    bases = (
        {}
        if corrected is None
        else {name_a: _basis(all_a, all_b, options), name_b: _basis(all_b, all_a, options)}
    )
    warnings = [f"{name}: {basis.warning}" for name, basis in bases.items() if basis.warning is not None]
    keys_a, keys_b = set(_clusters(all_a)), set(_clusters(all_b))
    return Pair(
        a=name_a,
        b=name_b,
        group=group,
        paired_by="question" if shared else None,
        shared=len(shared),
        left_out=len((keys_a | keys_b) - shared) if shared else 0,
        difference=found.estimate,
        p=found.p if counts is None else counts.p,
        verdict=describe_difference(
            name_a, name_b, found.estimate, options.points, needed, unit=unit, better=better
        ),
        needed=needed,
        score=None if options.protocol == "match" else differ(a, b, read_scores, level).estimate,
        mcnemar=counts,
        corrected=corrected,
        corrected_verdict=None
        if corrected is None
        else describe_difference(name_a, name_b, corrected, options.points, None),
        headline=choose_headline(list(bases.values()), corrected),
        assumption=next((basis.assumption for basis in bases.values() if basis.assumption), None),
        warning="; ".join(warnings) or None,
    )


def count_discordant(a: Sequence[float], b: Sequence[float], clusters: Sequence[int]) -> Discordant | None:
    """Return McNemar's test on paired rows; None if a question has several rows, which would make the p value too small."""
    from karat.stats.paired import mcnemar

    if len(set(clusters)) < len(clusters):
        return None
    found = mcnemar(a, b)
    return Discordant(found.only_a, found.only_b, found.p)


def describe_difference(
    a: str,
    b: str,
    difference: Number,
    points: float,
    needed: int | None,
    *,
    unit: str = "questions",
    better: str = "better",
) -> str:
    """Describe the difference: which side is better and by how much, or how much data would show it."""
    if isinstance(difference, Undefined):
        return f"the difference is not defined: {difference.why}"
    if difference.low > 0 or difference.high < 0:
        name = b if difference.value > 0 else a
        return f"{name} {better} by {_show_points(difference, flip=difference.value < 0)}"
    hint = (
        ""
        if needed is None
        else f"; to detect a difference of {points:g} points you need about {needed:,} {unit}"
    )
    return f"no difference shown{hint}"


def _show_points(difference: Estimate, *, flip: bool) -> str:
    low, high = (-difference.high, -difference.low) if flip else (difference.low, difference.high)
    value = abs(difference.value)
    return f"{_PERCENT * value:.1f} points [{_PERCENT * low:.1f}, {_PERCENT * high:.1f}]"


def _shared(
    a: Sequence[ScoredRow], b: Sequence[ScoredRow]
) -> tuple[list[ScoredRow], list[ScoredRow], set[int]]:
    """Return the judged rows of the questions that both sides share, in one order; all rows if they share none."""
    judged_a, judged_b = ([row for row in side if row.value is not None] for side in (a, b))
    shared = set(_clusters(judged_a)) & set(_clusters(judged_b))
    if not shared:
        return judged_a, judged_b, shared
    left, right = (
        sorted((row for row in side if row.cluster in shared), key=lambda row: row.cluster)
        for side in (judged_a, judged_b)
    )
    return left, right, shared


def _correct(a: Sequence[ScoredRow], b: Sequence[ScoredRow], options: Options, level: float) -> Number | None:
    """The difference corrected by labels, if both sides have some.

    Labels remove the errors of each side's judge only if they are a random sample. Labels that are only assumed to be random
    may depend on the answers; the errors of one judge partly cancel in a difference, those of two do not.
    """
    if not all(any(row.labels for row in side) for side in (a, b)):
        return None
    if options.different_judges and not all(_are_chosen_by_chance(side, options) for side in (a, b)):
        return NOT_BY_CHANCE
    from karat.stats.corrected import Rows, corrected_difference

    shared = set(_clusters(a)) & set(_clusters(b))
    least = least_correct(options.protocol, options.passing)
    sides = list[Rows]()
    for side in (a, b):
        rows = [row for row in side if not shared or row.cluster in shared]
        if gap := find_gap(rows):
            return gap
        chances = selection_chances(rows)
        judged = [None if row.value is None else float(row.value >= least) for row in rows]
        truths = [
            None if chances is not None and chances[at] is None else truth(row.labels, options.passing)
            for at, row in enumerate(rows)
        ]
        sides.append(Rows(judged, truths, _clusters(rows), chances))
    return corrected_difference(*sides, level=level).corrected.estimate


def _are_chosen_by_chance(rows: Sequence[ScoredRow], options: Options) -> bool:
    """Return whether a plan drew the labelled rows, or all rows are labelled."""
    found = find_basis(rows, least_correct(options.protocol, options.passing))
    return found.selection in ("all", "planned")


def _basis(side: Sequence[ScoredRow], other: Sequence[ScoredRow], options: Options) -> Basis:
    """Return the basis of a side's labels on the questions that it shares with the other side."""
    shared = set(_clusters(side)) & set(_clusters(other))
    rows = [row for row in side if not shared or row.cluster in shared]
    return find_basis(rows, least_correct(options.protocol, options.passing))


def read_outcomes(rows: Sequence[ScoredRow], least: int) -> list[float]:
    """Return 1 for each judged row that is correct, 0 for the others."""
    return [float((row.value or 0) >= least) for row in rows]


def read_scores(rows: Sequence[ScoredRow]) -> list[float]:
    """Return the scores of the judged rows."""
    return [row.score or 0.0 for row in rows]


def _clusters(rows: Sequence[ScoredRow]) -> list[int]:
    return [row.cluster for row in rows]


def differ(
    a: Sequence[ScoredRow],
    b: Sequence[ScoredRow],
    read: Callable[[Sequence[ScoredRow]], list[float]],
    level: float,
) -> "Difference":
    """Estimate B minus A, clustered by question if a question has several rows."""
    from karat.stats.paired import difference

    keys = [*_clusters(a), *_clusters(b)]
    if len(set(keys)) == len(keys):
        return difference(read(a), read(b), level=level)
    return difference(read(a), read(b), _clusters(a), _clusters(b), level=level)


def adjust(values: Sequence[float | None]) -> list[float | None]:
    """Adjust p values for multiple comparisons; None stays None."""
    from karat.stats.differences import holm

    adjusted = iter(holm([value for value in values if value is not None]))
    return [None if value is None else next(adjusted) for value in values]
