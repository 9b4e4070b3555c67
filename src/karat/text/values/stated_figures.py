"""Classify the figure that an answer concludes with, and compare the figures of whole sentences."""

import re
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.hedges import find_doubt, is_in_passing
from karat.text.lexicon import COMPARING, FALL, FUNCTION_WORDS, RISE, any_case, any_of, is_connecting
from karat.text.normal import CLAUSE_END, LONGEST_TEXT, SENTENCE_END, fold, normalise, stem_of
from karat.text.values.compare_figures import (
    ALIKE,
    MOST_FIGURES,
    FigureMatch,
    FigureMatches,
    compare_figures,
    find_limit,
    is_like_figure,
    is_near_limit,
    is_within_limit,
    list_content_stems,
    may_be_computed,
    may_be_hidden,
    may_have_other_sign,
    read_pair,
)
from karat.text.values.figures import Figure, read_figure_alternatives, read_figures
from karat.text.values.numbers import NUMBER_WORDS

FigureClass: TypeAlias = Literal["same", "rounded", "other"]
_EXACTLY = any_case(r"\b(?:exact\w*|precise\w*|decimals?|digits?|significant)\b")
_ROUNDING_FORM = any_case(
    r"\bround(?:ed)?(?: (?:off|your answer|the answer|it|answer))* (?:off )?to (?:\w+ ){1,3}(?:decimals?|digits?|significant)\b(?: places?| figures?| digits?)?"
)
"""Requests to round, which an answer that is rounded less still fulfils."""
_CONTRASTED = any_of(COMPARING)
_CLAUSE = any_case(rf"{SENTENCE_END.pattern}|:(?=\s)|,\s+(?:and|with|{_CONTRASTED})\b|\s+(?:{_CONTRASTED})\b")
_EQUATION = re.compile(r"[\d)%]\s*(?:=|≈)[\s$€£*_]*$")
_RESTATED = any_case(r"[\s,(*]*(?:or|i\.e\.|that is|=|≈)[\s,:*$€£]*")
"""Connects two ways to write one figure."""
_CONTRAST = any_case(r",?\s(?:while|whereas)\b")
_BRACKET, _WORD, _FEW = re.compile(r"\([^()]*\)"), re.compile(r"[^\W\d_]{2,}"), 3
_FACTOR = re.compile(r"\d\s?\(")
_HARMLESS_PHRASE = any_case(r"\b(?:more or less|until(?=[^.;,]{0,60}\b(?:reach|read|register|hit)\w*\s))\b")
"""Phrases with words that elsewhere express doubt or denial."""
_REACH, _TWO = 30, 2


def classify_figure(reference: str, answer: str, question: str) -> FigureClass | None:
    """Return how the figure of an answer compares with the figure of a reference. Return None if that is open, or the reference is no figure."""
    likes = [classify_read_figure(wanted, answer, question) for wanted in read_figure_alternatives(reference)]
    if "same" in likes or "rounded" in likes:
        return "same" if "same" in likes else "rounded"
    return "other" if likes and None not in likes else None


def classify_read_figure(wanted: Figure, answer: str, question: str) -> FigureClass | None:
    """Return how the figure of an answer compares with a wanted figure, or None if that is open."""
    if len(answer) > LONGEST_TEXT:
        return None
    text = _HARMLESS_PHRASE.sub(lambda phrase: " " * len(phrase[0]), fold(answer))
    asked = fold(question[:LONGEST_TEXT])
    every = read_figures(text)
    if len(every) > MOST_FIGURES:
        return None
    told = _drop_working(text, _compare_with_limits(wanted, text, every, asked))
    if {like for _, like in told} <= {"other"}:
        # The only figure is of another kind: dollars for a percentage.
        differs = bool(told) or (
            len(every) == 1 and all(each.kind and not each.noun for each in (wanted, every[0]))
        )
        return "other" if differs and not may_be_hidden(text, wanted, told) else None
    if not _are_asserted(text, told, wanted) or may_have_other_sign(wanted, text, told, asked):
        return None
    return _classify_stated(text, told, asked)


def _drop_working(text: str, told: FigureMatches) -> FigureMatches:
    """Leave out figures in brackets after a matching figure: "59 % (1,412 of 2,397)". The brackets of "8 (5 + 3)" are a factor and stay."""
    if _FACTOR.search(text) or any(len(_WORD.findall(inside)) > _FEW for inside in _BRACKET.findall(text)):
        return told
    outside: FigureMatches = [
        (figure, like)
        for figure, like in told
        if text.count("(", 0, figure.start) <= text.count(")", 0, figure.start)
    ]
    return outside if any(like in ALIKE for _, like in outside) else told


def _compare_with_limits(wanted: Figure, text: str, every: list[Figure], asked: str) -> FigureMatches:
    """Compare the figures of an answer. A limit near the wanted figure counts as rounded."""
    told: FigureMatches = []
    for figure, like in compare_figures(wanted, every, asked):
        limit = find_limit(text, figure) if like == "near" else None
        told.append((figure, "rounded" if limit and is_near_limit(limit, figure, wanted) else like))
    return told


def _are_asserted(text: str, told: FigureMatches, wanted: Figure) -> bool:
    """Return whether all matching figures are asserted, and limits only if they round the wanted figure."""
    alone = len(told) > 1 and {like for _, like in told} <= ALIKE
    joined = {
        figure
        for (one, first), (other, last) in pairwise(told)
        for figure in (one, other)
        if {first, last} <= ALIKE and _RESTATED.fullmatch(text, one.end, other.start)
    }
    return all(
        _is_asserted(text, figure, wanted, alone=alone or figure in joined)
        for figure, like in told
        if like in ALIKE
    )


def _is_asserted(text: str, figure: Figure, wanted: Figure, *, alone: bool) -> bool:
    """Return whether a figure is asserted. If `alone`, an "or" only repeats it in another unit."""
    limit, beside = find_limit(text, figure), _CONTRAST.search(text, figure.end)
    start = figure.start if limit is None else limit.start
    said = text[: beside.start()] if beside else text
    doubt = find_doubt(text, start, figure.end)
    return (
        (limit is None or is_within_limit(limit, figure, wanted))
        and (doubt is None or (alone and doubt == "one of several"))
        and not is_in_passing(said, start, figure.end)
    )


def _classify_stated(text: str, told: FigureMatches, asked: str) -> FigureClass | None:
    """Return how the figure compares that the answer concludes with, if it asserts several."""
    likes = {like for _, like in told}
    if (
        "same" in likes
        and likes <= {"same", "open"}
        and all(figure.noun for figure, like in told if like == "same" and "open" in likes)
    ):
        return "same"
    if _ends_in_result(text, told, asked):
        likes = {told[-1][1]}
    if likes == {"same"}:
        return "same"
    if "rounded" in likes and likes <= {"same", "rounded"}:
        return None if _EXACTLY.search(_ROUNDING_FORM.sub(" ", asked)) else "rounded"
    return _classify_by_clause(text, told, asked)


def _ends_in_result(text: str, told: FigureMatches, asked: str) -> bool:
    """Return whether the last figure matches and is the result of a computation of what the question asks for."""
    last, like = told[-1]
    if len(told) > 1 and told[-2][1] in ALIKE and _RESTATED.fullmatch(text, told[-2][0].end, last.start):
        last = told[-2][0]
    if like not in ALIKE or not _EQUATION.search(text[max(0, last.start - _REACH) : last.start]):
        return False
    begin = max((match.end() for match in CLAUSE_END.finditer(text, 0, last.start)), default=0)
    named = {
        word
        for word in list_content_stems(text[begin : last.start])
        if word.isalpha() and not is_connecting(word)
    }
    initials = "".join(word[0] for word in normalise(asked).split())
    return (
        not named
        or not named.isdisjoint(list_content_stems(asked))
        or any(len(word) >= _TWO and word in initials for word in named)
    )


def _classify_by_clause(text: str, told: FigureMatches, asked: str) -> FigureClass | None:
    """Decide by the figure in the clause that shares most words with the question, if one clause shares by far the most."""
    words = list_content_stems(asked)
    ends = [match.end() for match in _CLAUSE.finditer(text)]
    # Brackets belong to the clause around them.
    ends = [0, *(end for end in ends if text.count("(", 0, end) <= text.count(")", 0, end)), len(text)]
    marked: list[tuple[set[str], set[FigureMatch]]] = []
    for begin, end in pairwise(ends):
        inside: set[FigureMatch] = {like for figure, like in told if begin <= figure.start < end}
        if inside:
            marked.append((words & list_content_stems(text[begin:end]), inside))
    marked.sort(key=lambda each: -len(each[0]))
    if len(marked) < _TWO or len(marked[0][0]) < len(marked[1][0]) + _TWO:
        return None
    if marked[0][1] == {"same"}:
        return "same"
    # A matching figure is about something else if its clause shares only years with the question.
    apart = not any(any(map(str.isalpha, said)) for said, inside in marked if not inside.isdisjoint(ALIKE))
    return "other" if marked[0][1] == {"other"} and apart else None


def has_several_figures(answer: str) -> bool:
    """Return whether an answer has more than one figure. Long answers are not read."""
    return len(answer) <= LONGEST_TEXT and len(read_figures(fold(answer))) > 1


# Figures inside sentences: one is replaced by another, or two are swapped.

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_EXAMPLE = any_case(r"\b(?:e\.?g|for (?:example|instance)|such as)\b")
_WORDED = any_case(
    rf"\b(?:hal[fv]\w*|doubl\w*|twice|tripl\w*|tenfold|thirds|quarters|fifths?|tenths?|(?:a|one|the) (?:third|quarter|tenth) of|dozen)\b|(?<!\d)(?<!\d\s)\b(?!zero\b)(?:{NUMBER_WORDS})[\s-](?!and\b|of\b)[a-z]"
)
"""Numbers and fractions in words."""
_RANGE = any_case(
    r"(?<![\d.,])(?P<sign>[$€£]?)(?P<low>\d[\d,]{0,15}(?:\.\d{1,6})?)\s?-\s?(?P=sign)(?P<high>\d[\d,]{0,15}(?:\.\d{1,6})?)(?P<unit>\s?-?(?:(?:thousand|million|billion|trillion|mn|bn|[mbk])\b)?\s?(?:%|percent\b|x\b)?)"
)
_PART_EDGE = any_case(rf"{CLAUSE_END.pattern}|\s(?=(?:and|{_CONTRASTED})\b)")
_DATED = re.compile(r"(?:fy)?(?:19|20)\d\d|fy\d\d|q[1-4]")
_ASKS_NAME = any_case(r"\W*(?:in \S+ )?(?:which|who|whom|whose|where)\b|.*\bwhich of\b")
_SPACED = re.compile(r"\d\s\d{3}\b")
"""A number with a blank as thousands separator."""
_LEAST_WORDS = 5
_MOST_WORDS, _MOST_WANTED, _MOST_GIVEN = 60, 4, 60
_MOST_PARTS = 40


def gives_other_figure(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer replaces a figure that the reference states by another figure of the same kind.

    Figures of the question, in brackets and in examples do not count, and questions that ask for a name are left out.
    """
    if _ASKS_NAME.match(question) or max(len(reference), len(answer)) > LONGEST_TEXT:
        return False
    asked, text = _spell_ranges(question[:LONGEST_TEXT]), _spell_ranges(answer)
    known = _list_question_figures(asked)
    wanted, given = _read_stated(reference, known), read_figures(text)
    if not _is_statement(reference) and (len(wanted) == 1 or read_pair(reference)):
        return False
    if len(wanted) > _MOST_WANTED or len(given) > _MOST_GIVEN or _WORDED.search(text) or _SPACED.search(text):
        return False
    missing = [figure for figure in wanted if not any(is_like_figure(figure, each, asked) for each in given)]
    free = [
        each
        for each in given
        if each.key() not in known
        and not any(is_like_figure(figure, each, asked) for figure in wanted)
        and find_limit(text, each) is None
    ]
    return any(
        any(_is_of_one_kind(figure, each) for each in free)
        and not may_be_computed(figure, [each for each in given if _is_of_one_kind(figure, each)])
        for figure in missing
    )


def gives_figures(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer gives all figures that a reference states, exact or rounded, in the same order."""
    if not _is_statement(reference) or len(answer) > LONGEST_TEXT:
        return False
    asked = _spell_ranges(question[:LONGEST_TEXT])
    wanted = _read_stated(reference, _list_question_figures(asked))
    given = iter(read_figures(_spell_ranges(answer))[:_MOST_GIVEN])
    # The iterator goes on after each match, so that the order counts.
    return bool(wanted) and all(
        any(is_like_figure(figure, each, asked) for each in given) for figure in wanted
    )


def _is_statement(reference: str) -> bool:
    return len(reference) <= LONGEST_TEXT and _LEAST_WORDS <= len(reference.split()) <= _MOST_WORDS


def _list_question_figures(asked: str) -> set[tuple[str, Fraction]]:
    return {figure.key() for figure in read_figures(asked)}


def _spell_ranges(text: str) -> str:
    """Fold a text, and write out its ranges: "$2.9-3.1 billion" becomes "$2.9 billion to $3.1 billion"."""
    return _RANGE.sub(_spell_range, fold(text))


def _spell_range(match: re.Match[str]) -> str:
    sign, unit = match["sign"], match["unit"]
    if not sign and not unit.strip():
        return match[0]  # a score, a season or a part number
    return f"{sign}{match['low']}{unit} to {sign}{match['high']}{unit}"


def _read_stated(reference: str, known: set[tuple[str, Fraction]]) -> list[Figure]:
    """Return the figures that a reference adds to the question, outside brackets and examples."""
    text = _BRACKETS.sub(lambda match: " " * len(match[0]), _spell_ranges(reference))
    example = _EXAMPLE.search(text)
    return [
        each
        for each in read_figures(text)
        if (each.kind or each.noun or each.step < 1)
        and each.key() not in known
        and (example is None or each.start < example.start())
    ]


def _is_of_one_kind(one: Figure, other: Figure) -> bool:
    """Return whether two figures have one kind, or count the same thing."""
    if one.kind or other.kind:
        return one.kind == other.kind
    return stem_of(one.noun) == stem_of(other.noun)


def misplaces_figures(reference: str, answer: str) -> bool:
    """Return whether an answer swaps two figures of the reference, or turns a rise into a fall: "7 % with the drug, 3 % with placebo"."""
    wanted, given = _read_parts(reference[:LONGEST_TEXT]), _read_parts(answer[:LONGEST_TEXT])
    return any(_are_swapped(one, other, given) for one, other in combinations(wanted, 2)) or any(
        _is_reversed(part, given) for part in wanted
    )


class _FigureContext(Struct, frozen=True):
    """A figure, the content words and other figures of its clause, and whether the clause states a rise or a fall of this figure alone."""

    figure: tuple[str, Fraction]
    words: frozenset[str]
    rises: bool
    falls: bool


def _are_swapped(one: _FigureContext, other: _FigureContext, given: list[_FigureContext]) -> bool:
    """Return whether each of two figures is everywhere used with words of the other, and never with its own."""
    if one.figure == other.figure or one.figure[0] != other.figure[0]:
        return False
    ours, theirs = one.words - other.words, other.words - one.words
    first = [part.words for part in given if part.figure == one.figure]
    second = [part.words for part in given if part.figure == other.figure]
    return (
        bool(ours and theirs and first and second)
        and all(words & theirs and not words & ours for words in first)
        and all(words & ours and not words & theirs for words in second)
    )


def _is_reversed(wanted: _FigureContext, given: list[_FigureContext]) -> bool:
    """Return whether a fall of the reference is everywhere a rise in the answer, or the reverse."""
    same = [part for part in given if part.figure == wanted.figure]
    if not same or wanted.rises == wanted.falls:
        return False
    return all(part.rises is wanted.falls and part.falls is wanted.rises for part in same)


def _read_parts(text: str) -> list[_FigureContext]:
    """Return the figures of a text with their contexts, or nothing if there are as many as in a table."""
    text = _spell_ranges(text)
    figures = read_figures(text)
    if len(figures) > _MOST_PARTS:
        return []
    ends = [0, *(match.end() for match in _PART_EDGE.finditer(text)), len(text)]
    found = list[_FigureContext]()
    for begin, end in pairwise(ends):
        inside = [figure for figure in figures if begin <= figure.start < end]
        if inside:
            said, alone = text[begin:end], len(inside) == 1
            words = frozenset(map(stem_of, filter(_is_content_word, normalise(said).split())))
            rises, falls = alone and RISE.search(said) is not None, alone and FALL.search(said) is not None
            keys = [figure.key() for figure in inside]
            for key in keys:
                others = {f"{kind} {value}" for kind, value in keys if (kind, value) != key}
                found.append(_FigureContext(key, words | others, rises, falls))
    return found


def _is_content_word(word: str) -> bool:
    """Return whether a word may tell what a figure is about. Connecting words and words for a rise or a fall do not."""
    if not word.isalpha():
        return _DATED.fullmatch(word) is not None
    joins = word in FUNCTION_WORDS or is_connecting(word) or word in COMPARING
    return not joins and not RISE.fullmatch(word) and not FALL.fullmatch(word)
