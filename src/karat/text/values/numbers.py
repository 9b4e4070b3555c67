"""Read numbers in digits and words, and quantities with their units."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import cast

from msgspec import Struct, structs

from karat.text.lexicon import ORDINALS, SMALL_NUMBERS, any_case, any_of
from karat.text.values.units import (
    DIGITS,
    FEATURE_CURRENCY_SIGNS,
    UNITS,
    Unit,
    are_parts_of_one,
    has_ambiguous_case,
    read_unit,
    spell_unit_article,
)


class Number(Struct, frozen=True):
    """A value, the place value of its last digit, and whether it is an ordinal."""

    value: Fraction
    step: Fraction
    ordinal: bool = False


_FRACTION_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4, "fifths": 5, "tenths": 10,
}  # fmt: skip
MAGNITUDES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
    "k": 10**3, "mn": 10**6, "mln": 10**6, "bn": 10**9,
}  # fmt: skip
_NUMBER_WORD = "|".join([*SMALL_NUMBERS, "hundred", "thousand", "million", "billion", "trillion"])
NUMBER_WORDS = rf"(?:(?:an?\s+)(?=hundred|thousand|million|billion)|)(?:{_NUMBER_WORD})(?:(?:\s*-\s*|\s+and\s+|\s+point\s+|\s+)(?:{_NUMBER_WORD}))*"
_NUMBER_PHRASE = re.compile(NUMBER_WORDS)
# A code may begin with a zero, a number does not.
_DIGITS_ALONE = re.compile(r"-?(?!00|0\d\d)(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
CITATION_MARK = re.compile(r"\[\^?\d{1,3}\^?\]")
"""The number of a source in brackets."""
_LONGEST_NUMBER = 40
_SMALLEST_ROUND = 100


def read_digits(text: str) -> Number | None:
    """Read digits with optional thousands separators and decimals."""
    if len(text) > _LONGEST_NUMBER or not _DIGITS_ALONE.fullmatch(text):
        return None
    plain = text.replace(",", "")
    return Number(Fraction(plain), _step_of(plain))


def _step_of(plain: str) -> Fraction:
    """Return the place value of the last significant digit. Trailing zeros of large numbers count as rounded."""
    if "." in plain:
        return Fraction(1, 10 ** len(plain.partition(".")[2]))
    digits = plain.lstrip("-")
    if int(digits) < _SMALLEST_ROUND:
        return Fraction(1)
    return Fraction(10 ** (len(digits) - len(digits.rstrip("0"))))


def read_fraction(text: str) -> Number | None:
    """Read a fraction such as 1/2 or 1 1/2."""
    whole, _, part = text.rpartition(" ")
    above, _, below = part.partition("/")
    numeric = below.isdigit() and above.lstrip("-").isdigit()
    if len(text) > _LONGEST_NUMBER or not numeric or int(below) == 0:
        return None
    value = Fraction(int(above), int(below))
    return Number(value + int(whole) if whole.strip().isdigit() else value, Fraction(0))


def read_number_words(text: str) -> Number | None:
    """Read English number words, or return None if they are not one number."""
    words = re.sub(r"^an?\s+", "one ", " ".join(text.lower().replace("-", " ").split()))
    if words in SMALL_NUMBERS[:10]:
        return Number(Fraction(SMALL_NUMBERS.index(words)), Fraction(1))
    spelled = _spell_digits(words)
    if not re.fullmatch(r"\d+(?:\.\d+)?", spelled):
        return None
    return Number(Fraction(spelled), _step_of(spelled))


def _spell_digits(words: str) -> str:
    if len(words) > 4 * _LONGEST_NUMBER or not _NUMBER_PHRASE.fullmatch(words):
        return ""
    from text_to_num import alpha2digit  # pyright: ignore[reportUnknownVariableType]  # big tables, rarely needed

    return cast("str", alpha2digit(words, "en", 0))


def read_ordinal(text: str) -> Number | None:
    """Read an ordinal: 21st, third, twenty-first."""
    lowered = text.lower()
    digits = re.fullmatch(r"(\d{1,9})(?:st|nd|rd|th)", lowered)
    if digits:
        return Number(Fraction(digits[1]), Fraction(1), ordinal=True)
    tens, _, last = lowered.replace(" ", "-").rpartition("-")
    if last not in ORDINALS:
        return None
    value = ORDINALS.index(last) + 1
    if tens:
        if tens not in SMALL_NUMBERS[20:] or value > 9:  # noqa: PLR2004  # twenty-first, but not twenty-tenth
            return None
        value += (SMALL_NUMBERS.index(tens) - 18) * 10
    return Number(Fraction(value), Fraction(1), ordinal=True)


_COUNT_WORDS = rf"\d{{1,9}}|{'|'.join(SMALL_NUMBERS[1:20])}"
ORDINAL_WORDS = rf"(?:(?:{'|'.join(SMALL_NUMBERS[20:])})[-\s])?(?:{'|'.join(ORDINALS)})"
FRACTION_WORDS = rf"(?:one|two|three|four|a)[-\s](?:{'|'.join(_FRACTION_PARTS)})|half\san?|(?:{_COUNT_WORDS})\sand\sa\shalf"


def read_fraction_words(text: str) -> Number | None:
    """Read a fraction in words: one half, three quarters, half a, two and a half."""
    if text.lower().startswith("half"):
        return Number(Fraction(1, 2), Fraction(0))
    mixed = re.fullmatch(r"(\S+)\sand\sa\shalf", text, re.IGNORECASE)
    if mixed:
        whole = int(mixed[1]) if mixed[1].isdigit() else SMALL_NUMBERS.index(mixed[1].lower())
        return Number(whole + Fraction(1, 2), Fraction(0))
    count, _, part = text.lower().replace("-", " ").partition(" ")
    above = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}.get(count)
    below = _FRACTION_PARTS.get(part.strip())
    return Number(Fraction(above, below), Fraction(0)) if above and below else None


# Quantities: numbers with their units.


class Quantity(Struct, frozen=True):
    """A value in its base unit, the place value of its last digit, its kind, and its position in the text."""

    value: Fraction
    step: Fraction
    kind: str
    noun: str
    count: Fraction
    start: int
    end: int

    def key(self) -> tuple[str, Fraction]:
        """Return the kind and the value, which are equal for equal quantities."""
        return self.kind, self.value


_CURRENCY_SIGN = r"(?P<sign>US\$|[$€£₹])"
_QUANTITY = re.compile(
    rf"""(?<![\w$€£₹^])(?<!\w-)(?<!no\s)(?<!half\sa\s){_CURRENCY_SIGN}?\s?
    (?:(?P<part>{FRACTION_WORDS})(?!\w)
      |(?P<ratio>(?:\d+\s)?-?\d+/\d+)(?![\w/])
      |(?P<place>\d{{1,9}}(?:st|nd|rd|th)|(?:{ORDINAL_WORDS}))(?!\w)
      |(?P<words>{NUMBER_WORDS})(?!\w)
      |(?P<digits>(?:(?<!\d)(?<!\w\s)-|(?<=[a-z]\s)-)?{DIGITS})(?!\d|[.,:/-]\d|['"]))""",
    re.VERBOSE | re.IGNORECASE,
)
_MAGNITUDE = any_case(rf"\s?(?P<magnitude>{any_of(MAGNITUDES)})(?!\w)")
_MONEY_MAGNITUDE = {"m": 10**6, "b": 10**9}
_COUNT, _PLACE = Unit("plain", Fraction(1)), Unit("ordinal", Fraction(1))
_SYMBOL = any_case(r"\s?(?P<symbol>[a-z]{1,3})(?:(?P<power>\^)|(?![\w']))")
_NOUN = any_case(r"[\s-](?P<noun>[a-z]+)")
_HALF = any_case(r"half\s")
_UNREAD_DIGIT = re.compile(r"\d")
# A number with a stray space ("12. 9 km"), or one that a word makes negative.
_BROKEN = any_case(r"\d\s?h\s?\d+\s?m\b|\d\.\s\d|\b(?:minus|negative)\s\W?\w")


def read_quantities(text: str) -> list[Quantity] | None:
    """Return the quantities in a text in order, or None if some digits cannot be read."""
    text = _mask_citations(text)
    if _BROKEN.search(text):
        return None
    found, end = list[Quantity](), 0
    for start, quantity in _find_quantities(text):
        if quantity is None or _UNREAD_DIGIT.search(text, end, start):
            return None
        found.append(quantity)
        end = quantity.end
    return None if _UNREAD_DIGIT.search(text, end) else _join_parts(text, found)


def list_quantities(text: str) -> list[Quantity]:
    """Return the quantities in a text, without those that cannot be read."""
    text = _mask_citations(text)
    if _BROKEN.search(text):
        return []
    return _join_parts(text, [quantity for _, quantity in _find_quantities(text) if quantity is not None])


def _join_parts(text: str, found: list[Quantity]) -> list[Quantity]:
    """Join a measure and the smaller unit that follows into one quantity: "2 hours 30 minutes"."""
    joined = list[Quantity]()
    for quantity in found:
        before = joined[-1] if joined else None
        unit = before.value / before.count if before and before.count else Fraction(0)
        gap, sizes = (before.end if before else 0, quantity.start), (unit, quantity.value)
        if (
            before
            and before.kind == quantity.kind
            and are_parts_of_one(text, quantity.kind, gap, quantity.end, sizes)
        ):
            value = before.value + quantity.value
            joined[-1] = structs.replace(quantity, value=value, count=value / unit, start=before.start)
        else:
            joined.append(quantity)
    return joined


def _mask_citations(text: str) -> str:
    """Replace citations by blanks, and "an hour" by "1 hour". Positions do not change."""
    return spell_unit_article(CITATION_MARK.sub(lambda match: " " * len(match[0]), text))


def _find_quantities(text: str) -> Iterator[tuple[int, Quantity | None]]:
    """Yield where each quantity begins, and the quantity itself if it can be read."""
    end = 0
    for match in _QUANTITY.finditer(text):
        if match.start() >= end and not _is_pronoun(text, match):
            quantity = _read_quantity_match(text, match)
            yield match.start(), quantity
            end = quantity.end if quantity else end


def read_quantity(text: str) -> Quantity | None:
    """Return the quantity of a text that has nothing else but one noun after it."""
    text = _QUANTITY_LEAD.sub("", text.strip(" .,;()"))
    quantities = read_quantities(text)
    if not quantities or len(quantities) != 1 or quantities[0].start:
        return None
    rest = text[quantities[0].end :].strip(" .,;()")
    return quantities[0] if not rest or rest.lower() == quantities[0].noun else None


_QUANTITY_LEAD = any_case(
    r"^(?:(?:about|around|approximately|approx\.?|roughly|exactly|the|in|at|a total of)\s+)+"
)
_PRONOUNS = frozenset({"one", "second", "first"})
_LONGEST_ALONE = 12


def _is_pronoun(text: str, match: re.Match[str]) -> bool:
    """Return whether a match is "one", "first" or "second" in a sentence, where it may not be a number."""
    return len(text) > _LONGEST_ALONE and match[0].strip().lower() in _PRONOUNS


def _read_quantity_match(text: str, match: re.Match[str]) -> Quantity | None:
    number, sign = _read_number(match), match["sign"]
    if number is None or (sign is None and _is_ambiguous(text, match.end())):
        return None
    unit, factor, end = _PLACE, 1, match.end()
    if not number.ordinal:
        factor, end = _read_magnitude(text, end, paid=sign is not None)
    if sign:
        paid = UNITS[FEATURE_CURRENCY_SIGNS[sign.upper()]]
        named, behind = read_unit(text, end)
        end = behind if named and named.dimension == paid.dimension else end
        unit = unit if number.ordinal else paid
    elif not number.ordinal:
        named, behind = read_unit(text, end)
        if named is None and behind == match.end() and match["part"] and _HALF.match(match["part"]):
            return None  # "half a stadium"
        unit, end = named or _COUNT, behind
    noun = _NOUN.match(text, end)
    count = number.value * factor
    return Quantity(
        count * unit.factor + unit.offset,
        number.step * factor * unit.factor,
        unit.dimension,
        noun["noun"].lower() if noun else "",
        count,
        match.start(),
        end,
    )


def _is_ambiguous(text: str, end: int) -> bool:
    """Return whether the unit after a number is ambiguous ("273 K", "5 Mb") or has an unknown power."""
    symbol = _SYMBOL.match(text, end)
    if symbol is None:
        return False
    raised = symbol["power"] is not None and read_unit(text, end)[0] is None
    return raised or has_ambiguous_case(symbol["symbol"])


def _read_number(match: re.Match[str]) -> Number | None:
    if match["ratio"]:
        return read_fraction(match["ratio"])
    if match["place"]:
        return read_ordinal(match["place"])
    if match["part"]:
        return read_fraction_words(match["part"])
    return read_number_words(match["words"]) if match["words"] else read_digits(match["digits"])


def _read_magnitude(text: str, end: int, *, paid: bool) -> tuple[int, int]:
    """Return the factor of a word or letter after a number, such as "million" or "bn", and where it ends."""
    match = _MAGNITUDE.match(text, end)
    if match:
        return MAGNITUDES[match["magnitude"].lower()], match.end()
    letter = text[end : end + 1].lower()
    if paid and letter in _MONEY_MAGNITUDE and not text[end + 1 : end + 2].isalnum():
        return _MONEY_MAGNITUDE[letter], end + 1
    return 1, end


def has_unit(text: str, start: int, end: int) -> bool:
    """Return whether the number at this position has a unit or a currency sign, and is no year."""
    if text[:start].rstrip()[-1:] in FEATURE_CURRENCY_SIGNS or _MAGNITUDE.match(text, end):
        return True
    return read_unit(text, end)[0] is not None


def is_rounding(first: Quantity, second: Quantity) -> bool:
    """Return whether one value may be a rounding of the other."""
    gap = abs(first.value - second.value)
    return gap <= max(first.step, second.step) / 2
