"""Correlations of weighted rows, each with how far every row moves it (its influence)."""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from karat.stats.arrays import Floats, sum_by

_BLOCK = 512


def correlate_values(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Pearson's correlation."""
    x, y = _stretch(x), _stretch(y)
    x, y = x - weights @ x, y - weights @ y
    return _ratio(weights, (x * y, x * x, y * y), 1)


def _ratio(weights: Floats, parts: tuple[Floats, Floats, Floats], order: int) -> tuple[float, Floats]:
    """C / sqrt(A B) of three means, with each row's influence on it; `order` rows together make one part of a mean."""
    means = [float(weights @ part) / order for part in parts]
    size = sqrt(means[1] * means[2])
    value = means[0] / size
    moved = [part - order * mean for part, mean in zip(parts, means, strict=True)]
    return value, weights * (moved[0] / size - value / 2 * (moved[1] / means[1] + moved[2] / means[2]))


def _stretch(column: Floats) -> Floats:
    """Scores from 0 to 1, which no correlation notices, so that very small or large ones lose no digits."""
    return (column - column.min()) / np.ptp(column)


def correlate_ranks(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Spearman's correlation: ranks come from the rows too, so a row moves the correlation by its own ranks and by shifting the others'."""
    (a, over_x), (b, over_y) = _ranks(x, weights), _ranks(y, weights)
    parts = a * b + over_x(b) + over_y(a), a * a + 2 * over_x(a), b * b + 2 * over_y(b)
    return _ratio(weights, parts, 3)


def _ranks(column: Floats, weights: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
    """Centred ranks from -1/2 to 1/2, and how a row's presence shifts the mean of others through their ranks."""
    _, place = np.unique(column, return_inverse=True)
    sizes = sum_by(place, weights)
    rank = np.cumsum(sizes) - sizes / 2 - 0.5

    def shift(values: Floats) -> Floats:
        sums = sum_by(place, weights * values)
        above = sums.sum() - np.cumsum(sums)
        return (above + sums / 2 - sums.sum() / 2)[place]

    return rank[place], shift


def correlate_order(x: Floats, y: Floats, weights: Floats) -> tuple[float, Floats]:
    """Kendall's tau-b."""
    (_, at_x), (_, at_y) = np.unique(x, return_inverse=True), np.unique(y, return_inverse=True)
    parts = _in_order(at_x, at_y, weights), _unequal(at_x, weights), _unequal(at_y, weights)
    value, influence = _ratio(weights, parts, 1)
    return value, 2 * influence


def _unequal(places: NDArray[np.intp], weights: Floats) -> Floats:
    """For each row, the share of rows with another value."""
    return 1 - sum_by(places, weights)[places]


def _in_order(at_x: NDArray[np.intp], at_y: NDArray[np.intp], weights: Floats) -> Floats:
    """For each row, the share of rows in the same order with it in x and y, less those in opposite order."""
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
