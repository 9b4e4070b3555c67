"""Intervals and bounds for proportions and means."""

from collections.abc import Sequence
from math import comb, fsum, sqrt
from statistics import NormalDist

from karat.stats.estimate import Estimate, Number, Undefined


def wilson(successes: int, trials: int, level: float = 0.95) -> Number:
    """Wilson's score interval for a proportion."""
    if trials == 0:
        return Undefined("there are no rows")
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = successes / trials
    shrink = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / shrink
    half = z / shrink * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return Estimate(share, low, high, trials, "Wilson", level)


def upper_bound(events: int, trials: int, level: float = 0.95) -> float:
    """The exact one-sided (Clopper-Pearson) bound: a larger rate would show so few events too seldom."""
    if events >= trials:
        return 1.0
    low, high = events / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(events, trials, middle) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def mean_bound(values: Sequence[float], level: float = 0.95) -> float | Undefined:
    """The one-sided t bound on how far the mean of paired differences may be from zero."""
    count = len(values)
    if count <= 1:
        return Undefined("a bound on a mean takes two rows or more")
    mean = fsum(values) / count
    variance = fsum((value - mean) ** 2 for value in values) / (count - 1)
    return abs(mean) + _student(level, count - 1) * sqrt(variance / count)


def _at_most(events: int, trials: int, rate: float) -> float:
    return fsum(comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(events + 1))


def _student(level: float, freedom: int) -> float:
    """Student's quantile by the Cornish-Fisher expansion; good to a percent from five degrees of freedom on."""
    z = NormalDist().inv_cdf(level)
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + first + second
