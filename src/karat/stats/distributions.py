"""Tails and quantiles of Student's, the beta and the binomial distribution, without a library."""

from collections.abc import Callable
from functools import lru_cache
from math import erfc, exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

_LARGE = 100.0
_TINY = 1e-300
_CLOSE = 1e-15
_TERMS = 100_000
_HALVINGS = 200


def normal_quantile(share: float) -> float:
    """Return a quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(share)


def beta_tail(x: float, a: float, b: float) -> float:
    """Return the beta distribution function at x (the regularised incomplete beta function)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(_log_choices(a, b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return min(1.0, front * _fraction(x, a, b) / a)
    return max(0.0, 1 - front * _fraction(1 - x, b, a) / b)


def _log_choices(a: float, b: float) -> float:
    """Return the logarithm of 1 / B(a, b), by Stirling's series if plain differences would lose digits."""
    small, large = sorted((a, b))
    if large < _LARGE:
        return lgamma(a + b) - lgamma(a) - lgamma(b)
    rest = (large - 0.5) * log1p(small / large) + small * log(small + large) - small
    return rest + _stirling(small + large) - _stirling(large) - lgamma(small)


def _stirling(x: float) -> float:
    return (1 / 12 - (1 / 360 - 1 / (1260 * x * x)) / (x * x)) / x


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function (Lentz's method)."""
    upper, lower = 1.0, _reciprocal(1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower = _reciprocal(1 + term * lower)
            upper = 1 + term / (upper if abs(upper) > _TINY else _TINY)
            value *= upper * lower
        if abs(upper * lower - 1) < _CLOSE:
            break
    return value


def _reciprocal(value: float) -> float:
    return 1 / (value if abs(value) > _TINY else _TINY)


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return a quantile of the beta distribution."""
    return _solve(lambda x: beta_tail(x, a, b), share, 0.0, 1.0)


def binomial_at_most(events: int, trials: int, rate: float) -> float:
    """Return the binomial probability of at most so many events."""
    if events >= trials:
        return 1.0
    return beta_tail(1 - rate, trials - events, events + 1)


def student_tail(t: float, freedom: float) -> float:
    """Return the probability of Student's distribution beyond t, on the side of t."""
    if t * t < freedom:
        return 0.5 - 0.5 * beta_tail(t * t / (freedom + t * t), 0.5, freedom / 2)
    return 0.5 * beta_tail(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(maxsize=4096)
def student_quantile(share: float, freedom: float) -> float:
    """Return a quantile (0.5 or above) of Student's distribution."""
    high = 2.0
    while student_tail(high, freedom) > 1 - share:
        high *= 2
    return _solve(lambda t: 1 - student_tail(t, freedom), share, 0.0, high)


def critical(level: float, freedom: float | None = None) -> float:
    """Return the critical value of a two-sided interval; normal if no degrees of freedom are given."""
    share = 0.5 + level / 2
    return normal_quantile(share) if freedom is None else student_quantile(share, freedom)


def two_sided(t: float, freedom: float | None = None) -> float:
    """Return the two-sided p value of t; normal if no degrees of freedom are given."""
    return erfc(abs(t) / sqrt(2)) if freedom is None else min(1.0, 2 * student_tail(abs(t), freedom))


def _solve(rising: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Solve an increasing function for its target by bisection to full precision."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
