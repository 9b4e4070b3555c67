"""The share correct as the judge sees it, and as it is once labels have taken the judge's errors out."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from karat.core.labels import TOP, level, truth
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.stats import Number, Undefined

if TYPE_CHECKING:
    from karat.stats.corrected import Corrected

Selection: TypeAlias = Literal["all", "planned", "elsewhere", "convenience"]
UNLIKELY: Final = 0.01  # so seldom rows drawn at random would have a mix that differs so much
_FEW: Final = 2


class Mix(Struct, frozen=True):
    """How often the judge says correct of the labelled rows, and of the others."""

    labelled: float
    others: float


class Means(Struct, frozen=True):
    """A mean as judged, corrected by labels, and by the labels alone."""

    raw: Number
    corrected: Number
    labels_alone: Number


class Correction(Struct, frozen=True):
    """What labels make of a run.

    `raw` is the share correct of the judged rows; the others are of all rows. `selection` says how the labelled rows
    came to be labelled: all of them are, a plan drew them with known chances, a plan drew them from elsewhere, so that
    they cannot speak for all of these rows, or they are taken as drawn at random.
    `outside` labels are left aside, because a plan did not draw their rows. `rogan_gladen` is given where the
    labelled rows have another mix than the others, so that they cannot have been drawn at random. `residual` and
    `total` are the variances of a label with and without the help of its verdict.
    """

    rows: int
    labelled: int
    ties: int
    outside: int
    authors: tuple[str, ...]
    selection: Selection
    share: Means
    score: Means | None = None
    mix: Mix | None = None
    rogan_gladen: Number | None = None
    residual: float | None = None
    total: float | None = None


def least_correct(protocol: ProtocolName, passing: int) -> int:
    """The value from which on a verdict counts as correct."""
    return 1 if protocol == "match" else passing


def correct_share(marks: Sequence[Mark], protocol: ProtocolName, passing: int) -> Correction | None:
    """Correct the share of a run by its labels; None where there are none."""
    if not any(mark.labels for mark in marks):
        return None
    from karat.stats.corrected import corrected_mean

    least = least_correct(protocol, passing)
    chances, gap = selection_chances(marks), find_gap(marks)
    used = [
        bool(mark.labels) and (chances is None or chances[at] is not None) for at, mark in enumerate(marks)
    ]
    judged = [None if mark.value is None else float(mark.value >= least) for mark in marks]
    truths = [truth(mark.labels, passing) if use else None for mark, use in zip(marks, used, strict=True)]
    clusters = [mark.cluster for mark in marks]
    found = corrected_mean(judged, truths, probabilities=chances, clusters=clusters)
    selection = _name_selection(marks)
    mix = find_mix(judged, truths, clusters) if selection == "convenience" else None
    return Correction(
        rows=len(marks),
        labelled=sum(used),
        ties=sum(one == 0.5 for one in truths),  # noqa: PLR2004 - evenly split
        outside=sum(bool(mark.labels) for mark in marks) - sum(used),
        authors=tuple(sorted({label.author for mark in marks for label in mark.labels})),
        selection=selection,
        share=_means(found, gap),
        score=None if protocol == "match" else _correct_score(marks, used, chances, clusters, gap),
        mix=mix,
        rogan_gladen=None if mix is None else _rogan_gladen(judged, truths),
        residual=found.residual if gap is None else None,
        total=found.total if gap is None else None,
    )


def selection_chances(marks: Sequence[Mark]) -> list[float | None] | None:
    """The chance of each row to be labelled, None for rows that no plan drew; None altogether where no plan is in use.

    A plan is in use until all rows have labels. Rows that it drew and nobody labelled lower the chance of the others of
    their stratum, or of all that the plan drew where a whole stratum is still without a label. Where all rows from which
    a plan drew are labelled, or all from which none did, each of these speaks for itself.
    """
    waiting = {mark.plan for mark in marks if not mark.labels}
    if not waiting or all(mark.plan is None for mark in marks):
        return None
    rates = _labelled_rates(marks)
    return [
        1.0
        if mark.plan not in waiting
        else mark.chance * rates.get((mark.plan, mark.stratum), 1.0)
        if mark.plan is not None and mark.chance is not None
        else None
        for mark in marks
    ]


def find_gap(marks: Sequence[Mark]) -> Undefined | None:
    """Why the labels of a plan cannot speak for these rows; None where they can, or no plan is in use.

    It takes rows from which a plan drew, or that are labelled one and all, and two that it drew to see a spread.
    """
    if selection_chances(marks) is None:
        return None
    if beyond := count_beyond(marks):
        are = "is" if beyond == 1 else "are"
        return Undefined(
            f"{beyond:,} of these {len(marks):,} rows {are} not among those from which the labelled rows were drawn"
        )
    drawn = sum(bool(mark.labels) for mark in marks if mark.plan is not None and mark.stratum is not None)
    if drawn < _FEW and not all(mark.labels for mark in marks if mark.plan is not None):
        return Undefined("it takes labels on two rows that the plan drew")
    return None


def count_beyond(marks: Sequence[Mark]) -> int:
    """How many rows are not among those from which a plan in use drew; none where these have labels one and all."""
    beyond = [mark for mark in marks if mark.plan is None]
    if len(beyond) == len(marks):
        return 0
    return 0 if all(mark.labels for mark in beyond) else len(beyond)


def _labelled_rates(marks: Sequence[Mark]) -> dict[tuple[int | None, str | None], float]:
    """How many of the drawn rows of each stratum are labelled; those of the whole plan where a stratum has no label."""
    chosen = [mark for mark in marks if mark.stratum is not None]
    drawn = Counter((mark.plan, mark.stratum) for mark in chosen)
    done = Counter((mark.plan, mark.stratum) for mark in chosen if mark.labels)
    rates = dict[tuple[int | None, str | None], float]()
    for plan in {plan for plan, _ in drawn}:
        strata = [stratum for stratum in drawn if stratum[0] == plan]
        overall = sum(done[stratum] for stratum in strata) / sum(drawn[stratum] for stratum in strata)
        complete = all(done[stratum] for stratum in strata)
        rates |= {stratum: done[stratum] / drawn[stratum] if complete else overall for stratum in strata}
    return rates


def _name_selection(marks: Sequence[Mark]) -> Selection:
    if all(mark.labels for mark in marks):
        return "all"
    if all(mark.plan is None for mark in marks):
        return "convenience"
    return "elsewhere" if count_beyond(marks) else "planned"


def _means(found: "Corrected", gap: Undefined | None) -> Means:
    return Means(found.raw, gap or found.corrected, gap or found.labels_only)


def find_mix(
    judged: Sequence[float | None], truths: Sequence[float | None], clusters: Sequence[int]
) -> Mix | None:
    """The two mixes, where they differ more than they would if the labelled rows had been drawn at random."""
    from karat.stats.paired import difference

    labelled = [at for at, one in enumerate(truths) if one is not None and judged[at] is not None]
    others = [at for at, one in enumerate(truths) if one is None and judged[at] is not None]
    if len(labelled) < _FEW or len(others) < _FEW:
        return None
    here, there = [judged[at] or 0.0 for at in labelled], [judged[at] or 0.0 for at in others]
    found = difference(here, there, [clusters[at] for at in labelled], [clusters[at] for at in others])
    if found.p is None or found.p >= UNLIKELY:
        return None
    return Mix(sum(here) / len(here), sum(there) / len(there))


def _rogan_gladen(judged: Sequence[float | None], truths: Sequence[float | None]) -> Number:
    from karat.stats.rogan_gladen import rogan_gladen

    known = [one for one in judged if one is not None]
    pairs = Counter((one, other) for one, other in zip(judged, truths, strict=True) if one is not None)
    right, wrong = pairs[1.0, 1.0] + pairs[0.0, 1.0], pairs[1.0, 0.0] + pairs[0.0, 0.0]
    return rogan_gladen(round(sum(known)), len(known), pairs[1.0, 1.0], right, pairs[0.0, 0.0], wrong)


def _correct_score(
    marks: Sequence[Mark],
    used: Sequence[bool],
    chances: Sequence[float | None] | None,
    clusters: Sequence[int],
    gap: Undefined | None,
) -> Means | None:
    """The same for the mean score, where labels are levels."""
    from karat.stats.corrected import corrected_mean

    levels = [level(mark.labels) if use else None for mark, use in zip(marks, used, strict=True)]
    if all(one is None for one in levels):
        return None
    labels = [None if one is None else one / TOP for one in levels]
    found = corrected_mean([mark.score for mark in marks], labels, probabilities=chances, clusters=clusters)
    return _means(found, gap)
