"""All measures of one pair, in a fixed order."""

from functools import lru_cache

from karat.likeness import shape, spelling, stance, values, words
from karat.text.clean import strip_invisible
from karat.text.forms import Reference, Values, read_reference, read_values
from karat.text.normalise import normalise

NAMES: tuple[str, ...] = (*words.NAMES, *spelling.NAMES, *values.NAMES, *stance.NAMES, *shape.NAMES)
"""The measures in the order in which `measure` gives them."""
_LONGEST = 4000


def measure(question: str | None, reference: str, answer: str) -> list[float]:
    """Measure how alike a reference and an answer are; nothing but these three texts counts."""
    answer = strip_invisible(answer)[:_LONGEST]
    reference = reference[:_LONGEST]
    known = read_reference(reference)
    asked, ours, given = _read_question((question or "")[:_LONGEST]), list(known.words), split_words(answer)
    return [
        *words.measure_words(asked[0], ours, given),
        *spelling.measure_spelling(asked[0], ours, given),
        *values.measure_values(known, asked[1], _read_values(known, answer)),
        *stance.measure_stance(asked[0], known, answer, given),
        *shape.measure_shape(asked[0], ours, given),
    ]


@lru_cache(maxsize=1024)
def _read_question(question: str) -> tuple[list[str], Values]:
    return split_words(question), read_values(question)


def _read_values(reference: Reference, answer: str) -> Values:
    """Read the answer's dates and quantities where the reference is one; else its digits suffice."""
    if not reference.is_value:
        return Values(answer, None, (), None)
    return read_values(answer)


def split_words(text: str) -> list[str]:
    """Return the words of a text in their comparison form."""
    return normalise(text).split()
