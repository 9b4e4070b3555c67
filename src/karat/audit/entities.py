"""Answers of other rows that are of the same sort and surely not the same."""

import re
from collections.abc import Iterable

from karat.audit.making import Maker
from karat.audit.probe import Row
from karat.audit.sorts import sort_of
from karat.text import normalise

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
