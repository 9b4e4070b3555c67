"""Answers that say more than a reference which is a decade or a century: "1984" where it is "the 1980s"."""

from karat.core.types import Item
from karat.text.connectives import connects
from karat.text.forms import Reference, read_references, read_values
from karat.text.normalise import normalise
from karat.text.stems import stem_of
from karat.text.values import lies_within
from karat.text.vocabulary import list_words

_DATED = frozenset(
    list_words(
        "january february march april may june july august september october november december ad bc ce bce year first"
    )
)


def find_within(item: Item) -> int | None:
    """Return the place of a reference whose period holds the answer's date, unless another reference says which date it is."""
    references = read_references(item.references)
    if not any(reference.period for reference in references):
        return None
    answer, question = read_values(item.answer), read_values(item.question or "")
    if not _says_only(item.answer, question.text):
        return None
    places = (
        place
        for place, reference in enumerate(references)
        if lies_within(reference, answer, question) and not _is_told_exactly(reference, references)
    )
    return next(places, None)


def _says_only(answer: str, question: str) -> bool:
    """Tell whether an answer says a date and nothing but what was asked: who died in the 18th century may have been born in it, or not."""
    asked = {stem_of(form) for form in normalise(question).split()}
    return all(
        connects(form) or stem_of(form) in asked or any(map(str.isdigit, form)) or form in _DATED
        for form in normalise(answer).split()
    )


def _is_told_exactly(loose: Reference, references: list[Reference]) -> bool:
    """Tell whether another reference is a date of the period."""
    years = [reference.date.year for reference in references if reference.date]
    return loose.period is not None and any(year is not None and loose.period.holds(year) for year in years)
