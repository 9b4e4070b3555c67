"""Answers that hold a reference among other words, and what else they name."""

import re

from karat.core.types import Item
from karat.text.apart import read_apart
from karat.text.clean import strip_invisible
from karat.text.containment import list_held
from karat.text.forms import read_references, read_words
from karat.text.normalise import normalise
from karat.text.vocabulary import list_words

_SELF = frozenset(list_words("i im id ive ill"))
# What a sentence, a line or a quotation begins behind: a capital there need not be that of a name.
_NEAR = 8
_OPENS = re.compile(r"(?:^|[.!?:\n\"“*(])\s*$")


def find_mentioned(item: Item) -> int | None:
    """Return the place of the first reference that the answer holds among other words."""
    references = read_references(item.references)
    answer = read_apart(references, strip_invisible(item.answer))
    held = list_held(references, answer)
    places = (
        place
        for place, reference in enumerate(references)
        if len(answer.forms) > len(reference.words) and reference in held
    )
    return next(places, None)


def names_more(item: Item) -> bool:
    """Tell whether the answer has a figure or a name, one that neither the question nor a reference has, which might be another answer."""
    answer = read_words(strip_invisible(item.answer))
    known = set(normalise(" ".join([item.question or "", *item.references])).split())
    return any(
        token.form not in known
        and token.form not in _SELF
        and (
            any(map(str.isdigit, token.form))
            or (
                answer.text[token.start].isupper()
                and not _OPENS.search(answer.text[max(0, token.start - _NEAR) : token.start])
            )
        )
        for token in answer.tokens
    )
