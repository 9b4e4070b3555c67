"""Answers of other rows that are of the same sort and surely not the same."""

import re
from collections.abc import Iterable

from karat.audit.probe import Row
from karat.audit.probes.dates import parse_date
from karat.audit.probes.maker import Maker
from karat.audit.probes.numbers import parse_amount
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


_SHORTEST = 3
_LONGEST = 60
_ENOUGH = 10
_PLAIN = re.compile(r"[^()\[\]{}<>/|;=]+")


def find_others(maker: Maker, count: int) -> list[str]:
    """References of other rows of the same sort that share no word with this row's references or question."""
    own = _words(*maker.row.references, maker.row.question or "")
    alike = maker.pool.get(sort_of(maker.row), ())
    drawn = maker.draw_some("others", alike, len(alike)) if alike else []
    found = list[str]()
    for text in drawn:
        if own.isdisjoint(_words(text)) and all(_words(text).isdisjoint(_words(known)) for known in found):
            found.append(text)
        if len(found) == count:
            break
    return found


def pool_answers(rows: Iterable[Row], more: Iterable[Row] = ()) -> dict[str, tuple[str, ...]]:
    """The references of rows by their sort, where they are short and plain enough to stand in another row.

    A sort of which there are few is filled up from `more`.
    """
    own, spare = _by_sort(rows), _by_sort(more)
    filled = {sort: (*own.get(sort, ()), *texts) for sort, texts in spare.items()}
    return filled | {sort: found for sort, found in own.items() if len(found) >= _ENOUGH or sort not in spare}


def _by_sort(rows: Iterable[Row]) -> dict[str, tuple[str, ...]]:
    sorts: dict[str, dict[str, None]] = {}
    for row in rows:
        sort = sort_of(row)
        if sort == "sentence" or (len(row.short) <= _LONGEST and _PLAIN.fullmatch(row.short)):
            sorts.setdefault(sort, {})[row.short] = None
    return {sort: tuple(texts) for sort, texts in sorts.items()}


def _words(*texts: str) -> set[str]:
    """The words of texts that tell them apart; a number is one whatever its length."""
    words = {word for text in texts for word in normalise(text).split()}
    return {word for word in words if len(word) >= _SHORTEST or word[:1].isdigit()} - {"and"} or words
