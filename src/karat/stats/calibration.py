"""Calibration of confidences: Brier score, calibration error and the reliability curve."""

from math import pi, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.clustered import (
    Clusters,
    Floats,
    Keys,
    Values,
    as_floats,
    find_clusters,
    mean_of,
    name_method,
    share_of,
    standard_error,
    sum_by,
    too_few,
    weigh,
)
from karat.stats.distributions import critical
from karat.stats.estimate import Estimate, Number, unseen

_NOTHING = 1e-12


class Bin(Struct, frozen=True):
    """The rows with a confidence between two ends: their mean confidence, and the share that is right."""

    low: float
    high: float
    rows: int
    confidence: float
    share: Number


def brier(
    confidences: Values,
    right: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the mean squared distance between confidence and outcome: 0 is perfect, 0.25 is a constant confidence of one half."""
    rows = (as_floats(confidences) - as_floats(right)) ** 2
    return mean_of(rows, find_clusters(clusters, len(rows)), (0.0, 1.0), level, weights)


def expected_calibration_error(
    confidences: Values,
    right: Values,
    clusters: Keys | None = None,
    *,
    bins: int = 10,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the distance between confidence and share right, over equally wide bins, weighted by their rows.

    Chance increases this estimate by at most a known amount; the lower end of the interval allows for it.
    """
    stated, seen = as_floats(confidences), as_floats(right)
    found = find_clusters(clusters, len(stated))
    why_not = too_few(found)
    if why_not:
        return why_not
    gaps, places, count = seen - stated, _places(stated, bins), weigh(weights, len(stated))
    sums = sum_by(places, count * gaps, bins)
    value = min(1.0, float(np.abs(sums).sum()))
    error = standard_error(count * (np.sign(sums)[places] * gaps - value), found)
    by_chance = sum(_chance(gaps, count * (places == place), found) for place in np.unique(places))
    half = critical(level, found.count - 1) * error if error > _NOTHING else unseen(found.worth(count), level)
    low, high = max(0.0, value - half - by_chance), min(1.0, value + half)
    method = name_method("delta, t", found, weights)
    return Estimate(value, low, high, len(gaps), method, level, found.reported)


def reliability(
    confidences: Values,
    right: Values,
    clusters: Keys | None = None,
    *,
    bins: int = 10,
    weights: Values | None = None,
    level: float = 0.95,
) -> tuple[Bin, ...]:
    """Return the share that is right in each of equally wide bins of confidence; bins without rows are left out."""
    stated, seen = as_floats(confidences), as_floats(right)
    found, places = find_clusters(clusters, len(stated)), _places(stated, bins)
    count = None if weights is None else as_floats(weights)

    def describe(place: int, chosen: NDArray[np.bool_]) -> Bin:
        of_rows = None if count is None else count[chosen]
        confidence = float(weigh(of_rows, int(chosen.sum())) @ stated[chosen])
        share = share_of(seen[chosen], found.among(chosen), level, of_rows)
        return Bin(place / bins, (place + 1) / bins, int(chosen.sum()), confidence, share)

    return tuple(describe(int(place), places == place) for place in np.unique(places))


def _places(stated: Floats, bins: int) -> NDArray[np.intp]:
    if ((stated < 0) | (stated > 1)).any():
        raise ValueError("a confidence must be between 0 and 1")
    return np.minimum((stated * bins).astype(np.intp), bins - 1)


def _chance(gaps: Floats, count: Floats, clusters: Clusters) -> float:
    """Return the expected gap of a bin by chance alone, for a normal distribution with its variance."""
    mean = float(count @ gaps) / float(count.sum())
    return sqrt(2 / pi) * standard_error(count * (gaps - mean), clusters)
