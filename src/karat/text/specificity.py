"""Compare how specific an answer is: less than every reference, missing or other list items, another number, a date within a period."""

import re
from collections.abc import Sequence

from karat.core.types import Item
from karat.text.lexicon import (
    MONTHS,
    PARTICLES,
    SMALL_NUMBERS,
    any_case,
    asks_person,
    is_connecting,
    word_set,
)
from karat.text.names import NAME_WORD, compare_numbered, has_other_regnal_number
from karat.text.normal import normalise, read_words, stem_of, strip_announcement
from karat.text.values.compare import is_within_period, values_agree, values_conflict
from karat.text.values.compare_figures import contradicts_figures
from karat.text.values.dates import Day, covers_date, dates_clash
from karat.text.values.reference import Reference, Values, mentions_any, read_references, read_values
from karat.text.values.stated_figures import classify_figure

_DECADE = any_case(
    r"\W*(?:(?:it|this|that|they|he|she) \w+ )?(?:(?:sometime|somewhere|some time) )?(?:in |during |from )?(?:the )?(?:(?:early|late|mid|middle)(?: of)?[ -])?(?:the )?"
    r"(?P<decade>1\d\d0|20\d0)'?s\W*"
)
_CENTURY = any_case(
    r"\W*(?:(?:it|this|that|they|he|she) \w+ )?(?:in |during )?(?:the )?(?:(?:early|late|mid)[ -])?(?:the )?\w+(?:-\w+)?[ -]centur(?:y|ies)\W*"
)
_FORM_ONLY = any_case(
    r"\W*(?:it is |it was )?(?:an? |some )?\w+[- ](?:digit|letter|word|syllable|figure)s? \w+\W*"
)
_ARTICLE = any_case(r"\W*(?:an?|the)\W*")
_ASKED_AGE = any_case(r"\b(?:decade|century|era|age|period)\b")
_ASKED_YEAR = any_case(r"\b(?:years?|jahr|année|año|anno|(?:what|which) (?:\w+ )?(?:seasons?|edition))\b")
_ASKED_MONTH = any_case(r"\b(?:months?|monat|mois|mes|mese)\b")
_NAME_PARTICLES = PARTICLES | {"of"}
_NAME_COUNTS = range(2, 5)
_GROUP_WORDS = word_set(
    "and or the club team band group party company family brothers sisters university fc inc corp corporation ltd united city empire dynasty"
)


def is_less_specific(references: list[Reference], answer: str, question: str) -> bool:
    """Return whether the answer is less specific than every reference."""
    if _FORM_ONLY.fullmatch(answer) and not any(
        _FORM_ONLY.search(reference.text) for reference in references
    ):
        return True
    if _ARTICLE.fullmatch(answer) and not any(reference.words[-1:] == ("a",) for reference in references):
        return True
    return (
        _is_period_for_date(references, answer, question)
        or _is_wider_date(references, answer, question)
        or lacks_items(references, answer, question)
        or (not mentions_any(references, read_words(answer)) and _is_given_name(references, answer, question))
    )


def _is_period_for_date(references: list[Reference], answer: str, question: str) -> bool:
    """Return whether the answer is a decade or a century where a reference is a year or a day."""
    if _ASKED_AGE.search(question) or not any(
        reference.date and reference.date.year for reference in references
    ):
        return False
    return _says_period(answer) and not any(_says_period(reference.text) for reference in references)


def _says_period(text: str) -> bool:
    return _DECADE.fullmatch(text) is not None or _CENTURY.fullmatch(text) is not None


def _is_wider_date(references: list[Reference], answer: str, question: str) -> bool:
    """Return whether every date of the answer lacks the day or the month of the references that it could mean; a year may be all that was asked for.

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
    if any(covers_date(each, date) for each in wanted for date in given):
        return False
    meant = [(date, each) for date in given for each in wanted if covers_date(date, each)]
    return bool(meant) and all(_lacks_part(date, each, question) for date, each in meant)


def _lacks_part(given: Day, wanted: Day, question: str) -> bool:
    if given.month is None:
        return wanted.month is not None and not _ASKED_YEAR.search(question)
    return given.day is None and wanted.day is not None and not _ASKED_MONTH.search(question)


def contradicts_fuller_date(references: list[Reference], answer: str) -> bool:
    """Return whether the answer's one date shares only the year with references that have a month: "22 December 1970" where they are "22 November 1970" and "1970"."""
    given = list(read_values(answer).dates or ())
    full = [each.date for each in references if each.date is not None and each.date.month is not None]
    same_year = [date for date in full if len(given) == 1 and date.year == given[0].year]
    return bool(same_year) and all(dates_clash(date, given[0]) for date in same_year)


def _is_given_name(references: list[Reference], answer: str, question: str) -> bool:
    """Return whether a person is given by the first name alone; a reference of one word is a whole name."""
    if not asks_person(question):
        return False
    asked = frozenset(normalise(question).split())
    said = {form for form in read_words(answer).forms if form not in asked and not is_connecting(form)}
    firsts = {reference.words[0] for reference in references if _is_person(reference)}
    return (
        len(said) == 1 and said <= firsts and all(reference.words != tuple(said) for reference in references)
    )


def _is_person(reference: Reference) -> bool:
    names = reference.text.split()
    return (
        len(names) in _NAME_COUNTS
        and len(names) == len(reference.words)
        and all(NAME_WORD.fullmatch(name) for name in names if name not in _NAME_PARTICLES)
        and names[0] not in _NAME_PARTICLES
        and _GROUP_WORDS.isdisjoint(reference.words)
    )


# Lists: items that are missing or are others.

_ITEM = re.compile(r"\s*(?:,\s*(?:and\s+)?|;|&|\band\b)\s*")
_COUNTS = {word: count for count, word in enumerate(SMALL_NUMBERS[2:11], 2)}
_FIGURES = frozenset(map(str, _COUNTS.values()))
_LONGEST_LIST, _MOST_WORDS, _ALIKE_SPELLING = 120, 3, 60


def lacks_items(references: list[Reference], answer: str, question: str) -> bool:
    """Return whether the question asks for a number of items, the references list that many, and the answer lists fewer of them."""
    words = normalise(question).split()
    wanted = {_COUNTS[word] for word in words if word in _COUNTS} | {
        int(word) for word in words if word in _FIGURES
    }
    if not wanted:
        return False
    given = _split_items(answer)
    lists = [_split_items(reference.text) for reference in references]
    return bool(given) and all(
        len(own) in wanted and len(given) < len(own) and set(given) < set(own) for own in lists
    )


def has_other_item(references: list[Reference], answer: str) -> bool:
    """Return whether every reference is a list, and a brief answer repeats it with one item changed: "red, yellow and blue"."""
    return (
        len(answer) <= _LONGEST_LIST
        and bool(references)
        and all(_is_changed(reference.text, answer) for reference in references)
    )


def _is_changed(reference: str, answer: str) -> bool:
    if not (" and " in reference.lower() or reference.count(",") > 1) or any(map(str.isdigit, reference)):
        return False
    wanted, given = _split_items(reference), _split_items(answer)
    if len(given) != len(wanted) or any(len(item.split()) > _MOST_WORDS for item in wanted):
        return False
    # A sentence may lead to the first item, and go on behind the last one.
    missing = [item for item in wanted if not any(_holds_item(each, item) for each in given)]
    other = [each for each in given if not any(_holds_item(each, item) for item in wanted)]
    return len(missing) == len(other) == 1 < len(wanted) and not _may_be_same_item(other[0], missing[0])


def _holds_item(given: str, item: str) -> bool:
    return f" {item} " in f" {given} "


def _may_be_same_item(given: str, item: str) -> bool:
    """Return whether an item may be the missing one in another spelling: a common or similar word, or its initials."""
    from rapidfuzz import fuzz

    if "".join(word[0] for word in item.split()) in given.split():
        return True
    return any(fuzz.ratio(one, two) >= _ALIKE_SPELLING for one in given.split() for two in item.split())


def _split_items(text: str) -> list[str]:
    return [item for item in map(normalise, _ITEM.split(text)) if item]


# Another number in the place of the reference's: "14 August 1976" where the references are "1976" and "July 14, 1976".

_UNSURE_KINDS = frozenset({"plain", "ordinal", "pound", "ounce", "ton", "gallon", "cent"})
"""Kinds of quantities that may have the same value under another unit name."""
_MATCHING = frozenset({"same", "rounded"})


def gives_other_number(references: Sequence[str], place: int, answer: str, question: str) -> bool:
    """Return whether the answer differs from the reference at a place, or a shorter or longer one, only in its number or unit."""
    known = read_references(tuple(references))
    given, asked, words = (
        read_values(answer),
        read_values(question),
        strip_announcement(normalise(answer)).split(),
    )
    own = known[place].padded
    like = [each for each in known if each.padded in own or own in each.padded]
    if any(
        values_agree(each, given, asked) or classify_figure(each.text, answer, question) in _MATCHING
        for each in known
    ):
        return False
    if all(has_other_regnal_number(each.text, answer) for each in known):
        return True
    return any(_is_in_other_unit(each, given) for each in known) or any(
        # "(x - 3)(x - 2)" has the numbers of "(x - 2)(x - 3)"
        (compare_numbered(each.words, words) is False and sorted(each.words) != sorted(words))
        or values_conflict(each, given, asked)
        for each in like
    )


def _is_in_other_unit(reference: Reference, given: Values) -> bool:
    """Return whether the answer's one quantity has the reference's figure and another unit."""
    wanted = reference.quantity
    if wanted is None or given.quantities is None or len(given.quantities) != 1:
        return False
    other = given.quantities[0]
    if not _UNSURE_KINDS.isdisjoint((wanted.kind, other.kind)):
        return False
    return wanted.count == other.count and (wanted.kind, wanted.value) != (other.kind, other.value)


# Head phrases: the phrase of a reference that answers the question, without the clause that explains it.

# What follows these explains the head phrase.
_EXPLANATION = re.compile(
    r"(?<=[a-z)])\.(?=\s+(?:It|Its|They|Their)\s(?![^.]*\b(?:also|other|too|joined|later|not)\b)[^.]*\d)|,(?=\s+(?:since|because|as|due to|given that|thanks to|which|who|whose|where|meaning)\b)|(?i:(?=\s+errat(?:a|um)\b)|(?=[\s;(]+accept(?::|\s(?:also|either|any)\b)))"
)
_ASKS_SEVERAL = any_case(r"\b(?:and|why|how|explain|describe|reasons?)\b")
_YES_NO = any_case(r"(?:yes|no|true|false)\b")
_CLAUSE_WORD = any_case(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|will|would|can|could|should|must|may|not|it|they|you|there)\b|n't"
)
_MOST_HEAD_WORDS, _LONGEST_HEADED, _LEAST_REST = 3, 400, 2


def find_head_phrase(reference: str) -> str | None:
    """Return the phrase of up to three words before the explanation in a longer reference, or None; a yes or no is none."""
    text = reference[:_LONGEST_HEADED].strip(" .…\"'“”")
    cut = _EXPLANATION.search(text)
    if cut is None:
        return None
    head, rest = text[: cut.start()].strip(), text[cut.end() :]
    if not 1 <= len(head.split()) <= _MOST_HEAD_WORDS or len(rest.split()) < _LEAST_REST:
        return None
    return (
        None if _YES_NO.match(head) or _CLAUSE_WORD.search(head) or not any(map(str.isalnum, head)) else head
    )


def find_head_phrases(question: str, references: tuple[str, ...], answer: str) -> list[tuple[int, str]]:
    """Return the head phrases of references with their places, if one thing is asked for and the answer's figures do not contradict the explanation."""
    if _ASKS_SEVERAL.search(question):
        return []
    found = ((place, find_head_phrase(reference)) for place, reference in enumerate(references))
    return [
        (place, core)
        for place, core in found
        if core is not None and not contradicts_figures(references[place], answer)
    ]


# Dates within a period: "1984" where the reference is "the 1980s".

_DATE_WORDS = word_set("ad bc ce bce year first").union(MONTHS)


def find_period_of_date(item: Item) -> int | None:
    """Return the place of a reference whose period holds the answer's date, unless another reference says which date it is."""
    references = read_references(item.references)
    if not any(reference.period for reference in references):
        return None
    answer, question = read_values(item.answer), read_values(item.question or "")
    if not _says_only_date(item.answer, question.text):
        return None
    years = [each.date.year for each in references if each.date and each.date.year is not None]
    for place, reference in enumerate(references):
        period = reference.period if is_within_period(reference, answer, question) else None
        if period is not None and not any(map(period.holds, years)):
            return place
    return None


def _says_only_date(answer: str, question: str) -> bool:
    """Return whether an answer gives a date and otherwise only words of the question."""
    asked = {stem_of(form) for form in normalise(question).split()}
    return all(
        is_connecting(form) or stem_of(form) in asked or any(map(str.isdigit, form)) or form in _DATE_WORDS
        for form in normalise(answer).split()
    )
