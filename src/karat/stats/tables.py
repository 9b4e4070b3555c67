"""Tables of two raters' verdicts, and intervals of statistics of a table."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from karat.stats.clustered import (
    Bounds,
    Clusters,
    Floats,
    Keys,
    Values,
    as_floats,
    clip,
    find_clusters,
    name_method,
    standard_error,
    too_few,
    weigh,
)
from karat.stats.distributions import critical
from karat.stats.estimate import Estimate, Number, Undefined, unseen

Slope: TypeAlias = tuple[float, Floats]
Statistic: TypeAlias = Callable[[Floats], Slope | Undefined]
_NOTHING = 1e-9


class Pairs(NamedTuple):
    """The table cell of each row, the number of rows per cell, and the rows' clusters and weights."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    counts: NDArray[np.intp]
    clusters: Clusters
    weights: Values | None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.first)

    @property
    def shares(self) -> Floats:
        """The weighted share of all rows in each cell."""
        if self.weights is None:
            return self.counts / max(1, self.rows)
        found = np.zeros(self.counts.shape)
        np.add.at(found, (self.first, self.second), weigh(self.weights, self.rows))
        return found


def pair_up(
    human: Values,
    judge: Values,
    values: Sequence[float],
    clusters: Keys | None = None,
    weights: Values | None = None,
) -> Pairs:
    """Return both raters' verdicts as indices into the list of values; a verdict outside it is an error of the caller."""
    first, second = _places(human, values), _places(judge, values)
    if len(first) != len(second):
        raise ValueError(f"{len(first)} labels for {len(second)} verdicts")
    kinds = len(values)
    counts = np.bincount(first * kinds + second, minlength=kinds * kinds).reshape(kinds, kinds)
    return Pairs(first, second, counts, find_clusters(clusters, len(first)), weights)


def _places(column: Values, values: Sequence[float]) -> NDArray[np.intp]:
    rows, scale = as_floats(column), as_floats(values)
    order = np.argsort(scale)
    place = order[np.clip(np.searchsorted(scale[order], rows), 0, len(scale) - 1)]
    if not (scale[place] == rows).all():
        raise ValueError(f"a verdict must be one of {', '.join(f'{value:g}' for value in values)}")
    return place


def from_table(pairs: Pairs, statistic: Statistic, bounds: Bounds, level: float) -> Number:
    """Return a statistic of the table with a clustered t interval by the delta method.

    If the rows have no variance, the interval is the range of the statistic if rows in the worst cells exist that the
    sample could have missed.
    """
    why_not = too_few(pairs.clusters)
    if why_not:
        return why_not
    shares, count = pairs.shares, weigh(pairs.weights, pairs.rows)
    found = statistic(shares)
    if isinstance(found, Undefined):
        return found
    value, slope = found
    moved = slope - float((slope * shares).sum())
    error = standard_error(moved[pairs.first, pairs.second] * count, pairs.clusters)
    if error < _NOTHING or value in bounds:
        low, high = _with_unseen(pairs, statistic, value, level)
        method = "unseen rows"
    else:
        half = critical(level, pairs.clusters.count - 1) * error
        low, high = clip(value - half, value + half, bounds)
        method = "delta, t"
    return Estimate(
        value,
        min(low, value),
        max(high, value),
        pairs.rows,
        name_method(method, pairs.clusters, pairs.weights),
        level,
        pairs.clusters.reported,
    )


def _with_unseen(pairs: Pairs, statistic: Statistic, value: float, level: float) -> Bounds:
    worth = pairs.clusters.worth(weigh(pairs.weights, pairs.rows))
    shares, share, reached = pairs.shares, unseen(worth, level), [value]
    for cell in np.ndindex(*shares.shape):
        mixed = (1 - share) * shares
        mixed[cell] += share
        found = statistic(mixed)
        if not isinstance(found, Undefined):
            reached.append(found[0])
    return min(reached), max(reached)
