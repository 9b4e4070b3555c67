"""Answers that say less than the reference by its own form: a decade for a year, a year for a day, a first name, the state for the town."""

import re

from karat.text.dates import Day, covers
from karat.text.forms import Reference, read_values, read_words
from karat.text.normalise import normalise
from karat.text.places import is_region
from karat.text.vocabulary import list_words

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
_ASKED_YEAR = re.compile(r"\byears?\b", re.IGNORECASE)
_ASKED_MONTH = re.compile(r"\bmonths?\b", re.IGNORECASE)
_ASKED_PERSON = re.compile(
    r"\b(?:who|whom|whose|actor|actress|author|writer|poet|novelist|painter|artist|sculptor|composer|musician|singer|player|footballer|"
    r"president|politician|king|queen|emperor|general|scientist|inventor|director|character)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z][\w'’-]*\.?")
_NAMES = range(2, 5)
_GROUP = frozenset(
    list_words("and or of the club team band group party company family brothers sisters university")
)
_ITEM = re.compile(r"\s*(?:,\s*(?:and\s+)?|;|&|\band\b)\s*")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def is_vaguer(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is less specific than every reference."""
    if _FORM.fullmatch(answer) and not any(_FORM.search(reference.text) for reference in references):
        return True
    return (
        _is_age(references, answer, question)
        or _is_wider_date(references, answer, question)
        or _is_given_name(references, answer, question)
        or _is_wider_place(references, answer)
        or _lacks_items(references, answer, question)
    )


def _is_age(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is a decade or a century where a reference is a year or a day."""
    if _ASKED_AGE.search(question) or not any(
        reference.date and reference.date.year for reference in references
    ):
        return False
    return _DECADE.fullmatch(answer) is not None or _CENTURY.fullmatch(answer) is not None


def _is_wider_date(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether every date of the answer lacks the day or the month of every reference; a year may be all that was asked for."""
    if not all(reference.date for reference in references):
        return False
    asked = {date.parts() for date in read_values(question).dates or ()}
    given = [date for date in read_values(answer).dates or () if date.parts() not in asked]
    return bool(given) and all(
        reference.date is not None and _lacks_part(date, reference.date, question)
        for reference in references
        for date in given
    )


def _lacks_part(given: Day, wanted: Day, question: str) -> bool:
    if not covers(given, wanted):
        return False
    if given.month is None:
        return wanted.month is not None and not _ASKED_YEAR.search(question)
    return given.day is None and wanted.day is not None and not _ASKED_MONTH.search(question)


def _is_given_name(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether a person is called by the first name, and by no other word of any reference."""
    if not _ASKED_PERSON.search(question):
        return False
    said = frozenset(read_words(answer).forms)
    people = [reference for reference in references if _is_person(reference)]
    first = {reference.words[0] for reference in people} & said
    rest = said - first
    return bool(first) and all(
        rest.isdisjoint(reference.words) and not first.issuperset(reference.words) for reference in references
    )


def _is_person(reference: Reference) -> bool:
    names = reference.text.split()
    return (
        len(names) in _NAMES
        and len(names) == len(reference.words)
        and all(map(_NAME.fullmatch, names))
        and _GROUP.isdisjoint(reference.words)
    )


def _is_wider_place(references: list[Reference], answer: str) -> bool:
    """Tell whether the answer names the country or the state of a place, and no word of what lies in it."""
    said = read_words(answer).forms
    regions = {region for reference in references for region in _list_regions(reference.text)}
    padded = f" {' '.join(said)} "
    named = {word for region in regions if f" {region} " in padded for word in region.split()}
    rest = frozenset(said) - named
    return bool(named) and all(
        rest.isdisjoint(reference.words) and not named.issuperset(reference.words) for reference in references
    )


def _list_regions(place: str) -> list[str]:
    """The countries and states behind the first comma."""
    return [form for form in map(normalise, place.split(",")[1:]) if is_region(form)]


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
