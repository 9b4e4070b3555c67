"""Other names of the same thing, and the table of them that ships with the network."""

import re
from functools import lru_cache

from karat.core.types import Item
from karat.embedded.phrases import FITTED
from karat.text.lexicon import FEATURE_FUNCTION_WORDS, any_case
from karat.text.normal import LONGEST_TEXT, Words, find_mentions, read_words, strip_article
from karat.text.values.reference import Reference, mentions_any, read_references

WHOLE, PROPER, ACRONYM = "=", "^", "*"
"""Marks before a name in the table: it counts only as the whole answer; it begins with a capital; it is all capitals."""
MARKS = frozenset({WHOLE, PROPER, ACRONYM})
_SHORTEST_INSIDE = 3
# A question for one of a thing's names is not answered by another.
_ASKED_NAME = any_case(
    r"\b(?:(?:scientific|latin|botanical|common|other|another|alternative|real|full|birth|original|former|old|new|maiden|middle|first|last|pen|stage|technical|chemical|medical|proper|formal|given|native|"
    r"official|short|nick|brand|trade|generic|whose) ?names?|names? (?:for|at birth|did|was|under|before)|medical words?|nicknames?|pseudonyms?|alias(?:es)?|synonyms?|antonyms?|symbols?|abbreviat\w*|acronyms?|initials?|codes?|"
    r"stands? for|short for|spel(?:l|t|ling)\w*|letters?|translat\w*|formerly|originally|previously|renam\w+|born as|known as|other word|another word|word for|term for|formula|alter ego|secret identity|"
    r"call(?:s|ed)? (?:the|a|it|him|her|them|their|this|that|itself|himself|herself|in|by|before|until|during|when)|do(?:es)? [\w ]{1,20} call|"
    r"in (?:latin|french|german|spanish|italian|greek|welsh|japanese|chinese|russian|dutch|english))\b"
)
# A relation to the thing is not the thing.
_RELATING = any_case(
    r"\b(?:after|before|near|like|unlike|except|outside|beyond|than|versus|vs|until|since|beside|opposite)\s+(?:the\s+)?$"
)
_PLACED = re.compile(r",\s[A-Z][a-z]")
_INDEFINITE = any_case(r"\ban?\s+$")


class Aliases:
    """Which phrases name the same thing."""

    def __init__(self, text: str) -> None:
        self._things = [tuple(line.split("|")) for line in text.splitlines()]
        self._places = {
            strip_marks(name): place for place, names in enumerate(self._things) for name in names
        }

    def list_things(self) -> list[tuple[str, ...]]:
        """Return the names of each thing."""
        return list(self._things)

    def rename(self, item: Item) -> Item:
        """Return the item with another name of a reference replaced by the reference, if its answer contains no reference."""
        question = item.question or ""
        references = read_references(item.references)
        named = [reference for reference in references if reference.form in self._places]
        if not named or len(item.answer) > LONGEST_TEXT or _ASKED_NAME.search(question):
            return item
        answer = read_words(item.answer)
        if mentions_any(references, answer):
            return item
        asked = read_words(question)
        for reference in named:
            written = self._write(reference, answer, asked)
            if written is not None:
                return Item(item.question, item.references, written)
        return item

    def _write(self, reference: Reference, answer: Words, asked: Words) -> str | None:
        """Return the answer with the longest other name of a reference replaced by the reference, or None if it has none."""
        names = self._things[self._places[reference.form]]
        for name in sorted(names, key=lambda each: (-len(each), each)):
            words = tuple(strip_marks(name).split())
            if set(words) <= set(reference.words) or find_mentions(words, asked):
                continue
            if answer.forms == words and _keeps_case(answer, 0, name):
                return reference.text
            if WHOLE in name or len(strip_marks(name)) < _SHORTEST_INSIDE:
                continue
            places = [at for at in find_mentions(words, answer) if _stands_alone(answer, at, name)]
            if places:
                return _replace(answer, places, len(words), reference.text)
        return None


def strip_marks(name: str) -> str:
    """Return a name without its marks."""
    return name.lstrip(WHOLE + PROPER + ACRONYM)


def _is_cased(answer: Words) -> bool:
    return answer.text not in (answer.text.lower(), answer.text.upper())


def _keeps_case(answer: Words, at: int, name: str) -> bool:
    """Return whether a name is capitalised as its marks require; in an answer in one case any form counts."""
    begin, stop = answer.place(at, at + 1)
    word = answer.text[begin:stop]
    if PROPER in name and _INDEFINITE.search(answer.text, 0, begin):
        return False
    if not _is_cased(answer):
        return True
    return word.isupper() if ACRONYM in name else PROPER not in name or not word[:1].islower()


def _stands_alone(answer: Words, at: int, name: str) -> bool:
    """Return whether a name inside an answer stands for itself: not in a longer name ("South America") or a relation ("near Paris")."""
    words = strip_marks(name).split()
    if not _keeps_case(answer, at, name) or (not _is_cased(answer) and len(words) == 1):
        return False
    begin, stop = answer.place(at, at + len(words))
    text, end = answer.text, at + len(words)
    before = answer.place(at - 1, at) if at else (begin, begin)
    after = answer.place(end, end + 1) if end < len(answer.tokens) else (stop, stop)
    cased = _is_cased(answer)
    return not (
        _joins(text[before[0] : before[1]], text[before[1] : begin], cased=cased)
        or _joins(text[after[0] : after[1]], text[stop : after[0]], cased=cased)
        or _RELATING.search(text, 0, begin)
        or _PLACED.match(text, stop)
    )


def _joins(word: str, between: str, *, cased: bool) -> bool:
    """Return whether a word belongs to a name beside it: by a hyphen or slash, or by its capital."""
    if between in {"-", "/"}:
        return True
    return between == " " and word.lower() not in FEATURE_FUNCTION_WORDS and (word[:1].isupper() or not cased)


def _replace(answer: Words, places: list[int], size: int, reference: str) -> str:
    text = answer.text
    for at in reversed(places):
        begin, stop = answer.place(at, at + size)
        name = strip_article(reference) if text[:begin].lower().endswith("the ") else reference
        text = f"{text[:begin]}{name}{text[stop:]}"
    return text


@lru_cache(maxsize=1)
def read_aliases() -> Aliases:
    """Read the table on first use."""
    return Aliases((FITTED / "aliases.txt").read_text(encoding="utf-8"))
