"""How many labels it takes for an interval of a given width."""

from collections.abc import Sequence

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.correction import Correction, correct_share
from karat.stats import Estimate, Undefined

FEW = 30
_WIDEST = 0.25
_NOTHING = 1e-9


class Need(Struct, frozen=True):
    """The labels that a corrected interval of a width takes in all, and those that it takes without the judge's help.

    `known` is False where there are too few labels to tell how good the judge is: then `labels` is the number that
    suffices for any judge. `now` is the width that the labels so far give. `assumption` and `warning` are those of the
    corrected share, where the labels so far were not drawn by a plan.
    """

    width: float
    rows: int
    labelled: int
    now: float | None
    known: bool
    labels: int | Undefined
    alone: int | Undefined
    assumption: str | None = None
    warning: str | None = None


def need_labels(marks: Sequence[Mark], protocol: ProtocolName, passing: int, width: float) -> Need:
    """Reckon from the labels that there are how far off the judge is, and from that how many more it takes."""
    from karat.stats.sizes import labels_needed

    if not 0 < width < 1:
        raise UsageError(f"--width must lie between 0 and 1, such as 0.04 for four points, not {width:g}")
    found = correct_share(marks, protocol, passing)
    share = None if found is None else found.share.corrected
    spread = _find_spread(found)
    alone = labels_needed(width, rows=len(marks), residual=spread, total=spread)
    labels, known = alone, False
    if found is not None and found.residual is not None and _shows_spread(found) and found.labelled >= FEW:
        labels = labels_needed(width, rows=len(marks), residual=found.residual, total=spread)
        known = True
    now = share.high - share.low if isinstance(share, Estimate) else None
    assumption, warning = (None, None) if found is None else (found.assumption, found.warning)
    labelled = 0 if found is None else found.labelled
    return Need(width, len(marks), labelled, now, known, labels, alone, assumption, warning)


def _find_spread(found: Correction | None) -> float:
    """The variance of a label: the largest there can be, unless labels that are like the other rows show a smaller one."""
    if found is None or found.warning is not None:
        return _WIDEST
    if _shows_spread(found):
        return found.total or 0.0
    share = found.share.corrected
    rate = share.value if isinstance(share, Estimate) else 0.5
    # labels that are all alike show no spread, but a few more could: two of each kind are added (Agresti and Coull)
    rate = (rate * found.labelled + 2) / (found.labelled + 4)
    return rate * (1 - rate)


def _shows_spread(found: Correction) -> bool:
    """Whether labels of rows like the others say right of some and wrong of others."""
    return found.warning is None and found.total is not None and found.total > _NOTHING
