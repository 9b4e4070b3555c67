"""The difference between two systems: paired by question, and how many rows it takes to see one."""

from math import ceil, sqrt

import numpy as np
from msgspec import Struct

from karat.stats.arrays import Clusters, Floats, Keys, Values, as_floats, find_clusters
from karat.stats.clustered import Bounds, clip, mean_of, name_method, standard_error, too_few
from karat.stats.differences import Difference, difference, split_p
from karat.stats.distributions import binomial_at_most, critical, normal_quantile, two_sided
from karat.stats.estimate import Estimate, Number, Undefined
from karat.stats.intervals import NO_ROWS

__all__ = [
    "Difference",
    "Loss",
    "McNemar",
    "detectable",
    "difference",
    "find_loss",
    "mcnemar",
    "paired_difference",
    "rows_needed",
    "split_p",
]
_MOST_ROWS = 10**12
_NOTHING = 1e-12


class McNemar(Struct, frozen=True):
    """On how many rows only one of the two is right, and how probable so uneven a split is by chance."""

    only_a: int
    only_b: int
    p: float


def paired_difference(
    a: Values, b: Values, clusters: Keys | None = None, *, level: float = 0.95
) -> Difference:
    """B minus A, where row i of both answers the same question; on 0/1 rows by Bonett and Price, otherwise by t."""
    both = np.stack([as_floats(a), as_floats(b)])
    rows = both[1] - both[0]
    found = find_clusters(clusters, len(rows))
    if len(rows) == 0:
        return Difference(NO_ROWS)
    if np.isin(both, (0.0, 1.0)).all():
        return _paired_shares(rows, found, level)
    bounds = (-1.0, 1.0) if both.min() >= 0 and both.max() <= 1 else None
    return _paired_mean(rows, found, bounds, level)


def _paired_mean(rows: Floats, clusters: Clusters, bounds: Bounds | None, level: float) -> Difference:
    why_not = too_few(clusters)
    if why_not:
        return Difference(why_not)
    if np.ptp(rows) == 0:
        return Difference(mean_of(rows, clusters, bounds, level))
    value, freedom = float(rows.mean()), clusters.count - 1
    error = standard_error((rows - value) / len(rows), clusters)
    if error < _NOTHING:
        return Difference(Undefined("all clusters differ by the same, so their spread is not known"))
    half = critical(level, freedom) * error
    method = name_method("t", clusters)
    estimate = Estimate(value, value - half, value + half, len(rows), method, level, clusters.reported)
    return Difference(estimate, two_sided(value / error, freedom), error * sqrt(len(rows)))


def _paired_shares(rows: Floats, clusters: Clusters, level: float) -> Difference:
    """One row is added to each way of differing, so that few differences do not look like certainty (Bonett and Price 2012)."""
    if clusters.shared and clusters.count == 1:
        return Difference(too_few(clusters) or NO_ROWS)
    count, value = len(rows), float(rows.mean())
    worth = _effective_pairs(rows, clusters)
    better, worse = (((rows == sign).mean() * worth + 1) / (worth + 2) for sign in (1, -1))
    middle = float(better - worse)
    error = sqrt(float(better + worse) - middle**2) / sqrt(worth + 2)
    freedom = clusters.count - 1 if clusters.shared else None
    half = critical(level, freedom) * error
    low, high = clip(middle - half, middle + half, (-1.0, 1.0))
    method = name_method("Bonett-Price", clusters)
    estimate = Estimate(value, min(low, value), max(high, value), count, method, level, clusters.reported)
    p = two_sided(middle / error, freedom)
    return Difference(estimate, p, error * sqrt(worth + 2) * sqrt(count / worth))


def _effective_pairs(rows: Floats, clusters: Clusters) -> float:
    """How many independent pairs would show the difference this precisely."""
    count, value = len(rows), float(rows.mean())
    if not clusters.shared:
        return count
    simple = float(((rows - value) ** 2).sum()) / count**2
    if simple == 0:
        return clusters.count
    return count / max(1.0, standard_error((rows - value) / count, clusters) ** 2 / simple)


def mcnemar(a: Values, b: Values) -> McNemar:
    """The exact test that two systems (or judges) are right equally often, on rows that both answered."""
    rows = as_floats(b) - as_floats(a)
    only_a, only_b = int((rows < 0).sum()), int((rows > 0).sum())
    return McNemar(only_a, only_b, min(1.0, 2 * binomial_at_most(min(only_a, only_b), only_a + only_b, 0.5)))


class Loss(Struct, frozen=True):
    """A one-sided test that B is worse than A.

    `difference` is B minus A with its two-sided interval at 1 - 2 * level, whose upper end lies below zero about where
    the test shows a loss. `p` is the probability of a loss this large if there is none; None where it is not defined.
    `detectable` is the loss that the test shows four times in five.
    """

    difference: Number
    p: float | None
    exact: bool
    detectable: float | None = None


def find_loss(a: Values, b: Values, keys_a: Keys, keys_b: Keys, *, level: float = 0.05) -> Loss:
    """Test whether B is right less often than A on 0/1 rows with the same set of keys on both sides.

    The exact McNemar test where each key has one row on each side, otherwise the difference clustered by key.
    """
    first, second = as_floats(a), as_floats(b)
    two_sided_level = 1 - 2 * level
    exact = len(set(keys_a)) == len(keys_a) and len(set(keys_b)) == len(keys_b)
    if exact:
        place = {key: at for at, key in enumerate(keys_b)}
        second = second[[place[key] for key in keys_a]]
        found = paired_difference(first, second, level=two_sided_level)
        counts = mcnemar(first, second)
        p = binomial_at_most(counts.only_b, counts.only_a + counts.only_b, 0.5)
        rows = len(first)
    else:
        found = difference(first, second, keys_a, keys_b, level=two_sided_level)
        p = _one_sided(found)
        rows = len(first) + len(second)
    seen = None if found.spread is None else detectable(rows, found.spread, level=two_sided_level)
    return Loss(found.estimate, p, exact, seen if isinstance(seen, float) else None)


def _one_sided(found: Difference) -> float | None:
    """The probability of a difference this far below zero, from the two-sided one."""
    if found.p is None or isinstance(found.estimate, Undefined):
        return None
    return found.p / 2 if found.estimate.value < 0 else 1 - found.p / 2


def rows_needed(
    difference: float, spread: float, *, power: float = 0.8, level: float = 0.95
) -> int | Undefined:
    """How many pairs it takes to see a difference with this probability, at the spread that pairs have shown."""
    if difference == 0:
        return Undefined("no number of rows shows a difference of nothing")
    root = (normal_quantile(0.5 + level / 2) + normal_quantile(power)) * spread / abs(difference)
    return max(2, ceil(root**2)) if root < _MOST_ROWS**0.5 else Undefined("more rows than anybody has")


def detectable(rows: int, spread: float, *, power: float = 0.8, level: float = 0.95) -> float | Undefined:
    """The smallest difference that so many pairs show with this probability."""
    if rows <= 0:
        return NO_ROWS
    return (normal_quantile(0.5 + level / 2) + normal_quantile(power)) * spread / sqrt(rows)
