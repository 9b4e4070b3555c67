"""Agreement of a judge's scores with human scores: correlations, and errors by score."""

from collections.abc import Callable
from math import atanh, floor, sqrt, tanh

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.clustered import (
    Floats,
    Keys,
    Values,
    as_floats,
    find_clusters,
    mean_of,
    name_method,
    standard_error,
    sum_by,
    too_few,
    weigh,
)
from karat.stats.distributions import critical
from karat.stats.estimate import Estimate, Number, Undefined, unseen

_BLOCK = 512
_NOTHING = 1e-9
Correlation = Callable[[Floats, Floats, Floats], tuple[float, Floats]]


class Band(Struct, frozen=True):
    """The rows whose human score rounds to one number: the judge's mean absolute error there, and its bias."""

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
    """Return Pearson's linear correlation."""
    return _correlate(human, judge, clusters, weights, correlate_values, level)


def spearman(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return Spearman's rank correlation; equal scores share their rank."""
    return _correlate(human, judge, clusters, weights, correlate_ranks, level)


def kendall(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return Kendall's tau-b, which allows for equal scores."""
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
    """Return the judge's mean absolute error, on a scale of this span."""
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
    """Return error and bias (judge minus human) for each rounded human score; scores without rows are left out."""
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
    """Return a correlation with a t interval on Fisher's scale, from each row's influence; robust, because scores are not normal."""
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
    """Return the range of the correlation if rows with the worst scores exist that the sample could have missed."""
    weights = np.append((1 - share) * count, share)
    reached = [
        correlation(np.append(first, x), np.append(second, y), weights)[0]
        for x in (first.min(), first.max())
        for y in (second.min(), second.max())
    ]
    return max(-1.0, min(reached)), min(1.0, max(reached))


def correlate_values(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Return Pearson's correlation and each row's influence."""
    x, y = _stretch(x), _stretch(y)
    x, y = x - weights @ x, y - weights @ y
    return _ratio(weights, (x * y, x * x, y * y), 1)


def _ratio(weights: Floats, parts: tuple[Floats, Floats, Floats], order: int) -> tuple[float, Floats]:
    """Return C / sqrt(A B) of three means, with each row's influence; `order` rows together form one term of a mean."""
    means = [float(weights @ part) / order for part in parts]
    size = sqrt(means[1] * means[2])
    value = means[0] / size
    moved = [part - order * mean for part, mean in zip(parts, means, strict=True)]
    return value, weights * (moved[0] / size - value / 2 * (moved[1] / means[1] + moved[2] / means[2]))


def _stretch(column: Floats) -> Floats:
    """Scale scores to 0 to 1, which leaves correlations unchanged, so that very small or large ones lose no digits."""
    return (column - column.min()) / np.ptp(column)


def correlate_ranks(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Return Spearman's correlation; a row's influence includes its effect on the ranks of the others."""
    (a, over_x), (b, over_y) = _ranks(x, weights), _ranks(y, weights)
    parts = a * b + over_x(b) + over_y(a), a * a + 2 * over_x(a), b * b + 2 * over_y(b)
    return _ratio(weights, parts, 3)


def _ranks(column: Floats, weights: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
    """Return centred ranks from -1/2 to 1/2, and a row's effect on a mean through the ranks of the others."""
    _, place = np.unique(column, return_inverse=True)
    sizes = sum_by(place, weights)
    rank = np.cumsum(sizes) - sizes / 2 - 0.5

    def shift(values: Floats) -> Floats:
        sums = sum_by(place, weights * values)
        above = sums.sum() - np.cumsum(sums)
        return (above + sums / 2 - sums.sum() / 2)[place]

    return rank[place], shift


def correlate_order(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Return Kendall's tau-b and each row's influence."""
    (_, at_x), (_, at_y) = np.unique(x, return_inverse=True), np.unique(y, return_inverse=True)
    parts = _in_order(at_x, at_y, weights), _unequal(at_x, weights), _unequal(at_y, weights)
    value, influence = _ratio(weights, parts, 1)
    return value, 2 * influence


def _unequal(places: NDArray[np.intp], weights: Floats) -> Floats:
    """Return for each row the share of rows with another value."""
    return 1 - sum_by(places, weights)[places]


def _in_order(at_x: NDArray[np.intp], at_y: NDArray[np.intp], weights: Floats) -> Floats:
    """Return for each row the share of rows in concordant order minus that in discordant order."""
    kinds, found = int(at_y.max()) + 1, np.empty(len(at_x))
    everything = sum_by(at_y, weights, kinds)
    below = np.zeros(kinds)
    for start in range(0, int(at_x.max()) + 1, _BLOCK):
        chosen = (at_x >= start) & (at_x < start + _BLOCK)
        rows, columns = at_x[chosen] - start, at_y[chosen]
        block = np.zeros((_BLOCK, kinds))
        np.add.at(block, (rows, columns), weights[chosen])
        up_to = below + np.cumsum(block, axis=0)
        tilt = 2 * up_to - block - everything
        sums = np.cumsum(tilt, axis=1)
        left_of = sums - tilt
        found[chosen] = (left_of - (sums[:, -1:] - sums))[rows, columns]
        below = up_to[-1]
    return found
