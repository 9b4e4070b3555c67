"""How far a judge's scores follow human scores: correlations, and how far off they are, by score."""

from collections.abc import Callable
from math import atanh, floor, tanh

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.arrays import Floats, Keys, Values, as_floats, find_clusters, weigh
from karat.stats.clustered import mean_of, name_method, standard_error, too_few
from karat.stats.correlations import correlate_order, correlate_ranks, correlate_values
from karat.stats.distributions import critical
from karat.stats.estimate import Estimate, Number, Undefined
from karat.stats.intervals import unseen

_NOTHING = 1e-9
Correlation = Callable[[Floats, Floats, Floats], tuple[float, Floats]]


class Band(Struct, frozen=True):
    """The rows whose human score rounds to one number: how far off the judge is there, and in which direction."""

    band: int
    rows: int
    error: Number
    bias: Number


def pearson(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """The linear correlation."""
    return _correlate(human, judge, clusters, weights, correlate_values, level)


def spearman(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """The correlation of ranks; equal scores share their rank."""
    return _correlate(human, judge, clusters, weights, correlate_ranks, level)


def kendall(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """How much more often two rows are in the same order than not (tau-b, which allows for equal scores)."""
    return _correlate(human, judge, clusters, weights, correlate_order, level)


def mean_absolute_error(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    span: float = 5.0,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """How far off the judge is, on a scale of this span."""
    rows = np.abs(as_floats(judge) - as_floats(human))
    return mean_of(rows, find_clusters(clusters, len(rows)), (0.0, span), level, weights)


def by_band(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    span: float = 5.0,
    weights: Values | None = None,
    level: float = 0.95,
) -> tuple[Band, ...]:
    """Error and bias (judge minus human) for each human score, rounded; scores that no row has are left out."""
    first, second = as_floats(human), as_floats(judge)
    found = find_clusters(clusters, len(first))
    bands = np.array([floor(score + 0.5) for score in first], dtype=np.int64)
    off, count = second - first, None if weights is None else as_floats(weights)

    def describe(band: int, chosen: NDArray[np.bool_]) -> Band:
        rows, among = off[chosen], found.among(chosen)
        of_rows = None if count is None else count[chosen]
        error = mean_of(np.abs(rows), among, (0.0, span), level, of_rows)
        return Band(band, len(rows), error, mean_of(rows, among, (-span, span), level, of_rows))

    return tuple(describe(int(band), bands == band) for band in np.unique(bands))


def _correlate(
    human: Values,
    judge: Values,
    keys: Keys | None,
    weights: Values | None,
    correlation: Correlation,
    level: float,
) -> Number:
    """A correlation with a t interval on Fisher's scale, by how each row moves it; robust, because scores are not normal."""
    first, second = as_floats(human), as_floats(judge)
    clusters = find_clusters(keys, len(first))
    why_not = too_few(clusters)
    if why_not:
        return why_not
    for name, column in (("human", first), ("judge", second)):
        if np.ptp(column) == 0:
            return Undefined(f"the {name} gives every row the same score")
    count = weigh(weights, len(first))
    value, influence = correlation(first, second, count)
    value = min(1.0, max(-1.0, value))
    error = standard_error(influence, clusters)
    if error < _NOTHING or abs(value) > 1 - _NOTHING:
        low, high = _with_unseen(first, second, count, unseen(clusters.worth(count), level), correlation)
        method = "unseen rows"
    else:
        half = critical(level, clusters.count - 1) * error / (1 - value**2)
        low, high = tanh(atanh(value) - half), tanh(atanh(value) + half)
        method = "Fisher z, t"
    return Estimate(
        value,
        min(low, value),
        max(high, value),
        len(first),
        name_method(method, clusters, weights),
        level,
        clusters.reported,
    )


def _with_unseen(
    first: Floats, second: Floats, count: Floats, share: float, correlation: Correlation
) -> tuple[float, float]:
    """What as many unseen rows as could have been missed might make of it, all at the worst corner of the scores."""
    weights = np.append((1 - share) * count, share)
    reached = [
        correlation(np.append(first, x), np.append(second, y), weights)[0]
        for x in (first.min(), first.max())
        for y in (second.min(), second.max())
    ]
    return max(-1.0, min(reached)), min(1.0, max(reached))
