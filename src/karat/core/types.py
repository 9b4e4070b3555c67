"""The basic values: items, outcomes, costs."""

from typing import Literal, TypeAlias

from msgspec import Struct

ProtocolName: TypeAlias = Literal["match", "equivalence", "keypoints"]
Cause: TypeAlias = Literal[
    "unparseable", "refused", "truncated", "rejected", "unavailable", "over_budget", "undecided", "tie"
]
Value: TypeAlias = bool | int


class Item(Struct, frozen=True):
    """One answer to judge, against any one of the references."""

    question: str | None
    references: tuple[str, ...]
    answer: str


class Spent(Struct, frozen=True):
    """What an outcome cost; `cost_usd` is None if no price is known.

    For `uncounted` calls the endpoint gave no usable token counts: the numbers are those of the other calls, and None if
    there are no others.
    """

    calls: int = 0
    input_tokens: int | None = 0
    cached_tokens: int = 0
    output_tokens: int | None = 0
    cost_usd: float | None = 0.0
    uncounted: int = 0


NOTHING = Spent()
UNCOUNTED = Spent(calls=1, input_tokens=None, output_tokens=None, cost_usd=None, uncounted=1)


class Losses(Struct, frozen=True):
    """Calls that were sent and not answered, and the most that a provider may charge for them and for uncounted ones."""

    calls: int = 0
    most_usd: float = 0.0


class Vote(Struct, frozen=True, array_like=True):
    """The value that one member of a panel gave; None if it had no verdict."""

    judge: str
    value: Value | None


class Point(Struct, frozen=True):
    """A key point of the reference, and whether the answer has it."""

    text: str
    status: Literal["present", "missing", "wrong"]


class Heard(Struct, frozen=True, array_like=True):
    """A reply that an outcome was read from: its key, and which of how many items it was about, from 1 on."""

    key: str
    place: int
    items: int


class Verdict(Struct, frozen=True, tag="judged", tag_field="status"):
    """A value with its score, origin and reasons."""

    value: Value
    score: float
    decided_by: str
    confidence: float | None = None
    matched_reference: int | None = None
    reason: str | None = None
    distribution: tuple[float, ...] | None = None
    items_per_prompt: int | None = None
    votes: tuple[Vote, ...] | None = None
    points: tuple[Point, ...] | None = None
    spent: Spent = NOTHING
    replies: tuple[Heard, ...] = ()


class Unjudged(Struct, frozen=True, tag="unjudged", tag_field="status"):
    """The cause why there is no verdict; never counted as a No or a 0."""

    cause: Cause
    reason: str | None = None
    spent: Spent = NOTHING
    votes: tuple[Vote, ...] | None = None
    replies: tuple[Heard, ...] = ()


Outcome: TypeAlias = Verdict | Unjudged
