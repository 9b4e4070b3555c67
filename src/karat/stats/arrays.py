"""Rows as numpy arrays: what the statistics accept, and how rows fall into clusters."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Sequence[float] | NDArray[Any]
Keys: TypeAlias = Sequence[Hashable]


def as_floats(values: Values) -> Floats:
    """The values as finite floats; anything else is the caller's mistake."""
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(found).all():
        raise ValueError("statistics are of finite numbers; leave rows without a value out")
    return found


def weigh(weights: Values | None, rows: int) -> Floats:
    """What each row counts, of one in all; equal without weights."""
    if weights is None:
        return np.full(rows, 1 / max(1, rows))
    found = as_floats(weights)
    if len(found) != rows or (found <= 0).any():
        raise ValueError("weights are above 0, one for each row")
    return found / found.sum()


def sum_by(places: NDArray[np.intp], values: Floats, kinds: int = 0) -> Floats:
    """The sum of the values at each place."""
    return np.asarray(np.bincount(places, weights=values, minlength=kinds), dtype=np.float64)


@dataclass(frozen=True)
class Clusters:
    """The number of each row's cluster, how many there are, and whether any has several rows."""

    of_row: NDArray[np.intp]
    count: int
    shared: bool

    def sum(self, values: Floats) -> Floats:
        """The sum of the rows of each cluster."""
        return sum_by(self.of_row, values, self.count)

    def worth(self, weights: Floats) -> float:
        """How many clusters of equal weight would be worth as much (Kish); the weights sum to one."""
        sums = self.sum(weights)
        return 1 / float(sums @ sums)

    def among(self, chosen: NDArray[np.bool_]) -> "Clusters":
        """The clusters of some of the rows."""
        found, of_row = np.unique(self.of_row[chosen], return_inverse=True)
        return Clusters(of_row, len(found), len(found) < len(of_row))

    @property
    def reported(self) -> int | None:
        """The count, where it tells something beside the count of rows."""
        return self.count if self.shared else None


def find_clusters(keys: Keys | None, rows: int) -> Clusters:
    """Rows with the same key belong together; a row without a key (None) stands alone."""
    if keys is None:
        return Clusters(np.arange(rows), rows, shared=False)
    if len(keys) != rows:
        raise ValueError(f"{len(keys)} cluster keys for {rows} rows")
    numbers = dict[Hashable, int]()
    of_row = [numbers.setdefault(object() if key is None else key, len(numbers)) for key in keys]
    return Clusters(np.array(of_row, dtype=np.intp), len(numbers), len(numbers) < rows)
