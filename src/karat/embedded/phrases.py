"""Weigh the phrases around a mention, which show whether the answer commits to the reference."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import takewhile
from math import exp

import msgspec
from msgspec import Struct

from karat.text import strip_invisible
from karat.text.lexicon import FEATURE_FUNCTION_WORDS
from karat.text.mention import is_distinctive, keeps_case, list_question_words
from karat.text.normal import Words, find_mentions, read_words
from karat.text.values.reference import read_reference

FITTED = files("karat.embedded") / "weights"
"""The folder of all fitted files."""
_LONGEST_PHRASE, _LEAST_KNOWN = 3, 3
_EDGES = "BEGIN", "END"


class Commitment(Struct, frozen=True):
    """The probability that talk commits to the reference that it mentions, and whether it is only talk: some known words, none of them from the question."""

    share: float
    idle: bool


class PhraseWeights(Struct, frozen=True):
    """Known words, and what each phrase adds to the logit of a commitment."""

    words: str
    phrases: dict[str, float]
    bias: float

    def knows(self, word: str) -> bool:
        """Return whether a word is in the vocabulary of the training data."""
        return word in split_vocabulary(self.words)

    def weigh(self, question: str | None, references: Sequence[str], answer: str) -> Commitment | None:
        """Return how an answer commits to a reference that it mentions; None where it mentions none or is longer than 80 words."""
        around = read_context(question, references, answer, split_vocabulary(self.words))
        if around is None:
            return None
        logit = self.bias + sum(self.phrases.get(phrase, 0.0) for phrase in set(list_phrases(around)))
        known = sum(word.isalpha() and word.islower() for word in around)
        return Commitment(1 / (1 + exp(-logit)), known >= _LEAST_KNOWN and QUESTION_WORD not in around)


def list_phrases(around: tuple[str, ...]) -> Iterator[str]:
    """Name the phrases of up to three words, the words before and behind the first mention, and what is named last."""
    edged = (_EDGES[0], *around, _EDGES[1])
    for size in range(1, _LONGEST_PHRASE + 1):
        for start in range(len(edged) - size + 1):
            yield " ".join(edged[start : start + size])
    before = len(tuple(takewhile(lambda word: word != MENTION, around)))
    for place, word in enumerate(around):
        if word not in (MENTION, OTHER_NAME):
            yield f"{'<' if place < before else '>'}{word}"
    last = next((word for word in reversed(around) if word in (MENTION, OTHER_NAME)), "")
    yield f"LAST {last}"


@lru_cache(maxsize=1)
def read_phrase_weights() -> PhraseWeights:
    """Read the weights of phrases on first use."""
    return msgspec.json.decode((FITTED / "talk.json").read_bytes(), type=PhraseWeights)


@lru_cache
def hash_fitted(name: str) -> str:
    """Return the hash of a fitted file, which is part of the identity of the judges that use it."""
    return sha256((FITTED / name).read_bytes()).hexdigest()


@lru_cache(maxsize=4)
def split_vocabulary(words: str) -> frozenset[str]:
    """Return the words of a fitted list, which is stored as running text."""
    return frozenset(words.split())


# The context of a mention: each word by its kind.

MENTION, QUESTION_WORD, OTHER_NAME, UNKNOWN_WORD = "X", "Q", "Y", "W"
"""What stands for a mention of the reference, a word of the question, another name or figure, and a word that is not known."""
_KEPT_MARKS = frozenset('.,;:!?()"*~/|=<>[]+✅❌✔✗✘✓☑→\n')
_MOST_WORDS = 80
_SELF = frozenset({"i"})


def read_context(
    question: str | None, references: Sequence[str], answer: str, vocabulary: frozenset[str]
) -> tuple[str, ...] | None:
    """Return the words and marks of an answer, each mention of a reference as one sign; None where there is no mention or the answer is too long.

    Words outside the vocabulary become one of three signs: a word of the question, a name or figure, another word.
    """
    words = read_words(strip_invisible(answer))
    if len(words.forms) > _MOST_WORDS:
        return None
    held = _find_held(references, words)
    if not held:
        return None
    asked = list_question_words(question or "", words) - FEATURE_FUNCTION_WORDS
    return tuple(_drop_repeated(_name_all(words, held, asked, vocabulary)))


def _find_held(references: Sequence[str], words: Words) -> dict[int, int]:
    """Return where mentions begin and end, the longest ones first; "Paris's" and "Paris is" both hold "Paris"."""
    held = dict[int, int]()
    taken = set[int]()
    parsed = (read_reference(text) for text in references)
    known = {reference.words: reference for reference in parsed if is_distinctive(reference)}
    for form in sorted(known, key=len, reverse=True):
        for said in (form, (*form[:-1], f"{form[-1]}s")):
            for start in find_mentions(said, words):
                places = range(start, start + len(said))
                if taken.isdisjoint(places) and keeps_case(known[form], words, start, places.stop):
                    held[start] = places.stop
                    taken.update(places)
    return held


def _name_all(
    words: Words, held: dict[int, int], asked: frozenset[str], vocabulary: frozenset[str]
) -> Iterator[str]:
    """Name each word, and the marks between them."""
    place, end = 0, 0
    while place < len(words.tokens):
        token = words.tokens[place]
        yield from (mark for mark in words.text[end : token.start] if mark in _KEPT_MARKS)
        if place in held:
            yield MENTION
            place = held[place]
            end = words.tokens[place - 1].end
            continue
        yield _name_word(words, place, asked, vocabulary)
        place, end = place + 1, token.end
    yield from (mark for mark in words.text[end:] if mark in _KEPT_MARKS)


def _name_word(words: Words, place: int, asked: frozenset[str], vocabulary: frozenset[str]) -> str:
    token = words.tokens[place]
    if token.form in asked:
        return QUESTION_WORD
    if token.form in vocabulary:
        return token.form
    named = words.text[token.start].isupper() or any(map(str.isdigit, token.form))
    return OTHER_NAME if named and token.form not in _SELF else UNKNOWN_WORD


def _drop_repeated(names: Iterator[str]) -> Iterator[str]:
    last = ""
    for name in names:
        if name != last or name not in (QUESTION_WORD, OTHER_NAME, UNKNOWN_WORD):
            yield name
        last = name
