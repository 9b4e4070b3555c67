"""What sort of thing an answer is, so that one can be put in the place of another."""

import re

from karat.audit.dates import parse_date
from karat.audit.numbers import parse_amount
from karat.audit.probe import Row
from karat.text import normalise

_WHO = re.compile(
    r"\b(?:who|whom|whose|which (?:\w+ )?(?:person|man|woman|actor|actress|singer|composer|author|nurse))\b"
)
_WHERE = re.compile(
    r"\bwhere\b|\b(?:city|country|capital|state|river|mountain|continent|ocean|island|town|county|strait)\b"
)
_WORK = re.compile(
    r"\b(?:film|movie|book|novel|song|album|play|opera|ballet|painting|poem|series|show|epic|symphony|anthem)\b"
)
_LIST = re.compile(r",\s\S.*\s(?:and|&)\s|^\S+(?:\s\S+)? and \S+(?:\s\S+)?$")
_POLAR = frozenset({"yes", "no", "true", "false"})
_SENTENCE = 8

# By sort: words that name the sort and answer nothing.
TYPE_WORDS: dict[str, tuple[str, ...]] = {
    "polar": ("a yes or a no", "one of the two"),
    "date": ("a date", "some day in some year", "on a certain date"),
    "year": ("a year", "in some year or other", "a four-digit year"),
    "number": ("a number", "some amount", "a certain quantity"),
    "person": ("a person", "somebody", "someone well known"),
    "place": ("a place", "somewhere", "a spot on the map"),
    "work": ("a work of art", "a title", "some famous work"),
    "list": ("several things", "a few of them", "more than one thing"),
    "name": ("a name", "something with a name", "a proper noun"),
    "thing": ("a thing", "something", "some object or other"),
    "sentence": ("an explanation", "there is a reason for it", "it can be explained"),
}


def sort_of(row: Row) -> str:
    """The sort of a row's answer, by its chosen reference and by what the question asks for."""
    if normalise(row.short) in _POLAR:
        return "polar"
    return _sort_of_value(row.short) or _sort_of_words(row.short, (row.question or "").lower())


def _sort_of_value(reference: str) -> str | None:
    date = parse_date(reference)
    if date is not None:
        return "year" if date.month is None else "date"
    return "number" if parse_amount(reference) is not None else None


def _sort_of_words(reference: str, question: str) -> str:
    if len(reference.split()) >= _SENTENCE:
        return "sentence"
    if _LIST.search(reference):
        return "list"
    if not reference[:1].isupper():
        return "thing"
    return next((sort for sort, sign in _SIGNS if sign.search(question)), "name")


_SIGNS = (("person", _WHO), ("work", _WORK), ("place", _WHERE))
