"""Numbers and amounts written in other ways, and other numbers."""

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


class Amount(Struct, frozen=True):
    """A number with what stands before and after it; `spelled` where it was written in words."""

    value: Decimal
    sign: str = ""
    scale: str = ""
    tail: str = ""
    spelled: bool = False

    def write(self) -> str:
        """The amount in digits, with separators from five digits on, or in words as it came."""
        if self.spelled and self.value == int(self.value) and (words := spell(int(self.value))):
            return f"{words}{self.tail}"
        return f"{self.sign}{write_number(self.value)}{self.scale}{self.tail}"


def parse_amount(text: str) -> Amount | None:
    """Read a text that is one number with at most a sign, a magnitude and a few words behind it."""
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
    """A whole number below a hundred in words."""
    if not 0 <= number < _ROUND:
        return None
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def write_number(value: Decimal) -> str:
    """Digits with separators from five digits on, and no more decimals than there are."""
    return f"{value:,f}" if abs(value) >= 10_000 else f"{value:f}"  # noqa: PLR2004 - years and small numbers need none


def rewrite(amount: Amount) -> Iterator[str]:
    """The same number in words or digits, with or without separators, its magnitude or percent spelled out."""
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
    """Numbers one step away, a step being one of the last digit that is stated."""
    step = _step(amount.value)
    for value in (amount.value + step, amount.value - step):
        if value >= 0:
            yield structs.replace(amount, value=value)


def scale(amount: Amount) -> Iterator[Amount]:
    """Numbers of another magnitude."""
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
    """Less specific: a bound in the place of the number."""
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
