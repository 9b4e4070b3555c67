"""Numbers as they are written: digits, fractions, words."""

import re
from fractions import Fraction
from typing import cast

from msgspec import Struct

from karat.text.vocabulary import list_words


class Number(Struct, frozen=True):
    """A value, the step to which it was stated, and whether it is a place in an order."""

    value: Fraction
    step: Fraction
    ordinal: bool = False


_SMALL = list_words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)
_PLACES = list_words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourths": 4,
    "fifths": 5,
    "tenths": 10,
}
MAGNITUDES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
    "k": 10**3, "mn": 10**6, "mln": 10**6, "bn": 10**9,
}  # fmt: skip
_WORD = "|".join([*_SMALL, "hundred", "thousand", "million", "billion", "trillion"])
NUMBER_WORDS = rf"(?:(?:an?\s+)(?=hundred|thousand|million|billion)|)(?:{_WORD})(?:(?:\s*-\s*|\s+and\s+|\s+point\s+|\s+)(?:{_WORD}))*"
_WORDS = re.compile(NUMBER_WORDS)
# A number does not begin with a nought; a code may.
_DIGITS = re.compile(r"-?(?!00|0\d\d)(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
CITED = re.compile(r"\[\^?\d{1,3}\^?\]")
"""A number in brackets that names a source."""
_LONGEST = 40
_SMALLEST_ROUND = 100


def read_digits(text: str) -> Number | None:
    """Read digits with optional thousands separators and decimals."""
    if len(text) > _LONGEST or not _DIGITS.fullmatch(text):
        return None
    plain = text.replace(",", "")
    return Number(Fraction(plain), _step_of(plain))


def _step_of(plain: str) -> Fraction:
    """Return the unit of the last digit that was stated; trailing zeros of large numbers are roundings."""
    if "." in plain:
        return Fraction(1, 10 ** len(plain.partition(".")[2]))
    digits = plain.lstrip("-")
    if int(digits) < _SMALLEST_ROUND:
        return Fraction(1)
    return Fraction(10 ** (len(digits) - len(digits.rstrip("0"))))


def read_ratio(text: str) -> Number | None:
    """Read a fraction such as 1/2 or 1 1/2."""
    whole, _, part = text.rpartition(" ")
    above, _, below = part.partition("/")
    if len(text) > _LONGEST or not below.isdigit() or not above.lstrip("-").isdigit() or int(below) == 0:
        return None
    value = Fraction(int(above), int(below))
    return Number(value + int(whole) if whole.strip().isdigit() else value, Fraction(0))


def read_words(text: str) -> Number | None:
    """Read English number words, or None where they make no single number."""
    words = re.sub(r"^an?\s+", "one ", " ".join(text.lower().replace("-", " ").split()))
    if words in _SMALL[:10]:
        return Number(Fraction(_SMALL.index(words)), Fraction(1))
    spelled = _spell_digits(words)
    if not re.fullmatch(r"\d+(?:\.\d+)?", spelled):
        return None
    return Number(Fraction(spelled), _step_of(spelled))


def _spell_digits(words: str) -> str:
    if len(words) > 4 * _LONGEST or not _WORDS.fullmatch(words):
        return ""
    from text_to_num import alpha2digit  # pyright: ignore[reportUnknownVariableType]  # big tables, rarely needed

    return cast("str", alpha2digit(words, "en", 0))


def read_place(text: str) -> Number | None:
    """Read an ordinal: 21st, third, twenty-first."""
    lowered = text.lower()
    digits = re.fullmatch(r"(\d{1,9})(?:st|nd|rd|th)", lowered)
    if digits:
        return Number(Fraction(digits[1]), Fraction(1), ordinal=True)
    tens, _, last = lowered.replace(" ", "-").rpartition("-")
    if last not in _PLACES:
        return None
    value = _PLACES.index(last) + 1
    if tens:
        if tens not in _SMALL[20:] or value > 9:  # noqa: PLR2004  # twenty-first, never twenty-tenth
            return None
        value += (_SMALL.index(tens) - 18) * 10
    return Number(Fraction(value), Fraction(1), ordinal=True)


_COUNT = rf"\d{{1,9}}|{'|'.join(_SMALL[1:20])}"
PLACE_WORDS = rf"(?:(?:{'|'.join(_SMALL[20:])})[-\s])?(?:{'|'.join(_PLACES)})"
PART_WORDS = rf"(?:one|two|three|four|a)[-\s](?:{'|'.join(_PARTS)})|half\san?|(?:{_COUNT})\sand\sa\shalf"


def read_part(text: str) -> Number | None:
    """Read a fraction in words: one half, three quarters, half a, two and a half."""
    if text.lower().startswith("half"):
        return Number(Fraction(1, 2), Fraction(0))
    mixed = re.fullmatch(r"(\S+)\sand\sa\shalf", text, re.IGNORECASE)
    if mixed:
        whole = int(mixed[1]) if mixed[1].isdigit() else _SMALL.index(mixed[1].lower())
        return Number(whole + Fraction(1, 2), Fraction(0))
    count, _, part = text.lower().replace("-", " ").partition(" ")
    above = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}.get(count)
    below = _PARTS.get(part.strip())
    return Number(Fraction(above, below), Fraction(0)) if above and below else None
