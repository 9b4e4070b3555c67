"""Agreement between judges, and the effective number of independent judges."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

from karat.stats.estimate import Number, Undefined, wilson

Ballot = tuple[float | None, ...]
_LEAST_SHARED = 1e-9


def pairwise_agreement(ballots: Sequence[tuple[Ballot, int]]) -> dict[tuple[int, int], Number]:
    """Return for each pair of judges the share of the rows both judged on which they agree."""
    members = len(ballots[0][0]) if ballots else 0
    return {pair: _agreement(ballots, *pair) for pair in combinations(range(members), 2)}


def effective_judges(ballots: Sequence[tuple[Ballot, int]]) -> float | Undefined:
    """Return the effective number of independent judges (Kish), by the mean correlation of verdicts."""
    members = len(ballots[0][0]) if ballots else 0
    if members <= 1:
        return Undefined("a panel needs at least two members")
    found = [_correlation(ballots, *pair) for pair in combinations(range(members), 2)]
    known = [value for value in found if value is not None]
    if len(known) < len(found):
        return Undefined("a member gives every row the same verdict")
    shared = 1 + (members - 1) * sum(known) / len(known)
    return (
        members / shared
        if shared > _LEAST_SHARED
        else Undefined("the verdicts of the members are negatively correlated")
    )


def _agreement(ballots: Sequence[tuple[Ballot, int]], one: int, other: int) -> Number:
    both = [
        (votes[one] == votes[other], rows)
        for votes, rows in ballots
        if None not in (votes[one], votes[other])
    ]
    return wilson(sum(rows for same, rows in both if same), sum(rows for _, rows in both))


def _correlation(ballots: Sequence[tuple[Ballot, int]], one: int, other: int) -> float | None:
    both = [(votes[one], votes[other], rows) for votes, rows in ballots]
    pairs = [(x, y, rows) for x, y, rows in both if x is not None and y is not None]
    count = sum(rows for _, _, rows in pairs)
    if not count:
        return None
    mean_x = sum(x * rows for x, _, rows in pairs) / count
    mean_y = sum(y * rows for _, y, rows in pairs) / count
    spread_x = sum((x - mean_x) ** 2 * rows for x, _, rows in pairs)
    spread_y = sum((y - mean_y) ** 2 * rows for _, y, rows in pairs)
    shared = sum((x - mean_x) * (y - mean_y) * rows for x, y, rows in pairs)
    return shared / sqrt(spread_x * spread_y) if spread_x > 0 and spread_y > 0 else None
