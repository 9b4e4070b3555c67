"""Rows as arrays, and shares and means of rows that come in clusters, such as several answers to one question."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from karat.stats.distributions import critical
from karat.stats.estimate import NO_ROWS, Estimate, Number, Undefined, score_interval, unseen

Floats: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Sequence[float] | NDArray[Any]
Keys: TypeAlias = Sequence[Hashable]


def as_floats(values: Values) -> Floats:
    """Return the values as finite floats; anything else is an error of the caller."""
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(found).all():
        raise ValueError("statistics need finite numbers; leave out rows without a value")
    return found


def weigh(weights: Values | None, rows: int) -> Floats:
    """Return the weight of each row, summing to one; equal without weights."""
    if weights is None:
        return np.full(rows, 1 / max(1, rows))
    found = as_floats(weights)
    if len(found) != rows or (found <= 0).any():
        raise ValueError("weights must be above 0, one for each row")
    return found / found.sum()


def sum_by(places: NDArray[np.intp], values: Floats, kinds: int = 0) -> Floats:
    """Return the sum of the values with each index."""
    return np.asarray(np.bincount(places, weights=values, minlength=kinds), dtype=np.float64)


@dataclass(frozen=True)
class Clusters:
    """The number of each row's cluster, how many there are, and whether any has several rows."""

    of_row: NDArray[np.intp]
    count: int
    shared: bool

    def sum(self, values: Floats) -> Floats:
        """Return the sum of the rows of each cluster."""
        return sum_by(self.of_row, values, self.count)

    def worth(self, weights: Floats) -> float:
        """Return the effective number of clusters (Kish); the weights sum to one."""
        sums = self.sum(weights)
        return 1 / float(sums @ sums)

    def among(self, chosen: NDArray[np.bool_]) -> "Clusters":
        """Return the clusters of some of the rows."""
        found, of_row = np.unique(self.of_row[chosen], return_inverse=True)
        return Clusters(of_row, len(found), len(found) < len(of_row))

    @property
    def reported(self) -> int | None:
        """The number of clusters, if it differs from the number of rows."""
        return self.count if self.shared else None


def find_clusters(keys: Keys | None, rows: int) -> Clusters:
    """Group rows with the same key; a row without a key (None) is its own cluster."""
    if keys is None:
        return Clusters(np.arange(rows), rows, shared=False)
    if len(keys) != rows:
        raise ValueError(f"{len(keys)} cluster keys for {rows} rows")
    numbers = dict[Hashable, int]()
    of_row = [numbers.setdefault(object() if key is None else key, len(numbers)) for key in keys]
    return Clusters(np.array(of_row, dtype=np.intp), len(numbers), len(numbers) < rows)


ONE_ROW = Undefined("one row has no variance")
ONE_CLUSTER = Undefined("all rows belong to one cluster, so the variance between clusters is not known")
NO_SPREAD = Undefined("all rows have the same value, so their variance is not known")
Bounds = tuple[float, float]


def standard_error(influence: Floats, clusters: Clusters) -> float:
    """Return the cluster-robust standard error of a sum of row influences (at least two clusters)."""
    sums = clusters.sum(influence)
    return sqrt(float(sums @ sums) * clusters.count / (clusters.count - 1))


def too_few(clusters: Clusters) -> Undefined | None:
    """Return why there is no standard error for so few rows or clusters; None if there is one."""
    rows = len(clusters.of_row)
    if rows == 0:
        return NO_ROWS
    if rows == 1:
        return ONE_ROW
    return ONE_CLUSTER if clusters.count == 1 else None


def name_method(name: str, clusters: Clusters, weights: Values | None = None) -> str:
    """Return the name of the method, with clustering and weighting."""
    return name + ", clustered" * clusters.shared + ", weighted" * (weights is not None)


def mean(
    values: Values,
    clusters: Keys | None = None,
    *,
    bounds: Bounds | None = None,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the mean with a t interval; `bounds` are the ends of the scale, if it has any."""
    rows = as_floats(values)
    return mean_of(rows, find_clusters(clusters, len(rows)), bounds, level, weights)


def mean_of(
    rows: Floats, clusters: Clusters, bounds: Bounds | None, level: float, weights: Values | None = None
) -> Number:
    """Return the mean of rows whose clusters are known."""
    why_not = too_few(clusters)
    if why_not:
        return why_not
    count = weigh(weights, len(rows))
    value = float(count @ rows)
    method = "t"
    if np.ptp(rows) > 0:
        half = critical(level, clusters.count - 1) * standard_error(count * (rows - value), clusters)
        low, high = clip(value - half, value + half, bounds)
    elif bounds is None:
        return NO_SPREAD
    else:
        other = unseen(clusters.worth(count), level)
        low, high = value - other * (value - bounds[0]), value + other * (bounds[1] - value)
        method = "unseen rows"
    return Estimate(
        value,
        min(low, value),
        max(high, value),
        len(rows),
        name_method(method, clusters, weights),
        level,
        clusters.reported,
    )


def clip(low: float, high: float, bounds: Bounds | None) -> Bounds:
    """Clip an interval to the scale."""
    return (low, high) if bounds is None else (max(low, bounds[0]), min(high, bounds[1]))


def share(
    outcomes: Values, clusters: Keys | None = None, *, weights: Values | None = None, level: float = 0.95
) -> Number:
    """Return the proportion of 0/1 rows, with Wilson's interval at the effective number of independent rows."""
    rows = as_floats(outcomes)
    return share_of(rows, find_clusters(clusters, len(rows)), level, weights)


def share_of(rows: Floats, clusters: Clusters, level: float, weights: Values | None = None) -> Number:
    """Return the proportion of rows whose clusters are known."""
    if weights is None:
        return _share(clusters.sum(rows), clusters.sum(np.ones(len(rows))), level)
    why_not = too_few(clusters)
    if why_not:
        return why_not
    count = weigh(weights, len(rows))
    value = float(rows[0]) if np.ptp(rows) == 0 else float(count @ rows)
    moved = clusters.sum(count * (rows - value))
    worth = effective_rows(value, moved, clusters.worth(count), 1 / float(count @ count))
    low, high = score_interval(value, worth, critical(level, clusters.count - 1))
    method = name_method("Wilson", clusters, weights)
    return Estimate(value, low, high, len(rows), method, level, clusters.reported)


def share_of_counts(correct: Values, rows: Values, *, level: float = 0.95) -> Number:
    """Return the proportion from counts for each cluster: correct rows, and all rows."""
    return _share(as_floats(correct), as_floats(rows), level)


def _share(correct: Floats, sizes: Floats, level: float) -> Number:
    correct, sizes = correct[sizes > 0], sizes[sizes > 0]
    count, rows = len(sizes), float(sizes.sum())
    if count == 0:
        return NO_ROWS
    value = float(correct.sum()) / rows
    if count == rows:
        low, high = score_interval(value, rows, critical(level))
        return Estimate(value, low, high, int(rows), "Wilson", level)
    if count == 1:
        return ONE_CLUSTER
    worth = effective_rows(value, (correct - value * sizes) / rows, rows**2 / float(sizes @ sizes), rows)
    low, high = score_interval(value, worth, critical(level, count - 1))
    return Estimate(value, low, high, int(rows), "Wilson, clustered", level, count)


def effective_rows(value: float, moved: Floats, clusters: float, most: float) -> float:
    """Return the number of independent rows with the same precision, from each cluster's influence; without variance, the clusters."""
    if value in (0, 1):
        return min(clusters, most)
    count = len(moved)
    variance = float(moved @ moved) * count / (count - 1)
    return min(most, value * (1 - value) / variance) if variance > 0 else most


def bootstrap(
    statistic: Callable[[NDArray[np.intp]], float | None],
    rows: int,
    clusters: Keys | None = None,
    *,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
) -> Number:
    """Return a percentile interval from clusters drawn with replacement; the statistic gets row numbers, and returns None if it is not defined."""
    found = find_clusters(clusters, rows)
    value = statistic(np.arange(rows)) if rows else None
    why_not = too_few(found)
    if why_not or value is None:
        return why_not or Undefined("the statistic is not defined on these rows")
    order = np.argsort(found.of_row, kind="stable")
    members = list[NDArray[np.intp]](np.split(order, np.cumsum(np.bincount(found.of_row))[:-1]))
    random = np.random.default_rng(seed)
    picks = (random.integers(found.count, size=found.count) for _ in range(draws))
    drawn = (statistic(np.concatenate([members[int(each)] for each in pick])) for pick in picks)
    known = [each for each in drawn if each is not None]
    if len(known) < draws / 2:
        return Undefined("the statistic is not defined on most resamples")
    low, high = (float(each) for each in np.quantile(known, [(1 - level) / 2, (1 + level) / 2]))
    method = name_method("bootstrap", found)
    return Estimate(value, min(low, value), max(high, value), rows, method, level, found.reported)
