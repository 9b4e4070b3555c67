"""How far a judge agrees with people on the rows of a variant, and how two variants differ on the rows of both."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from karat.core.keys import hash_number
from karat.stats import Number, Undefined
from karat.stats.agreement import LEVELS, agree
from karat.stats.clustered import bootstrap, share
from karat.stats.paired import paired_difference
from karat.stats.scores import mean_absolute_error, spearman
from prompting.said import Said

Floats = NDArray[np.float64]
_SEED = 6
DRAWS = 1000
_EVEN = 0.5
_PLACES = 8
MATCH = ("kappa", "sensitivity", "specificity", "macro_f1", "yes")
SCALE = ("spearman", "weighted_kappa", "error")
NAMES = {
    "kappa": "kappa",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "macro_f1": "macro-F1",
    "accuracy": "accuracy",
    "yes": "says Yes",
    "people": "people say Yes",
    "auc": "AUC of P(Yes)",
    "moved_kappa": "kappa, threshold moved",
    "spearman": "Spearman",
    "weighted_kappa": "weighted kappa",
    "error": "mean absolute error",
}


class Figures(Struct, frozen=True):
    """What one variant comes to on some rows."""

    rows: int
    questions: int
    unjudged: dict[str, int]
    numbers: dict[str, Number]
    input_tokens: float
    cached_tokens: float
    output_tokens: float


def compute(said: Sequence[Said], protocol: str) -> Figures:
    """All figures; unjudged rows are counted by cause and are in no other figure but the tokens."""
    judged = [row for row in said if row.value is not None]
    numbers = (_match if protocol == "match" else _scale)(judged)
    count = max(1, len(said))
    return Figures(
        len(said),
        len({row.question for row in said}),
        dict(Counter(row.cause for row in said if row.cause is not None)),
        numbers,
        sum(row.input_tokens for row in said) / count,
        sum(row.cached_tokens for row in said) / count,
        sum(row.output_tokens for row in said) / count,
    )


def _match(judged: Sequence[Said]) -> dict[str, Number]:
    truth, value, clusters = _columns(judged)
    found = agree(truth, value, clusters=clusters)
    numbers: dict[str, Number] = {
        "kappa": found.kappa,
        "sensitivity": found.sensitivity or Undefined("not defined"),
        "specificity": found.specificity or Undefined("not defined"),
        "macro_f1": found.macro_f1,
        "accuracy": found.accuracy,
        "yes": share(value, clusters),
        "people": share(truth, clusters),
    }
    if judged and all(row.yes is not None for row in judged):
        numbers |= _by_probability(judged, truth, clusters)
    return numbers


def _scale(judged: Sequence[Said]) -> dict[str, Number]:
    truth, value, clusters = _columns(judged)
    levels = np.floor(truth + _EVEN)
    return {
        "spearman": spearman(truth, value, clusters),
        "weighted_kappa": agree(levels, value, LEVELS, clusters).weighted_kappa or Undefined("not defined"),
        "error": mean_absolute_error(truth, value, clusters),
    }


def _columns(judged: Sequence[Said]) -> tuple[Floats, Floats, list[str]]:
    truth = np.array([row.truth for row in judged], dtype=np.float64)
    value = np.array([row.value for row in judged], dtype=np.float64)
    return truth, value, [row.question for row in judged]


def _by_probability(judged: Sequence[Said], truth: Floats, clusters: Sequence[str]) -> dict[str, Number]:
    """What P(Yes) tells beyond the word: its order, and the word at a threshold that other questions chose."""
    chance = np.array([row.yes for row in judged], dtype=np.float64)
    moved = _cross_fit(truth, chance, clusters)
    return {
        "auc": _draw(lambda places: _auc(truth[places], chance[places]), clusters),
        "moved_kappa": agree(truth, moved, clusters=clusters).kappa,
    }


def _cross_fit(truth: Floats, chance: Floats, clusters: Sequence[str]) -> Floats:
    """Yes or No for each half of the questions by the threshold that is best on the other half."""
    half = np.array([hash_number(cluster) % 2 for cluster in clusters])
    moved = np.zeros(len(truth))
    for one in (0, 1):
        moved[half == one] = chance[half == one] >= _best_threshold(truth[half != one], chance[half != one])
    return moved


def _best_threshold(truth: Floats, chance: Floats) -> float:
    """The middle of the gap between two probabilities at which kappa is highest, one half where it is nowhere defined."""
    ends = np.unique(chance)
    gaps = [_EVEN, *((ends[1:] + ends[:-1]) / 2)]
    kappas = [_kappa(truth, (chance >= gap).astype(np.float64)) for gap in gaps]
    return float(max(zip(kappas, gaps, strict=True), key=lambda pair: -2 if pair[0] is None else pair[0])[1])


def differ(first: Sequence[Said], other: Sequence[Said], protocol: str) -> dict[str, Number]:
    """The other less the first, on rows that both judged: shares and errors pair by pair, the rest by drawing questions."""
    known = {row.key: row for row in first if row.value is not None}
    pairs = [(known[row.key], row) for row in other if row.value is not None and row.key in known]
    truth, one, clusters = _columns([pair[0] for pair in pairs])
    _, two, _ = _columns([pair[1] for pair in pairs])
    compare = _differ_match if protocol == "match" else _differ_scale
    return compare(truth, one, two, clusters)


def _differ_match(truth: Floats, one: Floats, two: Floats, clusters: Sequence[str]) -> dict[str, Number]:
    return {
        "kappa": _gap(_kappa, truth, one, two, clusters),
        "accuracy": _pair_up((one == truth), (two == truth), clusters),
        "sensitivity": _pair_up(one, two, clusters, truth == 1),
        "specificity": _pair_up(1 - one, 1 - two, clusters, truth == 0),
        "yes": _pair_up(one, two, clusters),
    }


def _differ_scale(truth: Floats, one: Floats, two: Floats, clusters: Sequence[str]) -> dict[str, Number]:
    levels = np.floor(truth + _EVEN)
    return {
        "spearman": _gap(_spearman, truth, one, two, clusters),
        "weighted_kappa": _gap(_kappa, levels, one, two, clusters),
        "error": _pair_up(abs(one - truth), abs(two - truth), clusters),
    }


def _pair_up(one: Any, two: Any, clusters: Sequence[str], chosen: Any = None) -> Number:  # noqa: ANN401 - arrays of several kinds
    places = np.arange(len(clusters)) if chosen is None else np.flatnonzero(chosen)
    keys = [clusters[int(place)] for place in places]
    return paired_difference(
        np.asarray(one, dtype=np.float64)[places], np.asarray(two, dtype=np.float64)[places], keys
    ).estimate


def _gap(
    statistic: Callable[[Floats, Floats], float | None],
    truth: Floats,
    one: Floats,
    two: Floats,
    clusters: Sequence[str],
) -> Number:
    def gap(places: NDArray[np.intp]) -> float | None:
        before, after = statistic(truth[places], one[places]), statistic(truth[places], two[places])
        return None if before is None or after is None else after - before

    return _draw(gap, clusters)


def _draw(statistic: Callable[[NDArray[np.intp]], float | None], clusters: Sequence[str]) -> Number:
    return bootstrap(statistic, len(clusters), clusters, seed=_SEED, draws=DRAWS)


def _kappa(first: Floats, second: Floats) -> float | None:
    """Quadratic-weighted kappa, which on 0 and 1 is Cohen's own."""
    if len(first) == 0:
        return None
    chance = (first**2).mean() + (second**2).mean() - 2 * first.mean() * second.mean()
    return None if chance == 0 else float(1 - ((first - second) ** 2).mean() / chance)


def _spearman(first: Floats, second: Floats) -> float | None:
    if len(first) == 0 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    one, two = _ranks(first), _ranks(second)
    one, two = one - one.mean(), two - two.mean()
    return float((one * two).sum() / np.sqrt((one**2).sum() * (two**2).sum()))


def _auc(truth: Floats, chance: Floats) -> float | None:
    """The probability that a right answer stands above a wrong one, equal ones counting half."""
    right = int(truth.sum())
    if right in (0, len(truth)):
        return None
    above = _ranks(chance)[truth == 1].sum() - right * (right + 1) / 2
    return float(above / (right * (len(truth) - right)))


def _ranks(column: Floats) -> Floats:
    """Ranks from 1 on; equal values share theirs."""
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


class Place(Struct, frozen=True):
    """A place in batches of one size, or a few neighbouring ones where there are many."""

    first: int
    last: int
    rows: int
    numbers: Mapping[str, Number]

    @property
    def name(self) -> str:
        """As it is written in a table: 3, or 5-6."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def by_place(said: Sequence[Said], size: int) -> list[Place]:
    """Figures for each place of full batches, first asks only: whoever was asked again stood elsewhere the second time."""
    step = max(1, size // _PLACES)
    bands: dict[int, list[Said]] = {}
    for row in said:
        for seat in row.seats:
            if seat.company == size:
                taken = structs.replace(row, value=seat.value, yes=None)
                bands.setdefault((seat.place - 1) // step * step, []).append(taken)
    return [
        Place(start + 1, min(start + step, size), len(rows), _match(rows))
        for start, rows in sorted(bands.items())
    ]
