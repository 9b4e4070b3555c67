"""Find other answers beside the mention of a reference: choices, guesses, lists, a second sentence of the same form."""

import re
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.lexicon import (
    ABBREVIATIONS,
    AUXILIARIES,
    MONTHS,
    SMALL_NUMBERS,
    any_case,
    any_of,
    is_concession,
    is_connecting,
    word_set,
)
from karat.text.normal import Connective, Words, classify_connective, find_mentions, normalise, read_words
from karat.text.values.reference import Reference, list_mentioned

PieceKind: TypeAlias = Literal["reference", "rival", "other"]

_PREPOSITIONS = word_set(
    "in of by from at on with for during near to as about after before since until under over within through into via per around along inside outside above below "
    "among because when where while who whom whose which that than using including based located known called formerly originally named born"
)
_NUMBERS = re.compile(rf"\d|\b(?:{any_of(SMALL_NUMBERS)}|hundred|thousand|million|billion)\b")
_PIECE_BREAK = re.compile(r"[,;:/|\n()\[\]?!•–—=*\"“”]|\s-\s?|\.(?=\s|$)")
_ARTICLE = any_case(r",?\s+(?:an?|the)\s+")
_SLASH = re.compile(r"[/|]")
_COUNTED = re.compile(r"\.?\s?\d")
_PHRASE_BREAK = any_case(r",(?!\d)|\band\b")
_AND = any_case(r"\band\b")
_LINE_BREAK = re.compile(r"[;|\n•]|\s[-+&]\s")
_LIST = re.compile(r"\s*[\[{].*[\]}]\s*|.*,\s*(?:etc|and so on)\W*", re.DOTALL | re.IGNORECASE)
_JOINING = word_set("of to in on for at by with from")
OFFERS_CHOICE, LISTS_SEVERAL = "it offers a choice", "it lists several answers"
_MOST_TOKENS, _LONGEST_RIVAL, _LEAST_GUESSES, _STEM = 60, 6, 2, 5


class _Piece(Struct, frozen=True):
    """A run of words, and whether it is a reference, a rival that could be another answer, or neither."""

    kind: PieceKind
    start: int
    end: int


def find_rivals(references: list[Reference], answer: Words, asked: frozenset[str]) -> str | None:
    """Return how an answer gives rivals beside the references (a choice, a turn, a list), or None."""
    if not 1 < len(answer.tokens) <= _MOST_TOKENS:
        return None
    pieces = _Cutter(references, answer, asked).cut()
    own = [piece for piece in pieces if piece.kind == "reference"]
    rivals = [piece for piece in pieces if piece.kind == "rival"]
    if not own or not rivals:
        return None
    if len(own) + len(rivals) < len(pieces):
        return OFFERS_CHOICE if _offers_either(pieces, answer) else None
    sorts: list[Connective] = [classify_connective(answer, place) for place in range(len(answer.forms))]
    return _classify_bare_rivals(own, rivals, sorts, answer)


def _classify_bare_rivals(
    own: list[_Piece], rivals: list[_Piece], sorts: list[Connective], answer: Words
) -> str | None:
    """Return how an answer that holds only mentions, rivals and connecting words relates them, or None."""
    if own[0].start < rivals[0].start and is_concession(answer.forms[own[0].end :]):
        return None
    if "choice" in sorts or "between" in answer.forms or ("one", "of") in pairwise(answer.forms):
        return OFFERS_CHOICE
    if _SLASH.search(answer.text):
        return OFFERS_CHOICE
    last, first = own[-1], rivals[-1]
    if last.start < first.start and "turn" in sorts[last.end : first.start]:
        return "it goes on to give another answer"
    begin = min(own[0].start, rivals[0].start)
    distinct = {answer.forms[piece.start : piece.end] for piece in own}
    several = (
        len(rivals) >= _LEAST_GUESSES and len(distinct) == 1 and AUXILIARIES.isdisjoint(answer.forms[begin:])
    )
    return LISTS_SEVERAL if several else None


def _offers_either(pieces: list[_Piece], answer: Words) -> bool:
    """Return whether a longer sentence has "either X or Y" with the reference as one of them."""
    return "either" in answer.forms and any(
        {left.kind, right.kind} == {"reference", "rival"} and "or" in answer.forms[left.end : right.start]
        for left, right in pairwise(pieces)
    )


def is_one_of_several_lines(references: list[Reference], answer: str, asked: str) -> bool:
    """Return whether one line, or part between semicolons or bars, is a reference and two others are not."""
    return _holds_guesses(_split_forms(_LINE_BREAK, answer), references, asked)


def is_one_of_several_phrases(references: list[Reference], answer: str, asked: str) -> bool:
    """Return the same for phrases between commas or "and"; behind a reference that comes first they may describe it."""
    if len(_PHRASE_BREAK.findall(answer)) < _LEAST_GUESSES:
        return False
    telling = AUXILIARIES.union(word for word in asked.split() if not is_connecting(word))
    spoken = telling.intersection(read_words(answer).known)
    if not spoken.issubset(word for reference in references for word in reference.words):
        return False
    parts = _split_forms(_PHRASE_BREAK, answer)
    known = {reference.form for reference in references}
    words = {word for part in parts if part not in known for word in part.split()}
    if not words.isdisjoint(telling):
        return False
    chained = len(_AND.findall(answer)) >= _LEAST_GUESSES or _LIST.fullmatch(answer) is not None
    return (chained or parts[:1] != [*known.intersection(parts[:1])]) and _holds_guesses(
        parts, references, asked
    )


def _split_forms(edge: re.Pattern[str], answer: str) -> list[str]:
    return [part for part in map(normalise, edge.split(answer)) if part]


def _holds_guesses(parts: list[str], references: list[Reference], asked: str) -> bool:
    if len(parts) <= _LEAST_GUESSES or any(len(part.split()) > _LONGEST_RIVAL for part in parts):
        return False
    known = {reference.form for reference in references}
    hits = known.intersection(parts)
    others = [part for part in parts if part not in known and f" {part} " not in f" {asked} "]
    return len(hits) == 1 and len(others) >= _LEAST_GUESSES


class _Cutter:
    """Cuts an answer into pieces at its connecting words and signs."""

    def __init__(self, references: list[Reference], answer: Words, asked: frozenset[str]) -> None:
        self._answer = answer
        self._asked = asked
        self._shapes = {reference.shape for reference in references}
        self._names = [frozenset(reference.words) for reference in references]
        self._known = _mark_mentions(references, answer)
        self._own = {form for form, mark in zip(answer.forms, self._known, strict=True) if mark is not None}

    def cut(self) -> list[_Piece]:
        forms, pieces, begin = self._answer.forms, list[_Piece](), 0
        while begin < len(forms):
            if self._known[begin] is None and self._connects(begin):
                begin += 1
                continue
            end = begin + 1
            while end < len(forms) and not self._is_cut(end):
                end += 1
            pieces.append(_Piece(self._name(begin, end), begin, end))
            begin = end
        return pieces

    def _is_cut(self, place: int) -> bool:
        """Return whether a new piece begins at a word: behind a sign, at a connecting word, at the edges of a mention."""
        if self._known[place] != self._known[place - 1]:
            return True
        if self._known[place] is not None:
            return False
        return self._is_apart(place) or (self._connects(place) and not self._joins(place))

    def _connects(self, place: int) -> bool:
        """Return whether a word only connects; "No. 9" is part of a name, and a number word may be an answer where a reference is a value."""
        form, after = self._answer.forms[place], self._answer.tokens[place].end
        if form == "no" and _COUNTED.match(self._answer.text, after):
            return False
        if form == "may" and self._answer.text[self._answer.tokens[place].start] == "M":
            return False
        return is_connecting(form) and not ("value" in self._shapes and _NUMBERS.fullmatch(form))

    def _is_apart(self, place: int) -> bool:
        """Return whether a sign stands between a word and the one before it."""
        gap = self._gap(place)
        shortened = gap.startswith(".") and self._answer.forms[place - 1] in ABBREVIATIONS
        return _PIECE_BREAK.search(gap) is not None and not shortened

    def _gap(self, place: int) -> str:
        tokens = self._answer.tokens
        return self._answer.text[tokens[place - 1].end : tokens[place].start]

    def _joins(self, place: int) -> bool:
        """Return whether a small word joins two words with capitals: "Bank of England"."""
        if self._answer.forms[place] not in _JOINING or place + 1 >= len(self._answer.tokens):
            return False
        before, after = self._answer.tokens[place - 1], self._answer.tokens[place + 1]
        return self._answer.text[before.start].isupper() and self._answer.text[after.start].isupper()

    def _name(self, begin: int, end: int) -> PieceKind:
        forms = self._answer.forms[begin:end]
        if self._known[begin] is not None:
            return "reference"
        if len(forms) > _LONGEST_RIVAL or self._is_attached(begin, end):
            return "other"
        if forms[0] in self._asked or all(form in self._asked or is_connecting(form) for form in forms):
            return "other"
        if self._is_akin(forms):
            return "reference"
        if any(words.issuperset(forms) for words in self._names):
            return "other"
        return "rival" if self._has_shape(begin, end) else "other"

    def _is_attached(self, begin: int, end: int) -> bool:
        """Return whether a piece describes a mention beside it ("Twain, an American humorist"), or depends on a preposition."""
        known, forms = self._known, self._answer.forms
        described = begin and known[begin - 1] is not None
        if described and (not self._is_apart(begin) or _ARTICLE.fullmatch(self._gap(begin))):
            return True
        if end < len(known) and known[end] is not None and not self._is_apart(end):
            return True
        if forms[begin] in _PREPOSITIONS:
            return True
        if begin < 2 or forms[begin - 1] not in _PREPOSITIONS:  # noqa: PLR2004 - the preposition and what it follows
            return False
        return known[begin - 2] is not None or not is_connecting(forms[begin - 2])

    def _is_akin(self, forms: tuple[str, ...]) -> bool:
        """Return whether a phrase may be another name of the reference: a longer word of one stands in the other."""
        return any(
            form in own or own in form
            for form in forms
            for own in self._own
            if min(len(form), len(own)) >= _STEM and not (form in self._asked and own in self._asked)
        )

    def _has_shape(self, begin: int, end: int) -> bool:
        """Return whether a phrase has the shape of a reference: a value, a name, or any phrase where it is neither."""
        text = self._answer.text[self._answer.tokens[begin].start : self._answer.tokens[end - 1].end]
        if "phrase" in self._shapes or ("name" in self._shapes and self._answer.text.islower()):
            return True
        if "name" in self._shapes and text[:1].isupper():
            return True
        return "value" in self._shapes and _NUMBERS.search(text.lower()) is not None


def _mark_mentions(references: list[Reference], answer: Words) -> list[int | None]:
    """Return for each word of an answer where the mention of a reference that it belongs to begins, or None; longer mentions go first."""
    known: list[int | None] = [None] * len(answer.forms)
    held = [reference.words for reference in list_mentioned(references, answer)]
    for words in sorted(held, key=lambda each: (-len(each), each)):
        for start in find_mentions(words, answer):
            if not any(place is not None for place in known[start : start + len(words)]):
                known[start : start + len(words)] = [start] * len(words)
    return known


# A second sentence of the same form, or another name in a brief answer. The features read this part.

_SENTENCE_END = re.compile(r"[.!?;\n]+(?=\s|$)")
_WORD = re.compile(r"[\w']+")
_HAS_VERB = any_case(r"\b(?:is|was|are|were|be|has|had|have|did|does)\b|:(?=\s)|\w\w(?:ed|es)\b")
_ASSERTS = any_case(
    r"\W*(?:it|that|this|he|she|they|the(?: \w+){1,3}) (?:is|was|are|were) (?:the |an? )?[A-Z]"
)
_NAME_AFTER_COPULA = re.compile(r"(?:is|was|are|were) (?:[a-z]+ )?[A-Z]")
_LEAST_FRAME, _SHORT_TEXT, _LONGEST_FRAMED, _BRIEF_TOKENS = 2, 120, 400, 10
# Words that may bear a capital and name nothing. The features read this list.
_FEATURE_CAPITALS = word_set(
    "the a an it its he she they we i this that these those in on at of to for from by with as and or but so yes no sure okay ok well "
    "answer mr mrs ms dr sir dame lord lady king queen prince princess president saint st prof professor pope emperor captain general "
    "jr sr usa us uk"
).union(MONTHS)


def repeats_frame(text: str, start: int, end: int) -> bool:
    """Return whether another sentence says the same of something else: "It was X. It was Y."."""
    stop = _SENTENCE_END.search(text) if len(text) <= _LONGEST_FRAMED else None
    if stop is None or not text[stop.end() :].strip():
        return False
    sentences = _split_sentences(text)
    own = next((span for span in sentences if span[0] <= start < span[1]), None)
    if own is None or len(sentences) == 1:
        return False
    before, after = _split_words(text[own[0] : start]), _split_words(text[end : own[1]])
    mention = _split_words(text[start:end])
    for span in sentences:
        words = _split_words(text[span[0] : span[1]])
        if span == own or any(words[at : at + len(mention)] == mention for at in range(len(words))):
            continue
        if len(before) >= _LEAST_FRAME and before[0] != "there" and words[: len(before)] == before:
            return True
        if (
            len(text) <= _SHORT_TEXT
            and span > own
            and _ASSERTS.match(text, *span)
            and _NAME_AFTER_COPULA.search(text, *span)
        ):
            return True
        if not before and len(after) >= _LEAST_FRAME and words[-len(after) :] == after:
            return True
    return False


def has_other_name(answer: Words, start: int, end: int, question: frozenset[str]) -> bool:
    """Return whether a brief answer without a verb holds another name than the one that is mentioned."""
    text, tokens = answer.text, answer.tokens
    if len(tokens) > _BRIEF_TOKENS or _HAS_VERB.search(text):
        return False
    first, last = _widen_to_name(answer, start, end)
    names = [
        place
        for place in range(len(tokens))
        if not first <= place < last and _is_other_name(answer, place, question)
    ]
    # One capital at the very beginning is that of the sentence.
    return any(place > 0 or place + 1 in names for place in names)


def _widen_to_name(answer: Words, start: int, end: int) -> tuple[int, int]:
    """The places of the mention with the words that are joined to it as one name."""
    first, last = start, end
    while first > 0 and _are_one_name(answer, first - 1, first):
        first -= 1
    while last < len(answer.tokens) and _are_one_name(answer, last - 1, last):
        last += 1
    return first, last


def _are_one_name(answer: Words, one: int, other: int) -> bool:
    left, right = answer.tokens[one], answer.tokens[other]
    both = answer.text[left.start].isupper() and answer.text[right.start].isupper()
    return both and answer.text[left.end : right.start] in (" ", "-", "")


def _is_other_name(answer: Words, place: int, question: frozenset[str]) -> bool:
    token = answer.tokens[place]
    return (
        answer.text[token.start].isupper()
        and token.form not in question
        and token.form not in _FEATURE_CAPITALS
    )


def _split_sentences(text: str) -> list[tuple[int, int]]:
    spans, begin = list[tuple[int, int]](), 0
    for stop in _SENTENCE_END.finditer(text):
        spans.append((begin, stop.start()))
        begin = stop.end()
    spans.append((begin, len(text)))
    return [span for span in spans if text[span[0] : span[1]].strip()]


def _split_words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
