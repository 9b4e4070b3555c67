"""Read a label: words mean yes or no, numbers are on a scale."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from karat.core.errors import UsageError, option
from karat.core.scored_row import TOP, YES_NO

WORDS: Final = {"true": 1.0, "yes": 1.0, "correct": 1.0, "false": 0.0, "no": 0.0, "incorrect": 0.0}
KNOWN: Final = "true/false, yes/no, correct/incorrect, 0/1 or 0 to 5"
_SCALE: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|–|\.\.)\s*(-?\d+(?:\.\d+)?)\s*")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


class Scale(Struct, frozen=True):
    """The meaning of numbers as labels: from `low`, wrong, to `high`, right."""

    name: str
    low: float
    high: float


class NotALabelError(ValueError):
    """The reason why a value cannot be read as a label."""


BINARY: Final = Scale(YES_NO, 0.0, 1.0)
LEVELS: Final = Scale(f"0-{TOP}", 0.0, float(TOP))


def parse_scale(text: str) -> Scale:
    """Parse `0-2` as a scale; on `yes/no` numbers are 0 or 1."""
    if text.strip().casefold() in (YES_NO, "yes-no"):
        return BINARY
    found = _SCALE.fullmatch(text)
    low, high = (float(end) for end in found.groups()) if found else (0.0, 0.0)
    if low >= high:
        raise UsageError(option("label_scale"), f" takes LOW-HIGH such as 0-2, or yes/no, not {text!r}")
    return Scale(f"{low:g}-{high:g}", low, high)


def guess_scale(values: Iterable[object]) -> Scale:
    """Return yes/no if all numbers of a source are 0 or 1, else 0 to 5."""
    numbers = [number for number in map(_guess_number, values) if number is not None]
    if all(number in (0, 1) for number in numbers):
        return BINARY
    fraction = next((number for number in numbers if number % 1), None)
    if fraction is not None and all(0 <= number <= 1 for number in numbers):
        asked = option("label_scale")
        told = f"labels such as {fraction:g} may be on a scale of 0-1 or of 0-5; give "
        raise UsageError(told, asked, " 0-1 or ", asked, " 0-5")
    return LEVELS


def read_label(value: object, scale: Scale) -> tuple[float, str] | None:
    """Return a label from 0 to 1 with the name of its scale; None if the value is empty."""
    found = _read(value)
    if found is None:
        return None
    if isinstance(found, bool):
        return float(found), YES_NO
    whole = scale.name != YES_NO or found in (0, 1)
    if not (whole and scale.low <= found <= scale.high):
        wanted = KNOWN if scale in (BINARY, LEVELS) else f"a number from {scale.low:g} to {scale.high:g}"
        raise NotALabelError(f"label {_show(value)} is not {wanted}")
    return (found - scale.low) / (scale.high - scale.low), scale.name


def _read(value: object) -> bool | float | None:
    """Return a truth value, a number, or None for an empty value; anything else is refused."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(value)
    text = value.strip().casefold() if isinstance(value, str) else _show(value)
    if not text:
        return None
    if text in WORDS:
        return bool(WORDS[text])
    if _NUMBER.fullmatch(text):
        return float(text.replace(",", "."))
    raise NotALabelError(f"label {_show(value)} is not {KNOWN}")


def _guess_number(value: object) -> float | None:
    try:
        found = _read(value)
    except NotALabelError:
        return None  # reported later, when it is read
    return None if found is None or isinstance(found, bool) else found


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004 - one line has room for it
