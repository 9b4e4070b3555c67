"""Agreement of a judge with humans: tables, shares and chance-corrected statistics, each with its interval."""

from collections.abc import Sequence
from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from karat.stats.clustered import Floats, Keys, Values, as_floats, share_of
from karat.stats.estimate import Number, Undefined
from karat.stats.tables import Pairs, Slope, from_table, pair_up

YES_NO = (0, 1)
LEVELS = (0, 1, 2, 3, 4, 5)
_BOTH = (-1.0, 1.0)
_NOTHING = 1e-12
Table = tuple[tuple[int, ...], ...]


class Agreement(Struct, frozen=True):
    """All numbers of one table (rows: human, columns: judge); None for statistics that do not apply to these values."""

    rows: int
    values: tuple[float, ...]
    table: Table
    accuracy: Number
    kappa: Number
    ac1: Number
    mcc: Number
    macro_f1: Number
    weighted_kappa: Number | None = None
    sensitivity: Number | None = None
    specificity: Number | None = None


def agree(
    human: Values,
    judge: Values,
    values: Sequence[float] = YES_NO,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Agreement:
    """Return all statistics: sensitivity and specificity for two values, weighted kappa for more.

    With weights (how many rows each labelled one represents), all but the table refers to the represented rows.
    """
    pairs = pair_up(human, judge, values, clusters, weights)
    two = len(values) == len(YES_NO)
    return Agreement(
        pairs.rows,
        tuple(values),
        _table(pairs),
        _accuracy(pairs, level),
        from_table(pairs, partial(_kappa, weights=_exact(values)), _BOTH, level),
        from_table(pairs, _ac1, _BOTH, level),
        from_table(pairs, _mcc, _BOTH, level),
        from_table(pairs, _macro_f1, (0.0, 1.0), level),
        None if two else from_table(pairs, partial(_kappa, weights=_quadratic(values)), _BOTH, level),
        _recall(pairs, 1, level) if two else None,
        _recall(pairs, 0, level) if two else None,
    )


def table(human: Values, judge: Values, values: Sequence[float] = YES_NO) -> Table:
    """Count each pair of verdicts; rows are the human's, columns the judge's, in the order of the values."""
    return _table(pair_up(human, judge, values))


def accuracy(
    human: Values,
    judge: Values,
    values: Sequence[float] = YES_NO,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the share of rows on which both agree."""
    return _accuracy(pair_up(human, judge, values, clusters, weights), level)


def sensitivity(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the share of the answers that humans accept that the judge accepts."""
    return _recall(pair_up(human, judge, YES_NO, clusters, weights), 1, level)


def specificity(
    human: Values,
    judge: Values,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the share of the answers that humans reject that the judge rejects."""
    return _recall(pair_up(human, judge, YES_NO, clusters, weights), 0, level)


def cohen_kappa(
    human: Values,
    judge: Values,
    values: Sequence[float] = YES_NO,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the agreement beyond chance, given both raters' frequencies (Cohen 1960)."""
    pairs = pair_up(human, judge, values, clusters, weights)
    return from_table(pairs, partial(_kappa, weights=_exact(values)), _BOTH, level)


def weighted_kappa(
    human: Values,
    judge: Values,
    values: Sequence[float] = LEVELS,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return kappa with quadratic weights."""
    pairs = pair_up(human, judge, values, clusters, weights)
    return from_table(pairs, partial(_kappa, weights=_quadratic(values)), _BOTH, level)


def gwet_ac1(
    human: Values,
    judge: Values,
    values: Sequence[float] = YES_NO,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the agreement beyond chance by AC1, which stays stable if nearly all answers are of one kind (Gwet 2008)."""
    return from_table(pair_up(human, judge, values, clusters, weights), _ac1, _BOTH, level)


def mcc(
    human: Values,
    judge: Values,
    values: Sequence[float] = YES_NO,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return Matthews' correlation of the two raters (Gorodkin's for more than two values)."""
    return from_table(pair_up(human, judge, values, clusters, weights), _mcc, _BOTH, level)


def macro_f1(
    human: Values,
    judge: Values,
    values: Sequence[float] = YES_NO,
    clusters: Keys | None = None,
    *,
    weights: Values | None = None,
    level: float = 0.95,
) -> Number:
    """Return the mean F1 score over the values that occur."""
    return from_table(pair_up(human, judge, values, clusters, weights), _macro_f1, (0.0, 1.0), level)


def _table(pairs: Pairs) -> Table:
    return tuple(tuple(int(cell) for cell in row) for row in pairs.counts)


def _accuracy(pairs: Pairs, level: float) -> Number:
    return share_of((pairs.first == pairs.second).astype(np.float64), pairs.clusters, level, pairs.weights)


def _recall(pairs: Pairs, place: int, level: float) -> Number:
    chosen: NDArray[np.bool_] = pairs.first == place
    if not chosen.any():
        return Undefined(f"no row has the label {'correct' if place else 'wrong'}")
    found = (pairs.second[chosen] == place).astype(np.float64)
    weights = None if pairs.weights is None else as_floats(pairs.weights)[chosen]
    return share_of(found, pairs.clusters.among(chosen), level, weights)


def _exact(values: Sequence[float]) -> Floats:
    return np.eye(len(values))


def _quadratic(values: Sequence[float]) -> Floats:
    scale = np.asarray(values, dtype=np.float64)
    return 1 - (np.subtract.outer(scale, scale) / np.ptp(scale)) ** 2


def _kappa(shares: Floats, weights: Floats) -> Slope | Undefined:
    humans, judges = shares.sum(axis=1), shares.sum(axis=0)
    for name, habit in (("human", humans), ("judge", judges)):
        if np.count_nonzero(habit) == 1:
            return Undefined(f"the {name} gives every row the same verdict")
    seen, expected = float((weights * shares).sum()), float(humans @ weights @ judges)
    rest = 1 - expected
    by_chance = np.add.outer(weights @ judges, humans @ weights)
    return (seen - expected) / rest, (weights * rest - by_chance * (1 - seen)) / rest**2


def _ac1(shares: Floats) -> Slope | Undefined:
    kinds = len(shares)
    habit = (shares.sum(axis=0) + shares.sum(axis=1)) / 2
    seen, expected = float(np.trace(shares)), float(habit @ (1 - habit)) / (kinds - 1)
    rest = 1 - expected
    by_chance = np.add.outer(1 - 2 * habit, 1 - 2 * habit) / (2 * (kinds - 1))
    return (seen - expected) / rest, (np.eye(kinds) * rest - by_chance * (1 - seen)) / rest**2


def _mcc(shares: Floats) -> Slope | Undefined:
    humans, judges = shares.sum(axis=1), shares.sum(axis=0)
    spreads = 1 - float(humans @ humans), 1 - float(judges @ judges)
    for name, spread in zip(("human", "judge"), spreads, strict=True):
        if spread < _NOTHING:
            return Undefined(f"the {name} gives every row the same verdict")
    together = float(np.trace(shares) - humans @ judges)
    size = sqrt(spreads[0] * spreads[1])
    value = together / size
    of_together = np.eye(len(shares)) - np.add.outer(judges, humans)
    of_size = -2 * np.add.outer(humans / spreads[0], judges / spreads[1])
    return value, of_together / size - value / 2 * of_size


def _macro_f1(shares: Floats) -> Slope | Undefined:
    humans, judges, same = shares.sum(axis=1), shares.sum(axis=0), np.diag(shares)
    both = humans + judges
    seen = both > 0
    parts = np.divide(2 * same, both, out=np.zeros_like(both), where=seen)
    falls = np.divide(parts, both, out=np.zeros_like(both), where=seen)
    gains = np.divide(2.0, both, out=np.zeros_like(both), where=seen)
    kinds = int(seen.sum())
    return float(parts.sum()) / kinds, (np.diag(gains) - np.add.outer(falls, falls)) / kinds
