"""The figures of an answer against the one figure that a reference is: what a computation comes to, what is rounded, what is another."""

import re
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from karat.text.connectives import connects
from karat.text.dates import read_date
from karat.text.echoes import FUNCTION_WORDS
from karat.text.figures import Figure, has_unread, name_currency, read_figures, read_only_figure
from karat.text.fold import fold
from karat.text.hedges import find_doubt, is_passing
from karat.text.normalise import normalise
from karat.text.numbers import MAGNITUDES, read_digits

Likeness: TypeAlias = Literal["same", "rounded", "other"]
_Each: TypeAlias = Literal["same", "rounded", "near", "other", "open"]
_Told: TypeAlias = list[tuple[Figure, _Each]]
_SCALE = re.compile(r"\b(thousand|million|billion|mn|bn)s?\b", re.IGNORECASE)
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
_DIVIDED = re.compile(r"(?<=[^\W\d_])\s/\s(?=[^\W\d_])")
_LIMIT = re.compile(
    r"\b(?:at least|at most|up to|over|under|more than|less than|fewer than|above|below|exceed\w*|beyond|nearly|almost)\W+$",
    re.IGNORECASE,
)
_DIRECTED = re.compile(
    r"\b(?:increas\w*|decreas\w*|ros?e|risen?|rising|f[ae]ll(?:en|ing|s)?|gr[eo]w\w*|drop\w*|declin\w*|loss(?:es)?|lost|down|up|gain\w*|negative|lower\w*|higher|less|more|cut|fewer|shr[ai]nk\w*)\b",
    re.IGNORECASE,
)
RISES = re.compile(
    r"\b(?:increas\w*|ros?e|risen?|rising|gr[eo]w\w*|up|gain\w*|higher|more|widen\w*|expand\w*)\b",
    re.IGNORECASE,
)
FALLS = re.compile(
    r"\b(?:decreas\w*|f[ae]ll(?:en|ing|s)?|drop\w*|declin\w*|loss(?:es)?|lost|down|negative|lower\w*|less|cut|fewer|shr[aiu]nk\w*|narrow\w*|contract(?:ed|s|ing|ion)|deficit|minus)\b",
    re.IGNORECASE,
)
_DEFICIT = re.compile(r"\b(?:deficits?|shortfalls?|net loss(?:es)?)\b", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:chang\w*|differ\w*|var(?:y|ied|iance|iation))\b", re.IGNORECASE)
_ROUNDING = re.compile(r"\bround(?:ed|ing)?\b", re.IGNORECASE)
_EXACTLY = re.compile(r"\b(?:exact\w*|precise\w*|decimals?|digits?|significant)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[.;:!?](?=\s)|\n|,\s+(?:and|but|while|whereas|with|compared|versus|vs)\b|\s+(?:while|whereas|but|versus|vs)\b",
    re.IGNORECASE,
)
_EQUATION = re.compile(r"[\d)%]\s*(?:=|≈)[\s$€£]*$")
_STEP = re.compile(r"[.;!?](?=\s)|\n|,(?=\s)")
_FROM_TO = re.compile(
    r"\bfrom\W+(?P<first>\d[\d.,]*\d|\d)\D{1,25}?\bto\W+(?P<last>\d[\d.,]*\d|\d)", re.IGNORECASE
)
_LONGEST, _MOST_FIGURES, _MOST_PARTS = 4000, 60, 8
_REACH, _GROUP, _HUNDRED, _TWO = 30, 1000, 100, 2
_LONG = 10_000
_ROUNDED, _NEAR, _SLIP, _FINER = Fraction(1, 50), Fraction(1, 20), Fraction(1, 200), Fraction(3, 200)
"""Shares of a value within which a coarser one is its rounding, or may be, within which one as exact may come of rounded steps, and within which a finer one rounds to it."""
_TABLED = frozenset((_GROUP, _GROUP**2, _GROUP**3))
"""What the figures of a table may stand for."""
_OFF_SCALE = frozenset(Fraction(10) ** power for power in (-6, -3, 3, 6))


def tell_figure(reference: str, answer: str, question: str) -> Likeness | None:
    """Tell how the figures of an answer are like the one figure that a reference is; None where that is open, or nothing to tell."""
    wanted = read_only_figure(reference)
    if wanted is None or len(answer) > _LONGEST:
        return None
    text, asked = fold(answer), fold(question[:_LONGEST])
    every = read_figures(text)
    if len(every) > _MOST_FIGURES:
        return None
    told = _compare_all(wanted, every, asked)
    if {like for _, like in told} <= {"other"}:
        differs = bool(told) or _is_of_another_kind(wanted, every)
        return "other" if differs and not _may_hide(text, wanted, told) else None
    if not _is_firm(text, told) or _may_be_turned(wanted, text, told, asked):
        return None
    return _tell_stated(text, told, asked)


def _compare_all(wanted: Figure, every: list[Figure], asked: str) -> _Told:
    """Compare the figures that can be compared; those of the question are told only where they are like the wanted one, whatever they are of."""
    scale = _read_scale(asked)
    known = {(figure.kind, figure.value) for figure in read_figures(asked)}
    words, rounded = _words(asked), _ROUNDING.search(asked) is not None
    told: _Told = [
        (
            figure,
            "open"
            if _stem(figure.noun) not in words
            else "same"
            if rounded and _rounds_to(wanted, figure, scale)
            else _compare(wanted, figure, scale),
        )
        for figure in every
        if _is_comparable(wanted, figure, asked)
    ]
    return [
        (figure, like)
        for figure, like in told
        if like not in {"other", "open"} or (figure.kind, figure.value) not in known
    ]


def _read_scale(asked: str) -> int:
    """Return the scale that a question names for its answer."""
    named = _SCALE.search(asked)
    return MAGNITUDES[named[1].lower()] if named else 1


def _words(text: str) -> set[str]:
    """Return the stems of the telling words; a figure without a noun counts what is asked for."""
    return {"", *(_stem(word) for word in normalise(text).split() if word not in FUNCTION_WORDS)}


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _is_comparable(wanted: Figure, given: Figure, asked: str) -> bool:
    """Tell whether two figures may be of one kind; a bare number may be of a currency that the question names."""
    kinds = {wanted.kind, given.kind}
    if len(kinds) == 1 or kinds == {"percent", "points"}:
        return True
    if "" not in kinds:
        return False
    return kinds <= {"", "percent", "points", "times"} or not given.kind or name_currency(asked, given.kind)


def _is_of_another_kind(wanted: Figure, every: list[Figure]) -> bool:
    """Tell whether an answer gives one figure, and says that it is of something else: dollars for a percentage."""
    return bool(wanted.kind) and len(every) == 1 and bool(every[0].kind)


def _compare(wanted: Figure, given: Figure, scale: int) -> _Each:
    """Compare two figures on the scale on which they are likest."""
    best: _Each = "other"
    for ours in _scales(wanted, given, scale):
        for theirs in _scales(given, wanted, scale):
            away = abs(wanted.value * ours - given.value * theirs)
            share = away / (wanted.value * ours) if wanted.value else Fraction(away != 0)
            step, coarse = _finest(wanted) * ours, given.step * theirs
            if not away or (
                given.step * theirs < step and 2 * away <= step and share <= _FINER and not _is_whole(wanted)
            ):
                return "same"
            if (
                coarse > step
                and 2 * away <= coarse
                and share <= _ROUNDED
                and (ours != 1 or _may_round(wanted))
            ):
                best = "rounded"
            elif best == "other" and share <= (_NEAR if coarse > step else _SLIP):
                best = "near"
    return best


def _rounds_to(wanted: Figure, given: Figure, scale: int) -> bool:
    """Tell whether a figure with decimals is what a finer one rounds to."""
    return wanted.step < 1 and any(
        given.step * theirs < wanted.step * ours
        and 2 * abs(wanted.value * ours - given.value * theirs) <= wanted.step * ours
        for ours in _scales(wanted, given, scale)
        for theirs in _scales(given, wanted, scale)
    )


def _finest(figure: Figure) -> Fraction:
    """Return the step to which a figure is meant: its trailing zeros may be exact."""
    return min(figure.step, Fraction(1)) if not figure.scaled else figure.step


def _is_whole(figure: Figure) -> bool:
    return figure.step >= 1 and not figure.scaled


def _may_round(figure: Figure) -> bool:
    """Tell whether a value may be said more roughly: one with decimals, a scale or many digits; 365, 404 and 118 are what they are."""
    return not _is_whole(figure) or figure.value >= _LONG


def _scales(figure: Figure, other: Figure, scale: int) -> tuple[Fraction, ...]:
    """Return by what a figure may have to be multiplied: the question's scale where it said none, a hundred where only the other is a percentage."""
    factors = [Fraction(1)]
    if not figure.scaled and scale != 1 and figure.kind not in {"percent", "points", "times"}:
        factors.append(Fraction(scale))
    if not figure.kind and other.kind in {"percent", "points"} and figure.value < 1:
        factors.append(Fraction(_HUNDRED))
    return tuple(factors)


def _is_firm(text: str, told: _Told) -> bool:
    """Tell whether the figures that are like the wanted one are asserted, and none is a limit."""
    return all(
        find_doubt(text, figure.start, figure.end) is None
        and not is_passing(text, figure.start, figure.end)
        and not _LIMIT.search(_before(text, figure))
        for figure, like in told
        if like in {"same", "rounded"}
    )


def _may_be_turned(wanted: Figure, text: str, told: _Told, asked: str) -> bool:
    """Tell whether a sign, or a word for a rise or a fall where a change is asked for, may make another value of the same figure."""
    signs = {figure.negative for figure, like in told if like in {"same", "rounded"}}
    rises, falls = RISES.search(text) is not None, FALLS.search(text) is not None
    if wanted.negative:
        return signs != {True} and (True in signs or rises or not falls)
    if True in signs or not _CHANGE.search(asked):
        return True in signs
    # "What is the change?" "65 %": a rise, unless the question speaks of a fall.
    return falls or (rises and _DIRECTED.search(asked) is not None)


def may_be_directed(question: str) -> bool:
    """Tell whether a question asks for a change, a rise or a fall, where a figure may be said without its sign."""
    return _DIRECTED.search(question) is not None or _CHANGE.search(question) is not None


def _tell_stated(text: str, told: _Told, asked: str) -> Likeness | None:
    """Tell of which likeness the figure is that the answer comes to, of several that are firm."""
    likes = {like for _, like in told}
    if (
        "same" in likes
        and likes <= {"same", "open"}
        and all(figure.noun for figure, like in told if like == "same" and "open" in likes)
    ):
        return "same"
    if _is_result(text, told, asked):
        return "same"
    if "rounded" in likes and likes <= {"same", "rounded"}:
        return None if _EXACTLY.search(asked) else "rounded"
    return _tell_nearest(text, told, asked)


def _is_result(text: str, told: _Told, asked: str) -> bool:
    """Tell whether the figure is what the last computation comes to, and that is not said to be of something else than what is asked for."""
    last, like = told[-1]
    if like != "same" or not _EQUATION.search(_before(text, last)):
        return False
    begin = max((match.end() for match in _STEP.finditer(text, 0, last.start)), default=0)
    named = {word for word in _words(text[begin : last.start]) if word.isalpha() and not connects(word)}
    return not named or not named.isdisjoint(_words(asked))


def _tell_nearest(text: str, told: _Told, asked: str) -> Likeness | None:
    """Tell by the figure that stands in the clause with most words of the question, where one clause has the most by far."""
    words = _words(asked)
    ends = [match.end() for match in _CLAUSE.finditer(text)]
    # What stands in brackets belongs to the clause around them.
    ends = [0, *(end for end in ends if text.count("(", 0, end) <= text.count(")", 0, end)), len(text)]
    marked: list[tuple[int, set[_Each]]] = []
    for begin, end in pairwise(ends):
        inside: set[_Each] = {like for figure, like in told if begin <= figure.start < end}
        if inside:
            marked.append((len(words & _words(text[begin:end])), inside))
    marked.sort(key=lambda each: -each[0])
    if len(marked) < _TWO or marked[0][0] < marked[1][0] + _TWO:
        return None
    likes = marked[0][1]
    return "same" if likes == {"same"} else "other" if likes == {"other"} else None


def _may_hide(text: str, wanted: Figure, told: _Told) -> bool:
    """Tell whether the wanted value may stand there in another form, or as a sum or a product."""
    return (
        _HIDDEN.search(_drop_quotients(text, wanted)) is not None
        or has_unread(text)
        or may_come_of(wanted, [figure for figure, _ in told])
    )


def _drop_quotients(text: str, wanted: Figure) -> str:
    """Put blanks in the place of divisions of figures that do not come to the wanted one, and of the same in words beside them."""

    def drop(match: re.Match[str]) -> str:
        over, under = (read_digits(match[name].rstrip(",")) for name in ("over", "under"))
        if over is None or under is None or not under.value:
            return match[0]
        near = any(
            abs(over.value / under.value * factor - wanted.value) <= wanted.value * _NEAR
            for factor in (1, _HUNDRED, Fraction(1, _HUNDRED))
        )
        return match[0] if near else " "

    dropped = _QUOTIENT.sub(drop, text)
    return text if dropped == text else _DIVIDED.sub(" ", dropped)


def may_come_of(wanted: Figure, given: list[Figure]) -> bool:
    """Tell whether the wanted value is a sum, a difference or a product of some that are given, or one of them by another use of the point."""
    values = [figure.value for figure in given][:_MOST_PARTS]
    plain = [figure.value for figure in given if not figure.scaled and not wanted.scaled]
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
        or any(each in (wanted.value * _GROUP, wanted.value / _GROUP) for each in plain)
    )


def _before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _REACH) : figure.start]


def has_several(answer: str) -> bool:
    """Tell whether an answer that is not too long to be looked at has more figures than one."""
    return len(answer) <= _LONGEST and len(read_figures(fold(answer))) > 1


def lacks_figure(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives figures, and none that is the one that the reference is, or its rounding, in any form; dates are looked at elsewhere."""
    wanted = read_only_figure(reference) if any(map(str.isdigit, reference)) else None
    if wanted is None or len(answer) > _LONGEST or read_date(fold(reference)):
        return False
    text = fold(answer)
    told = _compare_all(wanted, read_figures(text)[:_MOST_FIGURES], fold(question[:_LONGEST]))
    return (
        bool(told) and {like for _, like in told} <= {"other", "near"} and not _may_hide(text, wanted, told)
    )


def has_other_sign(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives the one figure that a reference is as a rise for a fall, above zero for below it, or the other way."""
    wanted = read_only_figure(reference)
    if wanted is None or len(answer) > _LONGEST:
        return False
    text, asked = fold(answer), fold(question[:_LONGEST])
    told = _compare_all(wanted, read_figures(text)[:_MOST_FIGURES], asked)
    signs = {figure.negative for figure, like in told if like in {"same", "rounded"}}
    rises, falls = RISES.search(text) is not None, FALLS.search(text) is not None
    if wanted.negative:
        return signs == {False} and not falls
    if signs and _DEFICIT.search(text) and not _DEFICIT.search(f"{asked} {reference}"):
        return True
    neutral = _CHANGE.search(asked) is not None and _DIRECTED.search(asked) is None
    return neutral and bool(signs) and (signs == {True} or (falls and not rises))


def has_other_scale(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives the one figure that a reference is in thousands for millions, or the other way."""
    wanted, asked = read_only_figure(reference), fold(question[:_LONGEST])
    scale = _read_scale(asked)
    if wanted is None or len(answer) > _LONGEST or not wanted.value or not (wanted.scaled or scale != 1):
        return False
    value = wanted.value if wanted.scaled else wanted.value * scale
    given = [
        each for each in read_figures(fold(answer)) if each.scaled and _is_comparable(wanted, each, asked)
    ]
    return any(each.value / value in _OFF_SCALE for each in given) and not any(
        each.value == value for each in given
    )


def turns_round(reference: str, answer: str) -> bool:
    """Tell whether an answer goes from the figure to which the reference goes to the one from which it comes."""
    wanted = {(each["first"], each["last"]) for each in _FROM_TO.finditer(fold(reference[:_LONGEST]))}
    given = {(each["first"], each["last"]) for each in _FROM_TO.finditer(fold(answer[:_LONGEST]))}
    return any((last, first) in given for first, last in wanted if first != last) and wanted.isdisjoint(given)


def is_limit(text: str, figure: Figure) -> bool:
    """Tell whether a figure says how much something is at least or at most."""
    before = _before(text, figure)
    return _LIMIT.search(before) is not None or before.rstrip(" $€£")[-1:] in {"<", ">", "≤", "≥"}


def is_like(wanted: Figure, given: Figure, asked: str) -> bool:
    """Tell whether a figure may be the wanted one, as it is, rounded in any way, or cut off."""
    if not _is_comparable(wanted, given, asked):
        return False
    scale = _read_scale(asked)
    tabled = wanted.scaled and not (given.scaled or given.kind) and bool(given.value)
    if _compare(wanted, given, scale) != "other" or (tabled and wanted.value / given.value in _TABLED):
        return True
    for ours in _scales(wanted, given, scale):
        for theirs in _scales(given, wanted, scale):
            away, step, other = (
                abs(wanted.value * ours - given.value * theirs),
                wanted.step * ours,
                given.step * theirs,
            )
            if (other > step and 2 * away <= other) or (other < step and away < step):
                return True
    return False


def contradicts(reference: str, answer: str) -> bool:
    """Tell whether a figure of the reference is missing in an answer that has figures of its kind."""
    given = read_figures(fold(answer[:_LONGEST]))
    for wanted in read_figures(fold(reference[:_LONGEST])):
        alike = [figure for figure in given if figure.kind == wanted.kind]
        if alike and all(_compare(wanted, figure, 1) == "other" for figure in alike):
            return True
    return False
