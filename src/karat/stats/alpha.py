"""Krippendorff's alpha: the agreement of any number of annotators, who may have skipped rows."""

from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from karat.stats.clustered import ONE_CLUSTER, Floats, Keys, clip, find_clusters
from karat.stats.distributions import critical
from karat.stats.estimate import NO_ROWS, Estimate, Number, Undefined, unseen

Scale: TypeAlias = Literal["nominal", "ordinal", "interval"]
_MOST_CELLS = 20_000_000
_NOTHING = 1e-9


class _Ratings(NamedTuple):
    """Coincidences and counts of values, by cluster."""

    values: Floats
    together: Floats
    counts: Floats
    rows: int
    clusters: int
    shared: bool


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]],
    scale: Scale,
    clusters: Keys | None = None,
    *,
    level: float = 0.95,
) -> Number:
    """Return one minus the ratio of observed to expected disagreement; ratings are by row, one per annotator, None if skipped.

    The interval is a t interval by the jackknife over clusters.
    """
    found = _collect(ratings, clusters)
    if isinstance(found, Undefined):
        return found
    whole = _alpha(
        found.together.sum(axis=0, keepdims=True),
        found.counts.sum(axis=0, keepdims=True),
        found.values,
        scale,
    )
    value = float(whole[0])
    if np.isnan(value):
        return Undefined("all ratings are the same")
    if found.clusters == 1:
        return ONE_CLUSTER if found.shared else Undefined("one row has no variance")
    error = _jackknife(found, scale)
    method = "jackknife, t"
    if error < _NOTHING or value == 1:
        low, high = _with_unseen(found, scale, value, level)
        method = "unseen rows"
    else:
        half = critical(level, found.clusters - 1) * error
        low, high = clip(value - half, value + half, (-1.0, 1.0))
    name = f"{method}, clustered" if found.shared else method
    reported = found.clusters if found.shared else None
    return Estimate(value, min(low, value), max(high, value), found.rows, name, level, reported)


def _collect(ratings: Sequence[Sequence[float | None]], keys: Keys | None) -> _Ratings | Undefined:
    chosen = [row for row, given in enumerate(ratings) if sum(value is not None for value in given) > 1]
    if not chosen:
        return Undefined("no row was rated by two annotators") if ratings else NO_ROWS
    rated = [[float(value) for value in ratings[row] if value is not None] for row in chosen]
    values, places = np.unique(np.concatenate(rated), return_inverse=True)
    sizes = np.array([len(given) for given in rated])
    counts = np.zeros((len(rated), len(values)))
    np.add.at(counts, (np.repeat(np.arange(len(rated)), sizes), places), 1)
    clusters = find_clusters(None if keys is None else [keys[row] for row in chosen], len(chosen))
    groups = max(2, min(clusters.count, _MOST_CELLS // len(values) ** 2)) if clusters.count > 1 else 1
    together, summed = np.zeros((groups, len(values), len(values))), np.zeros((groups, len(values)))
    for row, (cluster, given) in enumerate(zip(clusters.of_row % groups, counts, strict=True)):
        together[cluster] += (np.outer(given, given) - np.diag(given)) / (sizes[row] - 1)
        summed[cluster] += given
    return _Ratings(values, together, summed, len(rated), groups, clusters.shared)


def _alpha(together: Floats, counts: Floats, values: Floats, scale: Scale) -> Floats:
    """Return alpha for each of several collections; NaN (never returned to callers) if all its ratings are equal."""
    total = counts.sum(axis=1)
    if scale == "nominal":
        seen = total - np.trace(together, axis1=1, axis2=2)
        expected = total**2 - (counts**2).sum(axis=1)
    else:
        at = (
            np.cumsum(counts, axis=1) - counts / 2
            if scale == "ordinal"
            else np.broadcast_to(values, counts.shape)
        )
        at = at - (counts * at).sum(axis=1, keepdims=True) / np.maximum(total, 1)[:, None]
        squares = (counts * at**2).sum(axis=1)
        seen = 2 * (squares - np.einsum("gc,gck,gk->g", at, together, at))
        expected = 2 * total * squares
    alone = np.count_nonzero(counts > _NOTHING, axis=1) <= 1
    return np.where(alone, np.nan, 1 - (total - 1) * seen / np.where(alone, 1.0, expected))


def _jackknife(found: _Ratings, scale: Scale) -> float:
    together = found.together.sum(axis=0) - found.together
    counts = found.counts.sum(axis=0) - found.counts
    left = _alpha(together, counts, found.values, scale)
    left = left[~np.isnan(left)]
    count = len(left)
    return sqrt(float(((left - left.mean()) ** 2).sum()) * (count - 1) / count) if count else 0.0


def _with_unseen(found: _Ratings, scale: Scale, value: float, level: float) -> tuple[float, float]:
    """Return the range of alpha if rows with the worst two ratings exist that the sample could have missed."""
    share = unseen(found.clusters, level)
    together, counts = found.together.sum(axis=0), found.counts.sum(axis=0)
    total, reached = float(counts.sum()), [value]
    for one, other in np.ndindex(*together.shape):
        pair = np.zeros_like(together)
        pair[one, other] += total / 2
        pair[other, one] += total / 2
        mixed = (1 - share) * together + share * pair
        reached.append(float(_alpha(mixed[None], mixed.sum(axis=1)[None], found.values, scale)[0]))
    return min(reached), max(reached)
