"""Question, reference and answer as the encoder reads them: tokens, and what each token is."""

from msgspec import Struct

from karat.likeness import attend, measure
from karat.models.embedded.wordpiece import WordPieces

QUESTION, REFERENCE, REFERENCE_FOUND, ANSWER, ANSWER_FOUND, ANSWER_ASKED = range(6)
KINDS = 6
"""Tokens of the question, of the reference (found in the answer or not) and of the answer (found in the reference, only in the question, or neither)."""
_CLS, _SEP = 101, 102
_MOST_QUESTION = 32
_MOST_REFERENCE = 256
_MOST_ANSWER = 200
_WINDOWS = ((8, 40), (30, 56), (70, 112))
_LONGEST_WINDOW = 160
"""How many words of an answer are read beside a reference of up to so many words, and beside a longer one."""


class Pair(Struct, frozen=True):
    """One reference and one answer, ready for the encoder."""

    tokens: list[int]
    kinds: list[int]
    features: list[float]


class Texts(Struct, frozen=True):
    """What is compared."""

    question: str | None
    reference: str
    answer: str

    def focus(self) -> "Texts":
        """Keep of a long answer the passages that speak of the reference, its values written as the reference writes them: what is measured and read is these."""
        size = len(self.reference.split())
        words = next((words for most, words in _WINDOWS if size <= most), _LONGEST_WINDOW)
        return Texts(self.question, self.reference, attend(self.question, self.reference, self.answer, words))

    def measure(self) -> list[float]:
        """Measure how alike reference and answer are."""
        return measure(self.question, self.reference, self.answer)


def encode(pieces: WordPieces, texts: Texts, features: list[float]) -> Pair:
    """Turn texts and their measures into a pair."""
    tokens, kinds = _join(
        pieces.split(texts.question or "")[-_MOST_QUESTION:],
        pieces.split(texts.reference)[:_MOST_REFERENCE],
        pieces.split(texts.answer)[:_MOST_ANSWER],
    )
    return Pair(tokens, kinds, features)


def _join(question: list[int], reference: list[int], answer: list[int]) -> tuple[list[int], list[int]]:
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
