"""The true rate behind a judge's rate, from its sensitivity and specificity (Rogan and Gladen 1978).

For labels that are no random part of the data: another mix of right and wrong answers does no harm here, as long as
the judge errs on each kind as often as it does on the data.
"""

from math import sqrt

from karat.stats.distributions import critical
from karat.stats.estimate import NO_ROWS, Estimate, Number, Undefined

_LEAST = 1e-9


def rogan_gladen(
    judged_yes: float,
    judged_rows: float,
    true_yes: float,
    yes_rows: float,
    true_no: float,
    no_rows: float,
    *,
    level: float = 0.95,
) -> Number:
    """The corrected rate, from counts: of `yes_rows` labelled correct the judge found `true_yes`, of `no_rows` labelled wrong `true_no`.

    The interval carries the doubt about all three rates. They are first drawn a little towards one half, as few rows
    demand (by the square of the reach for the rate, by one row of each kind for the other two).
    """
    if not judged_rows:
        return NO_ROWS
    for rows, kind in ((yes_rows, "correct"), (no_rows, "wrong")):
        if not rows:
            return Undefined(f"no row has the label {kind}")
    reach = critical(level)
    plain = _solve(judged_yes / judged_rows, true_yes / yes_rows, true_no / no_rows)
    if plain is None:
        return Undefined("the judge says yes to right and to wrong answers equally often")
    square = reach**2
    rate, sure, strict = (
        (judged_yes + square / 2) / (judged_rows + square),
        (true_yes + 1) / (yes_rows + 2),
        (true_no + 1) / (no_rows + 2),
    )
    middle = _solve(rate, sure, strict)
    if middle is None:
        return Undefined("the labels do not show that the judge tells right from wrong")
    variance = (
        rate * (1 - rate) / (judged_rows + square)
        + middle**2 * sure * (1 - sure) / (yes_rows + 2)
        + (1 - middle) ** 2 * strict * (1 - strict) / (no_rows + 2)
    )
    half = reach * sqrt(variance) / (sure + strict - 1)
    value = min(1.0, max(0.0, plain))
    low, high = max(0.0, min(middle - half, 1.0)), min(1.0, max(middle + half, 0.0))
    rows = int(yes_rows + no_rows)
    return Estimate(value, min(low, value), max(high, value), rows, "Rogan-Gladen, delta", level)


def _solve(rate: float, sure: float, strict: float) -> float | None:
    better_than_chance = sure + strict - 1
    return (rate + strict - 1) / better_than_chance if better_than_chance > _LEAST else None
