"""Aliases: "Second World War" beside "World War II" is read as the latter. A network of this size knows few of them."""

import re

from karat.core.types import Item
from karat.likeness.wordlists import FUNCTION
from karat.text.containment import find_mentions, holds_any
from karat.text.forms import Reference, Words, read_reference, read_words, strip_article

WHOLE = "="
"""Before a name that counts only where it is the whole answer."""
_SHORTEST_INSIDE = 3
_LONGEST = 4000
# Who asks for one of a thing's names is not answered by another.
_ASKED_NAME = re.compile(
    r"\b(?:(?:scientific|latin|botanical|common|other|another|alternative|real|full|birth|original|former|old|new|maiden|middle|first|last|pen|stage|technical|chemical|medical|proper|formal|"
    r"official|short|nick|brand|trade|generic) ?names?|nicknames?|pseudonyms?|alias(?:es)?|synonyms?|antonyms?|symbols?|abbreviat\w*|abbreviations?|acronyms?|initials?|"
    r"stands? for|short for|spel(?:l|t|ling)\w*|letters?|translat\w*|formerly|originally|previously|known as|codes?|names? for|alter ego|secret identity|other word|another word|word for|term for|formula|"
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

    def list_sets(self) -> list[tuple[str, ...]]:
        """Return the names of each thing."""
        return list(self._sets)

    def find_others(self, form: str) -> list[str]:
        """Return the other names of what a form names, the longest first."""
        others = {other for place in self._places.get(form, ()) for other in self._sets[place]}
        return sorted(others - {form, WHOLE + form}, key=lambda other: (-len(other), other))

    def rename(self, item: Item) -> Item:
        """Return the item with another name of a reference in its answer written as the reference, where the answer holds no reference."""
        question = item.question or ""
        references = [read_reference(text) for text in item.references]
        named = [reference for reference in references if reference.form in self._places]
        if not named or len(item.answer) > _LONGEST or _ASKED_NAME.search(question):
            return item
        answer = read_words(item.answer)
        if holds_any(references, answer):
            return item
        asked = read_words(question)
        for reference in named:
            written = self._write(reference, answer, asked)
            if written is not None:
                return Item(item.question, item.references, written)
        return item

    def _write(self, reference: Reference, answer: Words, asked: Words) -> str | None:
        for other in self.find_others(reference.form):
            words = tuple(other.removeprefix(WHOLE).split())
            if set(words) <= set(reference.words) or find_mentions(words, asked):
                continue
            if answer.forms == words:
                return reference.text
            if other.startswith(WHOLE) or len(other) < _SHORTEST_INSIDE:
                continue
            places = [at for at in find_mentions(words, answer) if _stands_alone(answer, at, at + len(words))]
            if places:
                return _replace(answer, places, len(words), reference.text)
        return None


def _stands_alone(answer: Words, start: int, end: int) -> bool:
    """Tell whether no word beside some words makes a longer name of them: South America is not America."""
    begin, stop = answer.place(start, end)
    before = answer.place(start - 1, start) if start else (begin, begin)
    after = answer.place(end, end + 1) if end < len(answer.tokens) else (stop, stop)
    cased = answer.text not in (answer.text.lower(), answer.text.upper())
    beside = (
        (answer.text[before[0] : before[1]], answer.text[before[1] : begin]),
        (answer.text[after[0] : after[1]], answer.text[stop : after[0]]),
    )
    return not any(_joins(word, between, cased=cased) for word, between in beside)


def _joins(word: str, between: str, *, cased: bool) -> bool:
    """Tell whether a word belongs to a name beside it: by a hyphen, or by its capital where the answer has capitals at all."""
    if between in {"-", "/"}:
        return True
    return between == " " and word.lower() not in FUNCTION and (word[:1].isupper() or not cased)


def _replace(answer: Words, places: list[int], size: int, reference: str) -> str:
    text = answer.text
    for at in reversed(places):
        begin, stop = answer.place(at, at + size)
        told = strip_article(reference) if text[:begin].lower().endswith("the ") else reference
        text = f"{text[:begin]}{told}{text[stop:]}"
    return text
