"""References that are lists, and answers that give fewer of their items, or others."""

import re

from karat.text.connectives import connects
from karat.text.forms import Reference
from karat.text.normalise import normalise

_ITEM = re.compile(r"\s*(?:,\s*(?:and\s+)?|;|&|\band\b)\s*")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_FIGURES = frozenset(map(str, _COUNTS.values()))
_AND = re.compile(r"\band\b", re.IGNORECASE)
_LONGEST = 120
_MOST_WORDS = 3
_ALIKE = 60


def lacks_items(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the question says how many it wants, the references give as many, and the answer gives fewer of them."""
    words = normalise(question).split()
    wanted = {_COUNTS[word] for word in words if word in _COUNTS} | {
        int(word) for word in words if word in _FIGURES
    }
    if not wanted:
        return False
    given = _list(answer)
    lists = [_list(reference.text) for reference in references]
    return bool(given) and all(
        len(own) in wanted and len(given) < len(own) and set(given) < set(own) for own in lists
    )


def has_other_item(references: list[Reference], answer: str) -> bool:
    """Tell whether every reference is a list, and a brief answer gives one that shares an item and has another in the place of one: "red, yellow and blue"."""
    return (
        len(answer) <= _LONGEST
        and bool(references)
        and all(_is_changed(reference.text, answer) for reference in references)
    )


def _is_changed(reference: str, answer: str) -> bool:
    if not (_AND.search(reference) or reference.count(",") > 1) or any(map(str.isdigit, reference)):
        return False
    wanted, given = _list(reference), [_strip(item) for item in _list(answer)]
    if len(given) != len(wanted) or any(len(item.split()) > _MOST_WORDS for item in wanted):
        return False
    # A sentence may lead to the first item, and go on behind the last one.
    missing = [item for item in wanted if not any(_holds(each, item) for each in given)]
    other = [each for each in given if not any(_holds(each, item) for item in wanted)]
    return len(missing) == len(other) == 1 < len(wanted) and not _may_be(other[0], missing[0])


def _holds(given: str, item: str) -> bool:
    return f" {item} " in f" {given} "


def _may_be(given: str, item: str) -> bool:
    """Tell whether an item may be another writing of the missing one: a word in common, a like one, or its initials."""
    from rapidfuzz import fuzz

    if "".join(word[0] for word in item.split()) in given.split():
        return True
    return any(fuzz.ratio(one, two) >= _ALIKE for one in given.split() for two in item.split())


def _strip(item: str) -> str:
    """Return an item without the small words around it."""
    words = item.split()
    while words and connects(words[0]):
        words = words[1:]
    return " ".join(words)


def _list(text: str) -> list[str]:
    return [item for item in map(normalise, _ITEM.split(text)) if item]
