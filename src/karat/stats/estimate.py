"""What every statistic returns: a number with its interval, or why there is none."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import TypeAlias

from msgspec import Struct

from karat.stats.distributions import beta_quantile, critical, student_quantile


class Estimate(Struct, frozen=True, tag="estimate"):
    """A number with its interval, the rows (and clusters) it rests on, and how the interval was made."""

    value: float
    low: float
    high: float
    n: int
    method: str
    level: float = 0.95
    clusters: int | None = None


class Undefined(Struct, frozen=True, tag="undefined"):
    """Why a number is not defined: a value of its own, never NaN and never 0."""

    why: str


Number: TypeAlias = Estimate | Undefined


NO_ROWS = Undefined("there are no rows")


def wilson(successes: int, trials: int, level: float = 0.95) -> Number:
    """Wilson's score interval for a proportion."""
    if trials == 0:
        return NO_ROWS
    share = successes / trials
    return Estimate(share, *score_interval(share, trials, critical(level)), trials, "Wilson", level)


def score_interval(share: float, trials: float, reach: float) -> tuple[float, float]:
    """Wilson's interval for a share of so many rows, which need not be whole; reach is in standard errors."""
    square = reach * reach
    shrink = 1 + square / trials
    middle = (share + square / (2 * trials)) / shrink
    half = reach / shrink * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    low = 0.0 if share == 0 else min(share, max(0.0, middle - half))
    high = 1.0 if share == 1 else max(share, min(1.0, middle + half))
    return low, high


def unseen(trials: float, level: float) -> float:
    """The most that a kind of row which never came up can make up of all rows (Wilson's bound at none)."""
    square = critical(level) ** 2
    return square / (trials + square)


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> Number:
    """The exact interval for a proportion: it covers at least as often as it says, so it is wider than Wilson's."""
    if trials == 0:
        return NO_ROWS
    beyond = (1 - level) / 2
    low = beta_quantile(beyond, successes, trials - successes + 1) if successes else 0.0
    high = beta_quantile(1 - beyond, successes + 1, trials - successes) if successes < trials else 1.0
    share = successes / trials
    return Estimate(share, min(low, share), max(high, share), trials, "Clopper-Pearson", level)


def upper_bound(events: int, trials: int, level: float = 0.95) -> float:
    """The exact one-sided (Clopper-Pearson) bound: a larger rate would show so few events too seldom."""
    if events >= trials:
        return 1.0
    return beta_quantile(level, events + 1, trials - events)


def mean_bound(values: Sequence[float], level: float = 0.95) -> float | Undefined:
    """The one-sided t bound on how far the mean of paired differences may be from zero."""
    count = len(values)
    if count <= 1:
        return Undefined("a bound on a mean takes two rows or more")
    mean = fsum(values) / count
    variance = fsum((value - mean) ** 2 for value in values) / (count - 1)
    return abs(mean) + student_quantile(level, count - 1) * sqrt(variance / count)
