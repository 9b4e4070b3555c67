"""What is judged of a delivered answer, and verdicts that say so."""

from typing import TypeVar

from msgspec import structs

from karat.core.types import Item, Unjudged, Verdict
from karat.text import normalise, spell_powers, spell_typeset, unpack

Told = TypeVar("Told", bound=Verdict | Unjudged)
_MOST = 80


def take_out(item: Item) -> Item:
    """Return an item with what is judged of its answer, its numbers written out."""
    return spell_powers(spell_typeset(unpack(item)))


def tell_unpacked(outcome: Told, whole: Item, taken: Item) -> Told:
    """Add to a verdict's reason which part of the answer was judged, where it is not all of it."""
    if (
        not isinstance(outcome, Verdict)
        or taken is whole
        or normalise(taken.answer) == normalise(whole.answer)
    ):
        return outcome
    said = " ".join(taken.answer.split())
    shown = said if len(said) <= _MOST else f"{said[: _MOST - 1]}…"
    return structs.replace(outcome, reason=f"{outcome.reason} Judged of it: “{shown}”")
