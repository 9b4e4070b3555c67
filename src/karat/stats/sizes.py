"""How many labels a corrected estimate needs to be as precise as wanted."""

from math import ceil

from karat.stats.distributions import critical
from karat.stats.estimate import Undefined

_FEWEST = 2


def labels_needed(
    width: float, *, rows: int, residual: float, total: float, level: float = 0.95
) -> int | Undefined:
    """How many of the rows to label for an interval of this whole width.

    `residual` is the variance of a label that the verdict does not explain and `total` that of a label alone: both
    from a first corrected estimate, or from `expected_spread` before there are labels.
    """
    if width <= 0:
        return Undefined("an interval has a width above 0")
    if rows <= 0:
        return Undefined("there are no rows")
    needed, reach = _FEWEST, critical(level)
    for _ in range(20):
        found = _solve((width / 2 / reach) ** 2, rows, residual, total)
        if found is None or found > rows:
            return Undefined(f"even labels on all {rows:,} rows leave a wider interval; it takes more rows")
        if found == needed:
            break
        needed, reach = found, critical(level, found - 1)
    return needed


def _solve(variance: float, rows: int, residual: float, total: float) -> int | None:
    """The labels at which total / rows + residual (1 / labels - 1 / rows) is this variance."""
    left = variance - max(0.0, total - residual) / rows
    return max(_FEWEST, ceil(residual / left)) if left > 0 else None


def expected_spread(rate: float, sensitivity: float, specificity: float) -> tuple[float, float]:
    """Residual and total variance of a yes/no label, for an expected true rate and an expected judge."""
    total = rate * (1 - rate)
    yes = rate * sensitivity + (1 - rate) * (1 - specificity)
    shared = rate * sensitivity - rate * yes
    explained = shared**2 / (yes * (1 - yes)) if 0 < yes < 1 else 0.0
    return max(0.0, total - explained), total
