"""Limits for a run, such as a minimum share correct: the limit, the value found, and a sentence about it.

A row without a verdict counts as wrong in every gate, so that a judge or provider that fails cannot pass one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from karat.core.scored_row import ScoredRow
from karat.report.figures.summary import Share
from karat.report.format import count, show_percent
from karat.stats import Estimate, Number, Undefined

if TYPE_CHECKING:
    from karat.stats.paired import Loss

LEVEL: Final = 0.05
_SMALLEST: Final = 0.0005  # a smaller gap would be rounded to zero points with one decimal


class Gate(Struct, frozen=True, omit_defaults=True):
    """One limit and the `value` that is compared with it; None if it is not defined, which does not pass.

    For a baseline the limit is the level of the test and the value its p; `difference` is this run minus the baseline.
    """

    name: str
    limit: float
    value: float | None
    passed: bool
    line: str
    difference: Number | None = None


class Pairing(Struct, frozen=True):
    """The questions that two runs have in common, and those that only one of them has."""

    common: frozenset[int]
    only_baseline: int
    only_run: int


def check_share(limit: float, share: Share) -> Gate:
    """Compare the share correct of all rows with its limit."""
    value = share.correct / share.rows if share.rows else 0.0
    passed = value >= limit
    found = f"{show_percent(value)} correct ({share.correct:,} of all {share.rows:,} rows{_count_unjudged(share)})"
    return Gate(
        "--fail-under", limit, value, passed, f"--fail-under {limit:g} {_verdict(limit, value)}: {found}"
    )


def check_lower(limit: float, share: Share, estimate: Number) -> Gate:
    """Compare the lower end of the interval of the share correct of all rows with its limit."""
    asked = f"--fail-under-lower {limit:g}"
    if isinstance(estimate, Undefined):
        why = f"there is no interval: {estimate.why}; use --cluster COLUMN to cluster by another column, such as an id"
        return Gate("--fail-under-lower", limit, None, passed=False, line=f"{asked} missed: {why}")
    low, passed = estimate.low, estimate.low >= limit
    found = (
        f"the lower end of the 95 % interval of the share correct is {show_percent(low)}"
        f" ({show_percent(estimate.value)} of all {share.rows:,} rows{_count_unjudged(share)})"
    )
    return Gate("--fail-under-lower", limit, low, passed, f"{asked} {_verdict(limit, low)}: {found}")


def find_pairing(baseline: Sequence[ScoredRow], run: Sequence[ScoredRow]) -> Pairing:
    """Pair two runs by question, or by the column that their rows are clustered by."""
    before, now = ({row.cluster for row in side} for side in (baseline, run))
    return Pairing(frozenset(before & now), len(before - now), len(now - before))


def check_baseline(
    name: str,
    baseline: Sequence[ScoredRow],
    run: Sequence[ScoredRow],
    least: int,
    level: float = LEVEL,
    *,
    cluster: str | None = None,
    same_answers: bool = False,
) -> Gate:
    """Test whether a run is worse than its baseline on the questions of both; `name` describes the baseline.

    The test is one-sided and counts rows without a verdict as wrong on both sides. `cluster` names the column that rows
    are paired by, if not by question. `same_answers` is true if both have the same answers to the common questions.
    """
    from karat.stats.paired import find_loss

    pairing = find_pairing(baseline, run)
    before, now = ([row for row in side if row.cluster in pairing.common] for side in (baseline, run))
    found = find_loss(
        _read_outcomes(before, least),
        _read_outcomes(now, least),
        [row.cluster for row in before],
        [row.cluster for row in now],
        level=level,
    )
    passed = found.p is not None and found.p >= level
    notes = "".join(f"; {note}" for note in _notes(pairing, before, now, cluster))
    if isinstance(found.difference, Undefined) or found.p is None:
        why = (
            found.difference.why
            if isinstance(found.difference, Undefined)
            else "the standard error is not known"
        )
        line = f"--baseline missed: no test against {name} is possible: {why}{notes}"
        return Gate("--baseline", level, None, passed=False, line=line, difference=found.difference)
    common = count_units(len(pairing.common), cluster, "common ")
    if same_answers and passed and _count_correct(before, least) == _count_correct(now, least):
        line = f"--baseline passed: no difference, because the answers are the same as those of {name} on {common}{notes}"
        return Gate("--baseline", level, found.p, passed, line, found.difference)
    ending = f", p = {found.p:.3g}"
    ending += _describe_detectable(found, cluster) if passed else f", below {level:g}"
    ending += "; the answers are the same, only verdicts differ" if same_answers else ""
    line = (
        f"--baseline {'passed' if passed else 'missed'}: {_describe_difference(found.difference, name)}"
        f" on {common}{ending}{notes}"
    )
    return Gate("--baseline", level, found.p, passed, line, found.difference)


def count_units(number: int, cluster: str | None, adjective: str = "") -> str:
    """Format the number of paired units: questions, or values of a column."""
    if cluster is None:
        return count(number, f"{adjective}question")
    return f"{count(number, f'{adjective}value')} of {cluster!r}"


def _count_correct(rows: Sequence[ScoredRow], least: int) -> Counter[tuple[int, float]]:
    """Count the correct and the wrong answers to each question."""
    return Counter(zip((row.cluster for row in rows), _read_outcomes(rows, least), strict=True))


def _read_outcomes(rows: Sequence[ScoredRow], least: int) -> list[float]:
    return [float(row.value is not None and row.value >= least) for row in rows]


def _verdict(limit: float, value: float) -> str:
    if value >= limit:
        return "passed"
    return f"missed by {show_gap(limit - value)}"


def show_gap(gap: float) -> str:
    """Format a distance in points, with enough digits that it is not shown as zero."""
    shown = f"{100 * gap:.1f}" if gap >= _SMALLEST else f"{100 * gap:.1g}"
    return f"{shown} point{'' if shown == '1.0' else 's'}"


def _count_unjudged(share: Share) -> str:
    unjudged = share.rows - share.judged
    return f"; {unjudged:,} unjudged {'counts' if unjudged == 1 else 'count'} as wrong" if unjudged else ""


def _describe_difference(difference: Estimate, name: str) -> str:
    way = "equal to" if difference.value == 0 else "below" if difference.value < 0 else "above"
    distance = "" if difference.value == 0 else f"{show_gap(abs(difference.value))} "
    ends = " to ".join(f"{100 * end:+.1f}".replace("-", "−") for end in (difference.low, difference.high))
    return f"{distance}{way} {name} [{100 * difference.level:g} % interval {ends}]"


def _describe_detectable(found: "Loss", cluster: str | None) -> str:
    if found.detectable is None:
        return ""
    if found.detectable > 1:
        few = "questions" if cluster is None else f"values of {cluster!r}"
        return f"; with so few {few}, the test cannot detect any loss with 80 % power"
    least = "" if found.exact else "at least "
    return f"; the test detects a loss of about {show_gap(found.detectable)} with {least}80 % power"


def _notes(
    pairing: Pairing, before: Sequence[ScoredRow], now: Sequence[ScoredRow], cluster: str | None
) -> list[str]:
    """List remarks about the test: questions left out, and rows without a verdict."""
    notes = list[str]()
    if pairing.only_baseline:
        units = count_units(pairing.only_baseline, cluster)
        notes.append(f"{units} of the baseline left out (not in this run)")
    unjudged = [sum(row.value is None for row in side) for side in (now, before)]
    if any(unjudged):
        notes.append(f"unjudged rows count as wrong: {unjudged[0]:,} here, {unjudged[1]:,} in the baseline")
    return notes
