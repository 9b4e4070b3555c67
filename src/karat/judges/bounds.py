"""How far rules bound the score of an answer: what surely is the reference, and what surely contradicts it."""

from msgspec import Struct

from karat.core.types import Item
from karat.judges.objections import TURNED, find_conflict, find_objection
from karat.likeness import split_sentences
from karat.text import respell, rule_on, tell_figure

ROUNDED = "The answer gives the reference's number, perhaps rounded."
_HIGHEST, _MOSTLY, _UNLIKE = 5, 4, 1
_LEAST = {"number": _HIGHEST, "date": _HIGHEST, "figure": _HIGHEST, "acronym": _HIGHEST, "contained": _MOSTLY}
"""The least value of what a rule accepts; a yes or no leaves open what else the reference says."""
_LONGEST = 30
"""Words of a reference up to which an answer is bounded."""


class Bound(Struct, frozen=True):
    """The least and the most that an answer can have, by which rule, why, and for which reference."""

    least: int
    most: int
    rule: str
    reason: str
    reference: int | None = None

    def hold(self, value: float) -> float:
        """Return a value within the bound."""
        return min(max(value, self.least), self.most)


def bound_value(item: Item, place: int, expected: float) -> Bound | None:
    """Return the bound that moves the value which the network expects for a reference of one sentence; of a longer one, what an answer gives in the place of a part does not make it another (training/LOG.md, "Rules version 13")."""
    reference = item.references[place]
    single = len(reference.split()) <= _LONGEST and len(split_sentences(reference)) <= 1
    bound = find_bound(item, place) if single else None
    return None if bound is None or round(bound.hold(expected)) == round(expected) else bound


def find_bound(item: Item, place: int) -> Bound | None:
    """Return what rules say of an answer of which the network thinks that it is likest to the reference at a place; None where they say nothing."""
    ruling = rule_on(item)
    if ruling is not None:
        least = _LEAST.get(ruling.name, 0) if ruling.accept else 0
        most = _HIGHEST if ruling.accept else _UNLIKE
        return Bound(least, most, f"rule:{ruling.name}", ruling.reason, ruling.reference)
    rounded = _find_rounded(item)
    if rounded is not None:
        return Bound(_MOSTLY, _HIGHEST, "rule:rounded", ROUNDED, rounded)
    conflict = find_conflict(item, place, respell(item.references[place], item.answer, item.question or ""))
    if conflict is None or conflict == TURNED:
        return None  # explanations tell figures in any order
    return Bound(0, _UNLIKE, "rule:conflict", f"The answer is like the reference, but it {conflict}.", place)


def _find_rounded(item: Item) -> int | None:
    """Return the place of the reference whose one figure the answer gives or rounds, where nothing speaks against it."""
    for place, reference in enumerate(item.references):
        like = tell_figure(reference, item.answer, item.question or "")
        if like in {"same", "rounded"} and find_objection(item, item, place, None) is None:
            return place
    return None
