"""Amounts in another unit: the same value, or the same number with another value."""

import re
from collections.abc import Iterator
from decimal import Decimal

from msgspec import structs

from karat.audit.numbers import Amount, write_number

_FACTORS: tuple[tuple[str, str, str], ...] = (
    ("kilometres", "1000", "metres"),
    ("metres", "100", "centimetres"),
    ("centimetres", "10", "millimetres"),
    ("kilograms", "1000", "grams"),
    ("tonnes", "1000", "kilograms"),
    ("litres", "1000", "millilitres"),
    ("weeks", "7", "days"),
    ("hours", "60", "minutes"),
    ("minutes", "60", "seconds"),
    ("dollars", "100", "cents"),
)
_SPELLINGS = {
    "km": "kilometres", "kilometre": "kilometres", "kilometer": "kilometres", "kilometers": "kilometres", "m": "metres",
    "metre": "metres", "meter": "metres", "meters": "metres", "cm": "centimetres", "centimeters": "centimetres",
    "mm": "millimetres", "millimeters": "millimetres", "kg": "kilograms", "kilogram": "kilograms", "g": "grams", "tons": "",
    "gram": "grams", "tonne": "tonnes", "litre": "litres", "liter": "litres", "liters": "litres", "l": "litres", "week": "weeks",
    "hour": "hours", "hrs": "hours", "minute": "minutes", "min": "minutes", "mins": "minutes", "second": "seconds",
    "dollar": "dollars", "US dollars": "dollars",
}  # fmt: skip
# The same number with any of these is another value.
_OTHERS: dict[str, tuple[str, ...]] = {
    "kilometres": ("miles", "metres"), "metres": ("feet", "kilometres"), "centimetres": ("inches", "metres"),
    "millimetres": ("centimetres",), "feet": ("metres", "yards"), "foot": ("metre",), "miles": ("kilometres", "yards"),
    "mile": ("kilometre",), "inches": ("centimetres", "feet"), "kilograms": ("pounds", "grams"), "grams": ("ounces", "kilograms"),
    "pounds": ("kilograms", "ounces"), "tonnes": ("kilograms",), "litres": ("gallons", "millilitres"), "weeks": ("months", "days"),
    "days": ("weeks", "hours"), "hours": ("minutes", "days"), "minutes": ("hours", "seconds"), "seconds": ("minutes",),
    "years": ("months", "decades"), "months": ("years", "weeks"), "°C": ("°F",), "°F": ("°C",), "%": (" per mille",),
    "percent": ("per mille",), "metres per second": ("kilometres per hour",), "mph": ("km/h",), "acres": ("hectares",),
}  # fmt: skip
_MONEY = {"$": ("€", "£"), "£": ("$", "€"), "€": ("$", "£"), "US$": ("€",)}
_DEGREES = re.compile(r"\s?°\s?([CF])|\s?degrees (Celsius|Fahrenheit)", re.IGNORECASE)


def convert(amount: Amount) -> Iterator[str]:
    """The same value in another unit, exactly."""
    if amount.sign or amount.scale or amount.spelled:
        return
    unit, value = _unit(amount), amount.value
    for large, factor, small in _FACTORS:
        if unit == large:
            yield f"{_write(value * Decimal(factor))} {small}"
        if unit == small and _is_exact(value / Decimal(factor)):
            yield f"{_write(value / Decimal(factor))} {large}"
    if unit == "°C":
        yield f"{_write(value * 9 / 5 + 32)} °F"
    if unit == "°F" and _is_exact((value - 32) * 5 / 9):
        yield f"{_write((value - 32) * 5 / 9)} °C"


def exchange(amount: Amount) -> Iterator[Amount]:
    """The same number in a unit that makes another value of it."""
    if amount.value == 0:
        return
    if amount.sign and not amount.tail:
        yield from (structs.replace(amount, sign=other) for other in _MONEY[amount.sign])
    unit = _unit(amount)
    for other in _OTHERS.get(unit, ()):
        gap = "" if other.startswith((" ", "°")) and not amount.tail.startswith(" ") else " "
        yield structs.replace(amount, tail=f"{gap}{other.strip() if gap else other}")


def _unit(amount: Amount) -> str:
    degrees = _DEGREES.fullmatch(amount.tail)
    if degrees:
        return f"°{(degrees[1] or degrees[2])[0].upper()}"
    name = amount.tail.strip().lstrip("-")
    return _SPELLINGS.get(name, name)


def _is_exact(value: Decimal) -> bool:
    exponent = value.normalize().as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -3  # noqa: PLR2004 - decimals that people write


def _write(value: Decimal) -> str:
    plain = value.normalize()
    return write_number(plain.quantize(Decimal(1)) if plain == plain.to_integral() else plain)
