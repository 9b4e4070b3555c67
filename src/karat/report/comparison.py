"""Which is better, by how much, and how sure is that: paired by question."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from karat.core.labels import truth
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.correction import correct_share, least_correct, selection_chances
from karat.stats import Estimate, Number, Undefined

if TYPE_CHECKING:
    from karat.stats.paired import Difference

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
    """Two sides on what both have judged rows of: `b` minus `a`, as shares, with words for it.

    They are paired by question, or by row where both judged the same rows; by nothing where they have no question in
    common. What has no verdict on one side is left out; only the corrected difference needs none. `needed` is how many
    questions or rows would show a difference of so many points four times in five.
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
    needed: int | None = None
    score: Number | None = None
    mcnemar: Discordant | None = None
    corrected: Number | None = None
    corrected_verdict: str | None = None


class Comparison(Struct, frozen=True):
    """All sides, and every two of them, also group by group; the intervals hold for all pairs at once with the probability 0.95.

    `level` is that of one interval among many.
    """

    protocol: ProtocolName
    passing: int
    points: float
    sides: tuple[Side, ...]
    pairs: tuple[Pair, ...]
    level: float


class _Options(Struct, frozen=True):
    protocol: ProtocolName
    passing: int
    points: float
    same_rows: bool

    def read_outcomes(self, marks: Sequence[Mark]) -> list[float]:
        return read_outcomes(marks, least_correct(self.protocol, self.passing))


def compare(
    sides: Mapping[str, Sequence[Mark]],
    protocol: ProtocolName,
    passing: int,
    points: float = POINTS,
    *,
    same_rows: bool = False,
) -> Comparison:
    """Compare every two sides; rows of one cluster are about the same question.

    Where all sides are verdicts on the same rows, these are paired; otherwise questions are. Rows that stand in
    groups are also compared group by group.
    """
    couples = list(combinations(sides, 2))
    groups = sorted({group for marks in sides.values() for mark in marks for group in mark.groups})
    tasks = [(group, a, b) for a, b in couples for group in (None, *groups)]
    level = together(len(couples) * max(1, len(groups)))
    options = _Options(protocol, passing, points, same_rows)
    return Comparison(
        protocol=protocol,
        passing=passing,
        points=points,
        sides=tuple(_side(name, marks, protocol, passing) for name, marks in sides.items()),
        pairs=tuple(
            _pair(
                (a, _within(sides[a], group)),
                (b, _within(sides[b], group)),
                group,
                options,
                level if group is not None or not groups else together(len(couples)),
            )
            for group, a, b in tasks
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
        share=share(read_outcomes(judged, least_correct(protocol, passing)), clusters),
        score=None if protocol == "match" else mean(read_scores(judged), clusters, bounds=(0.0, 1.0)),
        corrected=None if corrected is None else corrected.share.corrected,
    )


def _within(marks: Sequence[Mark], group: str | None) -> Sequence[Mark]:
    return marks if group is None else [mark for mark in marks if group in mark.groups]


def _pair(
    one: tuple[str, Sequence[Mark]],
    other: tuple[str, Sequence[Mark]],
    group: str | None,
    options: _Options,
    level: float,
) -> Pair:
    from karat.stats.paired import mcnemar, paired_difference, rows_needed

    (name_a, all_a), (name_b, all_b) = one, other
    a, b, shared = _shared(all_a, all_b, options)
    values_a, values_b = options.read_outcomes(a), options.read_outcomes(b)
    single = bool(shared) and len(a) == len(b) == len(shared)
    found = (
        paired_difference(values_a, values_b, _clusters(a), level=level)
        if single
        else differ(a, b, options.read_outcomes, level)
    )
    alone = single and len(set(_clusters(a))) == len(a)
    counts = mcnemar(values_a, values_b) if alone else None
    size = None if found.spread is None else rows_needed(options.points / _PERCENT, found.spread, level=level)
    per_row = 1.0 if single or not shared else len(shared) / (len(a) + len(b))
    needed = ceil(size * per_row) if isinstance(size, int) else None
    unit = "questions" if shared and not options.same_rows else "rows"
    corrected = _correct(all_a, all_b, options, level)
    keys_a, keys_b = ({_key(mark, options) for mark in side} for side in (all_a, all_b))
    return Pair(
        a=name_a,
        b=name_b,
        group=group,
        paired_by=("row" if options.same_rows else "question") if shared else None,
        shared=len(shared),
        left_out=len((keys_a | keys_b) - shared) if shared else 0,
        difference=found.estimate,
        p=found.p,
        verdict=say(name_a, name_b, found.estimate, options.points, needed, unit=unit),
        needed=needed,
        score=None if options.protocol == "match" else differ(a, b, read_scores, level).estimate,
        mcnemar=None if counts is None else Discordant(counts.only_a, counts.only_b, counts.p),
        corrected=corrected,
        corrected_verdict=None if corrected is None else say(name_a, name_b, corrected, options.points, None),
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


def _key(mark: Mark, options: _Options) -> int:
    return mark.position if options.same_rows else mark.cluster


def _shared(
    a: Sequence[Mark], b: Sequence[Mark], options: _Options
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


def _correct(a: Sequence[Mark], b: Sequence[Mark], options: _Options, level: float) -> Number | None:
    """The difference corrected by labels, where both sides have some; between two judges of the same rows there is none."""
    if options.same_rows or not all(any(mark.labels for mark in side) for side in (a, b)):
        return None
    from karat.stats.corrected import Rows, corrected_difference

    shared = set(_clusters(a)) & set(_clusters(b))
    least = least_correct(options.protocol, options.passing)
    sides = list[Rows]()
    for side in (a, b):
        marks = [mark for mark in side if not shared or mark.cluster in shared]
        chances = selection_chances(marks)
        judged = [None if mark.value is None else float(mark.value >= least) for mark in marks]
        truths = [
            None if chances is not None and chances[at] is None else truth(mark.labels, options.passing)
            for at, mark in enumerate(marks)
        ]
        sides.append(Rows(judged, truths, _clusters(marks), chances))
    return corrected_difference(*sides, level=level).corrected.estimate


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
