"""Read every figure of a text with its scale, its kind and how exactly it is given, also where quantities would give up."""

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
    """A value without its sign, the step of its last digit, what it is of ("percent", "points", "times", a currency, "length" and other dimensions, or nothing), and where it stands.

    `noun` is the word behind a figure that is no share and no money: a unit, or what is counted; `unit` and `offset` are what brings a value with a unit to the base of its dimension; `rough` figures are said to be no more than about right.
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
        """Return what two figures that say the same have in common."""
        return self.kind, self.value * self.unit + self.offset

    def convert(self, other: "Figure") -> "Figure":
        """Return the same in the unit of another, where they are of one dimension; a temperature on another scale is no more exact than a degree."""
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
# A sign or a bracket before the figure, or before its currency; a dash between two figures is none.
_NEGATIVE = re.compile(
    rf"(?:(?<![\w)%])(?<!\w\s)(?<!\)\s)-|\()\s?(?:{CURRENCY_SIGNS})?\s?$|[=:]\s*-\s?(?:{CURRENCY_SIGNS})?\s?$|\b(?:minus|negative)\s+\S?$"
)
_ROUGHLY = any_case(
    rf"(?:\b(?:about|around|approx(?:imately|\.)?|roughly|circa|some|ca?\.)|[~≈])\s?(?:{CURRENCY_SIGNS})?\s?$"
)
# Hours and minutes, whose "m" are no metres.
_HOURS = re.compile(r"\d\s?h\s?\d+\s?m\b")
_KELVIN = re.compile(r"\s?K(?![\w'])")
_BELOW = any_case(r"\s+below\s+(?:(?:mean\s+)?sea\s+level|zero|freezing)\b")
_NOUN = any_case(r"[\s-]{0,3}(?P<noun>°\s?[a-z]\b|°|[^\W\d_]+)")
_JOINING = COMPARING | word_set("or than so which over under up down after before")
_REACH = 18
_MASK = "_"
_OWN_KINDS = word_set("percent points usd eur gbp jpy inr cent pound ounce ton gallon")
"""Dimensions that are read as kinds of their own, or that a word may name without being one."""
_HUNDRED = 100


def read_figures(text: str) -> list[Figure]:
    """Return the figures of a text in order; dates, years, ordinals and the numbers of a list are none."""
    text = _mask_dates(text)
    found = (_read_figure(text, match) for match in _FIGURE.finditer(text))
    joined = list[Figure]()
    for figure in filter(None, found):
        joined[-1:] = _join_parts(text, joined[-1], figure) if joined else [figure]
    return joined


def _join_parts(text: str, before: Figure, figure: Figure) -> list[Figure]:
    """Make one figure of a measure and the part of its unit that follows: "2 hours 30 minutes"."""
    gap, sizes = (before.end, figure.start), (before.unit, figure.value * figure.unit)
    if before.kind != figure.kind or not are_parts_of_one(text, figure.kind, gap, figure.end, sizes):
        return [before, figure]
    share = figure.unit / before.unit
    value, step = before.value + figure.value * share, figure.step * share
    return [structs.replace(before, value=value, step=step, end=figure.end)]


def names_currency(text: str, kind: str) -> bool:
    """Return whether a text names a currency by sign, code or word."""
    lowered = text.lower()
    return any(alias in lowered for alias, named in CURRENCIES.items() if named == kind)


def has_unread_digits(text: str) -> bool:
    """Return whether some digits were read neither as a figure nor as a date or a year: a broken number, an ordinal, a version."""
    text = _mask_dates(text)
    ends = {figure.start: figure.end for figure in read_figures(text)}
    for match in _FIGURE.finditer(text):
        end = max(match.end(), ends.get(match.start("digits"), 0))
        text = f"{text[: match.start()]}{_MASK * (end - match.start())}{text[end:]}"
    return re.search(r"\d", text) is not None


def _mask_dates(text: str) -> str:
    """Put a mark in the place of dates and citations; each character keeps its place."""
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
    """Return the word behind a figure, unless it is a small one."""
    found = _NOUN.match(text, end)
    word = found["noun"].lower() if found else ""
    return "" if word in FUNCTION_WORDS or word in _JOINING else word


def _read_measure(text: str, end: int) -> tuple[str, Fraction, Fraction, int]:
    """Return the dimension of what stands behind a figure, the factor and offset to its base, and where it ends; nothing where it is no unit or may be another."""
    kelvin = _KELVIN.match(text, end)
    if kelvin:
        return "temperature", Fraction(1), Fraction(0), kelvin.end()
    symbol = _NOUN.match(text, end)
    unit, behind = read_unit(text, end)
    decade = text[end - 1 : behind].lower() == "0s"
    if (
        unit is None
        or decade
        or unit.dimension in _OWN_KINDS
        or (symbol and has_ambiguous_case(symbol["noun"]))
    ):
        return "", Fraction(1), Fraction(0), end
    return unit.dimension, unit.factor, unit.offset, behind


def _is_item(text: str, start: int, end: int) -> bool:
    """Return whether a number at the beginning of a line numbers an item of a list."""
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
"""Small words that may stand beside a figure which is all that a text says."""
_WORDS_BESIDE_AMOUNT = WORDS_BESIDE.union(CURRENCIES)
_WORD = re.compile(r"[^\W\d_]+")
# The same in another unit: "3422 °C (6192 °F)".
_INSTEAD = re.compile(r"(?<=\S)\s*\([^()]*\d[^()]*\)\s*$")
FALL_LEAD = any_case(
    r"\W*(?:(?:it|they) )?(?:an? )?(?:decreas(?:ed?|es)|f[ae]ll|dropp?e?d?|declined?|down|reduced|reduction)\s+(?:(?:by|of)\s+)?(?=\S?\d)"
)
"""What a figure below zero may be said with."""
_LONGEST_ALONE = 80


@lru_cache(maxsize=16384)
def read_figure_alternatives(text: str) -> tuple[Figure, ...]:
    """Return the figure that a text is, and the same in another unit, which may stand in brackets behind it."""
    alone, instead = read_only_figure(text), _INSTEAD.search(text) if len(text) <= _LONGEST_ALONE else None
    other = read_only_figure(instead[0].strip(" ()")) if alone and instead else None
    measured = alone and other and alone.noun and other.noun and alone.kind and other.kind
    return () if alone is None else (alone, other) if other and measured else (alone,)


@lru_cache(maxsize=16384)
def read_only_figure(text: str) -> Figure | None:
    """Return the figure that a text is, with nothing but small words beside it."""
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
    """Check that a text has no digit and no word but the known ones."""
    return not re.search(r"\d", text) and known.issuperset(map(str.lower, _WORD.findall(text)))


# Rates: "4 g per day" is "4 g" where the question asks for a daily dose.

_RATE_PERIODS = (
    (any_case(r"\b(?:per second|each second|a second)\b"), "time", 1),
    (any_case(r"\b(?:per minute|each minute|every minute|a minute)\b"), "time", 60),
    (any_case(r"\b(?:hourly|per hour|each hour|every hour|an hour)\b"), "time", 3600),
    (any_case(r"\b(?:daily|per day|each day|every day|a day|per diem)\b"), "time", 86_400),
    (any_case(r"\b(?:weekly|per week|each week|every week|a week)\b"), "time", 604_800),
    (any_case(r"\b(?:monthly|per month|each month|every month|a month)\b"), "calendar", 1),
    (any_case(r"\b(?:annual(?:ly)?|yearly|per (?:year|annum)|each year|every year|a year)\b"), "calendar", 12),
)  # fmt: skip
"""Words for a time, its dimension, and its length in the base of that."""


def convert_rate(figure: Figure, wanted: Figure, asked: str) -> Figure:
    """Return a figure as what the wanted one is, where one of them says the time to which the question asks and the other leaves it out."""
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
