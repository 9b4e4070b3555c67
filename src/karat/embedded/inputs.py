"""Choose what the network reads: the most similar references, the passages of a long answer, and their tokens."""

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from karat.embedded.features import measure_features
from karat.text.canonical import respell
from karat.text.lexicon import FEATURE_FUNCTION_WORDS, any_case
from karat.text.normal import normalise, strip_invisible

_LONGEST_COMPARED = 2000


def choose_references(references: tuple[str, ...], answer: str, most: int = 2) -> list[int]:
    """Return the places of the references most similar to the answer, best first, whatever order they come in."""
    if len(references) <= 1:
        return list(range(len(references)))
    from rapidfuzz import fuzz

    given = normalise(strip_invisible(answer)[:_LONGEST_COMPARED])
    words = set(given.split())
    marks: list[tuple[float, int]] = []
    seen: set[str] = set()
    # By the alphabet, so that of equal ones the same text is taken in any order.
    for place, reference in sorted(enumerate(references), key=lambda each: each[1]):
        form = normalise(reference[:_LONGEST_COMPARED])
        if form in seen:
            continue
        seen.add(form)
        wanted = set(form.split())
        recall = len(wanted & words) / len(wanted) if wanted else 0.0
        precision = len(wanted & words) / len(words) if words else 0.0
        mark = 2 * recall + precision + fuzz.ratio(form, given) / 100 + fuzz.partial_ratio(form, given) / 100
        marks.append((-mark, place))
    return [place for _, place in sorted(marks, key=lambda each: each[0])[:most]]


# Passages of a long answer. They are part of what the network was trained on, so they have a splitter of their own.

_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"')\]]*\s+(?=[^\sa-z])|\n+|\s+[-*•]\s+|(?<=[.!?])\s+(?=[a-z])")
_ABBREVIATED = any_case(r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|jr|sr|inc|co|[a-z])\.)$")
_SHORTEST_SENTENCE = 3
_ABBREVIATION_REACH = 12


def split_sentences(text: str) -> list[str]:
    """Split into sentences and bullet points; abbreviations and initials end none."""
    parts: list[str] = []
    for piece in _SENTENCE_END.split(text):
        piece = piece.strip(" \t-*•")  # noqa: PLW2901 - the piece as it is kept
        if not piece or not any(map(str.isalnum, piece)):
            continue
        if parts and _is_continued(parts[-1]):
            parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return parts


def _is_continued(part: str) -> bool:
    """Return whether a part ends with an abbreviation, or is too short to be a sentence."""
    return (
        _ABBREVIATED.search(part[-_ABBREVIATION_REACH:]) is not None
        or len(part.split(maxsplit=_SHORTEST_SENTENCE)) < _SHORTEST_SENTENCE
    )


def keep_passages(question: str | None, reference: str, answer: str, words: int) -> str:
    """Return the passages of a long answer that share most with the reference, in their order, about `words` words."""
    if len(answer.split(maxsplit=words + 1)) <= words:
        return answer
    sentences = _cut_long_sentences(split_sentences(answer[: 400 * words]) or [answer], words)
    wanted = set(normalise(reference).split()) - FEATURE_FUNCTION_WORDS
    asked = set(normalise(question or "").split()) - FEATURE_FUNCTION_WORDS
    marks: list[tuple[float, int]] = []
    for place, sentence in enumerate(sentences):
        given = set(normalise(sentence).split())
        mark = 3.0 * len(given & (wanted - asked)) + len(given & wanted & asked) + 0.5 * len(given & asked)
        marks.append((-mark + (0.0 if place else -1.0), place))
    kept: list[int] = []
    size = 0
    for _, place in sorted(marks):
        count = len(sentences[place].split())
        if kept and size + count > words:
            continue
        kept.append(place)
        size += count
    return " ".join(sentences[place] for place in sorted(kept))


def _cut_long_sentences(sentences: list[str], words: int) -> list[str]:
    """Cut sentences that are longer than the limit for the whole answer."""
    pieces: list[str] = []
    for sentence in sentences:
        parts = sentence.split()
        pieces += [" ".join(parts[start : start + words]) for start in range(0, len(parts), words)]
    return pieces


# Word pieces of BERT's uncased vocabulary.

_LONGEST_WORD = 100
_UNKNOWN = "[UNK]"
_WIDE = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))  # fmt: skip


class _Characters(dict[int, str | None]):
    """The replacement of each character after Unicode decomposition, computed once per character."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = known = _map_character(character, unicodedata.category(character))
        return known


def _map_character(character: str, category: str) -> str | None:
    if character in "\t\n\r" or category == "Zs":
        return " "
    if category.startswith("C") or category == "Mn" or character == "\ufffd":
        return None
    code = ord(character)
    sign = category.startswith("P") or (character.isascii() and not character.isalnum())
    if sign or any(first <= code <= last for first, last in _WIDE):
        return f" {character} "
    return character.lower()


_CHARACTERS = _Characters()


class WordPieces:
    """Greedy longest pieces from a vocabulary."""

    def __init__(self, vocabulary: str) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary.split("\n"))}
        self._unknown = self._numbers[_UNKNOWN]
        self._split_word = lru_cache(maxsize=1 << 16)(self._cut)

    def split(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text."""
        words = unicodedata.normalize("NFD", text).translate(_CHARACTERS).split()
        return [number for word in words for number in self._split_word(word)]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(word[start:end] if not start else f"##{word[start:end]}")
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


# Tokens and their kinds.

QUESTION, REFERENCE, REFERENCE_FOUND, ANSWER, ANSWER_FOUND, ANSWER_ASKED = range(6)
KINDS = 6
"""Tokens of the question, of the reference (found in the answer or not) and of the answer (found in the reference, only in the question, or neither)."""
_CLS, _SEP = 101, 102
_MOST_QUESTION = 32
_MOST_REFERENCE = 256
_MOST_ANSWER = 200
_WINDOWS = ((8, 40), (30, 56), (70, 112))
_LONGEST_WINDOW = 160
"""Pairs of a number of words of a reference, and how many words of the answer are read beside one of up to that length; then the same for longer references."""


class Pair(Struct, frozen=True):
    """One reference and one answer, ready for the encoder."""

    tokens: list[int]
    kinds: list[int]
    features: list[float]


class Texts(Struct, frozen=True):
    """A question, a reference and an answer to compare."""

    question: str | None
    reference: str
    answer: str

    def focus(self) -> "Texts":
        """Return the texts as they are measured and read: of a long answer the passages about the reference, with values written as in the reference."""
        size = len(self.reference.split())
        words = next((words for most, words in _WINDOWS if size <= most), _LONGEST_WINDOW)
        answer = respell(self.reference, self.answer, self.question or "")
        return Texts(
            self.question, self.reference, keep_passages(self.question, self.reference, answer, words)
        )

    def measure(self) -> list[float]:
        """Measure how alike reference and answer are."""
        return measure_features(self.question, self.reference, self.answer)


def encode_pair(
    pieces: WordPieces, texts: Texts, features: list[float], most_question: int = _MOST_QUESTION
) -> Pair:
    """Turn texts and their measures into a pair; of a long question the end is read."""
    tokens, kinds = _join_tokens(
        pieces.split(texts.question or "")[-most_question:],
        pieces.split(texts.reference)[:_MOST_REFERENCE],
        pieces.split(texts.answer)[:_MOST_ANSWER],
    )
    return Pair(tokens, kinds, features)


def _join_tokens(question: list[int], reference: list[int], answer: list[int]) -> tuple[list[int], list[int]]:
    asked, wanted, given = set(question), set(reference), set(answer)
    tokens = [_CLS, *question, _SEP, *reference, _SEP, *answer, _SEP]
    kinds = [
        *([QUESTION] * (len(question) + 2)),
        *(REFERENCE_FOUND if token in given else REFERENCE for token in reference),
        REFERENCE,
        *(
            ANSWER_FOUND if token in wanted else ANSWER_ASKED if token in asked else ANSWER
            for token in answer
        ),
        ANSWER,
    ]
    return tokens, kinds
