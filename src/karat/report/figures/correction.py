"""The share correct as judged and as corrected by labels, and how many labels it takes."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from karat.core.errors import UsageError, option
from karat.core.scored_row import TOP, ScoredRow, level, truth
from karat.core.types import ProtocolName
from karat.stats import Estimate, Number, Undefined

if TYPE_CHECKING:
    from karat.stats.corrected import Corrected

Selection: TypeAlias = Literal["all", "planned", "elsewhere", "convenience"]
Headline: TypeAlias = Literal["raw", "corrected", "labels"]
Trait: TypeAlias = Literal["correct", "judged", "confidence", "with confidence"]
UNLIKELY: Final = 0.01  # how seldom rows drawn at random would be told from the others by any of the tests
# Fewer labels without a plan cannot show whether their rows are like the others.
_FEWEST_LABELS: Final = 10
_FEWEST_FOR_SPREAD: Final = 30  # fewer labels do not show how far off the judge is
_TWO: Final = 2  # fewer rows have no spread
ASSUMPTION: Final = (
    "the corrected figures assume that the labelled rows are like the others;"
    " `karat labels plan` draws rows for which this holds"
)
_REMEDY: Final = "so the figures as judged come first; `karat labels plan` draws rows that can correct them"
_LARGEST_VARIANCE: Final = 0.25  # of a share
_NOTHING: Final = 1e-9


class Mix(Struct, frozen=True):
    """In what labelled rows differ from the others, and the means of both.

    `correct` is how often the judge says so of judged rows, `judged` how often there is a verdict, `confidence` the mean
    of those that are stated, and `with confidence` how many verdicts have one.
    """

    trait: Trait
    labelled: float
    others: float


class Basis(Struct, frozen=True):
    """How labelled rows came to be labelled, in what they differ from the others, and what follows for corrected figures.

    `assumption` is what these take for granted; `warning` says why they are not the headline although they could be.
    """

    selection: Selection
    mix: tuple[Mix, ...] = ()
    assumption: str | None = None
    warning: str | None = None


class Means(Struct, frozen=True):
    """A mean as judged, corrected by labels, and by the labels alone."""

    raw: Number
    corrected: Number
    labels_alone: Number


class Correction(Struct, frozen=True):
    """What labels make of a run.

    `raw` is the share correct of the judged rows; the others are of all rows. `selection` says how the labelled rows
    came to be labelled: all of them are, a plan drew them with known chances, a plan drew them from elsewhere, so that
    they cannot speak for all of these rows, or they are a convenience sample, about whose drawing nothing is known.
    `headline` is the figure to show first: `raw`, `corrected`, or `labels` where every row has one. `assumption` and
    `warning` say what the corrected figures take for granted, and why they are not the headline where they are doubtful.
    `outside` labels are left aside, because a plan did not draw their rows. Of the labelled rows `known` have labels
    that were given for other files, named by `known_from`. `mix` is in what labelled rows differ from the others.
    `rogan_gladen` is given where they differ in verdicts and not in confidence. `residual` and `total` are the
    variances of a label with and without the help of its verdict.
    """

    rows: int
    labelled: int
    ties: int
    outside: int
    authors: tuple[str, ...]
    selection: Selection
    headline: Headline
    share: Means
    score: Means | None = None
    assumption: str | None = None
    warning: str | None = None
    known: int = 0
    known_from: tuple[str, ...] = ()
    mix: tuple[Mix, ...] = ()
    rogan_gladen: Number | None = None
    residual: float | None = None
    total: float | None = None

    @property
    def number(self) -> Number:
        """The share correct that is the headline."""
        share = self.share
        return {"raw": share.raw, "corrected": share.corrected, "labels": share.labels_alone}[self.headline]


class Need(Struct, frozen=True):
    """The labels that a corrected interval of a width takes in all, and those that it takes without the judge's help.

    `known` is False where there are too few labels to tell how good the judge is: then `labels` is the number that
    suffices for any judge. `now` is the width that the labels so far give. `assumption` and `warning` are those of the
    corrected share, where the labels so far were not drawn by a plan.
    """

    width: float
    rows: int
    labelled: int
    now: float | None
    known: bool
    labels: int | Undefined
    alone: int | Undefined
    assumption: str | None = None
    warning: str | None = None


def least_correct(protocol: ProtocolName, passing: int) -> int:
    """The value from which on a verdict counts as correct."""
    return 1 if protocol == "match" else passing


def correct_share(rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int) -> Correction | None:
    """Correct the share of a run by its labels; None where there are none."""
    if not any(row.labels for row in rows):
        return None
    from karat.stats.corrected import corrected_mean

    least = least_correct(protocol, passing)
    chances, gap = selection_chances(rows), find_gap(rows)
    used = [bool(row.labels) and (chances is None or chances[at] is not None) for at, row in enumerate(rows)]
    judged = [None if row.value is None else float(row.value >= least) for row in rows]
    truths = [truth(row.labels, passing) if use else None for row, use in zip(rows, used, strict=True)]
    clusters = [row.cluster for row in rows]
    found = corrected_mean(judged, truths, probabilities=chances, clusters=clusters)
    basis = find_basis(rows, least)
    share = _means(found, gap)
    traits = {one.trait for one in basis.mix}
    mixed = "correct" in traits and not traits & {"confidence", "with confidence"}
    return Correction(
        rows=len(rows),
        labelled=sum(used),
        ties=sum(one == 0.5 for one in truths),  # noqa: PLR2004 - evenly split
        outside=sum(bool(row.labels) for row in rows) - sum(used),
        authors=tuple(sorted({label.author for row in rows for label in row.labels})),
        selection=basis.selection,
        headline=choose_headline([basis], share.corrected),
        share=share,
        score=None if protocol == "match" else _correct_score(rows, used, chances, clusters, gap),
        assumption=basis.assumption,
        warning=basis.warning,
        known=sum(bool(row.known_from) for row, use in zip(rows, used, strict=True) if use),
        known_from=tuple(sorted({name for row in rows for name in row.known_from})),
        mix=basis.mix,
        rogan_gladen=_rogan_gladen(judged, truths) if mixed else None,
        residual=found.residual if gap is None else None,
        total=found.total if gap is None else None,
    )


def need_labels(rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int, width: float) -> Need:
    """Reckon from the labels that there are how far off the judge is, and from that how many more it takes."""
    from karat.stats.corrected import labels_needed

    if not 0 < width < 1:
        raise UsageError(
            option("width"), f" must lie between 0 and 1, such as 0.04 for four points, not {width:g}"
        )
    found = correct_share(rows, protocol, passing)
    share = None if found is None else found.share.corrected
    spread = _find_spread(found)
    alone = labels_needed(width, rows=len(rows), residual=spread, total=spread)
    labels, known = alone, False
    if (
        found is not None
        and found.residual is not None
        and _shows_spread(found)
        and found.labelled >= _FEWEST_FOR_SPREAD
    ):
        labels = labels_needed(width, rows=len(rows), residual=found.residual, total=spread)
        known = True
    now = share.high - share.low if isinstance(share, Estimate) else None
    assumption, warning = (None, None) if found is None else (found.assumption, found.warning)
    labelled = 0 if found is None else found.labelled
    return Need(width, len(rows), labelled, now, known, labels, alone, assumption, warning)


def find_basis(rows: Sequence[ScoredRow], least: int) -> Basis:
    """What figures that the labels of these rows correct rest on; a verdict counts as correct from `least` on."""
    selection = name_selection(rows)
    if selection != "convenience":
        return Basis(selection)
    labelled = sum(bool(row.labels) for row in rows)
    if labelled < _FEWEST_LABELS:
        labels = "one row is labelled, too few" if labelled == 1 else f"{labelled} rows are labelled, too few"
        few = f"only {labels} to show whether they are like the others, {_REMEDY}"
        return Basis(selection, (), ASSUMPTION, few)
    mix = find_mix(rows, least)
    return Basis(selection, mix, ASSUMPTION, f"{tell_mix(mix)}, {_REMEDY}" if mix else None)


def tell_mix(mix: Sequence[Mix]) -> str:
    """In what labelled rows differ from the others."""
    return f"the labelled rows are not like the others ({'; '.join(map(_describe_mix, mix))})"


def choose_headline(bases: Sequence[Basis], corrected: Number | None) -> Headline:
    """Which figure comes first, where a corrected one rests on the labels of one or more sides."""
    if not isinstance(corrected, Estimate) or any(basis.warning for basis in bases):
        return "raw"
    return "labels" if all(basis.selection == "all" for basis in bases) else "corrected"


def selection_chances(rows: Sequence[ScoredRow]) -> list[float | None] | None:
    """The chance of each row to be labelled, None for rows that no plan drew; None altogether where no plan is in use.

    A plan is in use until all rows have labels. Rows that it drew and nobody labelled lower the chance of the others of
    their stratum, or of all that the plan drew where a whole stratum is still without a label. Where all rows from which
    a plan drew are labelled, or all from which none did, each of these speaks for itself.
    """
    waiting = {row.plan for row in rows if not row.labels}
    if not waiting or all(row.plan is None for row in rows):
        return None
    rates = _labelled_rates(rows)
    return [
        1.0
        if row.plan not in waiting
        else row.chance * rates.get((row.plan, row.stratum), 1.0)
        if row.plan is not None and row.chance is not None
        else None
        for row in rows
    ]


def find_gap(rows: Sequence[ScoredRow]) -> Undefined | None:
    """Why the labels of a plan cannot speak for these rows; None where they can, or no plan is in use.

    It takes rows from which a plan drew, or that are labelled one and all, and two that it drew to see a spread.
    """
    if selection_chances(rows) is None:
        return None
    if beyond := count_beyond(rows):
        are = "is" if beyond == 1 else "are"
        return Undefined(
            f"{beyond:,} of these {len(rows):,} rows {are} not among those from which the labelled rows were drawn"
        )
    drawn = sum(bool(row.labels) for row in rows if row.plan is not None and row.stratum is not None)
    if drawn < _TWO and not all(row.labels for row in rows if row.plan is not None):
        return Undefined("it takes labels on two rows that the plan drew")
    return None


def count_beyond(rows: Sequence[ScoredRow]) -> int:
    """How many rows are not among those from which a plan in use drew; none where these have labels one and all."""
    beyond = [row for row in rows if row.plan is None]
    if len(beyond) == len(rows):
        return 0
    return 0 if all(row.labels for row in beyond) else len(beyond)


def _labelled_rates(rows: Sequence[ScoredRow]) -> dict[tuple[int | None, str | None], float]:
    """How many of the drawn rows of each stratum are labelled; those of the whole plan where a stratum has no label."""
    chosen = [row for row in rows if row.stratum is not None]
    drawn = Counter((row.plan, row.stratum) for row in chosen)
    done = Counter((row.plan, row.stratum) for row in chosen if row.labels)
    rates = dict[tuple[int | None, str | None], float]()
    for plan in {plan for plan, _ in drawn}:
        strata = [stratum for stratum in drawn if stratum[0] == plan]
        overall = sum(done[stratum] for stratum in strata) / sum(drawn[stratum] for stratum in strata)
        complete = all(done[stratum] for stratum in strata)
        rates |= {stratum: done[stratum] / drawn[stratum] if complete else overall for stratum in strata}
    return rates


def name_selection(rows: Sequence[ScoredRow]) -> Selection:
    """How the labelled rows came to be labelled."""
    if all(row.labels for row in rows):
        return "all"
    if all(row.plan is None for row in rows):
        return "convenience"
    return "elsewhere" if count_beyond(rows) else "planned"


def _means(found: "Corrected", gap: Undefined | None) -> Means:
    return Means(found.raw, gap or found.corrected, gap or found.labels_only)


def find_mix(scored_rows: Sequence[ScoredRow], least: int) -> tuple[Mix, ...]:
    """In what the labelled rows differ from the others more than rows drawn at random would.

    Each trait is tested by itself, clustered by question, at a level at which all tests together seldom err
    (Bonferroni). Traits that all rows share are not tested.
    """
    judged = [row for row in scored_rows if row.value is not None]
    stated = [row for row in judged if row.confidence is not None]
    traits: tuple[tuple[Trait, Sequence[ScoredRow], Callable[[ScoredRow], float]], ...] = (
        ("correct", judged, lambda row: float((row.value or 0) >= least)),
        ("judged", scored_rows, lambda row: float(row.value is not None)),
        ("confidence", stated, lambda row: row.confidence or 0.0),
        ("with confidence", judged, lambda row: float(row.confidence is not None)),
    )
    found = [_split(trait, rows, read) for trait, rows, read in traits]
    tested = [(mix, p) for mix, p in found if p is not None]
    return tuple(mix for mix, p in tested if p < UNLIKELY / len(tested))


def _split(
    trait: Trait, rows: Sequence[ScoredRow], read: Callable[[ScoredRow], float]
) -> tuple[Mix, float | None]:
    """The means of labelled rows and of the others, and how probable so large a difference is by chance."""
    from karat.stats.paired import split_p

    labelled = [row for row in rows if row.labels]
    others = [row for row in rows if not row.labels]
    here, there = [read(row) for row in labelled], [read(row) for row in others]
    if len(here) < _TWO or len(there) < _TWO:
        return Mix(trait, 0.0, 0.0), None
    clusters = [row.cluster for row in labelled], [row.cluster for row in others]
    return Mix(trait, sum(here) / len(here), sum(there) / len(there)), split_p(here, there, *clusters)


def _describe_mix(mix: Mix) -> str:
    labelled, others = (f"{100 * share:.1f} %" for share in (mix.labelled, mix.others))
    if mix.trait == "confidence":
        return f"the judge's mean confidence is {mix.labelled:.3f} on them and {mix.others:.3f} on the others"
    if mix.trait == "correct":
        return f"the judge says correct of {labelled} of them and of {others} of the others"
    what = "are judged" if mix.trait == "judged" else "have a verdict with a confidence"
    return f"{labelled} of them {what}, and {others} of the others"


def _rogan_gladen(judged: Sequence[float | None], truths: Sequence[float | None]) -> Number:
    from karat.stats.corrected import rogan_gladen

    known = [one for one in judged if one is not None]
    pairs = Counter((one, other) for one, other in zip(judged, truths, strict=True) if one is not None)
    right, wrong = pairs[1.0, 1.0] + pairs[0.0, 1.0], pairs[1.0, 0.0] + pairs[0.0, 0.0]
    return rogan_gladen(round(sum(known)), len(known), pairs[1.0, 1.0], right, pairs[0.0, 0.0], wrong)


def _correct_score(
    rows: Sequence[ScoredRow],
    used: Sequence[bool],
    chances: Sequence[float | None] | None,
    clusters: Sequence[int],
    gap: Undefined | None,
) -> Means | None:
    """The same for the mean score, where labels are levels."""
    from karat.stats.corrected import corrected_mean

    levels = [level(row.labels) if use else None for row, use in zip(rows, used, strict=True)]
    if all(one is None for one in levels):
        return None
    labels = [None if one is None else one / TOP for one in levels]
    found = corrected_mean([row.score for row in rows], labels, probabilities=chances, clusters=clusters)
    return _means(found, gap)


def _find_spread(found: Correction | None) -> float:
    """The variance of a label: the largest there can be, unless labels that are like the other rows show a smaller one."""
    if found is None or found.warning is not None:
        return _LARGEST_VARIANCE
    if _shows_spread(found):
        return found.total or 0.0
    share = found.share.corrected
    rate = share.value if isinstance(share, Estimate) else 0.5
    # labels that are all alike show no spread, but a few more could: two of each kind are added (Agresti and Coull)
    rate = (rate * found.labelled + 2) / (found.labelled + 4)
    return rate * (1 - rate)


def _shows_spread(found: Correction) -> bool:
    """Whether labels of rows like the others say right of some and wrong of others."""
    return found.warning is None and found.total is not None and found.total > _NOTHING
