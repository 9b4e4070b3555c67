"""The parts of a corrected estimate: labels, verdicts, and how each row moves them.

The estimate is the mean of the labels plus `tuning` times what the verdicts on labelled rows lack to those on all
rows. Both are sums over rows, so the standard error follows from each row's influence, summed by cluster.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.stats.arrays import Clusters, Floats, Keys, as_floats, find_clusters

Maybe = Sequence[float | None]


class Rows(NamedTuple):
    """All rows: verdicts (None: unjudged), labels (None: unlabelled), clusters, and the chance each label had to be asked for."""

    judged: Maybe
    labels: Maybe
    clusters: Keys | None = None
    probabilities: Maybe | None = None


class Parts(NamedTuple):
    """The mean of the labels, what the verdicts lack, how each row moves them, and which rows are labelled.

    `on_seen` is how each row moves the mean verdict of the labelled rows.
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
        """The labels' mean, put right by the judge's verdicts on the other rows."""
        return self.labels + tuning * self.lack

    def error(self, tuning: float) -> float:
        """The cluster-robust standard error; on yes/no labels one miss of each kind is added, so that few misses are not taken for none."""
        influence = self.clusters.sum(self.on_labels + tuning * self.on_lack)
        squares, labelled = float(influence @ influence), self.labelled
        if self.yes_or_no:
            worth = self.worth(tuning)
            squares = (squares + (1 + max(1.0, tuning) ** 2) / worth**2) * (worth / (worth + 2)) ** 2
        return sqrt(squares * labelled / (labelled - 1))

    def worth(self, tuning: float) -> float:
        """How many independent labels the labels are worth: between the clusters that have one and all of them."""
        count, misses = int(self.chosen.sum()), self.on_labels - tuning * self.on_seen
        together = self.clusters.sum(misses)
        alone, shared = float(misses @ misses), float(together @ together)
        return min(count, max(self.labelled, count * alone / shared)) if shared > 0 else self.labelled

    @property
    def labelled(self) -> int:
        """How many clusters have a label."""
        return self.clusters.among(self.chosen).count

    def tune(self) -> float:
        """The tuning of PPI++: how much of the labels' spread the verdicts explain, kept between ignoring and believing the judge."""
        return min(max(self.slope, 0.0), self.most)

    def tune_by_clusters(self) -> float:
        """The tuning that makes this standard error smallest, between ignoring and believing the judge."""
        labels, lack = self.clusters.sum(self.on_labels), self.clusters.sum(self.on_lack)
        square = float(lack @ lack)
        return min(max(-float(labels @ lack) / square, 0.0), self.most) if square > 0 else 0.0


def take_apart(rows: Rows, unjudged: float) -> Parts:
    """The parts of a mean."""
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
    # The variance may vanish although verdicts differ, where they differ by next to nothing.
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
    """What each label counts: as many rows as it stands for, so one over its chance of being asked for."""
    if probabilities is None:
        weights = np.ones(int(chosen.sum()))
    else:
        chances = [chance for chance, label in zip(probabilities, chosen, strict=True) if label]
        if any(chance is None or not 0 < chance <= 1 for chance in chances):
            raise ValueError("a labelled row needs a chance of selection above 0 and up to 1")
        weights = 1 / as_floats([chance or 1.0 for chance in chances])
    return weights / weights.sum() if len(weights) else weights


def _center(verdicts: Floats, chosen: NDArray[np.bool_], *, equal: bool) -> Floats:
    """Verdicts less their mean: with equal chances that of the labelled and of the other rows, whose numbers are fixed."""
    if not equal or chosen.all():
        return verdicts - verdicts.mean()
    centered = verdicts.copy()
    for part in (chosen, ~chosen):
        centered[part] -= verdicts[part].mean()
    return centered


def subtract(a: Parts, b: Parts, clusters: Clusters) -> Parts:
    """The parts of B minus A; the clusters are those of the rows of A, followed by the rows of B."""
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
