"""Whether the confidence of a judge means what it says."""

from collections.abc import Sequence

from msgspec import Struct

from karat.stats import Number


class Bin(Struct, frozen=True):
    """Verdicts of about the same confidence, and how many of them people share."""

    low: float
    high: float
    rows: int
    confidence: float
    right: Number


class Reliability(Struct, frozen=True):
    """Confidence against labels."""

    rows: int
    brier: Number
    expected_error: Number
    bins: tuple[Bin, ...]


def check_confidence(
    confidences: Sequence[float | None],
    right: Sequence[bool],
    clusters: Sequence[int],
    weights: Sequence[float] | None = None,
) -> Reliability | None:
    """Hold confidences against whether the verdicts were right; None where no confidence is known."""
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
