"""Read every figure of a text: its value, scale, kind and precision. Unlike `read_quantities`, skip what cannot be read."""

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct, structs

from karat.text.lexicon import COMPARING, FUNCTION_WORDS, ROUGHLY, any_case, any_of, word_set
from karat.text.normal import fold
from karat.text.values.dates import read_dates
from karat.text.values.numbers import CITATION_MARK, MAGNITUDES, read_digits
from karat.text.values.units import (
    CURRENCIES,
    CURRENCY_SIGNS,
    DIGITS,
    SCALE_LETTERS,
    are_parts_of_one,
    has_ambiguous_case,
    read_unit,
    spell_unit_article,
)


class Figure(Struct, frozen=True):
    """A value without its sign, and its position in the text.

    `step` is the place value of the last digit. `kind` is "percent", "points", "times", a currency, a dimension such as "length", or "".
    `noun` is the word after a figure that is neither a percentage nor money: a unit, or what is counted.
    `unit` and `offset` convert the value to the base unit of its dimension. `rough` means that the text says "about".
    """

    value: Fraction
    step: Fraction
    kind: str
    noun: str
    scaled: bool
    negative: bool
    start: int
    end: int
    unit: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    rough: bool = False

    def key(self) -> tuple[str, Fraction]:
        """Return the kind and the value in the base unit, which are equal for equal figures."""
        return self.kind, self.value * self.unit + self.offset

    def convert(self, other: "Figure") -> "Figure":
        """Return this figure in the unit of another of the same dimension. A temperature on another scale is exact to a degree at most."""
        if self.kind != other.kind or (self.unit, self.offset) == (other.unit, other.offset):
            return self
        signed = -self.value if self.negative else self.value
        value = (signed * self.unit + self.offset - other.offset) / other.unit
        step = self.step * self.unit / other.unit
        return structs.replace(
            self,
            value=abs(value),
            step=step if self.offset == other.offset else max(step, Fraction(1)),
            negative=value < 0,
            unit=other.unit,
            offset=other.offset,
        )


_CURRENCY_NAMES = any_of(name for name in CURRENCIES if name.replace(" ", "").isalpha())
_FIGURE = re.compile(
    rf"""(?<![\w.,/^])(?<![\w)]-)
    (?P<money>{CURRENCY_SIGNS}|\b(?:{_CURRENCY_NAMES})(?=\s))?[\s(]?-?\s?
    (?P<digits>{DIGITS}|\.\d+)(?![\d/:^]|[.,]\d|-[A-Za-z]|(?:st|nd|rd|th)\b)
    (?:(?<=\d)\)(?=\s?(?:thousand|million|billion|trillion|[mb]n?)\b))?(?:\s?-?(?P<scale>{any_of({*MAGNITUDES, *SCALE_LETTERS})})(?!\w))?
    (?P<unit>\s?%(?:[-\s]?points?)?|\s(?:percent|per\scent|percentage|pct)(?:[-\s]points?)?\b|\s?(?:pp|ppts?|bps)\b|\sbasis\spoints?\b|\s?[x×](?!\s?\d)(?!\w)|\s(?:times|fold)\b
      |[\s-]?(?P<named>{_CURRENCY_NAMES})s?\b|\s?(?P<mark>[€£₱]))?""",
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBERED = re.compile(r"[.)]\s")
# A minus sign or a bracket before the figure or its currency. A dash between two figures is no minus sign.
_NEGATIVE = re.compile(
    rf"(?:(?<![\w)%])(?<!\w\s)(?<!\)\s)-|\()\s?(?:{CURRENCY_SIGNS})?\s?$|[=:]\s*-\s?(?:{CURRENCY_SIGNS})?\s?$|\b(?:minus|negative)\s+\S?$"
)
_ROUGHLY = any_case(
    rf"(?:\b(?:about|around|approx(?:imately|\.)?|roughly|circa|some|ca?\.)|[~≈])\s?(?:{CURRENCY_SIGNS})?\s?$"
)
# Hours and minutes: here "m" does not mean metres.
_HOURS = re.compile(r"\d\s?h\s?\d+\s?m\b")
_KELVIN = re.compile(r"\s?K(?![\w'])")
_BELOW = any_case(r"\s+below\s+(?:(?:mean\s+)?sea\s+level|zero|freezing)\b")
_NOUN = any_case(r"[\s-]{0,3}(?P<noun>°\s?[a-z]\b|°|[^\W\d_]+)")
_JOINING = COMPARING | word_set("or than so which over under up down after before")
_REACH = 18
_MASK = "_"
_OWN_KINDS = word_set("percent points usd eur gbp jpy inr cent pound ounce ton gallon")
"""Dimensions that `_read_measure` leaves out: some are read elsewhere, and the words for others have several meanings."""
_HUNDRED = 100


def read_figures(text: str) -> list[Figure]:
    """Return the figures of a text in order, without dates, years, ordinals and the numbers of list items."""
    text = _mask_dates(text)
    found = (_read_figure(text, match) for match in _FIGURE.finditer(text))
    joined = list[Figure]()
    for figure in filter(None, found):
        joined[-1:] = _join_parts(text, joined[-1], figure) if joined else [figure]
    return joined


def _join_parts(text: str, before: Figure, figure: Figure) -> list[Figure]:
    """Join a measure and the smaller unit that follows into one figure: "2 hours 30 minutes"."""
    gap, sizes = (before.end, figure.start), (before.unit, figure.value * figure.unit)
    if before.kind != figure.kind or not are_parts_of_one(text, figure.kind, gap, figure.end, sizes):
        return [before, figure]
    share = figure.unit / before.unit
    value, step = before.value + figure.value * share, figure.step * share
    return [structs.replace(before, value=value, step=step, end=figure.end)]


def names_currency(text: str, kind: str) -> bool:
    """Return whether a text has a sign, code or name of a currency."""
    lowered = text.lower()
    return any(alias in lowered for alias, named in CURRENCIES.items() if named == kind)


def has_unread_digits(text: str) -> bool:
    """Return whether some digits belong to no figure, date or year: those of a broken number, an ordinal or a version."""
    text = _mask_dates(text)
    ends = {figure.start: figure.end for figure in read_figures(text)}
    for match in _FIGURE.finditer(text):
        end = max(match.end(), ends.get(match.start("digits"), 0))
        text = f"{text[: match.start()]}{_MASK * (end - match.start())}{text[end:]}"
    return re.search(r"\d", text) is not None


def _mask_dates(text: str) -> str:
    """Replace dates and citations by a filler of the same length, so that positions do not change."""
    for pattern in (CITATION_MARK, _HOURS):
        text = pattern.sub(lambda match: _MASK * len(match[0]), text)
    text = spell_unit_article(text)
    for date in read_dates(text) or ():
        if date.month is not None:
            text = f"{text[: date.start]}{_MASK * (date.end - date.start)}{text[date.end :]}"
    return text


def _read_figure(text: str, match: re.Match[str]) -> Figure | None:
    number = read_digits(match["digits"] if match["digits"][0] != "." else f"0{match['digits']}")
    start, end = match.start("digits"), match.end()
    if number is None or _is_item(text, start, match.end("digits")):
        return None
    money = (match["money"] or match["named"] or match["mark"] or "").lower()
    unit = (match["unit"] or "").strip().lower()
    if not money and not unit and not match["scale"] and _YEAR.fullmatch(match["digits"]):
        return None
    letter = (match["scale"] or "").lower()
    thousands = re.fullmatch(r"\dk", text[match.start("scale") - 1 : match.end("scale")])
    if letter in SCALE_LETTERS and not money and not thousands:
        unit, end, letter = "", match.end("digits"), ""  # kelvin, metres, bytes
    factor = MAGNITUDES.get(SCALE_LETTERS.get(letter, letter))
    kind = CURRENCIES[money] if money else _name_kind(unit)
    share = Fraction(factor or 1, _HUNDRED if unit in {"bps", "basis point", "basis points"} else 1)
    noun = "" if kind else _read_noun(text, end)
    by, offset = Fraction(1), Fraction(0)
    if not kind:
        kind, by, offset, end = _read_measure(text, end)
    before, below = text[max(0, start - _REACH) : start], _BELOW.match(text, end)
    end = below.end() if below else end
    negative = _NEGATIVE.search(before) is not None
    whole = kind == "percent" and number.value == _HUNDRED
    rough = not whole and _ROUGHLY.search(before) is not None
    return Figure(
        number.value * share,
        number.step * share,
        kind,
        noun,
        factor is not None,
        negative or below is not None,
        start,
        end,
        by,
        offset,
        rough,
    )


def _read_noun(text: str, end: int) -> str:
    """Return the word after a figure, unless it is a function word."""
    found = _NOUN.match(text, end)
    word = found["noun"].lower() if found else ""
    return "" if word in FUNCTION_WORDS or word in _JOINING else word


def _read_measure(text: str, end: int) -> tuple[str, Fraction, Fraction, int]:
    """Return the dimension of the unit after a figure, its factor and offset, and where it ends. An ambiguous unit counts as none."""
    kelvin = _KELVIN.match(text, end)
    if kelvin:
        return "temperature", Fraction(1), Fraction(0), kelvin.end()
    symbol = _NOUN.match(text, end)
    unit, behind = read_unit(text, end)
    decade = text[end - 1 : behind].lower() == "0s"
    ambiguous = symbol is not None and has_ambiguous_case(symbol["noun"])
    if unit is None or unit.dimension in _OWN_KINDS or decade or ambiguous:
        return "", Fraction(1), Fraction(0), end
    return unit.dimension, unit.factor, unit.offset, behind


def _is_item(text: str, start: int, end: int) -> bool:
    """Return whether a number is the number of a list item, at the beginning of a line."""
    if not _NUMBERED.match(text, end):
        return False
    before = text[:start].rstrip(" \t")
    return not before or before.endswith("\n")


def _name_kind(unit: str) -> str:
    if "point" in unit or unit in {"pp", "ppt", "ppts", "bps"}:
        return "points"
    if unit[:1] == "%" or unit.startswith(("per", "pct")):
        return "percent"
    return "times" if unit in {"x", "×", "times", "fold"} else ""


WORDS_BESIDE = ROUGHLY | word_set(
    "exactly the a an of is was in at total nearly almost us per share it its to by from between range usually typically won"
)
"""Words that may be next to a figure when the text is nothing but that figure."""
_WORDS_BESIDE_AMOUNT = WORDS_BESIDE.union(CURRENCIES)
_WORD = re.compile(r"[^\W\d_]+")
# The same in another unit: "3422 °C (6192 °F)".
_INSTEAD = re.compile(r"(?<=\S)\s*\([^()]*\d[^()]*\)\s*$")
FALL_LEAD = any_case(
    r"\W*(?:(?:it|they) )?(?:an? )?(?:decreas(?:ed?|es)|f[ae]ll|dropp?e?d?|declined?|down|reduced|reduction)\s+(?:(?:by|of)\s+)?(?=\S?\d)"
)
"""Words that make the figure after them negative."""
_LONGEST_ALONE = 80


@lru_cache(maxsize=16384)
def read_figure_alternatives(text: str) -> tuple[Figure, ...]:
    """Return the only figure of a text, and the same in another unit if that follows in brackets."""
    alone, instead = read_only_figure(text), _INSTEAD.search(text) if len(text) <= _LONGEST_ALONE else None
    other = read_only_figure(instead[0].strip(" ()")) if alone and instead else None
    measured = alone and other and alone.noun and other.noun and alone.kind and other.kind
    return () if alone is None else (alone, other) if other and measured else (alone,)


@lru_cache(maxsize=16384)
def read_only_figure(text: str) -> Figure | None:
    """Return the figure of a text that has nothing else but function words."""
    if len(text) > _LONGEST_ALONE:
        return None
    folded = _INSTEAD.sub("", fold(text))
    fallen = FALL_LEAD.match(folded)
    folded = folded[fallen.end() :] if fallen else folded
    found = read_figures(folded)
    if len(found) != 1:
        return None
    if not has_only_words(f"{folded[: found[0].start]} {folded[found[0].end :]}", _WORDS_BESIDE_AMOUNT):
        return None
    return structs.replace(found[0], negative=True) if fallen else found[0]


def has_only_words(text: str, known: frozenset[str]) -> bool:
    """Return whether a text has no digits, and only known words."""
    return not re.search(r"\d", text) and known.issuperset(map(str.lower, _WORD.findall(text)))


# Rates: "4 g" means "4 g per day" if the question asks for a daily dose.

_RATE_PERIODS = (
    (any_case(r"\b(?:per second|each second|a second)\b"), "time", 1),
    (any_case(r"\b(?:per minute|each minute|every minute|a minute)\b"), "time", 60),
    (any_case(r"\b(?:hourly|per hour|each hour|every hour|an hour)\b"), "time", 3600),
    (any_case(r"\b(?:daily|per day|each day|every day|a day|per diem)\b"), "time", 86_400),
    (any_case(r"\b(?:weekly|per week|each week|every week|a week)\b"), "time", 604_800),
    (any_case(r"\b(?:monthly|per month|each month|every month|a month)\b"), "calendar", 1),
    (any_case(r"\b(?:annual(?:ly)?|yearly|per (?:year|annum)|each year|every year|a year)\b"), "calendar", 12),
)  # fmt: skip
"""Words for a period of time, its dimension, and its length in the base unit."""


def convert_rate(figure: Figure, wanted: Figure, asked: str) -> Figure:
    """Convert between an amount and a rate, if only one of the two figures is a rate and the question names its period."""
    longer, shorter = sorted((figure.kind, wanted.kind), key=len, reverse=True)
    whole, _, time = longer.partition("/")
    if not time or whole != shorter:
        return figure
    named = {
        Fraction(size)
        for words, dimension, size in _RATE_PERIODS
        if dimension == time and words.search(asked)
    }
    if len(named) != 1:
        return figure
    size = named.pop()
    unit = figure.unit * size if figure.kind == longer else figure.unit / size
    return structs.replace(figure, kind=wanted.kind, unit=unit)
