"""Two judges on the rows that both judged: how often they agree, and which of them agrees more with people."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from karat.core.scored_row import ScoredRow, truth
from karat.core.types import ProtocolName
from karat.report.figures.agreement import level_statistics
from karat.report.figures.correction import (
    count_beyond,
    describe_mix,
    find_basis,
    least_correct,
    name_selection,
    selection_chances,
)
from karat.report.figures.pairs import (
    Discordant,
    count_discordant,
    describe_difference,
    read_outcomes,
    read_scores,
)
from karat.report.format import count, show_number
from karat.stats import Estimate, Number, Undefined

ASSUMPTION: Final = (
    "the figures against labels hold for all rows if the labelled rows are like the others;"
    " `karat labels plan` draws a random sample, for which this holds"
)
_RIGHT_OR_WRONG: Final = (0.0, 1.0)


class JudgeFigures(Struct, frozen=True):
    """One of two judges: how often it says Yes (from `passing` on), and its agreement with people.

    The share and the mean score are of all rows that it judged; `accuracy` and `kappa` are of the labelled rows that
    both judges judged. `waiting` rows are not judged yet.
    """

    name: str
    rows: int
    judged: int
    share: Number
    score: Number | None = None
    accuracy: Number | None = None
    kappa: Number | None = None
    waiting: int = 0


class WithPeople(Struct, frozen=True):
    """How much more often the second judge agrees with people, and on how many rows only one of the two does.

    `assumption` is what must be true for this to hold for all rows, or why it does not; `known` labelled rows have
    labels from other files, named by `known_from`.
    """

    rows: int
    difference: Number
    verdict: str
    mcnemar: Discordant | None = None
    assumption: str | None = None
    known: int = 0
    known_from: tuple[str, ...] = ()


class Overlap(Struct, frozen=True):
    """Two judges on the rows that both judged, all of them or those of one group.

    The table counts the No and Yes of the first judge (rows) against those of the second (columns). `difference` is
    how much more often the second one says Yes. `levels` has the statistics of 0-5 verdicts.
    """

    group: str | None
    rows: int
    left_out: int
    table: tuple[tuple[int, ...], ...]
    agreement: Number
    kappa: Number
    difference: Number
    verdict: str
    more_often: str
    people: WithPeople | None = None
    levels: dict[str, Number] = {}


class PairedRow(Struct, frozen=True):
    """A row that both judged; `weight` and `human` are set if it has a label that is not a tie."""

    first: ScoredRow
    second: ScoredRow
    said: tuple[float, float]
    human: float | None
    weight: float


class JudgePair(Struct, frozen=True):
    """The names of the judges, and what counts as correct."""

    names: tuple[str, str]
    protocol: ProtocolName
    passing: int

    @property
    def least(self) -> int:
        """The lowest value that counts as correct."""
        return least_correct(self.protocol, self.passing)

    @property
    def habit(self) -> tuple[str, str]:
        """Return the phrases for accepting more often and for accepting."""
        if self.protocol == "match":
            return "says Yes more often", "they say Yes"
        return "calls answers correct more often", "they call answers correct"


def pair_rows(
    scored_rows: Sequence[ScoredRow], others: Sequence[ScoredRow], judges: JudgePair
) -> list[PairedRow]:
    """The rows that both judged; `scored_rows` and `others` hold the same answers in the same order."""
    chances = selection_chances(scored_rows)
    rows = list[PairedRow]()
    for at, (one, other) in enumerate(zip(scored_rows, others, strict=True)):
        if one.value is None or other.value is None:
            continue
        chance = 1.0 if chances is None else chances[at]
        human = None if chance is None else truth(one.labels, judges.passing)
        rows.append(
            PairedRow(
                one,
                other,
                (float(one.value >= judges.least), float(other.value >= judges.least)),
                human if human in _RIGHT_OR_WRONG else None,
                1 / (chance or 1.0),
            )
        )
    return rows


def measure_judge(
    which: int, scored_rows: Sequence[ScoredRow], rows: Sequence[PairedRow], judges: JudgePair
) -> JudgeFigures:
    """The figures of the first judge (0) or of the second (1); `rows` are those that both judged."""
    from karat.stats.clustered import mean, share

    judged = [row for row in scored_rows if row.value is not None]
    clusters = [row.cluster for row in judged]
    accuracy, kappa = _agree_with_people(which, rows, judges)
    return JudgeFigures(
        name=judges.names[which],
        rows=len(scored_rows),
        judged=len(judged),
        share=share(read_outcomes(judged, judges.least), clusters),
        score=None if judges.protocol == "match" else mean(read_scores(judged), clusters, bounds=(0.0, 1.0)),
        accuracy=accuracy,
        kappa=kappa,
        waiting=sum(row.waiting for row in scored_rows),
    )


def _agree_with_people(
    which: int, rows: Sequence[PairedRow], judges: JudgePair
) -> tuple[Number, Number] | tuple[None, None]:
    from karat.stats.agreement import accuracy, cohen_kappa

    labelled = [row for row in rows if row.human is not None]
    if not labelled:
        return None, None
    human, judge = [row.human or 0.0 for row in labelled], [row.said[which] for row in labelled]
    clusters, weights = [row.first.cluster for row in labelled], _weights(labelled)
    kappa = cohen_kappa(human, judge, clusters=clusters, weights=weights)
    return (
        accuracy(human, judge, clusters=clusters, weights=weights),
        _name_raters(kappa, "the label", judges.names[which]),
    )


def measure_overlap(
    group: str | None,
    rows: Sequence[PairedRow],
    pairs: Sequence[tuple[ScoredRow, ScoredRow]],
    judges: JudgePair,
    level: float,
) -> Overlap:
    """Both judges on the `rows` that both judged, of all `pairs` of rows."""
    from karat.stats.agreement import accuracy, cohen_kappa, table
    from karat.stats.paired import paired_difference

    one, other = ([row.said[which] for row in rows] for which in (0, 1))
    clusters = [row.first.cluster for row in rows]
    agreement = accuracy(one, other, clusters=clusters)
    kappa = _name_raters(cohen_kappa(one, other, clusters=clusters), *judges.names)
    difference = paired_difference(one, other, clusters, level=level).estimate
    return Overlap(
        group=group,
        rows=len(rows),
        left_out=len(pairs) - len(rows),
        table=table(one, other),
        agreement=agreement,
        kappa=kappa,
        difference=difference,
        verdict=_describe_agreement(agreement, kappa, len(rows)),
        more_often=_describe_difference(difference, judges, *judges.habit),
        people=_compare_with_people(rows, pairs, judges, level),
        levels={} if judges.protocol == "match" else _compare_levels(rows, clusters, judges.names),
    )


def _compare_levels(
    rows: Sequence[PairedRow], clusters: Sequence[int], names: tuple[str, str]
) -> dict[str, Number]:
    if not rows:
        return {}
    one, other = [row.first.value or 0 for row in rows], [row.second.value or 0 for row in rows]
    found = level_statistics(one, other, clusters)
    return {name: _name_raters(number, *names) for name, number in found.items()}


def _compare_with_people(
    rows: Sequence[PairedRow], pairs: Sequence[tuple[ScoredRow, ScoredRow]], judges: JudgePair, level: float
) -> WithPeople | None:
    """Which of the two agrees more with people, on the rows on which people are not evenly split.

    Rows that a plan drew are weighted by the inverse of their probability.
    """
    from karat.stats.clustered import mean
    from karat.stats.paired import paired_difference

    labelled = [row for row in rows if row.human is not None]
    if not labelled:
        return None
    hits = [[float(row.said[which] == row.human) for row in labelled] for which in (0, 1)]
    clusters, weights = [row.first.cluster for row in labelled], _weights(labelled)
    if weights is None:
        found = paired_difference(hits[0], hits[1], clusters, level=level).estimate
    else:
        steps = [after - before for before, after in zip(*hits, strict=True)]
        found = mean(steps, clusters, bounds=(-1.0, 1.0), weights=weights, level=level)
    verdict = _describe_difference(found, judges, "agrees more with people", "they agree with people")
    counts = count_discordant(hits[0], hits[1], clusters) if weights is None else None
    return WithPeople(
        len(labelled),
        found,
        verdict,
        counts,
        assumption=_explain_assumption(pairs, judges),
        known=sum(bool(row.first.known_from) for row in labelled),
        known_from=tuple(sorted({name for row in labelled for name in row.first.known_from})),
    )


def _explain_assumption(pairs: Sequence[tuple[ScoredRow, ScoredRow]], judges: JudgePair) -> str | None:
    """Return the assumption under which figures against labels hold for all rows; None if they do."""
    sides = [one for one, _ in pairs], [two for _, two in pairs]
    selection = name_selection(sides[0])
    if selection == "elsewhere":
        rows = count(count_beyond(sides[0]), "row")
        return f"the figures against labels do not hold for {rows} outside the plan"
    if selection != "convenience":
        return None
    found = zip(judges.names, (find_basis(side, judges.least).mix for side in sides), strict=True)
    mixed = [f"by the verdicts of {name}, {describe_mix(mix)}" for name, mix in found if mix]
    if not mixed:
        return ASSUMPTION
    return f"{'; '.join(mixed)}; so the figures against labels do not hold for all rows, and `karat labels plan` draws a random sample, for which they do"


def _weights(rows: Sequence[PairedRow]) -> list[float] | None:
    """Return how many rows each labelled one represents; None if each represents only itself."""
    weights = [row.weight for row in rows]
    return None if all(weight == 1.0 for weight in weights) else weights


def _describe_agreement(agreement: Number, kappa: Number, rows: int) -> str:
    if isinstance(agreement, Undefined):
        return f"their agreement is not defined: {agreement.why}"
    told = f"they agree on {show_number(agreement)} of {count(rows, 'row')}"
    if isinstance(kappa, Undefined):
        return f"{told}; Cohen's kappa is not defined: {kappa.why}"
    told += f"; Cohen's kappa {kappa.value:.3f} [{kappa.low:.3f}, {kappa.high:.3f}]"
    if kappa.low > 0:
        return told
    less = "they agree less than by chance" if kappa.high < 0 else "agreement beyond chance is not shown"
    return f"{told}: {less}"


def _describe_difference(difference: Number, judges: JudgePair, more: str, same: str) -> str:
    """Describe which judge does something more often and by how much, or that no difference is shown."""
    told = describe_difference(*judges.names, difference, 0.0, None, better=more)
    shown = isinstance(difference, Undefined) or difference.low > 0 or difference.high < 0
    return told if shown else f"{told} in how often {same}"


def _name_raters(number: Number, first: str, second: str) -> Number:
    """Replace the generic rater names in the reason for an undefined statistic."""
    if isinstance(number, Estimate):
        return number
    for generic, name in (("the human ", first), ("the judge ", second)):
        if number.why.startswith(generic):
            return Undefined(f"{name} {number.why.removeprefix(generic)}")
    return number
