"""Aliases: "Second World War" beside "World War II" is read as the latter. A network of this size knows few of them."""

import re
from collections.abc import Sequence

from karat.core.types import Item
from karat.likeness.wordlists import FUNCTION
from karat.text.containment import find_mentions, holds_any
from karat.text.forms import Words, read_reference, read_words

WHOLE = "="
"""Before a name that counts only where it is the whole answer."""
_SHORTEST_INSIDE = 3
_LONGEST = 4000
# Who asks for one of a thing's names is not answered by another.
_ASKED_NAME = re.compile(
    r"\b(?:(?:scientific|latin|botanical|common|other|another|alternative|real|full|birth|original|former|old|new|maiden|middle|first|last|pen|stage|technical|chemical|medical|proper|formal|"
    r"official|short|nick|brand|trade|generic) ?names?|nicknames?|pseudonyms?|alias(?:es)?|synonyms?|antonyms?|symbols?|abbreviat\w*|abbreviations?|acronyms?|initials?|"
    r"stands? for|short for|spel(?:l|t|ling)\w*|letters?|translat\w*|formerly|originally|previously|also known|other word|another word|word for|term for|formula|"
    r"in (?:latin|french|german|spanish|italian|greek|welsh|japanese|chinese|russian|dutch|english))\b",
    re.IGNORECASE,
)


class Aliases:
    """Which phrases name the same thing."""

    def __init__(self, text: str) -> None:
        self._sets = [tuple(line.split("|")) for line in text.splitlines()]
        self._places: dict[str, list[int]] = {}
        for place, forms in enumerate(self._sets):
            for form in forms:
                self._places.setdefault(form.removeprefix(WHOLE), []).append(place)

    def find_others(self, form: str) -> list[str]:
        """Return the other names of what a form names, the longest first."""
        others = {other for place in self._places.get(form, ()) for other in self._sets[place]}
        return sorted(others - {form, WHOLE + form}, key=lambda other: (-len(other), other))

    def rename(self, item: Item) -> Item:
        """Return the item with another name of a reference in its answer written as the reference, where the answer holds no reference."""
        question = item.question or ""
        if len(item.answer) > _LONGEST or _ASKED_NAME.search(question):
            return item
        answer = read_words(item.answer)
        if holds_any([read_reference(text) for text in item.references], answer):
            return item
        asked = read_words(question)
        for reference in item.references:
            written = self._write(reference, answer, asked)
            if written is not None:
                return Item(item.question, item.references, written)
        return item

    def _write(self, reference: str, answer: Words, asked: Words) -> str | None:
        wanted = _strip(read_reference(reference).words)
        for other in self.find_others(" ".join(wanted)):
            words = tuple(other.removeprefix(WHOLE).split())
            if set(words) <= set(wanted) or find_mentions(words, asked):
                continue
            if _strip(answer.forms) == words:
                return reference
            if other.startswith(WHOLE) or len(other) < _SHORTEST_INSIDE:
                continue
            places = [at for at in find_mentions(words, answer) if _stands_alone(answer, at, at + len(words))]
            if places:
                return _replace(answer, places, len(words), reference)
        return None


def _strip(words: Sequence[str]) -> tuple[str, ...]:
    """Return words without the article that they begin with."""
    return tuple(words[1:] if words[:1] in (["the"], ("the",), ["a"], ("a",), ["an"], ("an",)) else words)


def _stands_alone(answer: Words, start: int, end: int) -> bool:
    """Tell whether no capitalised word beside some words makes a longer name of them: South America is not America."""
    begin, stop = answer.place(start, end)
    before = answer.place(start - 1, start) if start else None
    after = answer.place(end, end + 1) if end < len(answer.tokens) else None
    joined_before = before is not None and _joins(
        answer.text[before[0] : before[1]], answer.text[before[1] : begin]
    )
    joined_after = after is not None and _joins(
        answer.text[after[0] : after[1]], answer.text[stop : after[0]]
    )
    return not joined_before and not joined_after


def _joins(word: str, between: str) -> bool:
    if between == "-":
        return True
    return between == " " and word[:1].isupper() and word.lower() not in FUNCTION


def _replace(answer: Words, places: list[int], size: int, reference: str) -> str:
    text = answer.text
    for at in reversed(places):
        begin, stop = answer.place(at, at + size)
        text = f"{text[:begin]}{reference}{text[stop:]}"
    return text
