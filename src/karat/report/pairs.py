"""Two sides against each other: the difference, what it is worth, and words for it."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from karat.core.labels import truth
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.correction import (
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


class Discordant(Struct, frozen=True):
    """Questions that only one of two answers right, and how seldom they would fall so by chance (exact McNemar)."""

    only_a: int
    only_b: int
    p: float


class WithPeople(Struct, frozen=True):
    """Two judges of the same rows: how much more often the second says what people say, and on how many rows only one does."""

    rows: int
    difference: Number
    verdict: str
    mcnemar: Discordant | None = None


class Pair(Struct, frozen=True):
    """Two sides on what both have judged rows of: `b` minus `a`, as shares, with words for it.

    They are paired by question, or by row where both judged the same rows; by nothing where they have no question in
    common. What has no verdict on one side is left out; only the corrected difference needs none. Two judges of the
    same rows have no corrected difference, but one in how far they agree with `people`. `needed` is how many
    questions or rows would show a difference of so many points four times in five. `p` is McNemar's where that is
    defined, and `adjusted` is what remains of it among all comparisons of its kind: on all rows, or within groups (Holm).
    `headline` says which verdict comes first: `raw` is `verdict`, otherwise it is `corrected_verdict`. `assumption` is
    what the corrected one takes for granted, `warning` why it does not come first.
    """

    a: str
    b: str
    group: str | None
    paired_by: Literal["question", "row"] | None
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
    people: WithPeople | None = None
    headline: Headline = "raw"
    assumption: str | None = None
    warning: str | None = None


class Options(Struct, frozen=True):
    """What counts as correct, which difference would matter, and whether the sides judged the same rows."""

    protocol: ProtocolName
    passing: int
    points: float
    same_rows: bool

    def read_outcomes(self, marks: Sequence[Mark]) -> list[float]:
        """1 for each judged row that is correct, 0 for the others."""
        return read_outcomes(marks, least_correct(self.protocol, self.passing))


def make_pair(
    one: tuple[str, Sequence[Mark]],
    other: tuple[str, Sequence[Mark]],
    group: str | None,
    options: Options,
    level: float,
) -> Pair:
    """Compare two sides, each with its name, on the rows of one group."""
    from karat.stats.paired import paired_difference, rows_needed

    (name_a, all_a), (name_b, all_b) = one, other
    a, b, shared = _shared(all_a, all_b, options)
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
    unit = "questions" if shared and not options.same_rows else "rows"
    corrected = _correct(all_a, all_b, options, level)
    bases = (
        {}
        if corrected is None
        else {name_a: _basis(all_a, all_b, options), name_b: _basis(all_b, all_a, options)}
    )
    warnings = [f"{name}: {basis.warning}" for name, basis in bases.items() if basis.warning is not None]
    keys_a, keys_b = ({_key(mark, options) for mark in side} for side in (all_a, all_b))
    return Pair(
        a=name_a,
        b=name_b,
        group=group,
        paired_by=("row" if options.same_rows else "question") if shared else None,
        shared=len(shared),
        left_out=len((keys_a | keys_b) - shared) if shared else 0,
        difference=found.estimate,
        p=found.p if counts is None else counts.p,
        verdict=say(name_a, name_b, found.estimate, options.points, needed, unit=unit),
        needed=needed,
        score=None if options.protocol == "match" else differ(a, b, read_scores, level).estimate,
        mcnemar=counts,
        corrected=corrected,
        corrected_verdict=None if corrected is None else say(name_a, name_b, corrected, options.points, None),
        people=_hold_against_people((name_a, a), (name_b, b), _chances(all_a), options, level)
        if single and options.same_rows
        else None,
        headline=choose_headline(list(bases.values()), corrected),
        assumption=next((basis.assumption for basis in bases.values() if basis.assumption), None),
        warning="; ".join(warnings) or None,
    )


def count_discordant(a: Sequence[float], b: Sequence[float], clusters: Sequence[int]) -> Discordant | None:
    """McNemar's test on paired rows; None where rows of one question would make it too sure of itself."""
    from karat.stats.paired import mcnemar

    if len(set(clusters)) < len(clusters):
        return None
    found = mcnemar(a, b)
    return Discordant(found.only_a, found.only_b, found.p)


def _hold_against_people(
    one: tuple[str, Sequence[Mark]],
    other: tuple[str, Sequence[Mark]],
    chances: Mapping[int, float | None] | None,
    options: Options,
    level: float,
) -> WithPeople | None:
    """Which of two judges agrees more with people, on the rows that these are not evenly split over.

    Rows that a plan drew are weighed by their chance.
    """
    from karat.stats.clustered import mean
    from karat.stats.paired import paired_difference

    marks = [mark for mark in one[1] if chances is None or chances[mark.position] is not None]
    truths = {
        mark.position: said for mark in marks if (said := truth(mark.labels, options.passing)) in (0.0, 1.0)
    }
    if not truths:
        return None
    hits = [
        [
            float(value == truths[mark.position])
            for mark, value in zip(side, options.read_outcomes(side), strict=True)
            if mark.position in truths
        ]
        for _, side in (one, other)
    ]
    clusters = [mark.cluster for mark in marks if mark.position in truths]
    found = paired_difference(hits[0], hits[1], clusters, level=level).estimate
    if chances is not None:
        steps = [after - before for before, after in zip(*hits, strict=True)]
        weights = [1 / (chances[position] or 1.0) for position in truths]
        found = mean(steps, clusters, bounds=(-1.0, 1.0), weights=weights, level=level)
    verdict = say(one[0], other[0], found, options.points, None, better="agrees more with people")
    counts = count_discordant(hits[0], hits[1], clusters) if chances is None else None
    return WithPeople(len(truths), found, verdict, counts)


def _chances(marks: Sequence[Mark]) -> dict[int, float | None] | None:
    """The chances of rows to be labelled, by position; None where no plan is in use."""
    chances = selection_chances(marks)
    if chances is None:
        return None
    return {mark.position: chance for mark, chance in zip(marks, chances, strict=True)}


def say(
    a: str,
    b: str,
    difference: Number,
    points: float,
    needed: int | None,
    *,
    unit: str = "questions",
    better: str = "better",
) -> str:
    """The difference in words: who is better and by how much, or what it would take to see it."""
    if isinstance(difference, Undefined):
        return f"no difference can be told: {difference.why}"
    if difference.low > 0 or difference.high < 0:
        name = b if difference.value > 0 else a
        return f"{name} {better} by {_show_points(difference, flip=difference.value < 0)}"
    hint = "" if needed is None else f"; to see {points:g} points you need about {needed:,} {unit}"
    return f"no difference shown{hint}"


def _show_points(difference: Estimate, *, flip: bool) -> str:
    low, high = (-difference.high, -difference.low) if flip else (difference.low, difference.high)
    value = abs(difference.value)
    return f"{_PERCENT * value:.1f} points [{_PERCENT * low:.1f}, {_PERCENT * high:.1f}]"


def _key(mark: Mark, options: Options) -> int:
    return mark.position if options.same_rows else mark.cluster


def _shared(
    a: Sequence[Mark], b: Sequence[Mark], options: Options
) -> tuple[list[Mark], list[Mark], set[int]]:
    """The judged rows on what both sides have judged rows of, in one order; all of them where that is nothing."""
    judged_a, judged_b = ([mark for mark in side if mark.value is not None] for side in (a, b))
    shared = {_key(mark, options) for mark in judged_a} & {_key(mark, options) for mark in judged_b}
    if not shared:
        return judged_a, judged_b, shared
    left, right = (
        sorted((mark for mark in side if _key(mark, options) in shared), key=lambda mark: _key(mark, options))
        for side in (judged_a, judged_b)
    )
    return left, right, shared


def _correct(a: Sequence[Mark], b: Sequence[Mark], options: Options, level: float) -> Number | None:
    """The difference corrected by labels, where both sides have some; between two judges of the same rows there is none."""
    if options.same_rows or not all(any(mark.labels for mark in side) for side in (a, b)):
        return None
    from karat.stats.corrected import Rows, corrected_difference

    shared = set(_clusters(a)) & set(_clusters(b))
    least = least_correct(options.protocol, options.passing)
    sides = list[Rows]()
    for side in (a, b):
        marks = [mark for mark in side if not shared or mark.cluster in shared]
        if gap := find_gap(marks):
            return gap
        chances = selection_chances(marks)
        judged = [None if mark.value is None else float(mark.value >= least) for mark in marks]
        truths = [
            None if chances is not None and chances[at] is None else truth(mark.labels, options.passing)
            for at, mark in enumerate(marks)
        ]
        sides.append(Rows(judged, truths, _clusters(marks), chances))
    return corrected_difference(*sides, level=level).corrected.estimate


def _basis(side: Sequence[Mark], other: Sequence[Mark], options: Options) -> Basis:
    """What the labels of a side are worth, on the questions that it shares with the other one."""
    shared = set(_clusters(side)) & set(_clusters(other))
    marks = [mark for mark in side if not shared or mark.cluster in shared]
    return find_basis(marks, least_correct(options.protocol, options.passing))


def read_outcomes(marks: Sequence[Mark], least: int) -> list[float]:
    """1 for each judged row that is correct, 0 for the others."""
    return [float((mark.value or 0) >= least) for mark in marks]


def read_scores(marks: Sequence[Mark]) -> list[float]:
    """The scores of judged rows."""
    return [mark.score or 0.0 for mark in marks]


def _clusters(marks: Sequence[Mark]) -> list[int]:
    return [mark.cluster for mark in marks]


def differ(
    a: Sequence[Mark], b: Sequence[Mark], read: Callable[[Sequence[Mark]], list[float]], level: float
) -> "Difference":
    """B minus A, with the rows of one question held together where a question has several."""
    from karat.stats.paired import difference

    keys = [*_clusters(a), *_clusters(b)]
    if len(set(keys)) == len(keys):
        return difference(read(a), read(b), level=level)
    return difference(read(a), read(b), _clusters(a), _clusters(b), level=level)


def adjust(values: Sequence[float | None]) -> list[float | None]:
    """P values that hold for all comparisons at once; None stays None."""
    from karat.stats.many import holm

    adjusted = iter(holm([value for value in values if value is not None]))
    return [None if value is None else next(adjusted) for value in values]
