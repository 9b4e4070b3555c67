"""How far a judge agrees with people, and people with each other."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import floor
from typing import Any, Final

from msgspec import Struct

from karat.core.labels import TOP, YES_NO, Label, is_right, level, truth
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.correction import least_correct, selection_chances
from karat.stats import Number, Undefined

TIE: Final = 0.5
CELLS: Final = {
    (1, 0): "judge Yes, people No",
    (0, 1): "judge No, people Yes",
    (1, 1): "both Yes",
    (0, 0): "both No",
}


class Levels(Struct, frozen=True):
    """Agreement on a scale of 0 to 5; the table counts people's levels, rounded, against the judge's."""

    rows: int
    table: tuple[tuple[int, ...], ...]
    statistics: dict[str, Number]
    bands: tuple["Band", ...]


class Band(Struct, frozen=True):
    """How far off the judge is where people gave about this level; a positive bias is a judge too kind."""

    level: int
    rows: int
    error: Number
    bias: Number


class Bin(Struct, frozen=True):
    """Verdicts of about the same confidence, and how many of them people share."""

    low: float
    high: float
    rows: int
    confidence: float
    right: Number


class Calibration(Struct, frozen=True):
    """Whether confidence means what it says."""

    rows: int
    brier: Number
    expected_error: Number
    bins: tuple[Bin, ...]


class Pair(Struct, frozen=True):
    """Two people and what they both labelled."""

    one: str
    other: str
    rows: int
    agreement: Number
    kappa: Number


class Alternative(Struct, frozen=True):
    """Whether the judge may stand in for a person, by the alternative-annotator test."""

    rows: int
    epsilon: float
    winning_rate: float
    advantage: Number
    passed: bool
    advantages: dict[str, float]


class Humans(Struct, frozen=True):
    """How far people agree with each other."""

    authors: tuple[str, ...]
    pairs: tuple[Pair, ...]
    alpha: Number
    alternative: Alternative | Undefined | None = None


class Agreement(Struct, frozen=True):
    """A judge against people: `rows` are judged and labelled; those on which people are evenly split are left out.

    The 2x2 table counts people's No and Yes (rows) against the judge's (columns). Where a plan drew the labelled rows
    with unequal chances, the statistics weigh them so that they speak for the whole run.
    """

    protocol: ProtocolName
    passing: int
    rows: int
    questions: int
    unjudged: int
    ties: int
    outside: int
    weighted: bool
    authors: tuple[str, ...]
    table: tuple[tuple[int, int], tuple[int, int]]
    statistics: dict[str, Number]
    cells: dict[str, tuple[int, ...]]
    levels: Levels | None = None
    calibration: Calibration | None = None
    humans: Humans | None = None


class _Row(Struct, frozen=True):
    """A judged and labelled row."""

    mark: Mark
    judge: int
    human: int
    weight: float


def agree(marks: Sequence[Mark], protocol: ProtocolName, passing: int) -> Agreement:
    """Hold the verdicts of a run against its labels."""
    from karat.stats.agreement import table
    from karat.stats.agreement import agree as agree_on

    least = least_correct(protocol, passing)
    chances = selection_chances(marks)
    labelled = [(at, mark) for at, mark in enumerate(marks) if mark.labels]
    used = [(at, mark) for at, mark in labelled if chances is None or chances[at] is not None]
    rows = list[_Row]()
    for at, mark in used:
        said = truth(mark.labels, passing)
        if mark.value is not None and said != TIE:
            weight = 1.0 if chances is None else 1 / (chances[at] or 1.0)
            rows.append(_Row(mark, int(mark.value >= least), int(said or 0), weight))
    human, judge = [row.human for row in rows], [row.judge for row in rows]
    clusters = [row.mark.cluster for row in rows]
    weights = [row.weight for row in rows] if chances is not None else None
    found = agree_on(human, judge, clusters=clusters, weights=weights)
    counts = table(human, judge, (0, 1))
    return Agreement(
        protocol=protocol,
        passing=passing,
        rows=len(rows),
        questions=len(set(clusters)),
        unjudged=sum(mark.value is None for _, mark in used),
        ties=sum(truth(mark.labels, passing) == TIE for _, mark in used),
        outside=len(labelled) - len(used),
        weighted=weights is not None,
        authors=tuple(sorted({label.author for _, mark in labelled for label in mark.labels})),
        table=((counts[0][0], counts[0][1]), (counts[1][0], counts[1][1])),
        statistics=_statistics(found, human, judge, clusters),
        cells={
            name: tuple(row.mark.position for row in rows if (row.judge, row.human) == cell)
            for cell, name in CELLS.items()
        },
        levels=None if protocol == "match" else _levels(rows),
        calibration=_calibrate(rows, protocol),
        humans=_humans([mark for _, mark in labelled], protocol, passing, least),
    )


def _statistics(
    found: Any, human: Sequence[int], judge: Sequence[int], clusters: Sequence[int]  # noqa: ANN401 - stats' own Agreement
) -> dict[str, Number]:
    from karat.stats.alpha import krippendorff_alpha

    return {
        "agreement": found.accuracy,
        "sensitivity": found.sensitivity,
        "specificity": found.specificity,
        "cohen_kappa": found.kappa,
        "gwet_ac1": found.ac1,
        "krippendorff_alpha": krippendorff_alpha(list(zip(human, judge, strict=True)), "nominal", clusters),
        "mcc": found.mcc,
        "macro_f1": found.macro_f1,
    }


def _levels(rows: Sequence[_Row]) -> Levels | None:
    """Agreement on levels, over the rows whose labels are levels."""
    from karat.stats import agreement, scores
    from karat.stats.clustered import share

    graded = [(row.mark, found) for row in rows if (found := level(row.mark.labels)) is not None]
    if not graded:
        return None
    human = [found for _, found in graded]
    judge = [mark.value or 0 for mark, _ in graded]
    clusters = [mark.cluster for mark, _ in graded]
    rounded = [floor(found + 0.5) for found in human]
    scale = tuple(range(TOP + 1))
    return Levels(
        rows=len(graded),
        table=agreement.table(rounded, judge, scale),
        statistics={
            "exact": share([one == other for one, other in zip(rounded, judge, strict=True)], clusters),
            "within_one": share([abs(one - other) <= 1 for one, other in zip(human, judge, strict=True)], clusters),
            "quadratic_kappa": agreement.weighted_kappa(rounded, judge, scale, clusters),
            "pearson": scores.pearson(human, judge, clusters),
            "spearman": scores.spearman(human, judge, clusters),
            "kendall": scores.kendall(human, judge, clusters),
            "mean_absolute_error": scores.mean_absolute_error(human, judge, clusters),
        },
        bands=tuple(
            Band(band.band, band.rows, band.error, band.bias) for band in scores.by_band(human, judge, clusters)
        ),
    )


def _calibrate(rows: Sequence[_Row], protocol: ProtocolName) -> Calibration | None:
    """Confidence against being right: saying what people say, on a scale the same level."""
    from karat.stats.calibration import brier, expected_calibration_error, reliability

    confidences, right, clusters = list[float](), list[bool](), list[int]()
    for row in rows:
        people = level(row.mark.labels)
        if row.mark.confidence is None:
            continue
        same = row.judge == row.human
        if protocol != "match" and people is not None:
            same = floor(people + 0.5) == row.mark.value
        confidences.append(row.mark.confidence)
        right.append(same)
        clusters.append(row.mark.cluster)
    if not confidences:
        return None
    return Calibration(
        rows=len(confidences),
        brier=brier(confidences, right, clusters),
        expected_error=expected_calibration_error(confidences, right, clusters),
        bins=tuple(
            Bin(one.low, one.high, one.rows, one.confidence, one.share)
            for one in reliability(confidences, right, clusters)
        ),
    )


def _humans(marks: Sequence[Mark], protocol: ProtocolName, passing: int, least: int) -> Humans | None:
    """People among themselves, row by row; on levels where all labels are some, otherwise on right and wrong."""
    from karat.stats import agreement
    from karat.stats.alpha import krippendorff_alpha

    authors = tuple(sorted({label.author for mark in marks for label in mark.labels}))
    if len(authors) < 2:  # noqa: PLR2004 - it takes two to agree
        return None
    graded = protocol != "match" and all(label.scale != YES_NO for mark in marks for label in mark.labels)
    values = tuple(range(TOP + 1)) if graded else (0, 1)
    read = _level_of if graded else _vote_of(passing)
    ratings = [
        tuple(read([label for label in mark.labels if label.author == author]) for author in authors)
        for mark in marks
    ]
    clusters = [mark.cluster for mark in marks]
    pairs = list[Pair]()
    for one, other in combinations(range(len(authors)), 2):
        both = [
            (first, second, cluster)
            for row, cluster in zip(ratings, clusters, strict=True)
            if (first := row[one]) is not None and (second := row[other]) is not None
        ]
        if both:
            first, second, about = ([entry[at] for entry in both] for at in range(3))
            kappa = agreement.weighted_kappa if graded else agreement.cohen_kappa
            found = agreement.accuracy(first, second, values, about)
            pairs.append(Pair(authors[one], authors[other], len(both), found, kappa(first, second, values, about)))
    judged = [mark.value is not None for mark in marks]
    opinions = [
        (mark.value if graded else int((mark.value or 0) >= least), row, mark.cluster)
        for mark, row, is_judged in zip(marks, ratings, judged, strict=True)
        if is_judged
    ]
    return Humans(
        authors=authors,
        pairs=tuple(pairs),
        alpha=krippendorff_alpha(ratings, "interval" if graded else "nominal", clusters),
        alternative=_alternative(opinions, authors) if len(authors) > 2 else None,  # noqa: PLR2004 - the test needs three
    )


def _alternative(
    opinions: Sequence[tuple[int | None, tuple[int | None, ...], int]], authors: tuple[str, ...]
) -> Alternative | Undefined:
    from karat.stats.alternative_annotators import alternative_annotators

    found = alternative_annotators(
        [judge for judge, _, _ in opinions],
        [row for _, row, _ in opinions],
        clusters=[cluster for _, _, cluster in opinions],
    )
    if isinstance(found, Undefined):
        return found
    return Alternative(
        rows=len(opinions),
        epsilon=found.epsilon,
        winning_rate=found.winning_rate,
        advantage=found.advantage,
        passed=found.passed,
        advantages={},
    )


def _level_of(labels: Sequence[Label]) -> int | None:
    mean = level(labels)
    return None if mean is None else floor(mean + 0.5)


def _vote_of(passing: int) -> Callable[[Sequence[Label]], int | None]:
    def read(labels: Sequence[Label]) -> int | None:
        """What one person says, None where nothing or both."""
        votes = {is_right(label, passing) for label in labels}
        return int(votes.pop()) if len(votes) == 1 else None

    return read
