"""The figures that a reference states in a sentence, against those of an answer: another one in the place of one, or two that have changed places."""

import re
from fractions import Fraction
from itertools import combinations, pairwise

from msgspec import Struct

from karat.text.connectives import connects
from karat.text.directions import FALLS, RISES
from karat.text.echoes import FUNCTION_WORDS
from karat.text.figures import Figure, read_figures, read_only_figure
from karat.text.fold import fold
from karat.text.hidden import may_come_of
from karat.text.likened import is_like
from karat.text.limits import find_limit
from karat.text.normalise import normalise
from karat.text.numbers import NUMBER_WORDS
from karat.text.pairs import read_pair
from karat.text.stems import stem_of
from karat.text.vocabulary import list_words

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_EXAMPLE = re.compile(r"\b(?:e\.?g|for (?:example|instance)|such as)\b", re.IGNORECASE)
_WORDED = re.compile(
    rf"\b(?:hal[fv]\w*|doubl\w*|twice|tripl\w*|tenfold|thirds|quarters|fifths?|tenths?|(?:a|one|the) (?:third|quarter|tenth) of|dozen)\b|(?<!\d)(?<!\d\s)\b(?!zero\b)(?:{NUMBER_WORDS})[\s-](?!and\b|of\b)[a-z]",
    re.IGNORECASE,
)
"""Values in words."""
_RANGE = re.compile(
    r"(?<![\d.,])(?P<sign>[$€£]?)(?P<low>\d[\d,]{0,15}(?:\.\d{1,6})?)\s?-\s?(?P=sign)(?P<high>\d[\d,]{0,15}(?:\.\d{1,6})?)(?P<unit>\s?-?(?:(?:thousand|million|billion|trillion|mn|bn|[mbk])\b)?\s?(?:%|percent\b|x\b)?)",
    re.IGNORECASE,
)
_ASKS_FIGURE = re.compile(
    r"\bhow (?:many|much|long|far|old|tall|high|deep|fast|heavy|big|large|often|wide|hot|cold)\b|\bwhat (?:was |is |were |are )?(?:the )?(?:\w+ ){0,3}(?:percent\w*|share|proportion|fraction|portion|amount|number|rate|ratio|margin|price|cost|value|growth|temperature|distance|speed|height|length|weight|age|population|revenue|income|dose|turnover)\b|\bby what\b",
    re.IGNORECASE,
)
_ONE = re.compile(r"\bone\b", re.IGNORECASE)
_UNIT = re.compile(r"^\s*(?:[a-z/²³]+\s*){1,2}", re.IGNORECASE)
_HARMLESS = frozenset(
    map(
        stem_of,
        list_words("about approximately roughly around complete one total full whole its time year day"),
    )
)
"""Words that say nothing of a figure which the question does not say."""
_SENTENCE = re.compile(r"(?<=[^\s.])\.\s+(?=[A-Z])")
_DENIED = re.compile(r"\b(?:not|never|no|neither|nor|without)\b|n't\b", re.IGNORECASE)
_EDGE = re.compile(
    r"[.;:!?](?=\s)|\n|,(?=\s)|\s(?=(?:and|while|whereas|but|versus|vs|against|compared)\b)", re.IGNORECASE
)
_JOINING = frozenset(list_words("while whereas but versus vs against compared and with"))
_DATED = re.compile(r"(?:fy)?(?:19|20)\d\d|fy\d\d|q[1-4]")
_NAMED = re.compile(r"\W*(?:in \S+ )?(?:which|who|whom|whose|where)\b|.*\bwhich of\b", re.IGNORECASE)
_SPACED = re.compile(r"\d\s\d{3}\b")
"""A number that a blank divides."""
_LEAST_WORDS = 5
_LONGEST, _MOST_WORDS, _MOST_WANTED, _MOST_GIVEN = 4000, 60, 4, 60
_MOST_PARTS = 40


def gives_other_figure(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives a figure of the same kind in the place of one that the reference states; figures of the question, in brackets and in examples are not what it states, nor those of what a name is asked for."""
    if _NAMED.match(question) or max(len(reference), len(answer)) > _LONGEST:
        return False
    asked, text = _spell(question[:_LONGEST]), _spell(answer)
    known = _list_known(asked)
    wanted, given = _read_stated(reference, known), read_figures(text)
    if not _is_statement(reference) and (len(wanted) == 1 or read_pair(reference)):
        return False
    if len(wanted) > _MOST_WANTED or len(given) > _MOST_GIVEN or _WORDED.search(text) or _SPACED.search(text):
        return False
    missing = [figure for figure in wanted if not any(is_like(figure, each, asked) for each in given)]
    free = [
        each
        for each in given
        if each.key() not in known
        and not any(is_like(figure, each, asked) for figure in wanted)
        and find_limit(text, each) is None
    ]
    for figure in missing:
        rivals = [each for each in free if _is_of_one_kind(figure, each)]
        alike = [each for each in given if _is_of_one_kind(figure, each)]
        if rivals and not may_come_of(figure, alike):
            return True
    return False


def read_stated_figure(reference: str, question: str) -> Figure | None:
    """Return the one figure that a reference states to a question for one, in a sentence or before an explanation; None where it states several, or something of them in words."""
    if _NAMED.match(question) or not _ASKS_FIGURE.search(question) or len(reference) > _LONGEST:
        return None
    head, *rest = _SENTENCE.split(reference, maxsplit=1)
    alone = read_only_figure(head) if rest else None
    if alone is not None:
        return alone
    asked, text = _spell(question[:_LONGEST]), _spell(reference)
    stated = _read_stated(reference, _list_known(asked))
    plain = _is_statement(reference) and not (_WORDED.search(_ONE.sub(" ", text)) or _DENIED.search(text))
    if not plain or not len(stated) == len(read_figures(text)) == 1:
        return None
    figure = stated[0]
    beside = f"{text[: figure.start]} {_UNIT.sub(' ', text[figure.end :], count=1)}"
    told = {stem_of(form) for form in normalise(beside).split() if form not in FUNCTION_WORDS}
    known = _HARMLESS.union(map(stem_of, normalise(question).split()))
    return figure if told <= known and find_limit(text, figure) is None and not figure.negative else None


def gives_figures(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives all figures that a reference states, as they are or rounded, in their order."""
    if not _is_statement(reference) or len(answer) > _LONGEST:
        return False
    asked = _spell(question[:_LONGEST])
    wanted, given = (
        _read_stated(reference, _list_known(asked)),
        iter(read_figures(_spell(answer))[:_MOST_GIVEN]),
    )
    # Each is looked for behind the one before it.
    return bool(wanted) and all(any(is_like(figure, each, asked) for each in given) for figure in wanted)


def _is_statement(reference: str) -> bool:
    return len(reference) <= _LONGEST and _LEAST_WORDS <= len(reference.split()) <= _MOST_WORDS


def _list_known(asked: str) -> set[tuple[str, Fraction]]:
    return {figure.key() for figure in read_figures(asked)}


def _spell(text: str) -> str:
    """Return a text in plain letters, its ranges written out: "$2.9-3.1 billion" goes from $2.9 billion to $3.1 billion."""
    return _RANGE.sub(_spell_range, fold(text))


def _spell_range(match: re.Match[str]) -> str:
    sign, unit = match["sign"], match["unit"]
    if not sign and not unit.strip():
        return match[0]  # a score, a season, a number of a part
    return f"{sign}{match['low']}{unit} to {sign}{match['high']}{unit}"


def _read_stated(reference: str, known: set[tuple[str, Fraction]]) -> list[Figure]:
    """Return the figures that a reference states for themselves, and that are not known from the question."""
    text = _BRACKETS.sub(lambda match: " " * len(match[0]), _spell(reference))
    example = _EXAMPLE.search(text)
    return [
        each
        for each in read_figures(text)
        if (each.kind or each.noun or each.step < 1)
        and each.key() not in known
        and (example is None or each.start < example.start())
    ]


def _is_of_one_kind(one: Figure, other: Figure) -> bool:
    """Tell whether two figures are of one unit, or count the same."""
    if one.kind or other.kind:
        return one.kind == other.kind
    return stem_of(one.noun) == stem_of(other.noun)


def misplaces_figures(reference: str, answer: str) -> bool:
    """Tell whether figures of the reference stand in the answer with the words of each other, or as a rise for a fall: "7 % with the drug, 3 % with placebo"."""
    wanted, given = _read_parts(reference[:_LONGEST]), _read_parts(answer[:_LONGEST])
    return any(_swap(one, other, given) for one, other in combinations(wanted, 2)) or any(
        _turn(part, given) for part in wanted
    )


class _Part(Struct, frozen=True):
    """A figure, the telling words and other figures of the part of a sentence in which it stands, and whether they speak of a rise or a fall; of several figures they do not."""

    figure: tuple[str, Fraction]
    words: frozenset[str]
    rises: bool
    falls: bool


def _swap(one: _Part, other: _Part, given: list[_Part]) -> bool:
    """Tell whether each of two figures has the words of the other, and none of its own, wherever it stands."""
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


def _turn(wanted: _Part, given: list[_Part]) -> bool:
    """Tell whether a figure is a fall here and a rise there, wherever it stands."""
    same = [part for part in given if part.figure == wanted.figure]
    if not same or wanted.rises == wanted.falls:
        return False
    return all(part.rises is wanted.falls and part.falls is wanted.rises for part in same)


def _read_parts(text: str) -> list[_Part]:
    """Return the figures of a text with what is said of them; none of a table's worth."""
    text = _spell(text)
    figures = read_figures(text)
    if len(figures) > _MOST_PARTS:
        return []
    ends = [0, *(match.end() for match in _EDGE.finditer(text)), len(text)]
    found = list[_Part]()
    for begin, end in pairwise(ends):
        inside = [figure for figure in figures if begin <= figure.start < end]
        if inside:
            said, alone = text[begin:end], len(inside) == 1
            words = frozenset(map(stem_of, filter(_tells, normalise(said).split())))
            rises, falls = alone and RISES.search(said) is not None, alone and FALLS.search(said) is not None
            keys = [figure.key() for figure in inside]
            found += [
                _Part(
                    key,
                    words.union(f"{kind} {value}" for kind, value in keys if (kind, value) != key),
                    rises,
                    falls,
                )
                for key in keys
            ]
    return found


def _tells(word: str) -> bool:
    """Tell whether a word may say of what a figure is; a rise and a fall, and what joins two of them, do not."""
    if not word.isalpha():
        return _DATED.fullmatch(word) is not None
    joins = word in FUNCTION_WORDS or connects(word) or word in _JOINING
    return not joins and not RISES.fullmatch(word) and not FALLS.fullmatch(word)
