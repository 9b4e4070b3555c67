"""Corrected estimates (PPI++): the judge's word on all rows, put right by the human labels of some.

A judge that tells nothing does no harm, because its word is then not counted. The labels must be of rows drawn at
random, each with a known chance. After Angelopoulos, Duchi and Zrnic 2023.
"""

import numpy as np
from msgspec import Struct

from karat.stats.arrays import Clusters, Floats, Keys, as_floats, find_clusters
from karat.stats.clustered import Bounds, clip, mean_of, name_method, share_of
from karat.stats.distributions import critical, two_sided
from karat.stats.estimate import Estimate, Number, Undefined
from karat.stats.intervals import unseen
from karat.stats.paired import Difference, difference
from karat.stats.powered import Maybe, Parts, Rows, subtract, take_apart

NO_LABELS = Undefined("there are no labels")
ONE_LABEL = Undefined("one label alone shows no spread")
ONE_CLUSTER = Undefined("all labels belong to one cluster, so the spread between clusters is not known")
_NOTHING = 1e-12


class Corrected(Struct, frozen=True):
    """The judge's number, the labels' number, and both together; `tuning` says how much the judge's word counts.

    `residual` is the spread of a label that the verdict does not explain, `total` that of a label alone (variances):
    what `labels_needed` takes.
    """

    raw: Number
    labels_only: Number
    corrected: Number
    tuning: float = 0.0
    residual: float | None = None
    total: float | None = None


class CorrectedDifference(Struct, frozen=True):
    """B minus A: by the judge, by the labels, and by both together."""

    raw: Difference
    labels_only: Difference
    corrected: Difference
    tuning: float = 0.0


def corrected_mean(
    judged: Maybe,
    labels: Maybe,
    *,
    probabilities: Maybe | None = None,
    clusters: Keys | None = None,
    unjudged: float = 0.5,
    tuning: float | None = None,
    level: float = 0.95,
) -> Corrected:
    """The share correct or the mean score (0 to 1) of all rows; an unjudged row is predicted as `unjudged`.

    Where every row is labelled there is nothing to predict: what the labels say alone is the corrected number too.
    """
    parts = take_apart(Rows(judged, labels, clusters, probabilities), unjudged)
    raw = _raw(judged, parts.clusters, level)
    why_not = _why_not(parts)
    if why_not:
        return Corrected(raw, why_not, why_not)
    weight = parts.tune() if tuning is None else tuning
    corrected = _interval(parts, weight, (0.0, 1.0), level)
    residual, total = _spreads(parts, weight)
    if probabilities is None:
        truths = as_floats([label for label in labels if label is not None])
        alone = _plain(truths, parts.clusters.among(parts.chosen), level)
    else:
        alone = _interval(parts, 0.0, (0.0, 1.0), level)
    return Corrected(raw, alone, alone if parts.chosen.all() else corrected, weight, residual, total)


def corrected_difference(
    a: Rows, b: Rows, *, unjudged: float = 0.5, tuning: float | None = None, level: float = 0.95
) -> CorrectedDifference:
    """B minus A, paired by the clusters (questions) that both have; one tuning serves both."""
    keys = [*(a.clusters or [None] * len(a.judged)), *(b.clusters or [None] * len(b.judged))]
    raw = _raw_difference(a, b, level)
    one, other = take_apart(a, unjudged), take_apart(b, unjudged)
    parts = subtract(one, other, find_clusters(keys, len(keys)))
    fewest = int(min(one.chosen.sum(), other.chosen.sum()))
    why_not = _why_not(parts) if fewest > 1 else (NO_LABELS, ONE_LABEL)[fewest]
    if why_not:
        return CorrectedDifference(raw, Difference(why_not), Difference(why_not))
    weight = parts.tune_by_clusters() if tuning is None else tuning
    return CorrectedDifference(raw, _differ(parts, 0.0, level), _differ(parts, weight, level), weight)


def _why_not(parts: Parts) -> Undefined | None:
    labels = int(parts.chosen.sum())
    if labels <= 1:
        return ONE_LABEL if labels else NO_LABELS
    return ONE_CLUSTER if parts.labelled == 1 else None


def _raw(judged: Maybe, clusters: Clusters, level: float) -> Number:
    known = np.array([value is not None for value in judged], dtype=np.bool_)
    return _plain(as_floats([value for value in judged if value is not None]), clusters.among(known), level)


def _plain(rows: Floats, clusters: Clusters, level: float) -> Number:
    """A share where all rows are 0 or 1, otherwise a mean."""
    if np.isin(rows, (0.0, 1.0)).all():
        return share_of(rows, clusters, level)
    return mean_of(rows, clusters, (0.0, 1.0), level)


def _raw_difference(a: Rows, b: Rows, level: float) -> Difference:
    known = [[row for row, value in enumerate(rows.judged) if value is not None] for rows in (a, b)]
    values = [[rows.judged[row] or 0.0 for row in chosen] for rows, chosen in zip((a, b), known, strict=True)]
    keys = [
        None if rows.clusters is None else [rows.clusters[row] for row in chosen]
        for rows, chosen in zip((a, b), known, strict=True)
    ]
    return difference(*values, *keys, level=level)


def _interval(parts: Parts, tuning: float, bounds: Bounds, level: float) -> Number:
    value, error = min(max(parts.estimate(tuning), bounds[0]), bounds[1]), parts.error(tuning)
    half = critical(level, parts.labelled - 1) * error
    method = "PPI++, t" if tuning else "labels, t"
    if error < _NOTHING:
        half, method = unseen(parts.labelled, level), "unseen rows"
    low, high = clip(value - half, value + half, bounds)
    name = name_method(method, parts.clusters)
    return Estimate(value, low, high, int(parts.chosen.sum()), name, level, parts.clusters.reported)


def _differ(parts: Parts, tuning: float, level: float) -> Difference:
    estimate, error = _interval(parts, tuning, (-1.0, 1.0), level), parts.error(tuning)
    if error < _NOTHING:
        return Difference(estimate)
    p = two_sided(parts.estimate(tuning) / error, parts.labelled - 1)
    return Difference(estimate, p)


def _spreads(parts: Parts, tuning: float) -> tuple[float, float]:
    """The variance of one label given its verdict, and of one label alone, both with what clusters add."""
    among, count = parts.clusters.among(parts.chosen), int(parts.chosen.sum())
    alone = among.sum(parts.on_labels[parts.chosen])
    given = among.sum((parts.on_labels - tuning * parts.on_seen)[parts.chosen])
    factor = count * among.count / (among.count - 1)
    return float(given @ given) * factor, float(alone @ alone) * factor
