"""What an answer comes to, against the one figure that a reference is: the figure of its last computation, of its clause, rounded or another."""

import re
from itertools import pairwise
from typing import Literal, TypeAlias

from karat.text.connectives import connects
from karat.text.dates import read_date
from karat.text.directions import may_be_turned
from karat.text.figures import Figure, read_alternatives, read_figures, read_only_figure
from karat.text.fold import fold
from karat.text.hedges import find_doubt, is_passing
from karat.text.hidden import may_hide
from karat.text.likened import LONGEST, MOST_FIGURES, Each, Told, compare_all, list_telling
from karat.text.limits import allows, find_limit, is_close
from karat.text.normalise import normalise
from karat.text.statements import read_stated_figure

Likeness: TypeAlias = Literal["same", "rounded", "other"]
_EXACTLY = re.compile(r"\b(?:exact\w*|precise\w*|decimals?|digits?|significant)\b", re.IGNORECASE)
_FORM = re.compile(
    r"\bround(?:ed)?(?: (?:off|your answer|the answer|it|answer))* (?:off )?to (?:\w+ ){1,3}(?:decimals?|digits?|significant)\b(?: places?| figures?| digits?)?",
    re.IGNORECASE,
)
"""In what form an answer is wanted; one that is not rounded as far is the same."""
_CLAUSE = re.compile(
    r"[.;:!?](?=\s)|\n|,\s+(?:and|but|while|whereas|with|compared|versus|vs)\b|\s+(?:while|whereas|but|versus|vs)\b",
    re.IGNORECASE,
)
_EQUATION = re.compile(r"[\d)%]\s*(?:=|≈)[\s$€£*_]*$")
_JOINED = re.compile(r"[\s,(*]*(?:or|i\.e\.|that is|=|≈)[\s,:*$€£]*", re.IGNORECASE)
"""Between two ways to say one figure."""
_BESIDE = re.compile(r",?\s(?:while|whereas)\b", re.IGNORECASE)
_ALIKE = frozenset({"same", "rounded"})
_BRACKET, _WORD, _FEW = re.compile(r"\([^()]*\)"), re.compile(r"[^\W\d_]{2,}"), 3
_FACTOR = re.compile(r"\d\s?\(")
_HARMLESS = re.compile(
    r"\b(?:more or less|until(?=[^.;,]{0,60}\b(?:reach|read|register|hit)\w*\s))\b", re.IGNORECASE
)
"""Words that elsewhere leave a choice or deny."""
_STEP = re.compile(r"[.;!?](?=\s)|\n|,(?=\s)")
_REACH, _TWO, _BRIEF = 30, 2, 25


def tell_figure(reference: str, answer: str, question: str) -> Likeness | None:
    """Tell how the figures of an answer are like the one figure that a reference is; None where that is open, or nothing to tell."""
    likes = [tell_like(wanted, answer, question) for wanted in read_alternatives(reference)]
    if "same" in likes or "rounded" in likes:
        return "same" if "same" in likes else "rounded"
    return "other" if likes and None not in likes else None


def gives_stated(reference: str, answer: str, question: str) -> bool:
    """Tell whether a brief answer gives the one figure that a reference states in a sentence to a question for one."""
    wanted = read_stated_figure(reference, question) if len(answer.split()) <= _BRIEF else None
    return wanted is not None and tell_like(wanted, answer, question) in _ALIKE


def tell_like(wanted: Figure, answer: str, question: str) -> Likeness | None:
    """Tell the same of a figure that was read."""
    if len(answer) > LONGEST:
        return None
    text, asked = _HARMLESS.sub(_blank, fold(answer)), fold(question[:LONGEST])
    every = read_figures(text)
    if len(every) > MOST_FIGURES:
        return None
    told = _drop_working(text, _tell_all(wanted, text, every, asked))
    if {like for _, like in told} <= {"other"}:
        differs = bool(told) or _is_of_another_kind(wanted, every)
        return "other" if differs and not may_hide(text, wanted, told) else None
    if not _is_firm(text, told, wanted) or may_be_turned(wanted, text, told, asked):
        return None
    return _tell_stated(text, told, asked)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _drop_working(text: str, told: Told) -> Told:
    """Leave out what stands in brackets beside a figure that is like the wanted one: "59 % (1,412 of 2,397)", but not the factor of "8 (5 + 3)"."""
    if _FACTOR.search(text) or any(len(_WORD.findall(inside)) > _FEW for inside in _BRACKET.findall(text)):
        return told
    outside: Told = [
        (figure, like)
        for figure, like in told
        if text.count("(", 0, figure.start) <= text.count(")", 0, figure.start)
    ]
    return outside if any(like in _ALIKE for _, like in outside) else told


def _is_of_another_kind(wanted: Figure, every: list[Figure]) -> bool:
    """Tell whether an answer gives one figure, and says that it is of something else: dollars for a percentage."""
    return len(every) == 1 and all(figure.kind and not figure.noun for figure in (wanted, every[0]))


def _tell_all(wanted: Figure, text: str, every: list[Figure], asked: str) -> Told:
    """Compare the figures of an answer; a limit that comes near the wanted one is its rounding."""
    return [
        (figure, "rounded" if like == "near" and _is_near_limit(text, figure, wanted) else like)
        for figure, like in compare_all(wanted, every, asked)
    ]


def _is_near_limit(text: str, figure: Figure, wanted: Figure) -> bool:
    limit = find_limit(text, figure)
    return limit is not None and is_close(limit, figure, wanted)


def _is_firm(text: str, told: Told, wanted: Figure) -> bool:
    """Tell whether the figures that are like the wanted one are asserted, and limits only where they round it."""
    alone = len(told) > 1 and {like for _, like in told} <= _ALIKE
    joined = {
        figure
        for (one, first), (other, last) in pairwise(told)
        for figure in (one, other)
        if {first, last} <= _ALIKE and _JOINED.fullmatch(text, one.end, other.start)
    }
    return all(
        _is_asserted(text, figure, wanted, alone=alone or figure in joined)
        for figure, like in told
        if like in _ALIKE
    )


def _is_asserted(text: str, figure: Figure, wanted: Figure, *, alone: bool) -> bool:
    """Tell whether a figure is asserted; where no other is given, an "or" says the same in another unit."""
    limit, beside = find_limit(text, figure), _BESIDE.search(text, figure.end)
    start = figure.start if limit is None else limit.start
    said = text[: beside.start()] if beside else text
    doubt = find_doubt(text, start, figure.end)
    return (
        (limit is None or allows(limit, figure, wanted))
        and (doubt is None or (alone and doubt == "one of several"))
        and not is_passing(said, start, figure.end)
    )


def _tell_stated(text: str, told: Told, asked: str) -> Likeness | None:
    """Tell of which likeness the figure is that the answer comes to, of several that are firm."""
    likes = {like for _, like in told}
    if (
        "same" in likes
        and likes <= {"same", "open"}
        and all(figure.noun for figure, like in told if like == "same" and "open" in likes)
    ):
        return "same"
    if _is_result(text, told, asked):
        likes = {told[-1][1]}
    if likes == {"same"}:
        return "same"
    if "rounded" in likes and likes <= {"same", "rounded"}:
        return None if _EXACTLY.search(_FORM.sub(" ", asked)) else "rounded"
    return _tell_nearest(text, told, asked)


def _is_result(text: str, told: Told, asked: str) -> bool:
    """Tell whether the figure is what the last computation comes to, and that is not said to be of something else than what is asked for."""
    last, like = told[-1]
    if len(told) > 1 and told[-2][1] in _ALIKE and _JOINED.fullmatch(text, told[-2][0].end, last.start):
        last = told[-2][0]
    if like not in _ALIKE or not _EQUATION.search(_before(text, last)):
        return False
    begin = max((match.end() for match in _STEP.finditer(text, 0, last.start)), default=0)
    named = {word for word in list_telling(text[begin : last.start]) if word.isalpha() and not connects(word)}
    initials = "".join(word[0] for word in normalise(asked).split())
    return (
        not named
        or not named.isdisjoint(list_telling(asked))
        or any(len(word) >= _TWO and word in initials for word in named)
    )


def _tell_nearest(text: str, told: Told, asked: str) -> Likeness | None:
    """Tell by the figure that stands in the clause with most words of the question, where one clause has the most by far."""
    words = list_telling(asked)
    ends = [match.end() for match in _CLAUSE.finditer(text)]
    # What stands in brackets belongs to the clause around them.
    ends = [0, *(end for end in ends if text.count("(", 0, end) <= text.count(")", 0, end)), len(text)]
    marked: list[tuple[set[str], set[Each]]] = []
    for begin, end in pairwise(ends):
        inside: set[Each] = {like for figure, like in told if begin <= figure.start < end}
        if inside:
            marked.append((words & list_telling(text[begin:end]), inside))
    marked.sort(key=lambda each: -len(each[0]))
    if len(marked) < _TWO or len(marked[0][0]) < len(marked[1][0]) + _TWO:
        return None
    if marked[0][1] == {"same"}:
        return "same"
    # It is of something else where nothing but a year is said of it that the question says.
    apart = not any(any(map(str.isalpha, said)) for said, inside in marked if not inside.isdisjoint(_ALIKE))
    return "other" if marked[0][1] == {"other"} and apart else None


def _before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _REACH) : figure.start]


def has_several(answer: str) -> bool:
    """Tell whether an answer that is not too long to be looked at has more figures than one."""
    return len(answer) <= LONGEST and len(read_figures(fold(answer))) > 1


def lacks_figure(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives figures, and none that is the one that the reference is, or its rounding, in any form; dates are looked at elsewhere."""
    wanted = read_only_figure(reference) if any(map(str.isdigit, reference)) else None
    if wanted is None or len(answer) > LONGEST or read_date(fold(reference)):
        return False
    text = fold(answer)
    told = _tell_all(wanted, text, read_figures(text)[:MOST_FIGURES], fold(question[:LONGEST]))
    return bool(told) and {like for _, like in told} <= {"other", "near"} and not may_hide(text, wanted, told)
