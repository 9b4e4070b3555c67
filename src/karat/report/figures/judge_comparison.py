"""Two judges of the same answers: how often they agree, and which of them agrees more with people."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, structs

from karat.core.labels import truth
from karat.core.scored_row import Mark
from karat.core.types import Item, Outcome, ProtocolName, Verdict
from karat.report.figures.agreement import level_statistics
from karat.report.figures.comparison import LEVEL, together
from karat.report.figures.correction import (
    count_beyond,
    find_basis,
    least_correct,
    name_selection,
    selection_chances,
    tell_mix,
)
from karat.report.figures.pairs import Discordant, count_discordant, read_outcomes, read_scores, say
from karat.report.format import count
from karat.stats import Estimate, Number, Undefined

Places: TypeAlias = tuple[Sequence[int], Sequence[int]]  # of the same answers, in two runs
EXAMPLES: Final = 5
ASSUMPTION: Final = (
    "the figures against labels hold for all rows if the labelled rows are like the others;"
    " `karat labels plan` draws rows for which this holds"
)
_RIGHT_OR_WRONG: Final = (0.0, 1.0)


class JudgeFigures(Struct, frozen=True):
    """One of two judges: how often it says Yes (from `passing` on), and how far it agrees with people.

    The share and the mean score are of all rows that it judged; `accuracy` and `kappa` are of the labelled rows that
    both judges judged. `waiting` rows are still to be judged.
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
    """How much more often the second judge says what people say, and on how many rows only one of the two does.

    `assumption` is what it takes for this to hold for all rows, or why it does not; of the labelled rows `known` have
    labels that were given for other files, named by `known_from`.
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


class Split(Struct, frozen=True):
    """A row on which two judges differ."""

    id: str
    question: str | None
    references: tuple[str, ...]
    answer: str
    values: tuple[int | bool | None, int | bool | None]
    reasons: tuple[str | None, str | None]


class Judges(Struct, frozen=True):
    """Two judges of the same answers, on all rows and within groups, with some rows on which they differ.

    Differences within groups have intervals of `level`, so that all of them hold at once with the probability 0.95.
    `apart` rows stand in one of the two runs only.
    """

    protocol: ProtocolName
    passing: int
    judges: tuple[JudgeFigures, JudgeFigures]
    overall: Overlap
    groups: tuple[Overlap, ...]
    examples: tuple[Split, ...]
    level: float
    apart: int = 0
    notes: tuple[str, ...] = ()


class _Row(Struct, frozen=True):
    """A row that both judged; `weight` and `human` are there where people say right or wrong."""

    first: Mark
    second: Mark
    said: tuple[float, float]
    human: float | None
    weight: float


class _Options(Struct, frozen=True):
    """The names of the judges, and what counts as correct."""

    names: tuple[str, str]
    protocol: ProtocolName
    passing: int

    @property
    def least(self) -> int:
        return least_correct(self.protocol, self.passing)

    @property
    def habit(self) -> tuple[str, str]:
        if self.protocol == "match":
            return "says Yes more often", "they say Yes"
        return "calls answers correct more often", "they call answers correct"


def compare_judges(
    first: tuple[str, Sequence[Mark]],
    second: tuple[str, Sequence[Mark]],
    protocol: ProtocolName,
    passing: int,
    *,
    examples: Sequence[Split] = (),
    apart: int = 0,
    notes: Sequence[str] = (),
) -> Judges:
    """Compare two judges; the marks of both are of the same answers in the same order.

    Clusters and groups are those of the first, and so are labels, unless only the second has some.
    """
    (name, given), (other, others) = first, second
    pairs = _share_labels(given, others)
    marks, others = [one for one, _ in pairs], [two for _, two in pairs]
    options = _Options((name, other), protocol, passing)
    rows = _pair_rows(marks, others, options)
    groups = sorted({group for mark in marks for group in mark.groups})
    level = together(len(groups))
    return Judges(
        protocol=protocol,
        passing=passing,
        judges=(_figures(0, marks, rows, options), _figures(1, others, rows, options)),
        overall=_overlap(None, rows, pairs, options, LEVEL),
        groups=tuple(
            _overlap(
                group,
                [row for row in rows if group in row.first.groups],
                [pair for pair in pairs if group in pair[0].groups],
                options,
                level,
            )
            for group in groups
        ),
        examples=tuple(examples),
        level=level,
        apart=apart,
        notes=(*notes, *_note_labels(given, second[1], options.names)),
    )


def match_rows(first: Sequence[object], second: Sequence[object]) -> Places | None:
    """Pair the rows of two runs by their items; None unless one run holds all items of the other, as often.

    What comes back are places in the first and in the second, in the order of the first.
    """
    places = dict[object, list[int]]()
    for place, item in reversed(list(enumerate(second))):
        places.setdefault(item, []).append(place)
    pairs = [(place, found.pop()) for place, item in enumerate(first) if (found := places.get(item))]
    if len(pairs) < min(len(first), len(second)):
        return None
    return [one for one, _ in pairs], [other for _, other in pairs]


def find_splits(
    marks: Sequence[Mark], others: Sequence[Mark], protocol: ProtocolName, passing: int, most: int = EXAMPLES
) -> list[int]:
    """Places of a few rows on which the judges differ, spread over all of them; on levels first by what counts as correct."""
    least = least_correct(protocol, passing)
    both = [
        (place, one.value, other.value)
        for place, (one, other) in enumerate(zip(marks, others, strict=True))
        if one.value is not None and other.value is not None and one.value != other.value
    ]
    found = [place for place, one, other in both if (one >= least) != (other >= least)] or [
        place for place, *_ in both
    ]
    count = min(most, len(found))
    return [found[at * len(found) // count] for at in range(count)]


def show_split(name: str, item: Item, one: Outcome | None, other: Outcome | None) -> Split:
    """A row with what two judges said of it."""
    values = tuple(said.value if isinstance(said, Verdict) else None for said in (one, other))
    reasons = tuple(None if said is None else said.reason for said in (one, other))
    return Split(
        name, item.question, item.references, item.answer, (values[0], values[1]), (reasons[0], reasons[1])
    )


def _share_labels(marks: Sequence[Mark], others: Sequence[Mark]) -> list[tuple[Mark, Mark]]:
    """The rows of both with the same labels, chances, groups and clusters: labels of the second where the first has none."""
    labelled = marks if any(mark.labels for mark in marks) else others
    return [
        (_take_labels(one, one, source), _take_labels(two, one, source))
        for one, two, source in zip(marks, others, labelled, strict=True)
    ]


def _take_labels(mark: Mark, place: Mark, source: Mark) -> Mark:
    return structs.replace(
        mark,
        cluster=place.cluster,
        groups=place.groups,
        labels=source.labels,
        chance=source.chance,
        stratum=source.stratum,
        plan=source.plan,
        known_from=source.known_from,
    )


def _note_labels(marks: Sequence[Mark], others: Sequence[Mark], names: tuple[str, str]) -> Iterator[str]:
    """That labels of the second run are left out, where both runs have some."""
    if not any(mark.labels for mark in marks):
        return
    more = sum(bool(two.labels) and not one.labels for one, two in zip(marks, others, strict=True))
    if more:
        yield (
            f"the labels are those of the run of {names[0]}; {count(more, 'row')} with labels only in the run of {names[1]}"
            f" {'counts' if more == 1 else 'count'} as not labelled"
        )


def _pair_rows(marks: Sequence[Mark], others: Sequence[Mark], options: _Options) -> list[_Row]:
    chances = selection_chances(marks)
    rows = list[_Row]()
    for at, (one, other) in enumerate(zip(marks, others, strict=True)):
        if one.value is None or other.value is None:
            continue
        chance = 1.0 if chances is None else chances[at]
        human = None if chance is None else truth(one.labels, options.passing)
        rows.append(
            _Row(
                one,
                other,
                (float(one.value >= options.least), float(other.value >= options.least)),
                human if human in _RIGHT_OR_WRONG else None,
                1 / (chance or 1.0),
            )
        )
    return rows


def _figures(which: int, marks: Sequence[Mark], rows: Sequence[_Row], options: _Options) -> JudgeFigures:
    from karat.stats.clustered import mean, share

    judged = [mark for mark in marks if mark.value is not None]
    clusters = [mark.cluster for mark in judged]
    accuracy, kappa = _agree_with_people(which, rows, options)
    return JudgeFigures(
        name=options.names[which],
        rows=len(marks),
        judged=len(judged),
        share=share(read_outcomes(judged, options.least), clusters),
        score=None if options.protocol == "match" else mean(read_scores(judged), clusters, bounds=(0.0, 1.0)),
        accuracy=accuracy,
        kappa=kappa,
        waiting=sum(mark.waiting for mark in marks),
    )


def _agree_with_people(
    which: int, rows: Sequence[_Row], options: _Options
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
        _call(kappa, "the label", options.names[which]),
    )


def _overlap(
    group: str | None,
    rows: Sequence[_Row],
    pairs: Sequence[tuple[Mark, Mark]],
    options: _Options,
    level: float,
) -> Overlap:
    from karat.stats.agreement import accuracy, cohen_kappa, table
    from karat.stats.paired import paired_difference

    one, other = ([row.said[which] for row in rows] for which in (0, 1))
    clusters = [row.first.cluster for row in rows]
    agreement = accuracy(one, other, clusters=clusters)
    kappa = _call(cohen_kappa(one, other, clusters=clusters), *options.names)
    difference = paired_difference(one, other, clusters, level=level).estimate
    return Overlap(
        group=group,
        rows=len(rows),
        left_out=len(pairs) - len(rows),
        table=table(one, other),
        agreement=agreement,
        kappa=kappa,
        difference=difference,
        verdict=_say_agreement(agreement, kappa, len(rows)),
        more_often=_say(difference, options, *options.habit),
        people=_hold_against_people(rows, pairs, options, level),
        levels={} if options.protocol == "match" else _compare_levels(rows, clusters, options.names),
    )


def _compare_levels(
    rows: Sequence[_Row], clusters: Sequence[int], names: tuple[str, str]
) -> dict[str, Number]:
    if not rows:
        return {}
    one, other = [row.first.value or 0 for row in rows], [row.second.value or 0 for row in rows]
    found = level_statistics(one, other, clusters)
    return {name: _call(number, *names) for name, number in found.items()}


def _hold_against_people(
    rows: Sequence[_Row], pairs: Sequence[tuple[Mark, Mark]], options: _Options, level: float
) -> WithPeople | None:
    """Which of the two agrees more with people, on the rows that these are not evenly split over.

    Rows that a plan drew are weighed by their chance.
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
    verdict = _say(found, options, "agrees more with people", "they agree with people")
    counts = count_discordant(hits[0], hits[1], clusters) if weights is None else None
    return WithPeople(
        len(labelled),
        found,
        verdict,
        counts,
        assumption=_tell_assumption(pairs, options),
        known=sum(bool(row.first.known_from) for row in labelled),
        known_from=tuple(sorted({name for row in labelled for name in row.first.known_from})),
    )


def _tell_assumption(pairs: Sequence[tuple[Mark, Mark]], options: _Options) -> str | None:
    """What it takes for figures against labels to hold for all rows, or why they do not; None where they do."""
    sides = [one for one, _ in pairs], [two for _, two in pairs]
    selection = name_selection(sides[0])
    if selection == "elsewhere":
        rows = count(count_beyond(sides[0]), "row")
        return f"the figures against labels do not hold for {rows} from which the plan did not draw"
    if selection != "convenience":
        return None
    found = zip(options.names, (find_basis(side, options.least).mix for side in sides), strict=True)
    mixed = [f"by the verdicts of {name}, {tell_mix(mix)}" for name, mix in found if mix]
    if not mixed:
        return ASSUMPTION
    return f"{'; '.join(mixed)}; so the figures against labels do not hold for all rows, and `karat labels plan` draws rows for which they do"


def _weights(rows: Sequence[_Row]) -> list[float] | None:
    """How many rows each labelled one stands for; None where each stands for itself."""
    weights = [row.weight for row in rows]
    return None if all(weight == 1.0 for weight in weights) else weights


def _say_agreement(agreement: Number, kappa: Number, rows: int) -> str:
    if isinstance(agreement, Undefined):
        return f"how often they agree cannot be told: {agreement.why}"
    told = f"they agree on {100 * agreement.value:.1f} % [{100 * agreement.low:.1f}, {100 * agreement.high:.1f}] of {count(rows, 'row')}"
    if isinstance(kappa, Undefined):
        return f"{told}; Cohen's kappa is not defined: {kappa.why}"
    told += f"; Cohen's kappa {kappa.value:.3f} [{kappa.low:.3f}, {kappa.high:.3f}]"
    if kappa.low > 0:
        return told
    less = "they agree less than by chance" if kappa.high < 0 else "no agreement beyond chance is shown"
    return f"{told}: {less}"


def _say(difference: Number, options: _Options, more: str, same: str) -> str:
    """Which judge does something more often and by how much, or that no difference in it is shown."""
    told = say(*options.names, difference, 0.0, None, better=more)
    shown = isinstance(difference, Undefined) or difference.low > 0 or difference.high < 0
    return told if shown else f"{told} in how often {same}"


def _call(number: Number, first: str, second: str) -> Number:
    """Put names for the two raters where a statistic is not defined because of one of them."""
    if isinstance(number, Estimate):
        return number
    for generic, name in (("the human ", first), ("the judge ", second)):
        if number.why.startswith(generic):
            return Undefined(f"{name} {number.why.removeprefix(generic)}")
    return number
