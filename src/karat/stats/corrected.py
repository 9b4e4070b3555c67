"""Estimates corrected by human labels: PPI++, and Rogan-Gladen.

PPI++ (Angelopoulos, Duchi and Zrnic 2023) corrects the judge's mean over all rows by the labels of some. The labels must
be of rows drawn at random, each with a known probability. A judge that does not predict the labels gets no weight.
Rogan-Gladen (1978) corrects a rate by the judge's sensitivity and specificity. The labels need not be a random sample of the
data, as long as the judge has the same error rates on right and on wrong answers as in the data.
"""

from collections.abc import Sequence
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.clustered import (
    Bounds,
    Clusters,
    Floats,
    Keys,
    as_floats,
    clip,
    find_clusters,
    mean_of,
    name_method,
    share_of,
)
from karat.stats.distributions import critical, two_sided
from karat.stats.estimate import NO_ROWS, Estimate, Number, Undefined, unseen
from karat.stats.paired import Difference, difference

Maybe = Sequence[float | None]
NO_LABELS = Undefined("there are no labels")
ONE_LABEL = Undefined("one label has no variance")
ONE_CLUSTER = Undefined("all labels belong to one cluster, so the variance between clusters is not known")
_NOTHING = 1e-12
_LEAST = 1e-9
_FEWEST = 2


class Rows(NamedTuple):
    """All rows: verdicts (None: unjudged), labels (None: unlabelled), clusters, and the probability of each label."""

    judged: Maybe
    labels: Maybe
    clusters: Keys | None = None
    probabilities: Maybe | None = None


class Corrected(Struct, frozen=True):
    """The estimate by the judge, by the labels, and by both; `tuning` is the weight of the judge's verdicts.

    `residual` is the variance of a label that the verdict does not explain, `total` that of a label alone:
    the arguments of `labels_needed`.
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


class Parts(NamedTuple):
    """The mean of the labels, the correction by the verdicts, each row's influence on them, and which rows are labelled.

    `on_seen` is each row's influence on the mean verdict of the labelled rows.
    """

    labels: float
    lack: float
    on_labels: Floats
    on_seen: Floats
    on_lack: Floats
    chosen: NDArray[np.bool_]
    clusters: Clusters
    slope: float
    most: float
    yes_or_no: bool

    def estimate(self, tuning: float) -> float:
        """Return the mean of the labels, corrected by the judge's verdicts on the other rows."""
        return self.labels + tuning * self.lack

    def error(self, tuning: float) -> float:
        """Return the cluster-robust standard error; for yes/no labels one error of each kind is added, so that few errors do not count as none."""
        influence = self.clusters.sum(self.on_labels + tuning * self.on_lack)
        squares, labelled = float(influence @ influence), self.labelled
        if self.yes_or_no:
            worth = self.worth(tuning)
            squares = (squares + (1 + max(1.0, tuning) ** 2) / worth**2) * (worth / (worth + 2)) ** 2
        return sqrt(squares * labelled / (labelled - 1))

    def worth(self, tuning: float) -> float:
        """Return the effective number of independent labels: between the number of labelled clusters and that of labels."""
        count, misses = int(self.chosen.sum()), self.on_labels - tuning * self.on_seen
        together = self.clusters.sum(misses)
        alone, shared = float(misses @ misses), float(together @ together)
        return min(count, max(self.labelled, count * alone / shared)) if shared > 0 else self.labelled

    @property
    def labelled(self) -> int:
        """Return how many clusters have a label."""
        return self.clusters.among(self.chosen).count

    def tune(self) -> float:
        """Return the tuning of PPI++: the part of the labels' variance that the verdicts explain, clipped to 0 to 1."""
        return min(max(self.slope, 0.0), self.most)

    def tune_by_clusters(self) -> float:
        """Return the tuning with the smallest standard error, between 0 and 1."""
        labels, lack = self.clusters.sum(self.on_labels), self.clusters.sum(self.on_lack)
        square = float(lack @ lack)
        return min(max(-float(labels @ lack) / square, 0.0), self.most) if square > 0 else 0.0


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
    """Estimate the share correct or the mean score (0 to 1) of all rows; an unjudged row is predicted as `unjudged`.

    If every row is labelled, the corrected estimate is that of the labels.
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
    """Estimate B minus A, paired by the clusters (questions) that both have; both use one tuning."""
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
    """Return a share if all rows are 0 or 1, otherwise a mean."""
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
    """Return the variance of one label given its verdict, and of one label alone, both including clustering."""
    among, count = parts.clusters.among(parts.chosen), int(parts.chosen.sum())
    alone = among.sum(parts.on_labels[parts.chosen])
    given = among.sum((parts.on_labels - tuning * parts.on_seen)[parts.chosen])
    factor = count * among.count / (among.count - 1)
    return float(given @ given) * factor, float(alone @ alone) * factor


def take_apart(rows: Rows, unjudged: float) -> Parts:
    """Return the parts of a mean."""
    verdicts = as_floats([unjudged if value is None else value for value in rows.judged])
    chosen = np.array([label is not None for label in rows.labels], dtype=np.bool_)
    truths = as_floats([label for label in rows.labels if label is not None])
    count, labelled = len(verdicts), len(truths)
    weights = _weigh(rows.probabilities, chosen)
    seen = verdicts[chosen]
    on_labels, on_seen = np.zeros(count), np.zeros(count)
    clusters = find_clusters(rows.clusters, count)
    if not labelled:
        return Parts(0.0, 0.0, on_labels, on_seen, on_seen, chosen, clusters, 0.0, 0.0, yes_or_no=False)
    mean, seen_mean = float(weights @ truths), float(weights @ seen)
    on_labels[chosen] = weights * (truths - mean)
    on_seen[chosen] = weights * (seen - seen_mean)
    # The variance may be zero although verdicts differ, if they differ by less than rounding.
    spread = float(verdicts.var(ddof=1)) if count > 1 else 0.0
    slope = float(on_labels[chosen] @ seen) / spread if spread > 0 else 0.0
    return Parts(
        mean,
        float(verdicts.mean()) - seen_mean,
        on_labels,
        on_seen,
        _center(verdicts, chosen, equal=rows.probabilities is None) / count - on_seen,
        chosen,
        clusters,
        slope,
        count / (count - labelled) if labelled < count else 0.0,
        bool(np.isin(truths, (0.0, 0.5, 1.0)).all()),
    )


def _weigh(probabilities: Maybe | None, chosen: NDArray[np.bool_]) -> Floats:
    """Return the weight of each label: the inverse of its probability of being drawn."""
    if probabilities is None:
        weights = np.ones(int(chosen.sum()))
    else:
        chances = [chance for chance, label in zip(probabilities, chosen, strict=True) if label]
        if any(chance is None or not 0 < chance <= 1 for chance in chances):
            raise ValueError("a labelled row needs a selection probability above 0 and up to 1")
        weights = 1 / as_floats([chance or 1.0 for chance in chances])
    return weights / weights.sum() if len(weights) else weights


def _center(verdicts: Floats, chosen: NDArray[np.bool_], *, equal: bool) -> Floats:
    """Center the verdicts: with equal probabilities, labelled and other rows separately, because their numbers are fixed."""
    if not equal or chosen.all():
        return verdicts - verdicts.mean()
    centered = verdicts.copy()
    for part in (chosen, ~chosen):
        centered[part] -= verdicts[part].mean()
    return centered


def subtract(a: Parts, b: Parts, clusters: Clusters) -> Parts:
    """Return the parts of B minus A; the clusters are those of the rows of A, followed by the rows of B."""
    return Parts(
        b.labels - a.labels,
        b.lack - a.lack,
        np.concatenate([-a.on_labels, b.on_labels]),
        np.concatenate([-a.on_seen, b.on_seen]),
        np.concatenate([-a.on_lack, b.on_lack]),
        np.concatenate([a.chosen, b.chosen]),
        clusters,
        0.0,
        min(a.most, b.most),
        a.yes_or_no and b.yes_or_no,
    )


def labels_needed(
    width: float, *, rows: int, residual: float, total: float, level: float = 0.95
) -> int | Undefined:
    """Return how many rows to label for an interval of this full width.

    `residual` is the variance of a label that the verdict does not explain, `total` that of a label alone: both
    from a first corrected estimate, or from `expected_spread` before there are labels.
    """
    if width <= 0:
        return Undefined("the width of an interval must be above 0")
    if rows <= 0:
        return Undefined("there are no rows")
    needed, reach = _FEWEST, critical(level)
    for _ in range(20):
        found = _solve((width / 2 / reach) ** 2, rows, residual, total)
        if found is None or found > rows:
            return Undefined(
                f"even with labels on all {rows:,} rows the interval is wider; more rows are needed"
            )
        if found == needed:
            break
        needed, reach = found, critical(level, found - 1)
    return needed


def _solve(variance: float, rows: int, residual: float, total: float) -> int | None:
    """Return the number of labels at which total / rows + residual (1 / labels - 1 / rows) is this variance."""
    left = variance - max(0.0, total - residual) / rows
    return max(_FEWEST, ceil(residual / left)) if left > 0 else None


def expected_spread(rate: float, sensitivity: float, specificity: float) -> tuple[float, float]:
    """Return residual and total variance of a yes/no label, for an expected true rate and expected sensitivity and specificity."""
    total = rate * (1 - rate)
    yes = rate * sensitivity + (1 - rate) * (1 - specificity)
    shared = rate * sensitivity - rate * yes
    explained = shared**2 / (yes * (1 - yes)) if 0 < yes < 1 else 0.0
    return max(0.0, total - explained), total


def rogan_gladen(
    judged_yes: float,
    judged_rows: float,
    true_yes: float,
    yes_rows: float,
    true_no: float,
    no_rows: float,
    *,
    level: float = 0.95,
) -> Number:
    """Return the corrected rate, from counts: the judge accepted `true_yes` of `yes_rows` labelled correct and rejected `true_no` of `no_rows` labelled wrong.

    The interval includes the uncertainty of all three rates. They are first moved towards one half, as needed for few rows
    (by the squared critical value for the rate, by one row of each kind for the other two).
    """
    if not judged_rows:
        return NO_ROWS
    for rows, kind in ((yes_rows, "correct"), (no_rows, "wrong")):
        if not rows:
            return Undefined(f"no row has the label {kind}")
    reach = critical(level)
    plain = _solve_true_rate(judged_yes / judged_rows, true_yes / yes_rows, true_no / no_rows)
    if plain is None:
        return Undefined("the judge accepts right and wrong answers equally often")
    square = reach**2
    rate, sure, strict = (
        (judged_yes + square / 2) / (judged_rows + square),
        (true_yes + 1) / (yes_rows + 2),
        (true_no + 1) / (no_rows + 2),
    )
    middle = _solve_true_rate(rate, sure, strict)
    if middle is None:
        return Undefined("the labels do not show that the judge distinguishes right from wrong")
    variance = (
        rate * (1 - rate) / (judged_rows + square)
        + middle**2 * sure * (1 - sure) / (yes_rows + 2)
        + (1 - middle) ** 2 * strict * (1 - strict) / (no_rows + 2)
    )
    half = reach * sqrt(variance) / (sure + strict - 1)
    value = min(1.0, max(0.0, plain))
    low, high = max(0.0, min(middle - half, 1.0)), min(1.0, max(middle + half, 0.0))
    rows = int(yes_rows + no_rows)
    return Estimate(value, min(low, value), max(high, value), rows, "Rogan-Gladen, delta", level)


def _solve_true_rate(rate: float, sure: float, strict: float) -> float | None:
    """Return the true rate for a judged one; None if the judge is no better than chance."""
    better_than_chance = sure + strict - 1
    return (rate + strict - 1) / better_than_chance if better_than_chance > _LEAST else None
