"""Agreement of annotators with each other, and the alternative-annotator test of the judge."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import floor

from msgspec import Struct

from karat.core.scored_row import TOP, YES_NO, Label, ScoredRow, is_right, level
from karat.stats import Number, Undefined


class Couple(Struct, frozen=True):
    """The agreement of two annotators on the rows that both labelled."""

    one: str
    other: str
    rows: int
    agreement: Number
    kappa: Number


class LeftOut(Struct, frozen=True):
    """One annotator left out: how often the judge is at least as close to the others, and whether it beats them."""

    author: str
    rows: int
    advantage: Number
    beaten: bool


class Alternative(Struct, frozen=True):
    """The alternative-annotator test: passed if the judge beats at least half of the annotators."""

    passed: bool
    winning_rate: float
    epsilon: float
    advantage: Number
    people: tuple[LeftOut, ...]


class Humans(Struct, frozen=True):
    """Agreement between annotators: on levels if all labels are levels, otherwise on right and wrong."""

    authors: tuple[str, ...]
    graded: bool
    couples: tuple[Couple, ...]
    alpha: Number
    alternative: Alternative | Undefined | None = None


Reading = Callable[[Sequence[Label]], int | None]
Ratings = Sequence[tuple[int | None, ...]]


def compare_humans(rows: Sequence[ScoredRow], passing: int, least: int, *, levels: bool) -> Humans | None:
    """Compare the annotators of the labelled rows; None if there is only one."""
    authors = tuple(sorted({label.author for row in rows for label in row.labels}))
    if len(authors) < 2:  # noqa: PLR2004 - it takes two to agree
        return None
    from karat.stats.alpha import krippendorff_alpha

    graded = levels and all(label.scale != YES_NO for row in rows for label in row.labels)
    read = _read_level if graded else _vote_reader(passing)
    ratings = [
        tuple(read([label for label in row.labels if label.author == author]) for author in authors)
        for row in rows
    ]
    clusters = [row.cluster for row in rows]
    couples = (
        _couple(authors, pair, ratings, clusters, graded=graded)
        for pair in combinations(range(len(authors)), 2)
    )
    verdicts = [_verdict(row, least, graded=graded) for row in rows]
    return Humans(
        authors=authors,
        graded=graded,
        couples=tuple(couple for couple in couples if couple is not None),
        alpha=krippendorff_alpha(ratings, "interval" if graded else "nominal", clusters),
        alternative=_test(verdicts, ratings, clusters, authors, graded=graded) if len(authors) > 2 else None,  # noqa: PLR2004 - the test needs three
    )


def _couple(
    authors: Sequence[str],
    pair: tuple[int, int],
    ratings: Ratings,
    clusters: Sequence[int],
    *,
    graded: bool,
) -> Couple | None:
    from karat.stats.agreement import accuracy, cohen_kappa, weighted_kappa

    one, other = pair
    both = [
        (first, second, cluster)
        for row, cluster in zip(ratings, clusters, strict=True)
        if (first := row[one]) is not None and (second := row[other]) is not None
    ]
    if not both:
        return None
    first, second, about = ([entry[at] for entry in both] for at in range(3))
    values = tuple(range(TOP + 1)) if graded else (0, 1)
    kappa = weighted_kappa if graded else cohen_kappa
    found = kappa(first, second, values, about)
    if isinstance(found, Undefined):  # the statistics name their raters "the human" and "the judge"
        why = found.why.replace("the human", authors[one]).replace("the judge", authors[other])
        found = Undefined(why)
    return Couple(authors[one], authors[other], len(both), accuracy(first, second, values, about), found)


def _test(
    verdicts: Sequence[int | None],
    ratings: Ratings,
    clusters: Sequence[int],
    authors: Sequence[str],
    *,
    graded: bool,
) -> Alternative | Undefined:
    from karat.stats.alternative_annotators import alternative_annotators

    found = alternative_annotators(
        verdicts, ratings, scale="interval" if graded else "nominal", clusters=clusters
    )
    if isinstance(found, Undefined):
        return found
    people = tuple(
        LeftOut(authors[one.place], one.rows, one.advantage, one.beaten) for one in found.annotators
    )
    return Alternative(found.passed, found.winning_rate, found.epsilon, found.advantage, people)


def _verdict(row: ScoredRow, least: int, *, graded: bool) -> int | None:
    return None if row.value is None else row.value if graded else int(row.value >= least)


def _read_level(labels: Sequence[Label]) -> int | None:
    """Return one annotator's level; the mean of several labels is rounded."""
    mean = level(labels)
    return None if mean is None else floor(mean + 0.5)


def _vote_reader(passing: int) -> Reading:
    def read(labels: Sequence[Label]) -> int | None:
        """Return one annotator's vote; None if there is none, or a tie."""
        votes = {is_right(label, passing) for label in labels}
        return int(votes.pop()) if len(votes) == 1 else None

    return read
