"""Human labels of an answer, and the truth that several labels give together."""

from collections.abc import Sequence

from msgspec import Struct

YES_NO = "yes/no"
TOP = 5
_NEAR = 1e-9  # tolerance for rounding in a mean of levels


class Label(Struct, frozen=True, gc=False):
    """One person's verdict on one item, from 0 (wrong) to 1 (right), and the scale on which it was given."""

    author: str
    value: float
    scale: str = YES_NO


def level(labels: Sequence[Label]) -> float | None:
    """Return the mean level, 0 to 5; None without labels, or if one says only right or wrong."""
    if not labels or any(label.scale == YES_NO for label in labels):
        return None
    return TOP * sum(label.value for label in labels) / len(labels)


def truth(labels: Sequence[Label], passing: int) -> float | None:
    """Return 1 for right, 0 for wrong, 0.5 for a tie, None without labels.

    If all labels are levels, the mean level decides (`passing` or more is right); otherwise the majority.
    """
    if not labels:
        return None
    mean = level(labels)
    if mean is not None:
        return float(mean >= passing - _NEAR)
    votes = sum(is_right(label, passing) for label in labels)
    return 0.5 if 2 * votes == len(labels) else float(2 * votes > len(labels))


def is_right(label: Label, passing: int) -> bool:
    """Check whether a label says that the answer is right; a level does from `passing` on."""
    least = 1.0 if label.scale == YES_NO else passing / TOP
    return label.value >= least - _NEAR
