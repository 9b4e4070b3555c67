"""Where a value may hide in a text: written otherwise, to be computed, or as a part of others."""

import re
from fractions import Fraction
from itertools import combinations

from karat.text.figures import Figure, has_unread
from karat.text.likened import GROUP, HUNDRED, NEAR, Told
from karat.text.numbers import read_digits

# Notations in which a value may hide: a fraction, a power, a spread, a part, a multiple, a ratio, a rest, a number in words.
_HIDDEN = re.compile(
    r"\\|\^|±|[/+]|\b(?:half|halv\w+|doubl\w+|twice|tripl\w+|thrice|quarters?|thirds?|dozen|between|until|minus|plus|all but|others?|each|every|remaining|rest|"
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|\w+[fnrx]th|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|lakh|crore)\b"
    r"|×\s?\d|\d\s?[x*:]\s?\d|\d,\s\d{3}\b|\d\s?-\s?\d|(?:^|[.;:!?,]\s+)(?:out\s+of|of|per|in)\s+\W?(?!(?:19|20)\d\d\b)\d|\d\S{0,20}(?:\s+[^\W\d]+){0,2}\s+(?:to|in|of|per|for)\s+(?:an?\s+)?\W?(?!(?:19|20)\d\d\b)\d",
    re.IGNORECASE,
)
_QUOTIENT = re.compile(
    r"(?<![\d,.])(?<!\d\s)(?P<over>\d[\d,]*+(?:\.\d++)?+)[^\W\d_]{0,7}\s?[/÷]\s?[$€£]?(?P<under>\d[\d,]*+(?:\.\d++)?+)(?!\s?[-+*/×÷^]\s?[\d(])"
)
_QUARTER = re.compile(
    r"\b(?:first|second|third|fourth|1st|2nd|3rd|4th|last)[\s-](?:fiscal[\s-])?(?:quarters?|half)\b",
    re.IGNORECASE,
)
"""A part of a year, which is no part of a value."""
_HALF_LIFE = re.compile(r"\bhalf[\s-](?:li[fv]\w+|time|marathon|century)\b", re.IGNORECASE)
_DIVIDED = re.compile(r"(?<=[^\W\d_])\s/\s(?=[^\W\d_])")
_DIGITS = re.compile(r"^[\d.,]+")
_MOST_PARTS = 8


def may_hide(text: str, wanted: Figure, told: Told) -> bool:
    """Tell whether the wanted value may stand there in another form, or as a sum or a product."""
    figures = [figure for figure, _ in told]
    plain = _HALF_LIFE.sub(" ", _QUARTER.sub(" ", _drop_units(text, figures)))
    return (
        _HIDDEN.search(_drop_quotients(plain, wanted)) is not None
        or has_unread(text)
        or may_come_of(wanted, figures)
    )


def _drop_units(text: str, figures: list[Figure]) -> str:
    """Put blanks in the place of units, whose strokes and powers hide nothing."""
    for figure in figures:
        if figure.noun and figure.kind:
            said = _DIGITS.sub("", text[figure.start : figure.end])
            text = f"{text[: figure.end - len(said)]}{' ' * len(said)}{text[figure.end :]}"
    return text


def _drop_quotients(text: str, wanted: Figure) -> str:
    """Put blanks in the place of divisions of figures that do not come to the wanted one, and of the same in words beside them."""

    def drop(match: re.Match[str]) -> str:
        over, under = (read_digits(match[name].rstrip(",")) for name in ("over", "under"))
        if over is None or under is None or not under.value:
            return match[0]
        near = any(
            abs(over.value / under.value * factor - wanted.value) <= wanted.value * NEAR
            for factor in (1, HUNDRED, Fraction(1, HUNDRED))
        )
        return match[0] if near else " "

    dropped = _QUOTIENT.sub(drop, text)
    return text if dropped == text else _DIVIDED.sub(" ", dropped)


def may_come_of(wanted: Figure, given: list[Figure]) -> bool:
    """Tell whether the wanted value is a sum, a difference or a product of some that are given, or one of them by another use of the point."""
    values = [figure.convert(wanted).value for figure in given][:_MOST_PARTS]
    plain = [figure.convert(wanted).value for figure in given if not figure.scaled and not wanted.scaled]
    parts = [sum(some) for count in (2, 3) for some in combinations(values, count)]
    return (
        wanted.value
        in {
            *parts,
            sum(values),
            *(one * other for one, other in combinations(values, 2)),
            *(abs(one - other) for one, other in combinations(values, 2)),
        }
        # A point here is a comma there: 1.500 may be 1,500.
        or any(each in (wanted.value * GROUP, wanted.value / GROUP) for each in plain)
    )
