"""What a rule decided and why."""

from msgspec import Struct


class Ruling(Struct, frozen=True):
    """A decision that needs no model: accepted or rejected, by which rule, because of which reference."""

    accept: bool
    name: str
    reason: str
    reference: int | None = None
