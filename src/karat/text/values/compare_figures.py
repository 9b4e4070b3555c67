"""Compare figures, limits, ranges and scores: the same, rounded, near, or another."""

import re
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import Literal, TypeAlias, cast

from msgspec import Struct, structs

from karat.text.lexicon import (
    CHANGE,
    FALL,
    FUNCTION_WORDS,
    RISE,
    RISE_OR_FALL,
    SMALL_NUMBERS,
    any_case,
    any_of,
)
from karat.text.normal import LONGEST_TEXT, fold, normalise, stem_of
from karat.text.values.figures import (
    WORDS_BESIDE,
    Figure,
    convert_rate,
    has_only_words,
    has_unread_digits,
    names_currency,
    read_figures,
    read_only_figure,
)
from karat.text.values.numbers import MAGNITUDES, read_digits

FigureMatch: TypeAlias = Literal["same", "rounded", "near", "other", "open"]
FigureMatches: TypeAlias = list[tuple[Figure, FigureMatch]]
ALIKE = frozenset({"same", "rounded"})
_SCALE = any_case(r"\b(thousand|million|billion|mn|bn)s?\b")
_ROUNDING = any_case(r"\bround(?:ed|ing)?\b")
MOST_FIGURES = 60
"""Answers with more figures are not compared."""
GROUP, HUNDRED, _TEN, _LONG = 1000, 100, 10, 10_000
_ROUNDED, _ROUGH, NEAR, _SLIP, _FINER = (Fraction(1, of) for of in (50, 30, 20, 200, 66))
"""Largest relative differences: of a rounded figure, of one called "about", of a near one, of one as exact that may come from rounded steps, and of a finer one that rounds to the wanted figure."""
_EXACT = frozenset({"", "time", "calendar", "data"})
"""Kinds of figures whose whole numbers are exact."""
_TABLED = frozenset((GROUP, GROUP**2, GROUP**3))
"""Scales of tables that give figures in thousands, millions or billions."""


def compare_figures(wanted: Figure, every: list[Figure], asked: str) -> FigureMatches:
    """Compare the figures of an answer with the wanted one, as far as they can be compared. Figures of the question count only if they match it."""
    scale = read_scale(asked)
    named = read_figures(asked)
    known, bare = {figure.key() for figure in named}, {figure.value for figure in named if not figure.kind}
    words, rounded = list_content_stems(asked) | {stem_of(wanted.noun)}, _ROUNDING.search(asked)
    every = [convert_rate(figure, wanted, asked) for figure in every]
    told: FigureMatches = [
        (
            figure,
            "open"
            if (not figure.kind or figure.kind != wanted.kind) and stem_of(figure.noun) not in words
            else "same"
            if rounded and _rounds_to(wanted, figure, scale)
            else _compare_figure(wanted, figure, scale),
        )
        for figure in every
        if is_comparable(wanted, figure, asked)
    ]
    return [
        (figure, like)
        for figure, like in told
        if like not in {"other", "open"} or not (figure.key() in known or figure.value in bare)
    ]


class FigureComparison(Struct, frozen=True):
    """The figure of a reference, the folded answer and question, and how each figure of the answer compares."""

    wanted: Figure
    text: str
    asked: str
    told: FigureMatches

    def list_alike(self) -> list[Figure]:
        """Return the figures that are the same as the wanted one, or rounded."""
        return [figure for figure, like in self.told if like in ALIKE]


@lru_cache(maxsize=64)  # several checks compare the same answer in turn
def compare_figure_texts(reference: str, answer: str, question: str) -> FigureComparison | None:
    """Compare the figures of an answer with the figure of a reference. Return None if the reference is no figure, or the answer too long."""
    wanted = read_only_figure(reference)
    if wanted is None or len(answer) > LONGEST_TEXT:
        return None
    text, asked = fold(answer), fold(question[:LONGEST_TEXT])
    return FigureComparison(
        wanted, text, asked, compare_figures(wanted, read_figures(text)[:MOST_FIGURES], asked)
    )


def read_scale(asked: str) -> int:
    """Return the scale that a question asks for: 1,000,000 for "in millions", else 1."""
    named = _SCALE.search(asked)
    return MAGNITUDES[named[1].lower()] if named else 1


def list_content_stems(text: str) -> set[str]:
    """Return the stems of the content words, and "" for figures without a noun, which count what is asked for."""
    return {"", *(stem_of(word) for word in normalise(text).split() if word not in FUNCTION_WORDS)}


def is_comparable(wanted: Figure, given: Figure, asked: str) -> bool:
    """Return whether two figures may be of the same kind. A bare number may be of any unit, or of a currency in the question."""
    kinds = {wanted.kind, given.kind}
    if len(kinds) == 1 or kinds == {"percent", "points"}:
        return True
    if "" not in kinds:
        return False
    bare = not given.kind or bool(given.noun)
    scaled = not wanted.kind and read_scale(asked) != 1
    return kinds <= {"", "percent", "points", "times"} or bare or scaled or names_currency(asked, given.kind)


def _compare_figure(wanted: Figure, given: Figure, scale: int) -> FigureMatch:
    """Compare two figures on the scale on which they are closest."""
    converted = wanted.kind == given.kind and (wanted.unit, wanted.offset) != (given.unit, given.offset)
    coarse = _coarsest(given) / given.step
    given = given.convert(wanted)
    coarse *= given.step
    best: FigureMatch = "other"
    for ours, theirs in _list_scales(wanted, given, scale):
        away = abs(wanted.value * ours - given.value * theirs)
        share = away / (wanted.value * ours) if wanted.value else Fraction(away != 0)
        step, said = _finest(wanted) * ours, coarse * theirs
        if not away or (
            given.step * theirs < step and 2 * away <= step and share <= _FINER and not _is_count(wanted)
        ):
            return "same"
        if (
            (said > step or converted)
            and 2 * away <= said
            and share <= (_ROUGH if given.rough else _ROUNDED)
            and (ours != 1 or converted or _may_round(wanted, given))
        ):
            best = "rounded"
        elif best == "other" and share <= (NEAR if said > step else _SLIP):
            best = "near"
    return "near" if best == "other" and _is_tabled(wanted, given) else best


def _is_tabled(wanted: Figure, given: Figure) -> bool:
    """Return whether a bare figure may come from a table in thousands, millions or billions."""
    bare = wanted.scaled and not (given.scaled or given.kind) and bool(given.value)
    return bare and wanted.value / given.value in _TABLED


def _rounds_to(wanted: Figure, given: Figure, scale: int) -> bool:
    """Return whether a more exact figure rounds to the wanted one, which has decimals."""
    given = given.convert(wanted)
    return wanted.step < 1 and any(
        given.step * theirs < wanted.step * ours
        and 2 * abs(wanted.value * ours - given.value * theirs) <= wanted.step * ours
        for ours, theirs in _list_scales(wanted, given, scale)
    )


def _finest(figure: Figure) -> Fraction:
    """Return the smallest precision that a figure may have: its trailing zeros may be exact."""
    return figure.step if figure.scaled or figure.rough else min(figure.step, Fraction(1))


def _coarsest(figure: Figure) -> Fraction:
    """Return the largest step that a figure may be rounded to: "about 70" means 65 to 75."""
    tens = figure.rough and figure.step == 1 and figure.value % _TEN == 0
    return figure.step * _TEN if tens else figure.step


def _is_whole(figure: Figure) -> bool:
    return figure.step >= 1 and not figure.scaled


def _is_count(figure: Figure) -> bool:
    """Return whether a whole number is an exact count. One with a unit was measured, except times and amounts of data."""
    return _is_whole(figure) and not figure.rough and (not figure.noun or figure.kind in _EXACT)


def _may_round(wanted: Figure, given: Figure) -> bool:
    """Return whether a value may be rounded: one with decimals, a scale or many digits. Values such as 365, 404 and 118 are not."""
    if given.rough and (wanted.kind or wanted.value >= GROUP):
        return True
    return not _is_whole(wanted) or wanted.value >= _LONG


def _list_scales(wanted: Figure, given: Figure, scale: int) -> list[tuple[int, int]]:
    """Return all pairs of factors for the two figures."""
    return list(product(_list_factors(wanted, given, scale), _list_factors(given, wanted, scale)))


def _list_factors(figure: Figure, other: Figure, scale: int) -> list[int]:
    """Return the factors to try for a figure: 1, the question's scale if the figure has none, and 100 if only the other is a percentage."""
    factors = [1]
    if not figure.scaled and scale != 1 and figure.kind not in {"percent", "points", "times"}:
        factors.append(scale)
    if not figure.kind and other.kind in {"percent", "points"} and figure.value < 1:
        factors.append(HUNDRED)
    return factors


def is_like_figure(wanted: Figure, given: Figure, asked: str) -> bool:
    """Return whether a figure may be the wanted one, exact, rounded or truncated."""
    if not is_comparable(wanted, given, asked):
        return False
    scale = read_scale(asked)
    if _compare_figure(wanted, given, scale) != "other":
        return True
    given = given.convert(wanted)
    for ours, theirs in _list_scales(wanted, given, scale):
        away = abs(wanted.value * ours - given.value * theirs)
        step, other = wanted.step * ours, given.step * theirs
        if (other > step and 2 * away <= other) or (other < step and away < step):
            return True
    return False


def contradicts_figures(reference: str, answer: str) -> bool:
    """Return whether an answer has figures of the same kind as a figure of the reference, and none is that figure."""
    given = read_figures(fold(answer[:LONGEST_TEXT]))
    for wanted in read_figures(fold(reference[:LONGEST_TEXT])):
        alike = [figure for figure in given if figure.kind == wanted.kind]
        if alike and all(_compare_figure(wanted, figure, 1) == "other" for figure in alike):
            return True
    return False


# Limits: "over 2.1 billion", "nearly 12 %", "< 5".

LimitKind: TypeAlias = Literal["above", "least", "below", "most", "nearly"]


class Limit(Struct, frozen=True):
    """The kind of a limit, and where its words begin."""

    kind: LimitKind
    start: int


_LIMIT = re.compile(
    r"""(?:\b(?:
    (?P<above>over|more\sthan|above|exceed\w*|beyond|upwards\sof|in\sexcess\sof)
    |(?P<least>at\sleast|a\sminimum\sof|not?\s(?:less|fewer)\sthan|not\s(?:below|under))
    |(?P<below>under|less\sthan|fewer\sthan|below)
    |(?P<most>at\smost|up\sto|a\smaximum\sof|as\s(?:many|much)\sas|not?\smore\sthan|not\s(?:above|over))
    |(?P<nearly>nearly|almost|approaching|just\sshort\sof|(?:just|slightly|a\s(?:little|bit|shade|touch))\s(?:under|below|less\sthan))
    )\W+|(?:(?P<greater>(?<![-=])(?<!<\w)>)|(?P<from>≥|>=)|(?P<smaller><)|(?P<to>≤|<=))[\s$€£]*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_LIMIT_SIGNS = {"greater": "above", "from": "least", "smaller": "below", "to": "most"}
_LOWER_LIMITS = frozenset({"above", "least"})
_LIMIT_REACH, _LEAST_STEPS = 30, 10


def find_limit(text: str, figure: Figure) -> Limit | None:
    """Return the limit that the words before a figure make of it, if any."""
    begin = max(0, figure.start - _LIMIT_REACH)
    found = _LIMIT.search(text[begin : figure.start])
    if found is None:
        return None
    name = found.lastgroup or ""
    return Limit(cast("LimitKind", _LIMIT_SIGNS.get(name, name)), begin + found.start())


def is_within_limit(limit: Limit, given: Figure, wanted: Figure) -> bool:
    """Return whether a value is within a limit, and not the limit itself."""
    edge = given.convert(wanted).value
    return wanted.value > edge if limit.kind in _LOWER_LIMITS else wanted.value < edge


def is_near_limit(limit: Limit, given: Figure, wanted: Figure) -> bool:
    """Return whether a limit states a value roughly: "over 247 million" for 247.3 million.

    The value is within the limit, by less than the limit's last digit, and the limit has two digits or more.
    """
    edge = given.convert(wanted)
    away = abs(wanted.value - edge.value)
    exact = edge.value >= _LEAST_STEPS * edge.step and away < edge.step and away <= NEAR * wanted.value
    return exact and is_within_limit(limit, given, wanted)


# Values that a text may give in another form, or that have to be computed.

# Notations that may give a value in another form: fractions, powers, spreads, parts, multiples, ratios, remainders, number words.
_HIDDEN = any_case(
    r"\\|\^|±|[/+]|\b(?:half|halv\w+|doubl\w+|twice|tripl\w+|thrice|quarters?|thirds?|dozen|between|until|minus|plus|all but|others?|each|every|remaining|rest|"
    rf"{any_of(SMALL_NUMBERS)}|first|second|\w+[fnrx]th|hundred|lakh|crore)\b"
    r"|×\s?\d|\d\s?[x*:]\s?\d|\d,\s\d{3}\b|\d\s?-\s?\d|(?:^|[.;:!?,]\s+)(?:out\s+of|of|per|in)\s+\W?(?!(?:19|20)\d\d\b)\d|\d\S{0,20}(?:\s+[^\W\d]+){0,2}\s+(?:to|in|of|per|for)\s+(?:an?\s+)?\W?(?!(?:19|20)\d\d\b)\d"
)
_QUOTIENT = re.compile(
    r"(?<![\d,.])(?<!\d\s)(?P<over>\d[\d,]*+(?:\.\d++)?+)[^\W\d_]{0,7}\s?[/÷]\s?[$€£]?(?P<under>\d[\d,]*+(?:\.\d++)?+)(?!\s?[-+*/×÷^]\s?[\d(])"
)
_QUARTER = any_case(
    r"\b(?:first|second|third|fourth|1st|2nd|3rd|4th|last)[\s-](?:fiscal[\s-])?(?:quarters?|half)\b"
)
"""Parts of a year, which are not fractions of a value."""
_HALF_LIFE = any_case(r"\bhalf[\s-](?:li[fv]\w+|time|marathon|century)\b")
_DIVIDED = re.compile(r"(?<=[^\W\d_])\s/\s(?=[^\W\d_])")
_LEADING_DIGITS = re.compile(r"^[\d.,]+")
_MOST_TERMS = 8


def may_be_hidden(text: str, wanted: Figure, told: FigureMatches) -> bool:
    """Return whether the text may give the wanted value in another form, or as a sum or a product."""
    figures = [figure for figure, _ in told]
    plain = _HALF_LIFE.sub(" ", _QUARTER.sub(" ", _drop_units(text, figures)))
    return (
        _HIDDEN.search(_drop_quotients(plain, wanted)) is not None
        or has_unread_digits(text)
        or may_be_computed(wanted, figures)
    )


def _drop_units(text: str, figures: list[Figure]) -> str:
    """Replace units by blanks, because their slashes and powers are no fractions."""
    for figure in figures:
        if figure.noun and figure.kind:
            said = _LEADING_DIGITS.sub("", text[figure.start : figure.end])
            text = f"{text[: figure.end - len(said)]}{' ' * len(said)}{text[figure.end :]}"
    return text


def _drop_quotients(text: str, wanted: Figure) -> str:
    """Replace divisions whose result is not the wanted value by blanks, and the same divisions in words as well."""

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


def may_be_computed(wanted: Figure, given: list[Figure]) -> bool:
    """Return whether the wanted value is a sum, a difference or a product of given figures, or one of them with the point read as a comma."""
    values = [figure.convert(wanted).value for figure in given]
    # 1.500 may mean 1,500.
    if any(
        not figure.scaled and not wanted.scaled and value in (wanted.value * GROUP, wanted.value / GROUP)
        for figure, value in zip(given, values, strict=True)
    ):
        return True
    terms = values[:_MOST_TERMS]
    sums = {sum(terms), *(sum(some) for count in (2, 3) for some in combinations(terms, count))}
    pairs = combinations(terms, 2)
    return wanted.value in sums or any(
        wanted.value in (one * other, abs(one - other)) for one, other in pairs
    )


# Pairs: a range ("10 to 14 days", "315 ± 5 million") or a score ("34-28").


_Pair: TypeAlias = tuple[Figure, Figure]
_PAIR_NUMBER = r"\d[\d,]{0,14}(?:\.\d{1,6})?"
_PAIR_UNIT = r"(?:\s?(?:thousand|million|billion|trillion|mn|bn|[mbk])\b)?(?:\s?%|\s{0,2}°\s?[CF]\b|\s(?!to\b|and\b|plus\b|give\b|or\b)[a-z]+(?:/[a-z]+|\sper\s[a-z]+)?\b)?"
_PAIR = any_case(
    rf"(?P<between>\bbetween\s+)?(?<![\w.,/:-])(?P<sign>[$€£]?)(?P<first>{_PAIR_NUMBER})(?P<own>{_PAIR_UNIT})"
    rf"(?P<by>\s?-\s?|\s+to\s+|\s+and\s+|,?\s*(?:±|\+/-|plus or minus|give or take)\s*)[$€£]?(?P<last>{_PAIR_NUMBER})(?P<tail>{_PAIR_UNIT})(?![\d/:-]|\.\d)"
)
_SPREAD = any_case(r"±|\+/-|plus|give")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_LONGEST_ALONE = 60


def gives_other_pair(references: tuple[str, ...], answer: str) -> bool:
    """Return whether the references all give one range or score, and the answer gives only other ones."""
    wanted = [pair for pair in map(read_pair, references) if pair is not None]
    numbers = [set(re.findall(r"\d+", reference)) for reference in references]
    given = _list_pairs(fold(answer[:LONGEST_TEXT])) if wanted else []
    return (
        bool(given)
        and all(numbers[0] == each for each in numbers)
        and all(_is_other_pair(one, other) for one in wanted for other in given)
    )


def _is_other_pair(wanted: _Pair, given: _Pair) -> bool:
    """Return whether two pairs are of one kind and differ in both orders."""
    alike = _pairs_match(wanted, given) or _pairs_match((wanted[1], wanted[0]), given)
    return given[1].kind == wanted[1].kind and not alike


def find_same_pair(references: tuple[str, ...], answer: str) -> int | None:
    """Return the index of a reference that is a range or score, if the answer gives that one and no other."""
    given = _list_pairs(fold(answer[:LONGEST_TEXT]))
    for place, reference in enumerate(references):
        wanted = read_pair(reference) if given else None
        if wanted is not None and all(_pairs_match(wanted, each) for each in given):
            return place
    return None


@lru_cache(maxsize=4096)
def read_pair(text: str) -> _Pair | None:
    """Return the pair of a text that has nothing else but function words."""
    folded = fold(text) if len(text) <= _LONGEST_ALONE else ""
    found = list(_PAIR.finditer(folded))
    pair = _read_pair_match(found[0]) if len(found) == 1 else None
    beside = f"{folded[: found[0].start()]} {folded[found[0].end() :]}" if pair else ""
    return pair if has_only_words(beside, WORDS_BESIDE) else None


def _list_pairs(text: str) -> list[_Pair]:
    return [pair for pair in map(_read_pair_match, _PAIR.finditer(text)) if pair is not None]


def _read_pair_match(match: re.Match[str]) -> _Pair | None:
    """Read the figures of a pair. A unit after the last counts for both. Two years are no pair, and "and" needs a "between"."""
    years = _YEAR.fullmatch(match["first"]) and _YEAR.fullmatch(match["last"])
    if years or (match["by"].strip().lower() == "and" and not match["between"]):
        return None
    sign, tail = match["sign"], match["tail"]
    first = read_figures(f"{sign}{match['first']}{match['own'] or tail}")
    last = read_figures(f"{sign}{match['last']}{tail or match['own']}")
    if len(first) != 1 or len(last) != 1:
        return None
    one, other = first[0], last[0]
    if not _SPREAD.search(match["by"]):
        return one, other
    away = other.convert(one).value
    low, high = one.value - away, one.value + away
    return (structs.replace(one, value=low), structs.replace(one, value=high)) if low >= 0 else None


def _pairs_match(one: _Pair, other: _Pair) -> bool:
    """Return whether two pairs are the same. They may be rounded only if the units differ."""
    return all(
        ours.key() == theirs.key()
        or (
            ours.kind == theirs.kind
            and ours.unit != theirs.unit
            and _compare_figure(ours, theirs, 1) in ALIKE
        )
        for ours, theirs in zip(one, other, strict=True)
    )


def may_have_other_sign(wanted: Figure, text: str, told: FigureMatches, asked: str) -> bool:
    """Return whether the same figure may have another sign: by a minus, or by a word for a rise or a fall if a change is asked for."""
    signs = {figure.negative for figure, like in told if like in ALIKE}
    rises, falls = RISE.search(text) is not None, FALL.search(text) is not None
    if wanted.negative:
        return signs != {True} and (True in signs or rises or not falls)
    if True in signs or not CHANGE.search(asked):
        return True in signs
    # "What is the change?" "65 %" is a rise, unless the question asks about a fall.
    return falls or (rises and RISE_OR_FALL.search(asked) is not None)
