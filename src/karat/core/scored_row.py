"""Human labels, and rows with their verdict and labels as numbers."""

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


class ScoredRow(Struct, frozen=True, gc=False):
    """The verdict and the labels of one row.

    Rows of one `cluster` are about the same question. `chance` is the probability with which a plan chose the
    row for labelling, among those of its `stratum`: None without a plan. A row that was labelled before
    the plan has the chance 1 and no stratum. `plan` is the number of the plan that drew from rows that include
    this one, if rows that it drew have labels. A row is `waiting` if the same command would still judge it.
    `known_from` names the other files for which labels of the row were given.
    """

    position: int
    cluster: int
    system: str | None
    value: int | None
    score: float | None
    confidence: float | None
    decided_by: str | None
    labels: tuple[Label, ...] = ()
    chance: float | None = None
    stratum: str | None = None
    plan: int | None = None
    groups: tuple[str, ...] = ()
    waiting: bool = False
    known_from: tuple[str, ...] = ()


class Group(Struct, frozen=True):
    """How many rows of a run share system, value, cause and origin; the score is summed over them."""

    system: str | None
    value: int | None
    cause: str | None
    decided_by: str | None
    rows: int
    score: float | None


class Cluster(Struct, frozen=True):
    """A count of questions, by system, with these numbers of judged and correct rows."""

    system: str | None
    judged: int
    correct: int
    questions: int
