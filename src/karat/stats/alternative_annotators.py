"""The alternative-annotator test, which tests whether the judge can replace a human annotator.

After Calderon, Reichart and Dror 2025. Each annotator is left out once. On every row the judge and the one left out are compared with those who remain,
and the one closer to them wins the row (both, if equally close). The judge beats an annotator if it loses by less
than `epsilon`, the cost advantage of the judge, significantly; it passes if it beats at least half of them.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.clustered import Clusters, Floats, Keys, find_clusters, share_of, standard_error
from karat.stats.differences import benjamini_yekutieli
from karat.stats.distributions import critical, student_tail
from karat.stats.estimate import Estimate, Number, Undefined, unseen

FEWEST_ANNOTATORS = 3
FEWEST_ROWS = 30
_NOTHING = 1e-12


class Annotator(Struct, frozen=True):
    """One annotator left out: how often the judge is at least as close to the others, and whether it beats them."""

    place: int
    rows: int
    advantage: Number
    p: float
    adjusted: float
    beaten: bool


class AlternativeAnnotators(Struct, frozen=True):
    """The share of annotators beaten (passed from one half on), and how often the judge is at least as close as an annotator."""

    winning_rate: float
    passed: bool
    advantage: Number
    epsilon: float
    annotators: tuple[Annotator, ...]
    too_few_rows: int


class _Duel(NamedTuple):
    place: int
    rows: list[int]
    judge: Floats
    human: Floats


def alternative_annotators(
    judge: Sequence[float | None],
    annotators: Sequence[Sequence[float | None]],
    *,
    scale: Literal["nominal", "interval"] = "nominal",
    epsilon: float = 0.2,
    q: float = 0.05,
    clusters: Keys | None = None,
    level: float = 0.95,
) -> AlternativeAnnotators | Undefined:
    """Run the test on rows that the judge and two or more annotators rated; `annotators` is by row, one value each, None if skipped."""
    members = max((len(row) for row in annotators), default=0)
    if members < FEWEST_ANNOTATORS:
        return Undefined(f"at least {FEWEST_ANNOTATORS} annotators are needed, and there are {members}")
    duels = [_fight(place, judge, annotators, scale) for place in range(members)]
    fit = [duel for duel in duels if len(duel.rows) >= FEWEST_ROWS]
    if not fit:
        most = max(len(duel.rows) for duel in duels)
        return Undefined(
            f"at least {FEWEST_ROWS} rows rated by two annotators are needed, and there are {most}"
        )
    found = find_clusters(clusters, len(judge))
    chosen = [found.among(_mask(duel.rows, len(judge))) for duel in fit]
    if any(each.count == 1 for each in chosen):
        return Undefined("all rows belong to one cluster, so the variance between clusters is not known")
    p = [_test(duel.human - duel.judge, among, epsilon) for duel, among in zip(fit, chosen, strict=True)]
    adjusted = benjamini_yekutieli(p)
    each = tuple(
        Annotator(duel.place, len(duel.rows), share_of(duel.judge, among, level), one, other, other <= q)
        for duel, among, one, other in zip(fit, chosen, p, adjusted, strict=True)
    )
    rate = sum(annotator.beaten for annotator in each) / len(each)
    advantage = _advantage(fit, found, level)
    return AlternativeAnnotators(rate, rate >= 1 / 2, advantage, epsilon, each, members - len(fit))


def _mask(rows: list[int], count: int) -> NDArray[np.bool_]:
    chosen = np.zeros(count, dtype=np.bool_)
    chosen[rows] = True
    return chosen


def _fight(
    place: int, judge: Sequence[float | None], annotators: Sequence[Sequence[float | None]], scale: str
) -> _Duel:
    """Return the rows that an annotator, another one and the judge rated, and who won each."""
    rows, wins, losses = list[int](), list[float](), list[float]()
    for row, (verdict, given) in enumerate(zip(judge, annotators, strict=True)):
        own = given[place] if place < len(given) else None
        others = [value for at, value in enumerate(given) if at != place and value is not None]
        if verdict is None or own is None or not others:
            continue
        distances = [_distance(value, others, scale) for value in (verdict, own)]
        rows.append(row)
        wins.append(float(distances[0] <= distances[1]))
        losses.append(float(distances[1] <= distances[0]))
    return _Duel(place, rows, np.array(wins), np.array(losses))


def _distance(value: float, others: list[float], scale: str) -> float:
    """Return the distance of a value from the others: the share that differ, or the mean squared difference."""
    if scale == "nominal":
        return sum(value != other for other in others) / len(others)
    return sum((value - other) ** 2 for other in others) / len(others)


def _test(lost: Floats, clusters: Clusters, epsilon: float) -> float:
    """Return the probability of so few losses if the judge lost by `epsilon`; without variance, by a bound on unseen rows."""
    mean = float(lost.mean())
    error = standard_error((lost - mean) / len(lost), clusters)
    if error < _NOTHING:
        return 1.0 if mean >= epsilon else float((1 - (epsilon - mean) / (1 - mean)) ** clusters.count)
    t = (mean - epsilon) / error
    beyond = student_tail(abs(t), clusters.count - 1)
    return beyond if t < 0 else 1 - beyond


def _advantage(duels: list[_Duel], clusters: Clusters, level: float) -> Number:
    """Return the mean over annotators of how often the judge is at least as close, clustered by the rows they share."""
    influence = np.zeros(len(clusters.of_row))
    value = float(np.mean([duel.judge.mean() for duel in duels]))
    for duel in duels:
        influence[duel.rows] += (duel.judge - duel.judge.mean()) / len(duel.rows) / len(duels)
    rated = _mask(sorted({row for duel in duels for row in duel.rows}), len(influence))
    among = clusters.among(rated)
    half = critical(level, among.count - 1) * standard_error(influence[rated], among)
    if half < _NOTHING:
        half = unseen(among.count, level)
    return Estimate(
        value, max(0.0, value - half), min(1.0, value + half), int(rated.sum()), "t", level, among.reported
    )
