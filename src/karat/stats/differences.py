"""The difference between two groups of rows, which may share clusters, and p values of several differences at once."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from karat.stats.clustered import (
    ONE_ROW,
    Clusters,
    Floats,
    Keys,
    Values,
    as_floats,
    find_clusters,
    name_method,
    sum_by,
)
from karat.stats.distributions import critical, two_sided
from karat.stats.estimate import NO_ROWS, Estimate, Number, Undefined, score_interval, unseen

_NOTHING = 1e-12
_FARTHEST = 1e3
_HALVINGS = 60
ONE_SIDE = Undefined(
    "all rows of one side belong to one cluster, so the variance between clusters is not known"
)


class Difference(Struct, frozen=True):
    """B minus A with its interval, its p value, and the standard deviation per row."""

    estimate: Number
    p: float | None = None
    spread: float | None = None


class _Side(NamedTuple):
    """A group of rows: its mean, the variance of the mean, each cluster's influence, and the number of clusters."""

    rows: Floats
    mean: float
    variance: float
    moved: Floats
    clusters: int


def difference(
    a: Values,
    b: Values,
    clusters_a: Keys | None = None,
    clusters_b: Keys | None = None,
    *,
    level: float = 0.95,
) -> Difference:
    """Estimate mean of B minus mean of A: Newcombe's interval for 0/1 rows, otherwise Welch's, clustered by the keys."""
    first, second = as_floats(a), as_floats(b)
    fewest = min(len(first), len(second))
    if fewest <= 1:
        return Difference(ONE_ROW if fewest else NO_ROWS)
    keys = _join(clusters_a, clusters_b, len(first), len(second))
    clusters = find_clusters(keys, len(first) + len(second))
    sides = _side(first, clusters, slice(0, len(first))), _side(second, clusters, slice(len(first), None))
    if min(side.clusters for side in sides) == 1:
        return Difference(ONE_SIDE)
    if np.isin(np.concatenate([first, second]), (0.0, 1.0)).all():
        return _of_shares(*sides, clusters, level)
    return _of_means(*sides, clusters, level)


def split_p(
    a: Values, b: Values, clusters_a: Keys | None = None, clusters_b: Keys | None = None
) -> float | None:
    """Return the p value of a difference of means if rows were divided into A and B at random; None if it is not known.

    It is the p value of `difference`, or that from the variance of all rows together if this is larger: a few rows
    that happen to be equal show less variance than there is.
    """
    found, rows = difference(a, b, clusters_a, clusters_b), np.concatenate([as_floats(a), as_floats(b)])
    if isinstance(found.estimate, Undefined) or np.ptp(rows) == 0:
        return None
    error = float(rows.std(ddof=1)) * sqrt(1 / len(a) + 1 / len(b))
    return max(found.p or 0.0, two_sided(found.estimate.value / error, len(rows) - 2))


def _join(one: Keys | None, other: Keys | None, first: int, second: int) -> Keys | None:
    if one is None and other is None:
        return None
    return [*(one if one is not None else [None] * first), *(other if other is not None else [None] * second)]


def _side(rows: Floats, clusters: Clusters, place: slice) -> _Side:
    of_row = clusters.of_row[place]
    count = len(np.unique(of_row))
    mean = float(rows.mean())
    sums = sum_by(of_row, (rows - mean) / len(rows), clusters.count)
    moved = sums * sqrt(count / (count - 1)) if count > 1 else sums
    return _Side(rows, mean, float(moved @ moved), moved, count)


def _freedom(a: _Side, b: _Side, clusters: Clusters) -> float:
    """Return Satterthwaite's degrees of freedom, at most those of the clusters of both together."""
    total = a.variance + b.variance
    parts = a.variance**2 / (a.clusters - 1) + b.variance**2 / (b.clusters - 1)
    return min(total**2 / parts, clusters.count - 1) if parts > 0 else clusters.count - 1


def _of_means(a: _Side, b: _Side, clusters: Clusters, level: float) -> Difference:
    value, rows = b.mean - a.mean, len(a.rows) + len(b.rows)
    if np.ptp(a.rows) == 0 and np.ptp(b.rows) == 0:
        return Difference(_of_constants(a, b, clusters, level))
    error = sqrt(float(((b.moved - a.moved) ** 2).sum()))
    if error < _NOTHING:
        return Difference(Undefined("all differences are equal, so their variance is not known"))
    freedom = _freedom(a, b, clusters)
    half = critical(level, freedom) * error
    method = name_method("t" if clusters.shared else "Welch", clusters)
    estimate = Estimate(value, value - half, value + half, rows, method, level, clusters.reported)
    return Difference(estimate, two_sided(value / error, freedom), error * sqrt(rows))


def _of_constants(a: _Side, b: _Side, clusters: Clusters, level: float) -> Number:
    """Compare two groups without variance by a bound on unseen rows in each (on a scale from 0 to 1)."""
    if min(a.mean, b.mean) < 0 or max(a.mean, b.mean) > 1:
        return Undefined("all rows of each have the same value, so their variance is not known")
    in_a, in_b = unseen(a.clusters, level), unseen(b.clusters, level)
    value = b.mean - a.mean
    low = value - sqrt((in_b * b.mean) ** 2 + (in_a * (1 - a.mean)) ** 2)
    high = value + sqrt((in_b * (1 - b.mean)) ** 2 + (in_a * a.mean) ** 2)
    rows = len(a.rows) + len(b.rows)
    return Estimate(value, low, high, rows, "unseen rows", level, clusters.reported)


def _of_shares(a: _Side, b: _Side, clusters: Clusters, level: float) -> Difference:
    """Return Newcombe's interval, from Wilson's of each group, with the covariance of the groups."""
    value, rows = b.mean - a.mean, len(a.rows) + len(b.rows)
    freedom = _freedom(a, b, clusters) if clusters.shared else None
    worth = tuple(_effective(side, clusters) for side in (a, b))
    size = sqrt(a.variance * b.variance)
    shared = float(a.moved @ b.moved) / size if size > 0 else 0.0

    def reach(far: float) -> tuple[float, float]:
        (low_a, high_a), (low_b, high_b) = (
            score_interval(side.mean, each, far) for side, each in zip((a, b), worth, strict=True)
        )
        below = _combine(b.mean - low_b, high_a - a.mean, shared)
        above = _combine(high_b - b.mean, a.mean - low_a, shared)
        return value - below, value + above

    low, high = reach(critical(level, freedom))
    method = name_method("Newcombe", clusters)
    estimate = Estimate(value, low, high, rows, method, level, clusters.reported)
    error = sqrt(max(0.0, a.variance + b.variance - 2 * shared * size))
    return Difference(estimate, two_sided(_farthest(reach), freedom), error * sqrt(rows) or None)


def _effective(side: _Side, clusters: Clusters) -> float:
    """Return the effective number of independent rows of a group."""
    rows = len(side.rows)
    if not clusters.shared:
        return rows
    if side.mean in (0, 1):
        return side.clusters
    return rows if side.variance == 0 else min(rows, side.mean * (1 - side.mean) / side.variance)


def _combine(one: float, other: float, shared: float) -> float:
    return sqrt(max(0.0, one**2 + other**2 - 2 * shared * one * other))


def _farthest(reach: Callable[[float], tuple[float, float]]) -> float:
    """Return how many standard errors wide an interval can be before it contains zero."""
    low, high = 0.0, _FARTHEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        ends = reach(middle)
        if ends[0] <= 0 <= ends[1]:
            high = middle
        else:
            low = middle
    return low


def holm(p: Sequence[float]) -> list[float]:
    """Adjust p values to control the family-wise error rate (Holm 1979)."""
    count = len(p)
    order = sorted(range(count), key=p.__getitem__)
    stepped = accumulate(((count - rank) * p[place] for rank, place in enumerate(order)), max)
    return _restore_order(order, stepped)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjust p values to control the false discovery rate (Benjamini and Hochberg 1995)."""
    count = len(p)
    order = sorted(range(count), key=p.__getitem__, reverse=True)
    stepped = accumulate((count / (count - rank) * p[place] for rank, place in enumerate(order)), min)
    return _restore_order(order, stepped)


def benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """Adjust p values to control the false discovery rate under any dependence (Benjamini and Yekutieli 2001)."""
    harmonic = sum(1 / rank for rank in range(1, len(p) + 1))
    return benjamini_hochberg([harmonic * each for each in p])


def _restore_order(order: Sequence[int], stepped: Iterable[float]) -> list[float]:
    adjusted = dict(zip(order, stepped, strict=True))
    return [min(1.0, adjusted[place]) for place in range(len(order))]
