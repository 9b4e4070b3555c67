"""Lengths, and what the question asks for."""

import math

from karat.likeness.wordlists import ASKED, name_asked

NAMES = (
    "question_length",
    "reference_length",
    "answer_length",
    "longer",
    "no_question",
    *(f"asks_{each}" for each in ASKED),
)


def measure_shape(question: list[str], reference: list[str], answer: list[str]) -> list[float]:
    """Measure lengths as logarithms, and mark what is asked for."""
    asked = name_asked(question)
    lengths = [math.log1p(len(words)) / 3 for words in (question, reference, answer)]
    return [*lengths, lengths[2] - lengths[1], float(not question), *(float(asked == each) for each in ASKED)]
