"""How far a judge's scores follow human scores: correlations, and how far off they are, by score."""

from collections.abc import Callable
from math import atanh, floor, sqrt, tanh

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.arrays import Clusters, Floats, Keys, Values, as_floats, find_clusters
from karat.stats.clustered import mean_of, standard_error, too_few
from karat.stats.distributions import critical
from karat.stats.estimate import Estimate, Number, Undefined
from karat.stats.intervals import unseen

_NOTHING = 1e-9
_BLOCK = 512
Correlation = Callable[[Floats, Floats, Floats], tuple[float, Floats]]


class Band(Struct, frozen=True):
    """The rows whose human score rounds to one number: how far off the judge is there, and in which direction."""

    band: int
    rows: int
    error: Number
    bias: Number


def pearson(human: Values, judge: Values, clusters: Keys | None = None, *, level: float = 0.95) -> Number:
    """The linear correlation."""
    return _correlate(human, judge, clusters, _pearson, level)


def spearman(human: Values, judge: Values, clusters: Keys | None = None, *, level: float = 0.95) -> Number:
    """The correlation of ranks; equal scores share their rank."""
    return _correlate(human, judge, clusters, _spearman, level)


def kendall(human: Values, judge: Values, clusters: Keys | None = None, *, level: float = 0.95) -> Number:
    """How much more often two rows are in the same order than not (tau-b, which allows for equal scores)."""
    return _correlate(human, judge, clusters, _kendall, level)


def mean_absolute_error(
    human: Values, judge: Values, clusters: Keys | None = None, *, span: float = 5.0, level: float = 0.95
) -> Number:
    """How far off the judge is, on a scale of this span."""
    rows = np.abs(as_floats(judge) - as_floats(human))
    return mean_of(rows, find_clusters(clusters, len(rows)), (0.0, span), level)


def by_band(
    human: Values, judge: Values, clusters: Keys | None = None, *, span: float = 5.0, level: float = 0.95
) -> tuple[Band, ...]:
    """Error and bias (judge minus human) for each human score, rounded; scores that no row has are left out."""
    first, second = as_floats(human), as_floats(judge)
    found = find_clusters(clusters, len(first))
    bands = np.array([floor(score + 0.5) for score in first], dtype=np.int64)
    return tuple(
        _band(int(band), bands == band, second - first, found, span, level) for band in np.unique(bands)
    )


def _band(
    band: int, chosen: NDArray[np.bool_], off: Floats, clusters: Clusters, span: float, level: float
) -> Band:
    rows, among = off[chosen], clusters.among(chosen)
    error = mean_of(np.abs(rows), among, (0.0, span), level)
    return Band(band, len(rows), error, mean_of(rows, among, (-span, span), level))


def _correlate(
    human: Values, judge: Values, keys: Keys | None, correlation: Correlation, level: float
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
    value, influence = correlation(first, second, np.full(len(first), 1 / len(first)))
    value = min(1.0, max(-1.0, value))
    error = standard_error(influence, clusters)
    if error < _NOTHING or abs(value) > 1 - _NOTHING:
        low, high = _with_unseen(first, second, clusters.count, correlation, level)
        method = "unseen rows"
    else:
        half = critical(level, clusters.count - 1) * error / (1 - value**2)
        low, high = tanh(atanh(value) - half), tanh(atanh(value) + half)
        method = "Fisher z, t"
    name = f"{method}, clustered" if clusters.shared else method
    return Estimate(value, min(low, value), max(high, value), len(first), name, level, clusters.reported)


def _stretch(column: Floats) -> Floats:
    """Scores from 0 to 1, which no correlation notices, so that very small or large ones lose no digits."""
    return (column - column.min()) / np.ptp(column)


def _with_unseen(
    first: Floats, second: Floats, count: int, correlation: Correlation, level: float
) -> tuple[float, float]:
    """What as many unseen rows as could have been missed might make of it, all at the worst corner of the scores."""
    share, rows = unseen(count, level), len(first)
    weights = np.append(np.full(rows, (1 - share) / rows), share)
    reached = [
        correlation(np.append(first, x), np.append(second, y), weights)[0]
        for x in (first.min(), first.max())
        for y in (second.min(), second.max())
    ]
    return max(-1.0, min(reached)), min(1.0, max(reached))


def _pearson(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    x, y = _stretch(x), _stretch(y)
    x, y = x - weights @ x, y - weights @ y
    return _ratio(weights, (x * y, x * x, y * y), (1, 1, 1))


def _ratio(
    weights: Floats, parts: tuple[Floats, Floats, Floats], orders: tuple[int, int, int]
) -> tuple[float, Floats]:
    """C / sqrt(A B) of three means, with each row's influence on it; `orders` is how many rows each mean's kernel takes."""
    together, one, other = (float(weights @ part) / order for part, order in zip(parts, orders, strict=True))
    size = sqrt(one * other)
    value = together / size
    moved = [
        part - order * mean for part, order, mean in zip(parts, orders, (together, one, other), strict=True)
    ]
    return value, weights * (moved[0] / size - value / 2 * (moved[1] / one + moved[2] / other))


def _spearman(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Ranks come from the rows too, so a row moves the correlation by its own ranks and by shifting the others'."""
    (a, over_x), (b, over_y) = _ranks(x, weights), _ranks(y, weights)
    parts = a * b + over_x(b) + over_y(a), a * a + 2 * over_x(a), b * b + 2 * over_y(b)
    return _ratio(weights, parts, (3, 3, 3))


def _ranks(column: Floats, weights: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
    """Centred ranks from -1/2 to 1/2, and how a row's presence shifts the mean of others through their ranks."""
    _, place = np.unique(column, return_inverse=True)
    sizes = np.bincount(place, weights=weights)
    rank = np.cumsum(sizes) - sizes / 2 - 0.5

    def shift(values: Floats) -> Floats:
        sums = np.bincount(place, weights=weights * values)
        above = sums.sum() - np.cumsum(sums)
        return (above + sums / 2 - sums.sum() / 2)[place]

    return rank[place], shift


def _kendall(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    (_, at_x), (_, at_y) = np.unique(x, return_inverse=True), np.unique(y, return_inverse=True)
    parts = _in_order(at_x, at_y, weights), _unequal(at_x, weights), _unequal(at_y, weights)
    value, influence = _ratio(weights, parts, (1, 1, 1))
    return value, 2 * influence


def _unequal(places: NDArray[np.intp], weights: Floats) -> Floats:
    """For each row, the share of rows with another value."""
    return 1 - np.bincount(places, weights=weights)[places]


def _in_order(at_x: NDArray[np.intp], at_y: NDArray[np.intp], weights: Floats) -> Floats:
    """For each row, the share of rows in the same order with it in x and y, less those in opposite order."""
    kinds, found = int(at_y.max()) + 1, np.empty(len(at_x))
    everything = np.bincount(at_y, weights=weights, minlength=kinds)
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
