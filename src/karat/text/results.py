"""The figures of an answer against the one figure that a reference is: what a computation comes to, what is rounded, what is another."""

import re
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from karat.text.echoes import FUNCTION_WORDS
from karat.text.figures import Figure, has_unread, read_figures, read_only_figure
from karat.text.fold import fold
from karat.text.hedges import find_doubt, is_passing
from karat.text.normalise import normalise
from karat.text.numbers import MAGNITUDES

_MOST_FIGURES, _MOST_PARTS = 60, 12
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
_CLAUSE = re.compile(
    r"[.;:!?](?=\s)|\n|,\s+(?:and|but|while|whereas|with|compared|versus|vs)\b|\s+(?:while|whereas|but|versus|vs)\b",
    re.IGNORECASE,
)
_TWO = 2
_REACH = 30
_HUNDRED = 100
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
    text, asked = fold(answer), fold(question)
    every = read_figures(text)
    if len(every) > _MOST_FIGURES:
        return None
    told = _compare_all(wanted, every, asked)
    if {like for _, like in told} <= {"other"}:
        differs = bool(told) or _is_of_another_kind(wanted, every)
        return "other" if differs and not _may_hide(text, wanted, told) else None
    return _tell_stated(text, told, asked) if _is_firm(text, told) else None


def _compare_all(wanted: Figure, every: list[Figure], asked: str) -> _Told:
    """Compare the figures that can be compared; those of the question are told only where they are like the wanted one."""
    named = _SCALE.search(asked)
    scale = MAGNITUDES[named[1].lower()] if named else 1
    known = {(figure.kind, figure.value) for figure in read_figures(asked)}
    told: _Told = [
        (figure, _compare(wanted, figure, scale)) for figure in every if _is_comparable(wanted, figure)
    ]
    return [
        (figure, like) for figure, like in told if like != "other" or (figure.kind, figure.value) not in known
    ]


def _tell_stated(text: str, told: _Told, asked: str) -> Likeness | None:
    """Tell of which likeness the figure is that the answer comes to, of several that are firm."""
    likes = {like for _, like in told}
    if likes == {"same"} or _is_result(text, told):
        return "same"
    return "rounded" if likes <= {"same", "rounded"} else _tell_nearest(text, told, asked)


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
        and not _LIMIT.search(_before(text, figure))
        for figure, like in told
        if like in {"same", "rounded"}
    )


def _may_hide(text: str, wanted: Figure, told: _Told) -> bool:
    """Tell whether the wanted value may stand there in another form, or as the parts of a sum."""
    values = [figure.value for figure, _ in told]
    plain = [figure.value for figure, _ in told if not figure.scaled and not wanted.scaled]
    return (
        _HIDDEN.search(text) is not None
        or has_unread(text)
        or any(one + other == wanted.value for one, other in combinations(values[:_MOST_PARTS], 2))
        # A point here is a comma there: 1.500 may be 1,500.
        or any(each in (wanted.value * _GROUP, wanted.value / _GROUP) for each in plain)
    )


def _is_result(text: str, told: _Told) -> bool:
    """Tell whether the figure is what a computation comes to, or alone set in bold."""
    last, like = told[-1]
    if like == "same" and _RESULT.search(_before(text, last)):
        return True
    bold = [like for figure, like in told if _BOLD.search(_before(text, figure))]
    return bool(bold) and all(like == "same" for like in bold)


def _before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _REACH) : figure.start]


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
