"""What is asked in an audit: rows with a right and a wrong answer, and probes made from them."""

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from karat.core.types import Item

Effect: TypeAlias = Literal["must_fail", "must_not_rise", "must_fall", "must_not_move"]
Aim: TypeAlias = Literal["yes", "no"]

FAMILIES: dict[str, Effect] = {
    "junk": "must_fail",
    "injection": "must_not_rise",
    "hedge": "must_fall",
    "meaning": "must_fall",
    "harmless": "must_not_move",
    "order": "must_not_move",
}
EFFECTS: tuple[Effect, ...] = get_args(Effect)
BASE = "base"


class Row(Struct, frozen=True):
    """A question with its references, an answer known to be right and one known to be wrong.

    `also` holds further answers by what they are to the reference: specific, alias, same, vague, swapped, reversed. The
    `chosen` reference is the one that changes are made to: the first, or the one that people were seen to use.
    """

    id: str
    question: str | None
    references: tuple[str, ...]
    right: str
    wrong: str
    also: dict[str, str] = {}
    chosen: int = 0

    @property
    def short(self) -> str:
        """The chosen reference itself as an answer."""
        return self.references[self.chosen]


class Probe(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item with the effect that it must have, compared with its base.

    Bases are probes too, of the family "base": the unchanged answers that the others are compared with. An `aim` is what
    an injection wants its neighbours' verdicts to be.
    """

    id: str
    family: str
    kind: str
    question: str | None = None
    references: tuple[str, ...]
    answer: str
    effect: Effect | None = None
    base: str | None = None
    row: str = ""
    aim: Aim | None = None
    bank: str | None = None

    @property
    def item(self) -> Item:
        """What a judge is given."""
        return Item(self.question, self.references, self.answer)
