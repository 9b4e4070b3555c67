"""Slices of the rows against the rest, with care for how many are looked at."""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.arrays import Clusters, Floats, Keys, Values, as_floats, find_clusters
from karat.stats.clustered import mean_of, share_of
from karat.stats.estimate import Number
from karat.stats.many import holm
from karat.stats.paired import Difference, difference


class Slice(Struct, frozen=True):
    """The rows with one tag: their share (or mean), and slice minus rest with an interval that holds for all slices at once."""

    tag: str
    rows: int
    share: Number
    difference: Difference
    adjusted: float | None = None


def slices(
    values: Values, tags: Sequence[Hashable], clusters: Keys | None = None, *, level: float = 0.95
) -> tuple[Slice, ...]:
    """Each tag's rows against all other rows; rows without a tag (None) belong to the rest. The largest slice comes first."""
    rows = as_floats(values)
    names = [None if tag is None else str(tag) for tag in tags]
    found = find_clusters(clusters, len(rows))
    keys = [int(number) for number in found.of_row]
    kinds = Counter(name for name in names if name is not None)
    strict = 1 - (1 - level) / max(1, len(kinds))
    parts = list[tuple[str, int, Number, Difference]]()
    for name, count in sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0])):
        chosen = np.array([each == name for each in names])
        share = _mean(rows[chosen], found.among(chosen), level)
        parts.append((name, count, share, _against(rows, chosen, keys if found.shared else None, strict)))
    adjusted = iter(holm([part[3].p for part in parts if part[3].p is not None]))
    return tuple(Slice(*part, None if part[3].p is None else next(adjusted)) for part in parts)


def _mean(rows: Floats, clusters: Clusters, level: float) -> Number:
    if np.isin(rows, (0.0, 1.0)).all():
        return share_of(rows, clusters, level)
    return mean_of(rows, clusters, (0.0, 1.0), level)


def _against(rows: Floats, chosen: NDArray[np.bool_], keys: Sequence[int] | None, level: float) -> Difference:
    if keys is None:
        return difference(rows[~chosen], rows[chosen], level=level)
    rest = [key for key, inside in zip(keys, chosen, strict=True) if not inside]
    part = [key for key, inside in zip(keys, chosen, strict=True) if inside]
    return difference(rows[~chosen], rows[chosen], rest, part, level=level)
