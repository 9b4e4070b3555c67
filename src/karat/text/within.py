"""Answers that say more than a reference which is a decade or a century: "1984" where it is "the 1980s"."""

from karat.core.types import Item
from karat.text.forms import Reference, read_reference, read_values
from karat.text.normalise import normalise
from karat.text.topics import is_value_on_topic
from karat.text.values import lies_within


def find_within(item: Item) -> int | None:
    """Return the place of a reference whose period holds the answer's date, unless another reference says which date it is."""
    references = [read_reference(text) for text in item.references]
    if not any(reference.period for reference in references):
        return None
    answer, question = read_values(item.answer), read_values(item.question or "")
    if not is_value_on_topic(answer, frozenset(normalise(question.text).split()), references):
        return None
    places = (
        place
        for place, reference in enumerate(references)
        if lies_within(reference, answer, question) and not _is_told_exactly(reference, references)
    )
    return next(places, None)


def _is_told_exactly(loose: Reference, references: list[Reference]) -> bool:
    """Tell whether another reference is a date of the period."""
    years = [reference.date.year for reference in references if reference.date]
    return loose.period is not None and any(year is not None and loose.period.holds(year) for year in years)
