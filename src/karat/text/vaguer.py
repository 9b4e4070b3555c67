"""Answers that say less than the reference by its own form: a decade for a year, a year for a day, a first name, the state for the town."""

import re

from karat.text.asked import asks_person
from karat.text.connectives import connects
from karat.text.containment import holds_any
from karat.text.dates import Day, covers
from karat.text.forms import Reference, read_values, read_words
from karat.text.items import lacks_items
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
_ARTICLE = re.compile(r"\W*(?:an?|the)\W*", re.IGNORECASE)
_ASKED_AGE = re.compile(r"\b(?:decade|century|era|age|period)\b", re.IGNORECASE)
_ASKED_YEAR = re.compile(
    r"\b(?:years?|jahr|année|año|anno|(?:what|which) (?:\w+ )?(?:seasons?|edition))\b", re.IGNORECASE
)
_ASKED_MONTH = re.compile(r"\b(?:months?|monat|mois|mes|mese)\b", re.IGNORECASE)
_ASKED_REGION = re.compile(
    r"\b(?:country|countries|nations?|states?|provinces?|continents?|regions?)\b", re.IGNORECASE
)
_NAME = re.compile(r"[A-Z][\w'’-]*\.?")
_PARTICLES = frozenset(list_words("of de da di von van"))
_NAMES = range(2, 5)
_GROUP = frozenset(
    list_words(
        "and or the club team band group party company family brothers sisters university fc inc corp corporation ltd united city empire dynasty"
    )
)


def is_vaguer(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is less specific than every reference."""
    if _FORM.fullmatch(answer) and not any(_FORM.search(reference.text) for reference in references):
        return True
    if _ARTICLE.fullmatch(answer) and not any(reference.words[-1:] == ("a",) for reference in references):
        return True
    return (
        _is_age(references, answer, question)
        or _is_wider_date(references, answer, question)
        or lacks_items(references, answer, question)
        or (not holds_any(references, read_words(answer)) and _is_wider_name(references, answer, question))
    )


def _is_wider_name(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is a part of the name of a person or a place."""
    return _is_given_name(references, answer, question) or _is_wider_place(references, answer, question)


def _is_age(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer is a decade or a century where a reference is a year or a day."""
    if _ASKED_AGE.search(question) or not any(
        reference.date and reference.date.year for reference in references
    ):
        return False
    return _says_age(answer) and not any(_says_age(reference.text) for reference in references)


def _says_age(text: str) -> bool:
    return _DECADE.fullmatch(text) is not None or _CENTURY.fullmatch(text) is not None


def _is_wider_date(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether every date of the answer lacks the day or the month of the references that it could mean; a year may be all that was asked for.

    A number beside the date may be the day, in words or in another language. The question's own dates add nothing, unless there is no other.
    """
    wanted = [reference.date for reference in references if reference.date is not None]
    if len(wanted) < len(references):
        return False
    values = read_values(answer)
    if values.quantities is None or values.quantities:
        return False
    asked = {date.parts() for date in read_values(question).dates or ()}
    dates = values.dates or ()
    given = [date for date in dates if date.parts() not in asked] or dates
    if any(covers(each, date) for each in wanted for date in given):
        return False
    meant = [(date, each) for date in given for each in wanted if covers(date, each)]
    return bool(meant) and all(_lacks_part(date, each, question) for date, each in meant)


def _lacks_part(given: Day, wanted: Day, question: str) -> bool:
    if given.month is None:
        return wanted.month is not None and not _ASKED_YEAR.search(question)
    return given.day is None and wanted.day is not None and not _ASKED_MONTH.search(question)


def _is_given_name(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether a person is called by the first name and nothing else; an alias of one word is a whole name."""
    if not asks_person(question):
        return False
    said = _list_told(answer, question)
    firsts = {reference.words[0] for reference in references if _is_person(reference)}
    return (
        len(said) == 1 and said <= firsts and all(reference.words != tuple(said) for reference in references)
    )


def _list_told(answer: str, question: str) -> set[str]:
    """The words of an answer that neither the question has nor a sentence needs."""
    asked = frozenset(normalise(question).split())
    return {form for form in read_words(answer).forms if form not in asked and not connects(form)}


def _is_person(reference: Reference) -> bool:
    names = reference.text.split()
    return (
        len(names) in _NAMES
        and len(names) == len(reference.words)
        and all(_NAME.fullmatch(name) for name in names if name not in _PARTICLES)
        and names[0] not in _PARTICLES
        and _GROUP.isdisjoint(reference.words)
    )


def _is_wider_place(references: list[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer names the country or the state of a place and nothing else, where that was not asked for."""
    if _ASKED_REGION.search(question):
        return False
    said = _list_told(answer, question)
    regions = [region for reference in references for region in _list_regions(reference.text)]
    return any(said == set(region.split()) for region in regions) and not any(
        said.issuperset(_list_told(reference.text, question)) for reference in references
    )


def _list_regions(place: str) -> list[str]:
    """The countries and states behind a town; "Washington, D.C." is one name, and a list of countries has no town."""
    town, *wider = map(normalise, place.split(","))
    return [] if is_region(town) else [form for form in wider if is_region(form) and form != "dc"]
