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


class Cluster(Struct, frozen=True):
    """How many questions, of one system where there are several, have so many judged and so many correct rows."""

    system: str | None
    judged: int
    correct: int
    questions: int
