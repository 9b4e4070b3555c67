"""How far a judge follows people on a scale of 0 to 5."""

from collections.abc import Sequence
from math import floor

from msgspec import Struct

from karat.core.labels import TOP, level
from karat.core.marks import Mark
from karat.stats import Number

SCALE = tuple(range(TOP + 1))


class Band(Struct, frozen=True):
    """How far off the judge is where people gave about this level; a positive bias is a judge too kind."""

    level: int
    rows: int
    error: Number
    bias: Number


class Levels(Struct, frozen=True):
    """Agreement on levels; the table counts people's, rounded, against the judge's."""

    rows: int
    table: tuple[tuple[int, ...], ...]
    statistics: dict[str, Number]
    bands: tuple[Band, ...]


def compare_levels(marks: Sequence[Mark], weights: Sequence[float] | None = None) -> Levels | None:
    """Agreement over the judged rows whose labels are levels; None where there are none."""
    from karat.stats import agreement, scores

    graded = [
        (mark.value, found, mark.cluster, 1.0 if weights is None else weights[at])
        for at, mark in enumerate(marks)
        if mark.value is not None and (found := level(mark.labels)) is not None
    ]
    if not graded:
        return None
    judge, human = [row[0] for row in graded], [row[1] for row in graded]
    clusters, weighed = [row[2] for row in graded], [row[3] for row in graded]
    weigh = None if weights is None else weighed
    rounded = [floor(found + 0.5) for found in human]
    return Levels(
        rows=len(graded),
        table=agreement.table(rounded, judge, SCALE),
        statistics=level_statistics(human, judge, clusters, weigh),
        bands=tuple(
            Band(band.band, band.rows, band.error, band.bias)
            for band in scores.by_band(human, judge, clusters, weights=weigh)
        ),
    )


def level_statistics(
    human: Sequence[float],
    judge: Sequence[int],
    clusters: Sequence[int],
    weights: Sequence[float] | None = None,
) -> dict[str, Number]:
    """How far two agree who gave each row a level; the first may be the mean of several."""
    from karat.stats import agreement, scores
    from karat.stats.clustered import share

    rounded = [floor(found + 0.5) for found in human]
    same = [one == other for one, other in zip(rounded, judge, strict=True)]
    near = [abs(one - other) <= 1 for one, other in zip(human, judge, strict=True)]
    return {
        "exact": share(same, clusters, weights=weights),
        "within_one": share(near, clusters, weights=weights),
        "quadratic_kappa": agreement.weighted_kappa(rounded, judge, SCALE, clusters, weights=weights),
        "pearson": scores.pearson(human, judge, clusters, weights=weights),
        "spearman": scores.spearman(human, judge, clusters, weights=weights),
        "kendall": scores.kendall(human, judge, clusters, weights=weights),
        "mean_absolute_error": scores.mean_absolute_error(human, judge, clusters, weights=weights),
    }
