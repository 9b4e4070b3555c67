"""Find what speaks against an answer that mentions a reference: it denies it, takes it back, or gives something else."""

import re

from karat.core.types import Item
from karat.text.assertion import has_swapped_role, is_denied, is_only_compared
from karat.text.gate.gate import is_question_again
from karat.text.hedges import announces_other_answer, find_doubt, strip_item_numbers
from karat.text.lexicon import GUESSES, any_case, any_of, is_connecting, word_set
from karat.text.mention import list_question_words, read_words_expanded
from karat.text.normal import Words, find_mentions, normalise, read_words, stem_of, strip_invisible
from karat.text.rivals import (
    LISTS_SEVERAL,
    OFFERS_CHOICE,
    find_rivals,
    is_one_of_several_lines,
    is_one_of_several_phrases,
    repeats_frame,
)
from karat.text.specificity import has_other_item, is_less_specific
from karat.text.unwrap.unwrap import strip_politeness
from karat.text.values.reference import Reference, list_mentioned, read_references
from karat.text.values.stated_figures import classify_figure
from karat.text.yes_no import YES_NO_WORDS

_LONGEST_ANSWER = 1000


def find_objection(item: Item, *, listing: bool = True) -> str | None:
    """Say why an answer that holds a reference does not stand for it; None where nothing is held against it.

    With `listing` it counts as well that the reference is one of several listed answers.
    """
    if len(item.answer) > _LONGEST_ANSWER:
        return None
    question, answer = item.question or "", strip_invisible(item.answer)
    references = read_references(item.references)
    words = read_words_expanded(references, answer)
    if any(reference.words == words.forms for reference in references):
        return None
    return (
        _find_fault(question, references, answer)
        or _object_to_talk(question, references, answer, listing=listing)
        or _object_to_mentions(question, references, words)
    )


def _find_fault(question: str, references: list[Reference], answer: str) -> str | None:
    """Say what the answer as a whole has against it."""
    if is_question_again(normalise(question), normalise(answer)) and not any(
        reference.form in YES_NO_WORDS for reference in references
    ):
        return "it says only the question again"
    if is_less_specific(references, answer, question):
        return "it is less specific"
    return "one of its items is another" if has_other_item(references, answer) else None


def _object_to_talk(question: str, references: list[Reference], answer: str, *, listing: bool) -> str | None:
    """Say how the answer gives more than one answer; several that are right are one."""
    if _holds_several(question, references, answer):
        return None
    company = _object_to_rivals(question, references, answer, listing=listing)
    return None if company == OFFERS_CHOICE and _gives_figure(question, references, answer) else company


def _gives_figure(question: str, references: list[Reference], answer: str) -> bool:
    """Return whether an answer comes to the figure that a reference is: a stroke or an "or" of its computation offers nothing."""
    return any(
        reference.valued and classify_figure(reference.text, answer, question) == "same"
        for reference in references
    )


def _object_to_rivals(
    question: str, references: list[Reference], answer: str, *, listing: bool
) -> str | None:
    """Say how the reference stands beside other answers."""
    asked, listed = normalise(question), strip_item_numbers(answer)
    if not any("/" in reference.text for reference in references):
        listed = listed.replace("/", " / ")
    if listing and (
        is_one_of_several_lines(references, listed, asked)
        or is_one_of_several_phrases(references, listed, asked)
    ):
        return LISTS_SEVERAL
    opening = find_alternative_phrase(read_words(answer).known, answer)
    if opening is not None and not any(
        opening in given.lower() for given in (question, *(reference.text for reference in references))
    ):
        return OFFERS_CHOICE
    words = read_words(listed)
    company = find_rivals(references, words, list_question_words(question, words))
    return company if listing or company != LISTS_SEVERAL else None


def _holds_several(question: str, references: list[Reference], answer: str) -> bool:
    """Return whether an answer holds two references that share no word, and nothing else: several things are right, and it gives more than one."""
    words = read_words(answer)
    held = [reference for reference in list_mentioned(references, words) if not reference.is_value]
    if not any(set(one.words).isdisjoint(other.words) for one in held for other in held):
        return False
    known = {stem_of(form) for reference in held for form in reference.words}
    known.update(map(stem_of, normalise(question).split()))
    return all(stem_of(form) in known or is_connecting(form) for form in words.forms)


def _object_to_mentions(question: str, references: list[Reference], answer: Words) -> str | None:
    """Say what speaks against all mentions of a reference; one that nothing speaks against suffices, but a part of a longer one is none."""
    asked = tuple(normalise(question).split())
    spans = {
        (start, start + len(reference.words))
        for reference in list_mentioned(references, answer)
        for start in find_mentions(reference.words, answer)
    }
    whole = [
        (start, end)
        for start, end in sorted(spans)
        if not any(first <= start and end <= last and (first, last) != (start, end) for first, last in spans)
    ]
    first: str | None = None
    for start, end in whole:
        reason = _object_to_mention(answer, start, end, asked)
        if reason is None:
            return None
        first = first or reason
    return first


def _object_to_mention(answer: Words, start: int, end: int, asked: tuple[str, ...]) -> str | None:
    """Say why one mention does not count."""
    text, first, last = answer.text, answer.tokens[start].start, answer.tokens[end - 1].end
    if (
        announces_other_answer(text, first, last)
        or is_only_compared(text, first)
        or repeats_frame(text, first, last)
    ):
        return "it gives another answer"
    if has_swapped_role(answer.forms, start, end, asked):
        return "it turns the roles round"
    if is_denied(answer, start, end, asked):
        return "it denies the answer"
    return (
        "it takes the answer back"
        if find_doubt(text, first, last, frozenset(asked)) == "taken back"
        else None
    )


# Phrases that allow another answer.

_ALTERNATIVE = any_case(
    rf"\b(?:unless (?:it|that|this) (?:is|was)|or else|(?:might|may|could) (?:just |equally )?(?:as well|well|equally) (?:be|have been)|(?:might|may|could) also be(?! \w+ed\b)|is also possible|or (?:{any_of(GUESSES)}))\b|, (?:{any_of(GUESSES)}) \w"
)
_ALTERNATIVE_HINTS = GUESSES | word_set("unless or well equally also")
_LONGEST_CONCESSION = 240


def find_alternative_phrase(words: frozenset[str], text: str) -> str | None:
    """Return what lets something else stand beside what an answer of these words says."""
    if len(text) > _LONGEST_CONCESSION or _ALTERNATIVE_HINTS.isdisjoint(words):
        return None
    found = _ALTERNATIVE.search(text)
    return None if found is None else found[0].lower()


# First and second person: such talk may turn anywhere.

# An "I" behind a name is a number: World War I.
_PERSONAL_PRONOUN = re.compile(
    r"(?:^|[^\w\s-]\s*|\b[a-z][\w']*\s+)I\b(?!\.)|\b(?:[Mm]y|[Mm]e|[Yy]ou|[Yy]our)\b|(?<![\w`'$-])i(?=\s|'(?:m|d|ll|ve)\b)"
)
# What the long expression finds has one of these words; a search for first letters is fast.
_PRONOUN_HINT = re.compile(r"[IMYimy](?<!\w.)(?:e|y|our?)?(?!\w)")
_SPOKEN_WORD = re.compile(r"\w+")
_LONGEST_PERSONAL = 400


def uses_personal_pronoun(item: Item) -> bool:
    """Return whether a brief answer, without its politeness, says "me" or "you" in words that neither question nor references have."""
    if (
        len(item.answer) > _LONGEST_PERSONAL
        or not _PRONOUN_HINT.search(item.answer)
        or not _PERSONAL_PRONOUN.search(item.answer)
    ):
        return False
    known = set(_SPOKEN_WORD.findall(" ".join([item.question or "", *item.references]).lower()))
    said = _PERSONAL_PRONOUN.findall(strip_politeness(item.question or "", item.answer))
    return any(_SPOKEN_WORD.findall(words.lower())[-1] not in known for words in said)
