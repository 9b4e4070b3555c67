"""Confidences: the accuracy that they predict, and their calibration against labels."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from karat.stats import Number


class Range(Struct, frozen=True):
    """The range of accuracies to expect if these rows are like groups of one kind.

    Each group was left out of the fit of the confidences once. The range goes from the group with the largest shortfall
    of accuracy against the expected one to the group with the largest excess.
    """

    kind: str
    groups: int
    low: float
    high: float


class Expectation(Struct, frozen=True):
    """The expected accuracy of the verdicts with a confidence: their mean confidence, with its ranges.

    `unsure` verdicts have a confidence below `below`.
    """

    verdicts: int
    accuracy: float
    ranges: tuple[Range, ...]
    unsure: int
    below: float


class Bin(Struct, frozen=True):
    """Verdicts of about the same confidence, and how many of them agree with people."""

    low: float
    high: float
    rows: int
    confidence: float
    right: Number


class Reliability(Struct, frozen=True):
    """Calibration of confidences against labels."""

    rows: int
    brier: Number
    expected_error: Number
    bins: tuple[Bin, ...]


def find_ranges(expected: float, misses: Mapping[str, Sequence[float]]) -> tuple[Range, ...]:
    """Return the ranges around an expected accuracy, from the errors on groups of each kind."""
    return tuple(
        Range(kind, len(some), *(min(max(expected + miss, 0.0), 1.0) for miss in (min(some), max(some))))
        for kind, some in misses.items()
        if some
    )


def list_expectation(found: Expectation) -> list[tuple[str, str, str]]:
    """Return the lines of a table: name, figure and meaning."""
    return [
        (
            "expected accuracy",
            f"{100 * found.accuracy:.1f} %",
            f"mean confidence of {found.verdicts:,} verdicts"
            + ("" if found.ranges else "; no range is known for runs with --abstain"),
        ),
        *(
            (
                f"on rows like {each.kind}",
                f"{100 * each.low:.0f} to {100 * each.high:.0f} %",
                f"lowest and highest of {each.groups} data sets",
            )
            for each in found.ranges
        ),
        (
            f"confidence below {found.below:g}",
            f"{found.unsure:,} of {found.verdicts:,}",
            f"{100 * found.unsure / found.verdicts:.1f} % of the verdicts",
        ),
    ]


def describe_expectation(found: Expectation) -> str:
    """Describe the expectation in a sentence."""
    ranges = "; ".join(
        f"{100 * each.low:.0f} to {100 * each.high:.0f} % on rows like {each.kind}" for each in found.ranges
    )
    return (
        f"According to their confidences, {100 * found.accuracy:.1f} % of the verdicts are expected to be right"
        f"{f' ({ranges})' if ranges else ''}; {found.unsure:,} of {found.verdicts:,} have a confidence below {found.below:g}."
    )


def describe_remedies(found: Expectation) -> str | None:
    """Describe what to do about unsure verdicts; None if there are none."""
    if not found.unsure:
        return None
    return (
        f"unsure verdicts: `--abstain {found.below:g}` leaves them undecided, `--judge openai:MODEL` uses an LLM instead, "
        "`karat labels plan` draws rows for people to label"
    )


def check_confidence(
    confidences: Sequence[float | None],
    right: Sequence[bool],
    clusters: Sequence[int],
    weights: Sequence[float] | None = None,
) -> Reliability | None:
    """Measure the calibration of confidences; None if no confidence is known."""
    known = [at for at, confidence in enumerate(confidences) if confidence is not None]
    if not known:
        return None
    from karat.stats.calibration import brier, expected_calibration_error, reliability

    given = [confidences[at] or 0.0 for at in known]
    hits, about = [right[at] for at in known], [clusters[at] for at in known]
    weigh = None if weights is None else [weights[at] for at in known]
    return Reliability(
        rows=len(known),
        brier=brier(given, hits, about, weights=weigh),
        expected_error=expected_calibration_error(given, hits, about, weights=weigh),
        bins=tuple(
            Bin(one.low, one.high, one.rows, one.confidence, one.share)
            for one in reliability(given, hits, about, weights=weigh)
        ),
    )
