"""Numbers and dates of a reference against those of an answer."""

import math
import re

from karat.text.dates import clashes, covers
from karat.text.forms import Reference, Values
from karat.text.values import agrees, conflicts

NAMES = (
    "reference_number", "answer_number", "number_recall", "alien_numbers", "nearest_number", "same_digits",
    "value_agrees", "value_conflicts", "date_covered", "date_clashes", "reference_is_value",
)  # fmt: skip
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SCALES = (1.0, 100.0, 1e3, 1e6, 1e9)


def measure_values(reference: Reference, question: Values, answer: Values) -> list[float]:
    """Compare digits as they stand, and values as they are read."""
    wanted, given = _digits(reference.text), _digits(answer.text)
    asked = _digits(question.text)
    new = given - asked
    missing = wanted - given
    is_value = reference.is_value
    dates = answer.dates or ()
    return [
        float(bool(wanted)),
        float(bool(given)),
        1 - len(missing) / len(wanted) if wanted else -1.0,
        min(len(new - wanted), 5) / 5 if wanted else 0.0,
        _nearest(wanted, new or given),
        float(bool(wanted) and wanted == new),
        float(is_value and agrees(reference, answer, question)),
        float(is_value and conflicts(reference, answer, question)),
        float(reference.date is not None and any(covers(reference.date, date) for date in dates)),
        float(
            reference.date is not None
            and bool(dates)
            and all(clashes(reference.date, date) for date in dates)
        ),
        float(is_value),
    ]


def _digits(text: str) -> set[str]:
    found: list[str] = _NUMBER.findall(text.replace(",", ""))
    return {number.rstrip("0").rstrip(".") if "." in number else number for number in found}


def _nearest(wanted: set[str], given: set[str]) -> float:
    """Return how near the answer's nearest number comes to each of the reference's, at any scale: 1 is the same, 0 far off."""
    if not wanted or not given:
        return -1.0
    there = [float(each) for each in sorted(given)[:20]]
    likes: list[float] = []
    for text in sorted(wanted)[:8]:
        value = float(text)
        likes.append(max(_near(value, other) for other in there))
    return sum(likes) / len(likes)


def _near(value: float, other: float) -> float:
    if value == other:
        return 1.0
    best = 0.0
    for scale in _SCALES:
        for scaled in (other * scale, other / scale):
            size = max(abs(value), abs(scaled))
            if size:
                best = max(best, math.exp(-20 * abs(value - scaled) / size) - (0.05 if scale > 1 else 0.0))
    return best
