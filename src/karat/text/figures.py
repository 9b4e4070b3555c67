"""Figures as reports and worked answers give them: each number of a text with its scale, its kind and how exactly it is said.

`quantities` reads a text only where all of its numbers are beyond doubt; here those of a whole computation are read, and what is
compared is which of them could be the reference's.
"""

import re
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.dates import read_dates
from karat.text.echoes import FUNCTION_WORDS
from karat.text.fold import fold
from karat.text.hedges import find_doubt, is_passing
from karat.text.normalise import normalise
from karat.text.numbers import MAGNITUDES, read_digits
from karat.text.vocabulary import list_words


class Figure(Struct, frozen=True):
    """An absolute value, the step to which it was said, what it is of ("percent", "points", "times", a currency, or nothing), whether its scale was said, and where it stands."""

    value: Fraction
    step: Fraction
    kind: str
    scaled: bool
    start: int
    end: int


_CURRENCIES = {
    "$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "€": "eur", "eur": "eur", "euro": "eur", "£": "gbp", "gbp": "gbp", "pound": "gbp",
    "¥": "jpy", "jpy": "jpy", "yen": "jpy", "₹": "inr", "inr": "inr", "rupee": "inr", "₱": "php", "php": "php", "peso": "php", "₩": "krw", "krw": "krw", "won": "krw",
    "chf": "chf", "franc": "chf", "sek": "sek", "nok": "nok", "dkk": "dkk", "cny": "cny", "rmb": "cny", "yuan": "cny",
}  # fmt: skip
_LETTERS = {"k": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}
"""What a single letter stands for behind an amount of money."""
_NAMES = "|".join(sorted((re.escape(name) for name in _CURRENCIES if name.isalpha()), key=len, reverse=True))
_SIGNS = r"US\$|[$€£¥₹₱₩]"
_FIGURE = re.compile(
    rf"""(?<![\w.,/^])(?<![\w)]-)
    (?P<money>{_SIGNS}|\b(?:{_NAMES})(?=\s))?[\s(]?-?\s?
    (?P<digits>(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?|\.\d+)(?![\d/:^]|[.,]\d|-[A-Za-z]|(?:st|nd|rd|th)\b)
    (?:\s?-?(?P<scale>{"|".join(sorted(MAGNITUDES, key=len, reverse=True))}|k|mm|m|b|t)(?!\w))?
    (?P<unit>\s?%(?:[-\s]?points?)?|\s(?:percent|per\scent|percentage|pct)(?:[-\s]points?)?\b|\s?(?:pp|ppts?|bps)\b|\sbasis\spoints?\b|\s?[x×](?!\s?\d)(?!\w)|\s(?:times|fold)\b
      |[\s-]?(?P<named>{_NAMES})s?\b|\s?(?P<mark>[€£₱]))?""",
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ITEM = re.compile(r"(?:^|\n)\s*$")
_CITED = re.compile(r"\[\^?\d{1,3}\^?\]")
_MASK = "_"
_HUNDRED = 100


def read_figures(text: str) -> list[Figure]:
    """Return the figures of a text in order; dates, years, ordinals and the numbers of a list are none."""
    text = _mask(text)
    found = (_read(text, match) for match in _FIGURE.finditer(text))
    return [figure for figure in found if figure is not None]


def _has_unread(text: str) -> bool:
    """Tell whether some digits were read neither as a figure nor as a date or a year: a broken number, an ordinal, a version."""
    text = _mask(text)
    for match in _FIGURE.finditer(text):
        text = f"{text[: match.start()]}{_MASK * (match.end() - match.start())}{text[match.end() :]}"
    return re.search(r"\d", text) is not None


def _mask(text: str) -> str:
    """Put a mark in the place of dates and citations; each character keeps its place."""
    text = _CITED.sub(lambda match: _MASK * len(match[0]), text)
    for date in read_dates(text) or ():
        if date.month is not None:
            text = f"{text[: date.start]}{_MASK * (date.end - date.start)}{text[date.end :]}"
    return text


def _read(text: str, match: re.Match[str]) -> Figure | None:
    number = read_digits(match["digits"] if match["digits"][0] != "." else f"0{match['digits']}")
    start, end = match.start("digits"), match.end()
    if number is None or (_ITEM.search(text, 0, start) and re.match(r"[.)]\s", text[match.end("digits") :])):
        return None
    money = (match["money"] or match["named"] or match["mark"] or "").lower()
    unit = (match["unit"] or "").strip().lower()
    if not money and not unit and not match["scale"] and _YEAR.fullmatch(match["digits"]):
        return None
    letter = (match["scale"] or "").lower()
    if letter in _LETTERS and not money and not re.fullmatch(r"\dk", text[match.start("scale") - 1 : match.end("scale")]):
        unit, end, letter = "", match.end("digits"), ""  # kelvin, metres, bytes
    factor = _LETTERS.get(letter) or MAGNITUDES.get(letter)
    kind = _CURRENCIES[money] if money else _name_kind(unit)
    divisor = _HUNDRED if unit in {"bps", "basis point", "basis points"} else 1
    value, step = (Fraction(each) * (factor or 1) / divisor for each in (number.value, number.step))
    return Figure(abs(value), step, kind, factor is not None, start, end)


def _name_kind(unit: str) -> str:
    if "point" in unit or unit in {"pp", "ppt", "ppts", "bps"}:
        return "points"
    if unit[:1] == "%" or unit.startswith(("per", "pct")):
        return "percent"
    return "times" if unit in {"x", "×", "times", "fold"} else ""


_SMALL = frozenset(
    list_words(
        "about around approximately approx roughly circa exactly the a an of is was in at total nearly almost us per share it its to by"
    )
)
_WORD = re.compile(r"[^\W\d_]+")


def read_only_figure(text: str) -> Figure | None:
    """Return the figure that a text is, with nothing but small words beside it."""
    folded = fold(text)
    found = read_figures(folded)
    if len(found) != 1 or found[0].start > _LONGEST_LEAD:
        return None
    beside = f"{folded[: found[0].start]} {folded[found[0].end :]}"
    if re.search(r"\d", beside) or any(
        word.lower() not in _SMALL and word.lower() not in _CURRENCIES for word in _WORD.findall(beside)
    ):
        return None
    return found[0]


_LONGEST_LEAD = 30
_MOST_PARTS = 12
_GROUP = 1000
_LONGEST = 4000
_SCALE = re.compile(r"\b(thousand|million|billion|mn|bn)s?\b", re.IGNORECASE)
# Notations in which a value may hide: a fraction, a power, a spread, a part or a multiple in words.
_HIDDEN = re.compile(
    r"\\|\^|±|\d\s?/\s?\d|\b(?:half|halv\w+|doubl\w+|twice|tripl\w+|thrice|quarters?|thirds?|dozen|between|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"first|second|\w+[fnrx]th|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\b|×\s?10|\d,\s\d{3}\b|\d\s?-\s?\d|\bto\s+\W?\d",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:at least|at most|up to|over|under|more than|less than|fewer than|above|below|exceed\w*|beyond|nearly|almost)\W+$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;:!?](?=\s)|\n|,\s+(?:and|but|while|whereas|with|compared|versus|vs)\b|\s+(?:while|whereas|but|versus|vs)\b", re.IGNORECASE)
_TWO = 2
_RESULT = re.compile(r"(?:=|≈|->|→)[\s*$€£(~]*$")
_BOLD = re.compile(r"\*\*[\s$€£(~]*$")
_ROUNDED, _NEAR, _SLIP = Fraction(1, 50), Fraction(1, 20), Fraction(1, 200)
"""Shares of a value within which a coarser one is its rounding, or may be, and within which one as exact may come of rounded steps."""
Likeness: TypeAlias = Literal["same", "rounded", "other"]
_Each: TypeAlias = Literal["same", "rounded", "near", "other"]
_Told: TypeAlias = list[tuple[Figure, _Each]]


def has_several(answer: str) -> bool:
    """Tell whether an answer that is not too long to be looked at has more figures than one."""
    return len(answer) <= _LONGEST and len(read_figures(fold(answer))) > 1


def tell_figure(reference: str, answer: str, question: str) -> Likeness | None:
    """Tell how the figures of an answer are like the one figure that a reference is; None where that is open, or nothing to tell."""
    wanted = read_only_figure(reference)
    if wanted is None or len(answer) > _LONGEST:
        return None
    folded, asked = fold(answer), fold(question)
    named = _SCALE.search(asked)
    scale = MAGNITUDES[named[1].lower()] if named else 1
    known = {(figure.kind, figure.value) for figure in read_figures(asked)}
    every = read_figures(folded)
    told = [(figure, _compare(wanted, figure, scale)) for figure in every if _is_comparable(wanted, figure)]
    told = [
        (figure, like) for figure, like in told if like != "other" or (figure.kind, figure.value) not in known
    ]
    likes = {like for _, like in told}
    if not told:
        return "other" if _is_of_another_kind(wanted, every) and not _may_hide(folded, wanted, told) else None
    if likes != {"other"} and not _is_firm(folded, told):
        return None
    if likes == {"same"} or _is_result(folded, told):
        return "same"
    if likes <= {"same", "rounded"}:
        return "rounded"
    if likes == {"other"}:
        return None if _may_hide(folded, wanted, told) else "other"
    return _tell_nearest(folded, told, asked)


def _is_of_another_kind(wanted: Figure, every: list[Figure]) -> bool:
    """Tell whether an answer gives figures, and all say that they are of something else: dollars for a percentage."""
    return bool(every) and bool(wanted.kind) and all(figure.kind for figure in every)


def _tell_nearest(text: str, told: _Told, asked: str) -> Likeness | None:
    """Tell by the figure that stands in the clause with most words of the question, where one clause has the most by far."""
    words = set(normalise(asked).split()) - FUNCTION_WORDS
    ends = [match.end() for match in _CLAUSE.finditer(text)]
    # What stands in brackets belongs to the clause around them.
    ends = [0, *(end for end in ends if text.count("(", 0, end) <= text.count(")", 0, end)), len(text)]
    marked: list[tuple[int, set[_Each]]] = []
    for begin, end in pairwise(ends):
        inside: set[_Each] = {like for figure, like in told if begin <= figure.start < end}
        if inside:
            marked.append((len(words & set(normalise(text[begin:end]).split())), inside))
    marked.sort(key=lambda each: -each[0])
    if len(marked) < _TWO or marked[0][0] < marked[1][0] + _TWO:
        return None
    likes = marked[0][1]
    return "same" if likes == {"same"} else "other" if likes == {"other"} else None


def _is_firm(text: str, told: _Told) -> bool:
    """Tell whether all mentions of the value are asserted, and none is a limit."""
    return all(
        find_doubt(text, figure.start, figure.end) is None
        and not is_passing(text, figure.start, figure.end)
        and not _LIMIT.search(text, 0, figure.start)
        for figure, like in told
        if like in {"same", "rounded"}
    )


def _may_hide(text: str, wanted: Figure, told: _Told) -> bool:
    """Tell whether the wanted value may stand there in another form, or as the parts of a sum."""
    values = [figure.value for figure, _ in told]
    plain = [figure.value for figure, _ in told if not figure.scaled and not wanted.scaled]
    return (
        _HIDDEN.search(text) is not None
        or _has_unread(text)
        or any(one + other == wanted.value for one, other in combinations(values[:_MOST_PARTS], 2))
        # A point here is a comma there: 1.500 may be 1,500.
        or any(each in (wanted.value * _GROUP, wanted.value / _GROUP) for each in plain)
    )


def _is_result(text: str, told: _Told) -> bool:
    """Tell whether the figure is what a computation comes to, or alone set in bold."""
    last, like = told[-1]
    if like == "same" and _RESULT.search(text, 0, last.start):
        return True
    bold = [like for figure, like in told if _BOLD.search(text, 0, figure.start)]
    return bool(bold) and all(like == "same" for like in bold)


def _is_comparable(wanted: Figure, given: Figure) -> bool:
    kinds = {wanted.kind, given.kind}
    return len(kinds) == 1 or "" in kinds or kinds == {"percent", "points"}


def _compare(wanted: Figure, given: Figure, scale: int) -> _Each:
    """Compare two figures on the scale on which they are likest: said more exactly it has to round to the reference, said less exactly it is a rounding."""
    best: _Each = "other"
    for ours in _scales(wanted, given, scale):
        for theirs in _scales(given, wanted, scale):
            size, away = wanted.value * ours, abs(wanted.value * ours - given.value * theirs)
            step, coarse = wanted.step * ours, given.step * theirs
            if not away or (coarse <= step and 2 * away <= step):
                return "same"
            if 2 * away <= max(step, coarse) and away <= size * _ROUNDED:
                best = "rounded"
            elif best == "other" and away <= size * (_NEAR if coarse > step else _SLIP):
                best = "near"
    return best


def _scales(figure: Figure, other: Figure, scale: int) -> tuple[Fraction, ...]:
    """Return by what a figure may have to be multiplied: the question's scale where it said none, a hundred where only the other is a percentage."""
    factors = [Fraction(1)]
    if not figure.scaled and scale != 1 and figure.kind not in {"percent", "points", "times"}:
        factors.append(Fraction(scale))
    if not figure.kind and other.kind in {"percent", "points"} and figure.value < 1:
        factors.append(Fraction(_HUNDRED))
    return tuple(factors)


def contradicts(reference: str, answer: str) -> bool:
    """Tell whether a figure of the reference is missing in an answer that has figures of its kind."""
    given = read_figures(fold(answer[:_LONGEST]))
    for wanted in read_figures(fold(reference)):
        alike = [figure for figure in given if figure.kind == wanted.kind]
        if alike and all(_compare(wanted, figure, 1) == "other" for figure in alike):
            return True
    return False
