"""Which is better, by how much, and how sure is that: paired by question."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from karat.core.labels import truth
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.correction import correct_share, least_correct, selection_chances
from karat.stats import Estimate, Number, Undefined

POINTS: Final = 2.0
LEVEL: Final = 0.95
_PERCENT: Final = 100


class Side(Struct, frozen=True):
    """One of those that are compared."""

    name: str
    rows: int
    judged: int
    share: Number
    score: Number | None = None
    corrected: Number | None = None


class Discordant(Struct, frozen=True):
    """Questions that only one of two answers right, and how seldom they would fall so by chance (exact McNemar)."""

    only_a: int
    only_b: int
    p: float


class Pair(Struct, frozen=True):
    """Two sides on the questions that both answer: `b` minus `a`, as shares, with words for it.

    `needed` is the number of questions with which a difference of `points` would be seen four times in five.
    """

    a: str
    b: str
    paired: bool
    questions: int
    only_a: int
    only_b: int
    difference: Number
    p: float | None
    verdict: str
    needed: int | None = None
    score: Number | None = None
    mcnemar: Discordant | None = None
    corrected: Number | None = None
    corrected_verdict: str | None = None


class Comparison(Struct, frozen=True):
    """All sides, and every two of them; the intervals hold for all pairs at once with the probability 0.95."""

    protocol: ProtocolName
    passing: int
    points: float
    sides: tuple[Side, ...]
    pairs: tuple[Pair, ...]
    level: float


def compare(
    sides: Mapping[str, Sequence[Mark]], protocol: ProtocolName, passing: int, points: float = POINTS
) -> Comparison:
    """Compare every two sides; rows of the same cluster are about the same question."""
    couples = list(combinations(sides, 2))
    level = together(len(couples))
    return Comparison(
        protocol=protocol,
        passing=passing,
        points=points,
        sides=tuple(_side(name, marks, protocol, passing) for name, marks in sides.items()),
        pairs=tuple(
            _pair((a, sides[a]), (b, sides[b]), protocol, passing, points, level) for a, b in couples
        ),
        level=level,
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
        share=share(_outcomes(judged, protocol, passing), clusters),
        score=None if protocol == "match" else mean([mark.score or 0.0 for mark in judged], clusters),
        corrected=None if corrected is None else corrected.share.corrected,
    )


def _pair(
    one: tuple[str, Sequence[Mark]],
    other: tuple[str, Sequence[Mark]],
    protocol: ProtocolName,
    passing: int,
    points: float,
    level: float,
) -> Pair:
    from karat.stats.paired import difference, mcnemar, paired_difference, rows_needed

    (name_a, all_a), (name_b, all_b) = one, other
    a, b, shared = _shared(all_a, all_b)
    values_a, values_b = _outcomes(a, protocol, passing), _outcomes(b, protocol, passing)
    single = bool(shared) and len(a) == len(b) == len(shared)
    discordant = None
    if single:
        found = paired_difference(values_a, values_b, level=level)
        counts = mcnemar(values_a, values_b)
        discordant = Discordant(counts.only_a, counts.only_b, counts.p)
    else:
        found = difference(values_a, values_b, _clusters(a), _clusters(b), level=level)
    needed = None if found.spread is None else rows_needed(points / _PERCENT, found.spread, level=level)
    needed = needed if isinstance(needed, int) else None
    corrected = _correct(all_a, all_b, shared, passing, protocol, level)
    return Pair(
        a=name_a,
        b=name_b,
        paired=bool(shared),
        questions=len(shared),
        only_a=len({mark.cluster for mark in all_a} - shared),
        only_b=len({mark.cluster for mark in all_b} - shared),
        difference=found.estimate,
        p=found.p,
        verdict=say(name_a, name_b, found.estimate, points, needed, unit="questions" if shared else "rows"),
        needed=needed,
        score=None
        if protocol == "match"
        else difference(_scores(a), _scores(b), _clusters(a), _clusters(b), level=level).estimate,
        mcnemar=discordant,
        corrected=corrected,
        corrected_verdict=None if corrected is None else say(name_a, name_b, corrected, points, None),
    )


def say(
    a: str, b: str, difference: Number, points: float, needed: int | None, *, unit: str = "questions"
) -> str:
    """The difference in words: who is better and by how much, or what it would take to see it."""
    if isinstance(difference, Undefined):
        return f"no difference can be told: {difference.why}"
    if difference.low > 0 or difference.high < 0:
        better = b if difference.value > 0 else a
        return f"{better} better by {_show_points(difference, flip=difference.value < 0)}"
    hint = "" if needed is None else f"; to see {points:g} points you need about {needed:,} {unit}"
    return f"no difference shown{hint}"


def _show_points(difference: Estimate, *, flip: bool) -> str:
    low, high = (-difference.high, -difference.low) if flip else (difference.low, difference.high)
    value = abs(difference.value)
    return f"{_PERCENT * value:.1f} points [{_PERCENT * low:.1f}, {_PERCENT * high:.1f}]"


def _shared(a: Sequence[Mark], b: Sequence[Mark]) -> tuple[list[Mark], list[Mark], set[int]]:
    """The judged rows on the questions that both sides have judged rows of, in one order; all where there is none."""
    judged_a, judged_b = ([mark for mark in side if mark.value is not None] for side in (a, b))
    shared = {mark.cluster for mark in judged_a} & {mark.cluster for mark in judged_b}
    if not shared:
        return judged_a, judged_b, shared
    left, right = (
        sorted((mark for mark in side if mark.cluster in shared), key=lambda mark: mark.cluster)
        for side in (judged_a, judged_b)
    )
    return left, right, shared


def _correct(
    a: Sequence[Mark],
    b: Sequence[Mark],
    shared: set[int],
    passing: int,
    protocol: ProtocolName,
    level: float,
) -> Number | None:
    """The difference corrected by labels, where both sides have some."""
    if not (any(mark.labels for mark in a) and any(mark.labels for mark in b)):
        return None
    from karat.stats.corrected import Rows, corrected_difference

    sides = list[Rows]()
    for side in (a, b):
        marks = [mark for mark in side if not shared or mark.cluster in shared]
        chances = selection_chances(marks)
        least = least_correct(protocol, passing)
        sides.append(
            Rows(
                [None if mark.value is None else float(mark.value >= least) for mark in marks],
                [
                    None if chances is not None and chances[at] is None else truth(mark.labels, passing)
                    for at, mark in enumerate(marks)
                ],
                _clusters(marks),
                chances,
            )
        )
    return corrected_difference(*sides, level=level).corrected


def _outcomes(marks: Sequence[Mark], protocol: ProtocolName, passing: int) -> list[float]:
    least = least_correct(protocol, passing)
    return [float((mark.value or 0) >= least) for mark in marks]


def _scores(marks: Sequence[Mark]) -> list[float]:
    return [mark.score or 0.0 for mark in marks]


def _clusters(marks: Sequence[Mark]) -> list[int]:
    return [mark.cluster for mark in marks]


def split_by_group(marks: Sequence[Mark]) -> dict[str, list[Mark]]:
    """The rows of each group, the largest first."""
    sizes = Counter(group for mark in marks for group in mark.groups)
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    return {name: [mark for mark in marks if name in mark.groups] for name in order}
