"""The words around a mention of the reference, as they are in any answer: what is named is only told apart."""

from collections.abc import Iterator, Sequence

from karat.likeness.wordlists import FUNCTION
from karat.text import strip_invisible
from karat.text.containment import find_mentions, is_telling, keeps_case
from karat.text.forms import Words, read_reference, read_words
from karat.text.normalise import normalise

MENTION, ASKED, NAMED, OTHER = "X", "Q", "Y", "W"
"""What stands for a mention of the reference, a word of the question, another name or figure, and a word that is not known."""
_MARKS = frozenset('.,;:!?()"*~/|=<>[]+✅❌✔✗✘✓☑→\n')
_MOST = 80
_SELF = frozenset({"i"})


def read_around(
    question: str | None, references: Sequence[str], answer: str, vocabulary: frozenset[str]
) -> tuple[str, ...] | None:
    """Return the words and marks of an answer with the mentions of the references as one word, or None where there is no mention or too much around it.

    Other words than those of the vocabulary are told apart by what they may be: of the question, a name or a figure, or neither.
    """
    words = read_words(strip_invisible(answer))
    if len(words.forms) > _MOST:
        return None
    held = _find_held(references, words)
    if not held:
        return None
    asked = frozenset(normalise(question or "").split()) - FUNCTION
    return tuple(_drop_repeated(_name_all(words, held, asked, vocabulary)))


def _find_held(references: Sequence[str], words: Words) -> dict[int, int]:
    """Return where mentions begin and end, the longest ones first; "Paris's" and "Paris is" both hold "Paris"."""
    held = dict[int, int]()
    taken = set[int]()
    telling = (read_reference(text) for text in references)
    known = {reference.words: reference for reference in telling if is_telling(reference)}
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
        yield from (mark for mark in words.text[end : token.start] if mark in _MARKS)
        if place in held:
            yield MENTION
            place = held[place]
            end = words.tokens[place - 1].end
            continue
        yield _name(words, place, asked, vocabulary)
        place, end = place + 1, token.end
    yield from (mark for mark in words.text[end:] if mark in _MARKS)


def _name(words: Words, place: int, asked: frozenset[str], vocabulary: frozenset[str]) -> str:
    token = words.tokens[place]
    if token.form in asked:
        return ASKED
    if token.form in vocabulary:
        return token.form
    named = words.text[token.start].isupper() or any(map(str.isdigit, token.form))
    return NAMED if named and token.form not in _SELF else OTHER


def _drop_repeated(names: Iterator[str]) -> Iterator[str]:
    last = ""
    for name in names:
        if name != last or name not in (ASKED, NAMED, OTHER):
            yield name
        last = name
