"""Rows counted up, on their way to a summary."""

from msgspec import Struct


class Group(Struct, frozen=True):
    """How many rows of a run share system, value, cause and origin; the score is summed over them."""

    system: str | None
    value: int | None
    cause: str | None
    decided_by: str | None
    rows: int
    score: float | None
