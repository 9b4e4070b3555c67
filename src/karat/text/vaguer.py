"""Answers that say less than the reference by its own form: a decade for a year, two of three that were asked for, a form."""

import re

from karat.text.forms import Reference
from karat.text.normalise import normalise

_DECADE = re.compile(
    r"\W*(?:(?:it|this|that|they|he|she) \w+ )?(?:(?:sometime|somewhere|some time) )?(?:in |during |from )?(?:the )?(?:(?:early|late|mid|middle)(?: of)?[ -])?(?:the )?"
    r"(?P<decade>1\d\d0|20\d0)'?s\W*",
    re.IGNORECASE,
)
_CENTURY = re.compile(
    r"\W*(?:(?:it|this|that|they|he|she) \w+ )?(?:in |during )?(?:the )?(?:(?:early|late|mid)[ -])?(?:the )?\w+(?:-\w+)?[ -]centur(?:y|ies)\W*",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\W*(?:it is |it was )?(?:an? |some )?\w+[- ](?:digit|letter|word|syllable|figure)s? \w+\W*",
    re.IGNORECASE,
)
_ASKED_AGE = re.compile(r"\b(?:decade|century|era|age|period)\b", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:,\s*(?:and\s+)?|;|&|\band\b)\s*")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def is_vaguer(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is less specific than every reference."""
    if _FORM.fullmatch(answer) and not any(_FORM.search(reference.text) for reference in references):
        return True
    return _is_age(references, answer, question) or _lacks_items(references, answer, question)


def _is_age(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is a decade or a century where the references are years or days."""
    if _ASKED_AGE.search(question) or not all(
        reference.date and reference.date.year for reference in references
    ):
        return False
    return _DECADE.fullmatch(answer) is not None or _CENTURY.fullmatch(answer) is not None


def _lacks_items(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the question says how many it wants, the references give as many, and the answer gives fewer of them."""
    words = normalise(question).split()
    wanted = {_COUNTS[word] for word in words if word in _COUNTS} | {
        int(word) for word in words if word in _FIGURES
    }
    given = _list_items(answer)
    lists = [_list_items(reference.text) for reference in references]
    return bool(given) and all(
        len(own) in wanted and len(given) < len(own) and set(given) < set(own) for own in lists
    )


_FIGURES = frozenset(map(str, _COUNTS.values()))


def _list_items(text: str) -> list[str]:
    return [item for item in map(normalise, _ITEM.split(text)) if item]
