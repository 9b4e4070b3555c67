"""The words that tell what a text is about."""

from karat.likeness.wordlists import FUNCTION
from karat.text.normalise import normalise


def list_telling(text: str) -> frozenset[str]:
    """Return the words of a text but for numbers and those that stand in any text."""
    return frozenset(word for word in normalise(text).split() if word not in FUNCTION and not word.isdigit())
