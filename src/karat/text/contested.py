"""Answers that hold a reference and that no judge should accept for it: it stands beside others, or is taken back."""

import re

from karat.core.types import Item
from karat.text.announced import is_announced_elsewhere
from karat.text.apart import read_apart
from karat.text.clean import strip_invisible
from karat.text.conceded import (
    find_opening,
    is_compared,
    is_conceded,
    is_less,
    is_offered,
    is_overtaken,
    is_second,
)
from karat.text.connectives import connects
from karat.text.containment import find_mentions, list_held
from karat.text.coordinated import CHOICE, LISTED, TOPICLESS, find_company, is_one_of_lines, is_one_of_phrases
from karat.text.dates import read_date
from karat.text.denied import is_denied
from karat.text.echoes import asks_again
from karat.text.fold import fold
from karat.text.forms import Reference, Words, read_references, read_values, read_words
from karat.text.hedges import find_doubt
from karat.text.items import has_other_item
from karat.text.normalise import normalise
from karat.text.overruled import is_overruled
from karat.text.polarity import POLAR
from karat.text.results import tell_figure
from karat.text.rivals import repeats_frame
from karat.text.roles import is_swapped
from karat.text.second_thoughts import has_second_thoughts
from karat.text.several import are_listed, unnumber
from karat.text.stems import stem_of
from karat.text.symbols import differs_in_signs
from karat.text.topics import list_asked
from karat.text.vaguer import is_vaguer

_LONGEST = 1000
_BRIEF = 10
_SIDES = re.compile(r"[/|]|[oO](?<!\w.)[rR]\b")
_DATE = re.compile(r"(?<!\d)\d{1,4}/\d{1,2}/\d{1,4}(?!\d)")
_LATIN = re.compile(r"[A-Za-z0-9]")
_WHERE = re.compile(r"\W*where\b", re.IGNORECASE)
_STATES = re.compile(r"\b(?:is|was|are|were|be|has|had|have|did|does|do)\b", re.IGNORECASE)


def find_contest(item: Item, *, naming: bool = True) -> str | None:
    """Say why an answer that holds a reference does not stand for it; None where nothing is held against it.

    With `naming` it counts as well that something else is named beside the reference, though nothing is said for it.
    """
    if len(item.answer) > _LONGEST:
        return None
    question, answer = item.question or "", strip_invisible(item.answer)
    references = read_references(item.references)
    words = read_apart(references, answer)
    if any(reference.words == words.forms for reference in references):
        return None
    return (
        _find_fault(question, references, answer)
        or _contest_talk(question, references, answer, naming=naming)
        or _contest_mentions(question, references, words)
    )


def _find_fault(question: str, references: list[Reference], answer: str) -> str | None:
    """Say what the answer as a whole has against it."""
    if _is_foreign(references, answer):
        return "it is written in another script"
    if asks_again(normalise(question), normalise(answer)) and not any(
        reference.form in POLAR for reference in references
    ):
        return "it says only the question again"
    if references and all(differs_in_signs(reference.text, answer) for reference in references):
        return "its signs differ"
    if is_vaguer(references, answer, question):
        return "it is less specific"
    return _contest_values(question, references, answer)


def _contest_values(question: str, references: list[Reference], answer: str) -> str | None:
    """Say what is wrong with the answer's values and items."""
    if _WHERE.match(question) and read_date(fold(answer)) and not all(each.date for each in references):
        return "it gives a date where a place is asked for"
    if is_overruled(references, answer, question):
        return "it contradicts a fuller reference"
    return "one of its items is another" if has_other_item(references, answer) else None


def _contest_talk(question: str, references: list[Reference], answer: str, *, naming: bool) -> str | None:
    """Say how the answer takes back what it gives, or gives more than one answer; several that are right are one."""
    if has_second_thoughts(answer, question, (reference.text for reference in references)):
        return "it takes the answer back"
    if _has_other_dates(answer, question, references):
        return "it gives several dates"
    if _holds_several(question, references, answer):
        return None
    company = _contest_company(question, references, answer, naming=naming)
    return None if company == CHOICE and _gives_figure(question, references, answer) else company


def _gives_figure(question: str, references: list[Reference], answer: str) -> bool:
    """Tell whether an answer comes to the figure that a reference is: a stroke or an "or" of its computation offers nothing."""
    return any(
        reference.valued and tell_figure(reference.text, answer, question) == "same"
        for reference in references
    )


def _contest_company(question: str, references: list[Reference], answer: str, *, naming: bool) -> str | None:
    """Say how the reference stands beside other answers."""
    asked, listed = normalise(question), unnumber(answer)
    if not any("/" in reference.text for reference in references):
        listed = listed.replace("/", " / ")
    if naming and (
        is_one_of_lines(references, listed, asked) or is_one_of_phrases(references, listed, asked)
    ):
        return LISTED
    opening = find_opening(read_words(answer).known, answer)
    if opening is not None and not any(
        opening in given.lower() for given in (question, *(reference.text for reference in references))
    ):
        return CHOICE
    if _is_one_side(references, answer, asked):
        return CHOICE
    words = read_words(listed)
    company = find_company(references, words, list_asked(question, words))
    return company if naming or company not in (LISTED, TOPICLESS) else None


def _holds_several(question: str, references: list[Reference], answer: str) -> bool:
    """Tell whether an answer holds two references that share no word, and nothing else: several things are right, and it gives more than one."""
    words = read_words(answer)
    held = [reference for reference in list_held(references, words) if not reference.is_value]
    if not any(set(one.words).isdisjoint(other.words) for one in held for other in held):
        return False
    known = {stem_of(form) for reference in held for form in reference.words}
    known.update(map(stem_of, normalise(question).split()))
    return all(stem_of(form) in known or connects(form) for form in words.forms)


def _is_one_side(references: list[Reference], answer: str, asked: str) -> bool:
    """Tell whether a reference stands alone on one side of a stroke or an "or" and something else on the other: "Canberra/Sydney".

    In a sentence that speaks of the question the other side is more often another name of the same.
    """
    if _SIDES.search(answer) is None:
        return False
    sides = [form for form in map(normalise, _SIDES.split(_DATE.sub(" ", answer))) if form]
    known = {reference.form for reference in references}
    others = {word for side in sides if side not in known for word in side.split()}
    telling = {word for word in asked.split() if not connects(word)}
    return bool(others) and not known.isdisjoint(sides) and others.isdisjoint(telling)


def _is_foreign(references: list[Reference], answer: str) -> bool:
    """Tell whether no letter or figure of the answer is of the alphabet in which the references are written."""
    if answer.isascii() or _LATIN.search(fold(answer)):
        return False
    return bool(references) and all(_LATIN.search(reference.text) for reference in references)


def _contest_mentions(question: str, references: list[Reference], answer: Words) -> str | None:
    """Say what speaks against all mentions of a reference; one that nothing speaks against suffices, but a part of a longer one is none."""
    asked = tuple(normalise(question).split())
    spans = {
        (start, start + len(reference.words))
        for reference in list_held(references, answer)
        for start in find_mentions(reference.words, answer)
    }
    several = are_listed(answer.text, (answer.place(start, end) for start, end in spans))
    whole = [
        (start, end)
        for start, end in sorted(spans)
        if not any(first <= start and end <= last and (first, last) != (start, end) for first, last in spans)
    ]
    first: str | None = None
    for start, end in whole:
        reason = _contest(answer, start, end, asked, several=several)
        if reason is None:
            return None
        first = first or reason
    return first


def _contest(answer: Words, start: int, end: int, asked: tuple[str, ...], *, several: bool) -> str | None:
    """Say why one mention does not count."""
    text, first, last, own = (
        answer.text,
        answer.tokens[start].start,
        answer.tokens[end - 1].end,
        frozenset(asked),
    )
    if _is_given_another(text, first, last, own) or (not several and repeats_frame(text, first, last)):
        return "it gives another answer"
    if is_offered(answer, own.union(answer.forms[start:end])):
        return CHOICE
    if is_swapped(answer.forms, start, end, asked):
        return "it turns the roles round"
    if is_denied(answer, start, end, asked):
        return "it denies the answer"
    return "it takes the answer back" if find_doubt(text, first, last, own) == "taken back" else None


def _is_given_another(text: str, first: int, last: int, asked: frozenset[str]) -> bool:
    """Tell whether another answer is announced, conceded to, said first or concluded with."""
    return (
        is_announced_elsewhere(text, first, last)
        or is_conceded(text, first, last, asked)
        or is_second(text, first, asked)
        or is_compared(text, first)
        or is_less(text, first, asked)
        or is_overtaken(text, first, last, asked)
    )


def _has_other_dates(answer: str, question: str, references: list[Reference]) -> bool:
    """Tell whether a brief answer without a verb gives more dates than one where dates are asked for."""
    if not references or not all(reference.date for reference in references):
        return False
    if len(answer.split()) > _BRIEF or _STATES.search(answer):
        return False
    known = {date.parts() for date in read_values(question).dates or ()}
    return len({date.parts() for date in read_values(answer).dates or ()} - known) > 1
