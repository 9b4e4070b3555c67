"""The difference between two systems, paired by question, and the number of rows needed to detect one."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, inf, lgamma, log, sqrt
from statistics import NormalDist

import numpy as np
from msgspec import Struct

from karat.stats.clustered import (
    Bounds,
    Clusters,
    Floats,
    Keys,
    Values,
    as_floats,
    clip,
    find_clusters,
    mean_of,
    name_method,
    standard_error,
    too_few,
    weigh,
)
from karat.stats.differences import Difference, difference, split_p
from karat.stats.distributions import binomial_at_most, critical, normal_quantile, two_sided
from karat.stats.estimate import NO_ROWS, Estimate, Number, Undefined

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
_POWER = 0.8
_MOST_GAINS = 200  # with more, the power of the exact test is computed by its normal approximation
_REACH = 8  # standard deviations to each side, beyond which the probability is negligible
_FINE = 1e-4
_FEWEST_CLUSTERS = 10  # with fewer, the normal approximation of the clustered test's power is not valid


class McNemar(Struct, frozen=True):
    """The number of rows on which only one of the two is right, and the p value of the exact test."""

    only_a: int
    only_b: int
    p: float


def paired_difference(
    a: Values, b: Values, clusters: Keys | None = None, *, level: float = 0.95
) -> Difference:
    """Estimate B minus A, where row i of both answers the same question; Bonett and Price for 0/1 rows, otherwise t."""
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
        return Difference(Undefined("all clusters have the same difference, so their variance is not known"))
    half = critical(level, freedom) * error
    method = name_method("t", clusters)
    estimate = Estimate(value, value - half, value + half, len(rows), method, level, clusters.reported)
    return Difference(estimate, two_sided(value / error, freedom), error * sqrt(len(rows)))


def _paired_shares(rows: Floats, clusters: Clusters, level: float) -> Difference:
    """Estimate with one row added to each kind of difference, so that few differences do not look certain (Bonett and Price 2012)."""
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
    """Return the effective number of independent pairs."""
    count, value = len(rows), float(rows.mean())
    if not clusters.shared:
        return count
    simple = float(((rows - value) ** 2).sum()) / count**2
    if simple == 0:
        return clusters.count
    return count / max(1.0, standard_error((rows - value) / count, clusters) ** 2 / simple)


def mcnemar(a: Values, b: Values) -> McNemar:
    """Run the exact test that two systems (or judges) are right equally often, on rows that both answered."""
    rows = as_floats(b) - as_floats(a)
    only_a, only_b = int((rows < 0).sum()), int((rows > 0).sum())
    return McNemar(only_a, only_b, min(1.0, 2 * binomial_at_most(min(only_a, only_b), only_a + only_b, 0.5)))


class Loss(Struct, frozen=True):
    """A one-sided test that B is worse than A.

    `difference` is B minus A with its two-sided interval at 1 - 2 * level, whose upper end is below zero about when
    the test shows a loss. `p` is the probability of a loss this large if there is none; None where it is not defined.
    `detectable` is the smallest loss that the test detects with 80 % power, infinite if there is none. If
    the test is not `exact`, it is one detected with at least that power, or None if this is not known.
    """

    difference: Number
    p: float | None
    exact: bool
    detectable: float | None = None


def find_loss(a: Values, b: Values, keys_a: Keys, keys_b: Keys, *, level: float = 0.05) -> Loss:
    """Test whether B is right less often than A on 0/1 rows with the same set of keys on both sides.

    Uses the exact McNemar test if each key has one row on each side, otherwise the difference clustered by key.
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
        seen = _smallest_loss(len(first), counts.only_b, level)
    else:
        found = difference(first, second, keys_a, keys_b, level=two_sided_level)
        p = _one_sided(found)
        seen = _smallest_clustered_loss(found, len(first) + len(second), keys_a, keys_b, level)
    return Loss(found.estimate, p, exact, seen)


@lru_cache(maxsize=256)
def _smallest_loss(pairs: int, gains: int, level: float) -> float:
    """Return the loss that the exact one-sided McNemar test detects with 80 % power, if gains are as frequent as observed."""
    if pairs == 0:
        return inf
    power = _exact_power if gains <= _MOST_GAINS else _normal_power
    return _solve(lambda loss: power(pairs, min(gains / pairs, (1 - loss) / 2), loss, level), 1 / pairs)


def _solve(power: Callable[[float], float], start: float) -> float:
    """Return the smallest loss with enough power; infinite if there is none."""
    if power(1.0) < _POWER:
        return inf
    low, high = 0.0, min(1.0, start)
    while power(high) < _POWER:
        low, high = high, min(1.0, 2 * high)
    while high - low > _FINE * high:
        middle = (low + high) / 2
        if power(middle) < _POWER:
            low = middle
        else:
            high = middle
    return high


def _exact_power(pairs: int, gain: float, loss: float, level: float) -> float:
    """Return the power of the test if a pair is gained or lost with probabilities `gain` and `gain + loss`."""
    lost = gain + loss
    gains, losses = _likely_counts(pairs, gain), _likely_counts(pairs, lost)
    same = pairs - gains[:, None] - losses[None, :]
    logs = (
        lgamma(pairs + 1)
        + _log_chances(gains, gain)[:, None]
        + _log_chances(losses, lost)[None, :]
        + _log_same(same, max(0.0, 1 - gain - lost))
    )
    shown = losses[None, :] >= np.array([_fewest_losses(int(count), level) for count in gains])[:, None]
    return float(np.exp(logs[shown & (same >= 0)]).sum())


def _likely_counts(pairs: int, chance: float) -> Floats:
    """Return the counts of pairs with non-negligible probability."""
    reach = _REACH * sqrt(pairs * chance * (1 - chance)) + _REACH * (0 < chance < 1)
    middle = pairs * chance
    return np.arange(max(0, ceil(middle - reach)), min(pairs, int(middle + reach)) + 1, dtype=float)


def _log_chances(counts: Floats, chance: float) -> Floats:
    """Return the term of each count in the logarithm of a multinomial probability."""
    if chance <= 0:
        return np.where(counts == 0, 0.0, -inf)
    return counts * log(chance) - np.array([lgamma(count + 1) for count in counts])


def _log_same(counts: Floats, chance: float) -> Floats:
    """Return the same for a table of counts with few different values."""
    low = max(0.0, float(counts.min()))
    parts = _log_chances(np.arange(low, max(low, float(counts.max())) + 1), chance)
    return parts[np.maximum(counts - low, 0).astype(int)]


@lru_cache(maxsize=4096)
def _fewest_losses(gains: int, level: float) -> int:
    """Return how many losses, given these gains, make the test significant."""
    low, high = gains, gains + 1
    while binomial_at_most(gains, gains + high, 0.5) >= level:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if binomial_at_most(gains, gains + middle, 0.5) >= level:
            low = middle
        else:
            high = middle
    return high


def _normal_power(pairs: int, gain: float, loss: float, level: float) -> float:
    """Return the power by the normal approximation with a continuity correction, for many pairs."""
    differing = 2 * gain + loss
    needed = normal_quantile(1 - level) * sqrt(pairs * differing) + 1
    return _above(pairs * loss - needed, sqrt(max(0.0, pairs * (differing - loss**2))))


def _above(distance: float, error: float) -> float:
    return NormalDist().cdf(distance / error) if error > 0 else float(distance > 0)


def _smallest_clustered_loss(
    found: Difference, rows: int, keys_a: Keys, keys_b: Keys, level: float
) -> float | None:
    """Return the loss that the clustered test detects with at least 80 % power; None without a test or with too few clusters.

    The variance of the loss itself is added to the observed one, at its maximum: each lost question is lost
    with all its rows. So few observed differences do not look certain.
    """
    if isinstance(found.estimate, Undefined):
        return None
    observed = (found.spread or 0.0) ** 2 / rows
    clusters = min(find_clusters(keys, len(keys)).worth(weigh(None, len(keys))) for keys in (keys_a, keys_b))
    if clusters < _FEWEST_CLUSTERS:
        return None
    needed = critical(1 - 2 * level, clusters - 1)

    def power(loss: float) -> float:
        error = sqrt(observed + loss * (1 - loss) / clusters)
        return _above(loss - needed * error, error)

    return _solve(power, 1 / clusters)


def _one_sided(found: Difference) -> float | None:
    """Return the one-sided p value of a difference below zero, from the two-sided one."""
    if found.p is None or isinstance(found.estimate, Undefined):
        return None
    return found.p / 2 if found.estimate.value < 0 else 1 - found.p / 2


def rows_needed(
    difference: float, spread: float, *, power: float = 0.8, level: float = 0.95
) -> int | Undefined:
    """Return how many pairs are needed to detect a difference with this power, given the standard deviation of pairs."""
    if difference == 0:
        return Undefined("a difference of zero cannot be detected with any number of rows")
    root = (normal_quantile(0.5 + level / 2) + normal_quantile(power)) * spread / abs(difference)
    return (
        max(2, ceil(root**2))
        if root < _MOST_ROWS**0.5
        else Undefined("the number of rows is too large to be practical")
    )


def detectable(rows: int, spread: float, *, power: float = 0.8, level: float = 0.95) -> float | Undefined:
    """Return the smallest difference that so many pairs detect with this power."""
    if rows <= 0:
        return NO_ROWS
    return (normal_quantile(0.5 + level / 2) + normal_quantile(power)) * spread / sqrt(rows)
