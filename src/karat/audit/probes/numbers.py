"""Numbers and amounts: the same value in other forms, and other values."""

import re
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct, structs

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ("thousand", "million", "billion", "trillion")
_AMOUNT = re.compile(
    r"(?P<sign>[$£€]|US\$)?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<scale> (?:thousand|million|billion|trillion))?"
    r"(?P<tail>(?: ?%| percent)|[ -]?[^\W\d][^\d]*| ?°[CFK]?)?"
)
_WORD_AMOUNT = re.compile(r"(?P<words>[a-z]+(?:-[a-z]+)?)(?P<tail> [^\d]+)?", re.IGNORECASE)
_MOST_WORDS = 4
_ROUND = 100
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
# Units that make another value of the same number.
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


class Amount(Struct, frozen=True):
    """A number with the text before and after it; `spelled` if it was written in words."""

    value: Decimal
    sign: str = ""
    scale: str = ""
    tail: str = ""
    spelled: bool = False

    def write(self) -> str:
        """Format the amount in digits, with separators from five digits on, or in words if it was spelled."""
        if self.spelled and self.value == int(self.value) and (words := spell(int(self.value))):
            return f"{words}{self.tail}"
        return f"{self.sign}{write_number(self.value)}{self.scale}{self.tail}"


def parse_amount(text: str) -> Amount | None:
    """Parse a text that is one number, optionally with a sign, a magnitude and a few words after it."""
    text = text.strip().rstrip(".")
    if len(text.split()) > _MOST_WORDS:
        return None
    found = _AMOUNT.fullmatch(text)
    if found:
        tail = found["tail"] or ""
        if tail and not tail.startswith((" ", "%", "°", "-")) and not tail.islower():
            return None  # a name such as 3M or 2Pac
        if tail.lower().startswith(("st", "nd", "rd", "th")):
            return None
        return Amount(
            Decimal(found["digits"].replace(",", "")), found["sign"] or "", found["scale"] or "", tail
        )
    words = _WORD_AMOUNT.fullmatch(text)
    value = _read_words(words["words"].lower()) if words else None
    return (
        Amount(Decimal(value), tail=words["tail"] or "", spelled=True)
        if words and value is not None
        else None
    )


def _read_words(words: str) -> int | None:
    return next((number for number in range(_ROUND) if spell(number) == words), None)


def spell(number: int) -> str | None:
    """Spell out a whole number below one hundred."""
    if not 0 <= number < _ROUND:
        return None
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def write_number(value: Decimal) -> str:
    """Format digits with separators from five digits on, without extra decimals."""
    return f"{value:,f}" if abs(value) >= 10_000 else f"{value:f}"  # noqa: PLR2004 - years and small numbers need none


def rewrite(amount: Amount) -> Iterator[str]:
    """Yield the same number in words or digits, with or without separators, with magnitude or percent spelled out."""
    whole = amount.value == int(amount.value)
    if amount.spelled:
        yield f"{int(amount.value)}{amount.tail}"
        return
    words = spell(int(amount.value)) if whole and not amount.sign else None
    if words and not amount.tail.startswith(("%", "°", "-")):
        yield f"{words}{amount.scale}{amount.tail}"
    if amount.value >= 1000 and whole:  # noqa: PLR2004 - the first separator
        yield f"{amount.sign}{int(amount.value):,}{amount.scale}{amount.tail}"
        yield f"{amount.sign}{int(amount.value)}{amount.scale}{amount.tail}"
    if amount.scale:
        full = amount.value * 1000 ** (_SCALES.index(amount.scale.strip()) + 1)
        yield (
            f"{amount.sign}{int(full):,}{amount.tail}"
            if full == int(full)
            else f"{amount.sign}{full:,f}{amount.tail}"
        )
    if amount.tail.strip() in ("%", "percent"):
        other = " percent" if "%" in amount.tail else "%"
        yield f"{amount.value:f}{amount.scale}{other}"


def shift(amount: Amount) -> Iterator[Amount]:
    """Yield numbers one step away; a step is one unit of the last given digit."""
    step = _step(amount.value)
    for value in (amount.value + step, amount.value - step):
        if value >= 0:
            yield structs.replace(amount, value=value)


def scale(amount: Amount) -> Iterator[Amount]:
    """Yield numbers of another magnitude."""
    if amount.value == 0:
        return
    if amount.scale:
        place = _SCALES.index(amount.scale.strip())
        yield structs.replace(
            amount, scale=f" {_SCALES[place + 1 if place + 1 < len(_SCALES) else place - 1]}"
        )
    yield structs.replace(amount, value=amount.value * 10)
    yield structs.replace(amount, value=amount.value * 100)


def blur(amount: Amount) -> Iterator[str]:
    """Yield less specific amounts: bounds instead of the number."""
    if amount.value < 20 or amount.spelled:  # noqa: PLR2004 - small numbers have no rounder neighbour
        return
    digits = len(str(int(amount.value))) - 1
    floor = amount.value // 10**digits * 10**digits
    below = floor if floor < amount.value else floor // 2
    yield f"more than {amount.sign}{write_number(Decimal(below))}{amount.scale}{amount.tail}"
    yield f"fewer than {amount.sign}{write_number(floor * 2)}{amount.scale}{amount.tail}"


def _step(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < 0:
        return Decimal(1).scaleb(exponent)
    if value < _ROUND:
        return Decimal(1)
    digits = str(int(value))
    return Decimal(10) ** (len(digits) - len(digits.rstrip("0")))


def convert(amount: Amount) -> Iterator[str]:
    """Yield exactly the same value in another unit."""
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
    """Yield the same number with a unit that makes it another value."""
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
