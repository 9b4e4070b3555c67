"""Numbers with what they count, wherever they stand in a text."""

import re
from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from karat.text.numbers import (
    CITED,
    MAGNITUDES,
    NUMBER_WORDS,
    PART_WORDS,
    PLACE_WORDS,
    Number,
    read_digits,
    read_part,
    read_place,
    read_ratio,
    read_words,
)
from karat.text.units import (
    CURRENCY_SIGNS,
    PARTED,
    UNITS,
    Unit,
    are_joined,
    is_miscased,
    read_unit,
    spell_one,
)


class Quantity(Struct, frozen=True):
    """A value in its base unit, the step to which it was stated, its kind, and where it stands."""

    value: Fraction
    step: Fraction
    kind: str
    noun: str
    count: Fraction
    start: int
    end: int


_SIGN = r"(?P<sign>US\$|[$€£₹])"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_FOUND = re.compile(
    rf"""(?<![\w$€£₹^])(?<!\w-)(?<!no\s)(?<!half\sa\s){_SIGN}?\s?
    (?:(?P<part>{PART_WORDS})(?!\w)
      |(?P<ratio>(?:\d+\s)?-?\d+/\d+)(?![\w/])
      |(?P<place>\d{{1,9}}(?:st|nd|rd|th)|(?:{PLACE_WORDS}))(?!\w)
      |(?P<words>{NUMBER_WORDS})(?!\w)
      |(?P<digits>(?:(?<!\d)(?<!\w\s)-|(?<=[a-z]\s)-)?{_DIGITS})(?!\d|[.,:/-]\d|['"]))""",
    re.VERBOSE | re.IGNORECASE,
)
_MAGNITUDE = re.compile(
    rf"\s?(?P<magnitude>{'|'.join(sorted(MAGNITUDES, key=len, reverse=True))})(?!\w)", re.IGNORECASE
)
_MONEY_MAGNITUDE = {"m": 10**6, "b": 10**9}
_SYMBOL = re.compile(r"\s?(?P<symbol>[a-z]{1,3})(?:(?P<power>\^)|(?![\w']))", re.IGNORECASE)
_NOUN = re.compile(r"[\s-](?P<noun>[a-z]+)", re.IGNORECASE)
_HALF = re.compile(r"half\s", re.IGNORECASE)
_STRAY = re.compile(r"\d")
# A number that a stray space broke in two ("12. 9 km") or that a word makes negative.
_BROKEN = re.compile(r"\d\s?h\s?\d+\s?m\b|\d\.\s\d|\b(?:minus|negative)\s\W?\w", re.IGNORECASE)


def read_quantities(text: str) -> list[Quantity] | None:
    """Return the quantities in a text in order, or None where some digits cannot be read as one."""
    text = _prepare(text)
    if _BROKEN.search(text):
        return None
    found, end = list[Quantity](), 0
    for start, quantity in _find(text):
        if quantity is None or _STRAY.search(text, end, start):
            return None
        found.append(quantity)
        end = quantity.end
    return None if _STRAY.search(text, end) else _join(text, found)


def list_quantities(text: str) -> list[Quantity]:
    """Return the quantities in a text that can be read, whatever else is there."""
    text = _prepare(text)
    if _BROKEN.search(text):
        return []
    return _join(text, [quantity for _, quantity in _find(text) if quantity is not None])


def _join(text: str, found: list[Quantity]) -> list[Quantity]:
    """Make one quantity of a measure and the part of its unit that follows: "2 hours 30 minutes"."""
    joined = list[Quantity]()
    for quantity in found:
        before = joined[-1] if joined else None
        unit = (
            before.value / before.count if before and before.count and before.kind == quantity.kind else None
        )
        if (
            before
            and unit
            and quantity.kind in PARTED
            and are_joined(text, (before.end, quantity.start), quantity.end, (unit, quantity.value))
        ):
            value = before.value + quantity.value
            joined[-1] = Quantity(
                value, quantity.step, before.kind, quantity.noun, value / unit, before.start, quantity.end
            )
        else:
            joined.append(quantity)
    return joined


def _prepare(text: str) -> str:
    """Hide marks of sources, and write a unit with its article in figures; each character keeps its place."""
    return spell_one(CITED.sub(lambda match: " " * len(match[0]), text))


def _find(text: str) -> Iterator[tuple[int, Quantity | None]]:
    """Return where quantities begin, with those that can be read."""
    end = 0
    for match in _FOUND.finditer(text):
        if match.start() >= end and not _is_pronoun(text, match):
            quantity = _read_match(text, match)
            yield match.start(), quantity
            end = quantity.end if quantity else end


def read_quantity(text: str) -> Quantity | None:
    """Return the quantity that a text is, with at most one noun after it."""
    text = _LEAD.sub("", text.strip(" .,;()"))
    quantities = read_quantities(text)
    if not quantities or len(quantities) != 1 or quantities[0].start:
        return None
    rest = text[quantities[0].end :].strip(" .,;()")
    return quantities[0] if not rest or rest.lower() == quantities[0].noun else None


_LEAD = re.compile(
    r"^(?:(?:about|around|approximately|approx\.?|roughly|exactly|the|in|at|a total of)\s+)+", re.IGNORECASE
)
_PRONOUN = re.compile(r"one(?!\s+(?:hundred|thousand|million|billion|half|third|quarter))", re.IGNORECASE)
_ORDER_WORD = re.compile(r"second|first", re.IGNORECASE)
_ALONE = 12


def _is_pronoun(text: str, match: re.Match[str]) -> bool:
    """Tell whether "one" or "second" stands in a sentence, where it need not be a number."""
    if len(text) <= _ALONE or match["part"]:
        return False
    whole = match[0].strip()
    return bool(_PRONOUN.fullmatch(whole) or _ORDER_WORD.fullmatch(whole))


def _read_match(text: str, match: re.Match[str]) -> Quantity | None:
    number = _read_number(match)
    if number is None:
        return None
    end = match.end()
    if match["sign"] is None and _is_open(text, end):
        return None
    value, step, end = _scale(text, number, end, paid=match["sign"] is not None)
    unit = None
    if match["sign"]:
        unit = UNITS[CURRENCY_SIGNS[match["sign"].upper()]]
        named, behind = read_unit(text, end)
        end = behind if named and named.dimension == unit.dimension else end
    elif not number.ordinal:
        unit, end = read_unit(text, end)
        if unit is None and end == match.end() and match["part"] and _HALF.match(match["part"]):
            return None  # half a stadium
    noun = _NOUN.match(text, end)
    return _measure(value, step, unit, number, noun["noun"].lower() if noun else "", (match.start(), end))


def _is_open(text: str, end: int) -> bool:
    """Tell whether what follows a number can be read in two ways: "273 K", "5 Mb", or a unit to a power that is none."""
    symbol = _SYMBOL.match(text, end)
    if symbol is None:
        return False
    raised = symbol["power"] is not None and read_unit(text, end)[0] is None
    return raised or is_miscased(symbol["symbol"])


def _read_number(match: re.Match[str]) -> Number | None:
    if match["ratio"]:
        return read_ratio(match["ratio"])
    if match["place"]:
        return read_place(match["place"])
    if match["part"]:
        return read_part(match["part"])
    return read_words(match["words"]) if match["words"] else read_digits(match["digits"])


def _scale(text: str, number: Number, end: int, *, paid: bool) -> tuple[Fraction, Fraction, int]:
    if number.ordinal:
        return number.value, number.step, end
    match = _MAGNITUDE.match(text, end)
    if match:
        factor = MAGNITUDES[match["magnitude"].lower()]
        return number.value * factor, number.step * factor, match.end()
    letter = text[end : end + 1].lower()
    if paid and letter in _MONEY_MAGNITUDE and not text[end + 1 : end + 2].isalnum():
        factor = _MONEY_MAGNITUDE[letter]
        return number.value * factor, number.step * factor, end + 1
    return number.value, number.step, end


def _measure(
    value: Fraction, step: Fraction, unit: Unit | None, number: Number, noun: str, span: tuple[int, int]
) -> Quantity:
    if number.ordinal:
        return Quantity(value, step, "ordinal", noun, value, *span)
    if unit is None:
        return Quantity(value, step, "plain", noun, value, *span)
    return Quantity(value * unit.factor + unit.offset, step * unit.factor, unit.dimension, noun, value, *span)


def measures(text: str, start: int, end: int) -> bool:
    """Tell whether the number at this place carries a unit or a currency sign, and so is no year."""
    if text[:start].rstrip()[-1:] in CURRENCY_SIGNS or _MAGNITUDE.match(text, end):
        return True
    return read_unit(text, end)[0] is not None


def is_rounding(first: Quantity, second: Quantity) -> bool:
    """Tell whether one value may be the other, stated less exactly."""
    gap = abs(first.value - second.value)
    return gap <= max(first.step, second.step) / 2
