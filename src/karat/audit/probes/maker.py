"""Make probes from a row: seeded choices, ids, and answers of other rows of the same sort."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from karat.audit.probe import BASE, FAMILIES, Aim, Probe, Row
from karat.audit.probes.dates import parse_date
from karat.audit.probes.numbers import parse_amount
from karat.text import normalise

Thing = TypeVar("Thing")

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

_SIGNS = (("person", _WHO), ("work", _WORK), ("place", _WHERE))
_SHORTEST = 3
_LONGEST = 60
_ENOUGH = 10
_PLAIN = re.compile(r"[^()\[\]{}<>/|;=]+")

# By sort: phrases that name the sort without answering.
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


class Maker:
    """Makes the probes of one row; choices depend only on the seed, the row and the kind."""

    def __init__(self, row: Row, seed: int, pool: Mapping[str, Sequence[str]] | None = None) -> None:
        self.row = row
        self.pool = pool or {}
        self._seed = seed
        self._forms = [normalise(reference) for reference in row.references]

    def draw(self, kind: str, options: Sequence[Thing]) -> Thing:
        """Choose one option, reproducibly."""
        return self.draw_some(kind, options, 1)[0]

    def draw_some(self, kind: str, options: Sequence[Thing], count: int) -> list[Thing]:
        """Choose several options in random order, reproducibly."""
        return Random(f"{self._seed} {self.row.id} {kind}").sample(options, min(count, len(options)))

    def fill(self, text: str, answer: str, other: str = "") -> str:
        """Fill in a wording: {a} is the answer, {b} another one, {q} the question."""
        question = (self.row.question or "").strip()
        return text.replace("{q}", question).replace("{a}", answer).replace("{b}", other)

    def base(self, kind: str) -> Probe:
        """Return the base probe: the unchanged right answer, the wrong one, or the reference."""
        answers = {"right": self.row.right, "wrong": self.row.wrong, "short": self.row.short}
        return Probe(
            id=self.name_base(kind),
            family=BASE,
            kind=kind,
            question=self.row.question,
            references=self.row.references,
            answer=answers[kind],
            row=self.row.id,
        )

    def name_base(self, kind: str) -> str:
        """Return the id of a base."""
        return f"{self.row.id}/{BASE}/{kind}"

    def probe(
        self,
        family: str,
        kind: str,
        answer: str,
        *,
        base: str | None = None,
        number: int = 1,
        references: tuple[str, ...] | None = None,
        aim: Aim | None = None,
    ) -> Probe:
        """Return a probe of this row; the effect is that of its family."""
        return Probe(
            id=f"{self.row.id}/{family}/{kind}{'' if number == 1 else f'-{number}'}",
            family=family,
            kind=kind,
            question=self.row.question,
            references=self.row.references if references is None else references,
            answer=answer,
            effect=FAMILIES[family],
            base=None if base is None else self.name_base(base),
            row=self.row.id,
            aim=aim,
        )

    def says(self, text: str) -> bool:
        """Return whether a text contains, or is part of, a reference, so that it cannot be a wrong answer."""
        form = f" {normalise(text)} "
        return any(f" {own} " in form or form.strip() == own for own in self._forms)


def vary(texts: Sequence[str], unchanged: str) -> Iterator[str]:
    """Yield the texts that differ from the unchanged one, without duplicates."""
    yield from (text for text in dict.fromkeys(texts) if text.strip() and text != unchanged)


def sort_of(row: Row) -> str:
    """Return the sort of a row's answer, such as "date" or "person", by its chosen reference and the question."""
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


def find_others(maker: Maker, count: int) -> list[str]:
    """Return up to `count` references of other rows of the same sort that share no word with this row."""
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
    """Return the references of rows by their sort, if they are short and plain enough for another row.

    A sort with few answers is filled up from `more`.
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
    """Return the words that distinguish texts: those of three letters or more, and numbers."""
    words = {word for text in texts for word in normalise(text).split()}
    return {word for word in words if len(word) >= _SHORTEST or word[:1].isdigit()} - {"and"} or words
