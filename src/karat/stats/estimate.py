"""The result of every statistic: a number with its interval, or the reason why it is undefined."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import TypeAlias

from msgspec import Struct

from karat.stats.distributions import beta_quantile, critical, student_quantile


class Estimate(Struct, frozen=True, tag="estimate"):
    """A number with its interval, the number of rows (and clusters), and the method of the interval."""

    value: float
    low: float
    high: float
    n: int
    method: str
    level: float = 0.95
    clusters: int | None = None


class Undefined(Struct, frozen=True, tag="undefined"):
    """The reason why a number is not defined; never represented as NaN or 0."""

    why: str


Number: TypeAlias = Estimate | Undefined


NO_ROWS = Undefined("there are no rows")


def wilson(successes: int, trials: int, level: float = 0.95) -> Number:
    """Return Wilson's score interval for a proportion."""
    if trials == 0:
        return NO_ROWS
    share = successes / trials
    return Estimate(share, *score_interval(share, trials, critical(level)), trials, "Wilson", level)


def score_interval(share: float, trials: float, reach: float) -> tuple[float, float]:
    """Return Wilson's interval for a share; the number of rows need not be whole, `reach` is in standard errors."""
    square = reach * reach
    shrink = 1 + square / trials
    middle = (share + square / (2 * trials)) / shrink
    half = reach / shrink * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    low = 0.0 if share == 0 else min(share, max(0.0, middle - half))
    high = 1.0 if share == 1 else max(share, min(1.0, middle + half))
    return low, high


def unseen(trials: float, level: float) -> float:
    """Return the upper bound for the share of a kind of row that did not occur (Wilson's bound at zero)."""
    square = critical(level) ** 2
    return square / (trials + square)


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> Number:
    """Return the exact interval for a proportion: its coverage is at least the level, so it is wider than Wilson's."""
    if trials == 0:
        return NO_ROWS
    beyond = (1 - level) / 2
    low = beta_quantile(beyond, successes, trials - successes + 1) if successes else 0.0
    high = beta_quantile(1 - beyond, successes + 1, trials - successes) if successes < trials else 1.0
    share = successes / trials
    return Estimate(share, min(low, share), max(high, share), trials, "Clopper-Pearson", level)


def upper_bound(events: int, trials: int, level: float = 0.95) -> float:
    """Return the exact one-sided upper bound for a rate (Clopper-Pearson)."""
    if events >= trials:
        return 1.0
    return beta_quantile(level, events + 1, trials - events)


def mean_bound(values: Sequence[float], level: float = 0.95) -> float | Undefined:
    """Return the one-sided t bound for the absolute mean of paired differences."""
    count = len(values)
    if count <= 1:
        return Undefined("a bound for a mean needs at least two rows")
    mean = fsum(values) / count
    variance = fsum((value - mean) ** 2 for value in values) / (count - 1)
    return abs(mean) + student_quantile(level, count - 1) * sqrt(variance / count)
