"""Yes and no with reasons: an answer that comes to the yes or no of the reference, and says nothing that the reference might not."""

import re
from typing import Literal, TypeAlias

from karat.core.types import Item
from karat.text.directions import FALLS, RISES
from karat.text.echoes import FUNCTION_WORDS
from karat.text.mentioned import names_more
from karat.text.normalise import normalise
from karat.text.numbers import read_words
from karat.text.polarity import denies_itself, find_wanted, is_negated, tell_agreed
from karat.text.statements import gives_figures, misplaces_figures
from karat.text.stems import stem_of

Agreed: TypeAlias = Literal["said", "figured"]
_WEAK = re.compile(
    r"\b(?:fail\w*|without|below|under|weak\w*|poor\w*|lack\w*|exceed\w*|loss|losses)\b", re.IGNORECASE
)

_FIGURE = re.compile(r"(?!\S*\d(?:st|nd|rd|th)\b)\S*\d\S*")
_COUNTED = frozenset({"once", "twice", "thrice", "half"})


def find_agreed(item: Item) -> tuple[int, Agreed] | None:
    """Return the place of the reference whose yes or no an answer says, or whose figures for it the answer gives; None where it says the opposite, or may."""
    question, answer = item.question or "", item.answer
    wanted = find_wanted(question, item.references)
    agreed = tell_agreed(question, item.references, answer) if wanted is not None else False
    if wanted is None or agreed is False:
        return None
    for place, reference in enumerate(item.references):
        figured = gives_figures(reference, answer, question) and not (
            misplaces_figures(reference, answer) or _turns(reference, answer)
        )
        if agreed and not denies_itself(question, answer) and (figured or not _adds_value(item, reference)):
            return place, "said"
        if agreed is None and figured and _may_bear(question, answer, wanted=wanted):
            return place, "figured"
    return None


def _adds_value(item: Item, reference: str) -> bool:
    """Tell whether an answer has a name or a number, in digits or words, that neither question nor references have; figures beside a reference that has none contradict nothing."""
    known = set(normalise(" ".join([item.question or "", *item.references])).split())
    if not any(map(str.isdigit, reference)):
        item = Item(item.question, item.references, _FIGURE.sub(" ", item.answer))
    return names_more(item) or any(
        form in _COUNTED or read_words(form) is not None
        for form in normalise(item.answer).split()
        if form not in known
    )


def _turns(reference: str, answer: str) -> bool:
    """Tell whether an answer speaks of falls alone where the reference has none, or of rises where it has falls alone."""
    rises, falls = RISES.search(reference) is not None, FALLS.search(reference) is not None
    risen, fallen = RISES.search(answer) is not None, FALLS.search(answer) is not None
    return (fallen and not risen and not falls) or (risen and not fallen and falls and not rises)


def _may_bear(question: str, answer: str, *, wanted: bool) -> bool:
    """Tell whether an answer without a yes or no may come to the wanted one: it denies nothing, or something, or does not take up what the question ends with."""
    if wanted:
        return not is_negated(answer)
    telling = [stem_of(form) for form in normalise(question).split() if form not in FUNCTION_WORDS]
    said = set(map(stem_of, normalise(answer).split()))
    return is_negated(answer) or _WEAK.search(answer) is not None or said.isdisjoint(telling[-1:])
