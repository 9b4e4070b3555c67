"""Intervals for proportions."""

from math import sqrt
from statistics import NormalDist

from msgspec import Struct


class Estimate(Struct, frozen=True):
    """A number with its interval."""

    value: float
    low: float
    high: float


def wilson(successes: int, trials: int, level: float = 0.95) -> Estimate | None:
    """Wilson's score interval for a proportion; None without trials, where nothing can be said."""
    if trials == 0:
        return None
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = successes / trials
    shrink = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / shrink
    half = z / shrink * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return Estimate(share, low, high)
