"""The share correct as judged and as corrected by labels, and the number of labels needed."""

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
UNLIKELY: Final = 0.01  # probability that any of the tests rejects rows that were drawn at random
# With fewer labels, and no plan, the tests cannot show whether the labelled rows are like the others.
_FEWEST_LABELS: Final = 10
_FEWEST_FOR_SPREAD: Final = 30  # fewer labels do not show the judge's error
_TWO: Final = 2  # a variance needs at least two rows
ASSUMPTION: Final = (
    "the corrected figures assume that the labelled rows are like the others;"
    " `karat labels plan` draws a random sample, for which this holds"
)
_REMEDY: Final = (
    "so the uncorrected figures come first; `karat labels plan` draws a random sample that can correct them"
)
_LARGEST_VARIANCE: Final = 0.25  # of a share
_NOTHING: Final = 1e-9


class Mix(Struct, frozen=True):
    """A trait in which labelled rows differ from the others, with both means.

    `correct` is the share of judged rows with the verdict correct, `judged` the share with a verdict, `confidence` the
    mean confidence, and `with confidence` the share of verdicts that have one.
    """

    trait: Trait
    labelled: float
    others: float


class Basis(Struct, frozen=True):
    """How the labelled rows were selected, how they differ from the others, and what follows for corrected figures.

    `assumption` is what corrected figures assume; `warning` says why they are not the headline.
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
    """The correction of a run by its labels.

    `raw` is the share correct of the judged rows; the others are of all rows. `selection` says how the labelled rows
    were selected: all are labelled, a plan drew them with known probabilities, a plan drew them from other rows, so that
    they do not represent these rows, or they are a convenience sample, whose selection is unknown.
    `headline` is the figure to show first: `raw`, `corrected`, or `labels` where every row has one. `assumption` and
    `warning` say what the corrected figures assume, and why they are not the headline.
    `outside` labels are not used, because a plan did not draw their rows. `known` labelled rows have labels
    from other files, named by `known_from`. `mix` lists the traits in which labelled rows differ from the others.
    `rogan_gladen` is given if they differ in verdicts and not in confidence. `residual` and `total` are the
    variances of a label with and without its verdict as a predictor.
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
        """The headline share correct."""
        share = self.share
        return {"raw": share.raw, "corrected": share.corrected, "labels": share.labels_alone}[self.headline]


class Need(Struct, frozen=True):
    """The labels needed for a corrected interval of a given width, and those needed without the judge's verdicts.

    `known` is False if there are too few labels to measure how good the judge is: then `labels` is the number that
    suffices for any judge. `now` is the width that the labels so far give. `assumption` and `warning` are those of the
    corrected share, if the labels so far were not drawn by a plan.
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
    """Return the lowest value that counts as correct."""
    return 1 if protocol == "match" else passing


def correct_share(rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int) -> Correction | None:
    """Correct the share of a run by its labels; None without labels."""
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
    """Estimate the judge's error from the existing labels, and from it how many more are needed."""
    from karat.stats.corrected import labels_needed

    if not 0 < width < 1:
        raise UsageError(
            option("width"),
            f" must be between 0 and 1, such as 0.04 for four percentage points, not {width:g}",
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
    """Return the basis of figures corrected by these labels; a verdict counts as correct from `least` on."""
    selection = name_selection(rows)
    if selection != "convenience":
        return Basis(selection)
    labelled = sum(bool(row.labels) for row in rows)
    if labelled < _FEWEST_LABELS:
        labels = "one row is labelled, too few" if labelled == 1 else f"{labelled} rows are labelled, too few"
        few = f"only {labels} to show whether they are like the others, {_REMEDY}"
        return Basis(selection, (), ASSUMPTION, few)
    mix = find_mix(rows, least)
    return Basis(selection, mix, ASSUMPTION, f"{describe_mix(mix)}, {_REMEDY}" if mix else None)


def describe_mix(mix: Sequence[Mix]) -> str:
    """Describe how the labelled rows differ from the others."""
    return f"the labelled rows are not like the others ({'; '.join(map(_describe_mix, mix))})"


def choose_headline(bases: Sequence[Basis], corrected: Number | None) -> Headline:
    """Choose the headline figure when a corrected one is based on the labels of one or more sides."""
    if not isinstance(corrected, Estimate) or any(basis.warning for basis in bases):
        return "raw"
    return "labels" if all(basis.selection == "all" for basis in bases) else "corrected"


def selection_chances(rows: Sequence[ScoredRow]) -> list[float | None] | None:
    """Return each row's probability of being labelled, None for rows outside a plan; None if no plan is in use.

    A plan is in use until all rows have labels. Rows that it drew and nobody labelled lower the probability of the others of
    their stratum, or of all that the plan drew if a whole stratum still has no label. If all rows from which
    a plan drew are labelled, or all of the others, each of these has probability 1.
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
    """Explain why the labels of a plan do not represent these rows; None if they do, or no plan is in use.

    They do if the plan drew from all rows, or the rest are all labelled, and at least two drawn rows are labelled.
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
        return Undefined("at least two of the rows that the plan drew must be labelled")
    return None


def count_beyond(rows: Sequence[ScoredRow]) -> int:
    """Count the rows outside those from which a plan drew; 0 if they are all labelled."""
    beyond = [row for row in rows if row.plan is None]
    if len(beyond) == len(rows):
        return 0
    return 0 if all(row.labels for row in beyond) else len(beyond)


def _labelled_rates(rows: Sequence[ScoredRow]) -> dict[tuple[int | None, str | None], float]:
    """Return the labelled share of the drawn rows of each stratum; that of the whole plan if a stratum has no label."""
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
    """Return how the labelled rows were selected."""
    if all(row.labels for row in rows):
        return "all"
    if all(row.plan is None for row in rows):
        return "convenience"
    return "elsewhere" if count_beyond(rows) else "planned"


def _means(found: "Corrected", gap: Undefined | None) -> Means:
    return Means(found.raw, gap or found.corrected, gap or found.labels_only)


def find_mix(scored_rows: Sequence[ScoredRow], least: int) -> tuple[Mix, ...]:
    """Find the traits in which labelled rows differ from the others more than a random sample would.

    Each trait is tested by itself, clustered by question, at a level that bounds the error of all tests together
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
    """Return the means of labelled rows and of the others, and the p value of their difference."""
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
        return f"the judge's mean confidence is {mix.labelled:.3f} on the labelled rows and {mix.others:.3f} on the others"
    if mix.trait == "correct":
        return f"the judge accepts {labelled} of the labelled rows and {others} of the others"
    what = "are judged" if mix.trait == "judged" else "have a verdict with a confidence"
    return f"{labelled} of the labelled rows {what}, and {others} of the others"


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
    """Correct the mean score in the same way, if labels are levels."""
    from karat.stats.corrected import corrected_mean

    levels = [level(row.labels) if use else None for row, use in zip(rows, used, strict=True)]
    if all(one is None for one in levels):
        return None
    labels = [None if one is None else one / TOP for one in levels]
    found = corrected_mean([row.score for row in rows], labels, probabilities=chances, clusters=clusters)
    return _means(found, gap)


def _find_spread(found: Correction | None) -> float:
    """Return the variance of a label: the largest possible, unless representative labels show a smaller one."""
    if found is None or found.warning is not None:
        return _LARGEST_VARIANCE
    if _shows_spread(found):
        return found.total or 0.0
    share = found.share.corrected
    rate = share.value if isinstance(share, Estimate) else 0.5
    # labels that are all equal show no variance, but more labels could: two of each kind are added (Agresti and Coull)
    rate = (rate * found.labelled + 2) / (found.labelled + 4)
    return rate * (1 - rate)


def _shows_spread(found: Correction) -> bool:
    """Return whether representative labels contain both right and wrong."""
    return found.warning is None and found.total is not None and found.total > _NOTHING
