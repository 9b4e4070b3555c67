"""Agreement of a judge with human labels."""

from collections.abc import Sequence
from math import floor
from typing import Final

from msgspec import Struct

from karat.core.scored_row import TOP, ScoredRow, level, truth
from karat.core.types import ProtocolName
from karat.report.figures.confidence import Reliability, check_confidence
from karat.report.figures.correction import (
    count_beyond,
    describe_mix,
    find_basis,
    least_correct,
    selection_chances,
)
from karat.report.figures.humans import Humans, compare_humans
from karat.stats import Number

SCALE = tuple(range(TOP + 1))
TIE: Final = 0.5
ASSUMPTION: Final = (
    "the figures hold for all rows if the labelled rows are like the others;"
    " `karat labels plan` draws a random sample, for which this holds"
)
SPLIT: Final = "people evenly split"
CELLS: Final = {
    (1, 0): "judge Yes, people No",
    (0, 1): "judge No, people Yes",
    (1, 1): "both Yes",
    (0, 0): "both No",
}


class Band(Struct, frozen=True):
    """The judge's errors on rows that people gave about this level; a positive bias means the judge is too lenient."""

    level: int
    rows: int
    error: Number
    bias: Number


class Levels(Struct, frozen=True):
    """Agreement on levels; the table counts people's rounded levels (rows) against the judge's (columns)."""

    rows: int
    table: tuple[tuple[int, ...], ...]
    statistics: dict[str, Number]
    bands: tuple[Band, ...]


class Agreement(Struct, frozen=True):
    """Agreement with people over `rows` judged and labelled rows; those on which people are evenly split are left out.

    The table counts people's No and Yes (rows) against the judge's (columns), and `cells` has the positions of the
    rows behind each of its cells, and of those that split people. If a plan drew the labelled rows with unequal probabilities, the statistics weight
    them to represent the whole run, except for `beyond` rows outside the plan. `questions` counts the
    different values of the column `cluster`, if one is named. `assumption` is what must be true for the figures to hold
    for all rows; `known` labelled rows have labels from other files, named by `known_from`.
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
    table: tuple[tuple[int, ...], ...]
    statistics: dict[str, Number]
    cells: dict[str, tuple[int, ...]]
    levels: Levels | None = None
    reliability: Reliability | None = None
    humans: Humans | None = None
    cluster: str | None = None
    beyond: int = 0
    assumption: str | None = None
    known: int = 0
    known_from: tuple[str, ...] = ()


class Accuracy(Struct, frozen=True):
    """Accuracy and Cohen's kappa of the verdicts against the labels, over `rows`.

    `rows` are judged and labelled, without those on which people are evenly split. They are `weighted` if a plan drew
    them with unequal probabilities.
    """

    rows: int
    accuracy: Number
    kappa: Number
    weighted: bool = False


class _Row(Struct, frozen=True):
    """A judged and labelled row."""

    scored: ScoredRow
    judge: int
    human: int
    weight: float


class _Labelled(Struct, frozen=True):
    """The labelled rows of a run.

    `used` are all of them, with their probabilities; `drawn` those that a plan could draw; `rows` those of `drawn` that the
    statistics use, with their `clusters` and, for unequal probabilities, `weights`.
    """

    used: list[tuple[ScoredRow, float | None]]
    drawn: list[tuple[ScoredRow, float]]
    rows: list[_Row]
    clusters: list[int]
    weights: list[float] | None


def agree(
    scored_rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int, cluster: str | None = None
) -> Agreement:
    """Measure the agreement of a run's verdicts with its labels; `cluster` names the column that defines clusters."""
    from karat.stats.agreement import table

    least = least_correct(protocol, passing)
    found = _read_labelled(scored_rows, least, passing)
    used, drawn, rows = found.used, found.drawn, found.rows
    return Agreement(
        protocol=protocol,
        passing=passing,
        rows=len(rows),
        questions=len(set(found.clusters)),
        unjudged=sum(scored_row.value is None for scored_row, _ in drawn),
        ties=sum(truth(scored_row.labels, passing) == TIE for scored_row, _ in drawn),
        outside=len(used) - len(drawn),
        weighted=found.weights is not None,
        authors=tuple(sorted({label.author for scored_row, _ in used for label in scored_row.labels})),
        table=table([row.human for row in rows], [row.judge for row in rows]),
        statistics=_statistics(rows, found.clusters, found.weights),
        cells={
            **{
                name: tuple(row.scored.position for row in rows if (row.judge, row.human) == cell)
                for cell, name in CELLS.items()
            },
            SPLIT: tuple(
                scored_row.position for scored_row, _ in drawn if truth(scored_row.labels, passing) == TIE
            ),
        },
        levels=None if protocol == "match" else compare_levels([row.scored for row in rows], found.weights),
        reliability=check_confidence(
            [row.scored.confidence for row in rows],
            [_is_shared(row, protocol) for row in rows],
            found.clusters,
            found.weights,
        ),
        humans=compare_humans(
            [scored_row for scored_row, _ in used], passing, least, levels=protocol != "match"
        ),
        cluster=cluster,
        beyond=count_beyond(scored_rows),
        assumption=_explain_assumption(scored_rows, least),
        known=sum(bool(scored_row.known_from) for scored_row, _ in drawn),
        known_from=tuple(sorted({name for scored_row, _ in drawn for name in scored_row.known_from})),
    )


def check_accuracy(rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int) -> Accuracy | None:
    """Return accuracy and kappa against the labels, as in `agree`; None without labels."""
    from karat.stats.agreement import accuracy, cohen_kappa

    found = _read_labelled(rows, least_correct(protocol, passing), passing)
    if not found.used:
        return None
    human, judge = [row.human for row in found.rows], [row.judge for row in found.rows]
    return Accuracy(
        len(found.rows),
        accuracy(human, judge, clusters=found.clusters, weights=found.weights),
        cohen_kappa(human, judge, clusters=found.clusters, weights=found.weights),
        found.weights is not None,
    )


def find_disputed(rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int) -> list[ScoredRow]:
    """Return the judged rows whose verdict differs from their labels; evenly split labels are skipped."""
    least = least_correct(protocol, passing)
    return [
        row
        for row in rows
        if row.value is not None
        and (said := truth(row.labels, passing)) is not None
        and said in (0.0, 1.0)
        and (row.value >= least) != bool(said)
    ]


def _read_labelled(scored_rows: Sequence[ScoredRow], least: int, passing: int) -> _Labelled:
    """Return the labelled rows, and those of them that the statistics use."""
    chances = selection_chances(scored_rows)
    used = [
        (scored_row, 1.0 if chances is None else chances[at])
        for at, scored_row in enumerate(scored_rows)
        if scored_row.labels
    ]
    drawn = [(scored_row, chance) for scored_row, chance in used if chance is not None]
    rows = _rows(drawn, least, passing)
    weights = None if chances is None else [row.weight for row in rows]
    return _Labelled(used, drawn, rows, [row.scored.cluster for row in rows], weights)


def _rows(drawn: Sequence[tuple[ScoredRow, float]], least: int, passing: int) -> list[_Row]:
    """Return the judged rows on which people are not evenly split."""
    return [
        _Row(row, int(row.value >= least), int(said), 1 / chance)
        for row, chance in drawn
        if row.value is not None and (said := truth(row.labels, passing)) is not None and said != TIE
    ]


def _statistics(
    rows: Sequence[_Row], clusters: Sequence[int], weights: Sequence[float] | None
) -> dict[str, Number]:
    """The statistics of the table; Krippendorff's alpha supports no weights and is left out if there are some."""
    from karat.stats.agreement import agree as agree_on
    from karat.stats.alpha import krippendorff_alpha

    human, judge = [row.human for row in rows], [row.judge for row in rows]
    found = agree_on(human, judge, clusters=clusters, weights=weights)
    statistics = {
        "agreement": found.accuracy,
        "sensitivity": found.sensitivity,
        "specificity": found.specificity,
        "cohen_kappa": found.kappa,
        "gwet_ac1": found.ac1,
        "krippendorff_alpha": krippendorff_alpha(list(zip(human, judge, strict=True)), "nominal", clusters)
        if weights is None
        else None,
        "mcc": found.mcc,
        "macro_f1": found.macro_f1,
    }
    return {name: number for name, number in statistics.items() if number is not None}


def _is_shared(row: _Row, protocol: ProtocolName) -> bool:
    """Return whether people and judge agree: on the same level, or on the same verdict."""
    people = None if protocol == "match" else level(row.scored.labels)
    return row.judge == row.human if people is None else floor(people + 0.5) == row.scored.value


def _explain_assumption(rows: Sequence[ScoredRow], least: int) -> str | None:
    """Return the assumption under which the figures hold for all rows; None if a plan drew the labelled rows, or all are labelled."""
    basis = find_basis(rows, least)
    if basis.mix:
        return f"{describe_mix(basis.mix)}, so the figures do not hold for all rows; `karat labels plan` draws a random sample, for which they do"
    return ASSUMPTION if basis.selection == "convenience" else None


def compare_levels(rows: Sequence[ScoredRow], weights: Sequence[float] | None = None) -> Levels | None:
    """Return the agreement over judged rows whose labels are levels; None if there are none."""
    from karat.stats import agreement, scores

    graded = [
        (scored_row.value, found, scored_row.cluster, 1.0 if weights is None else weights[at])
        for at, scored_row in enumerate(rows)
        if scored_row.value is not None and (found := level(scored_row.labels)) is not None
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
    """Return the agreement of two raters on levels; the first may be the mean of several."""
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
