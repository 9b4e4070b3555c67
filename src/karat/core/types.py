"""The values shared by all modules, and sums of costs."""

from collections.abc import Iterable
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
    """The calls, tokens and cost of an outcome; `cost_usd` is None if no price is known.

    For `uncounted` calls the endpoint returned no usable token counts: the numbers are those of the other calls, and None if
    there are no others.
    """

    calls: int = 0
    input_tokens: int | None = 0
    cached_tokens: int = 0
    output_tokens: int | None = 0
    cost_usd: float | None = 0.0
    uncounted: int = 0


NOTHING = Spent()
UNTOLD = Spent(calls=0, input_tokens=None, output_tokens=None, cost_usd=None, uncounted=1)
"""What a verdict cost that another tool gave."""
UNCOUNTED = Spent(calls=1, input_tokens=None, output_tokens=None, cost_usd=None, uncounted=1)


class Losses(Struct, frozen=True):
    """Calls that were sent and got no reply, and the maximum cost of these and of uncounted ones."""

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
    """A reply that an outcome was read from: its key, and the position of the item among those in the prompt, from 1."""

    key: str
    place: int
    items: int


class Verdict(Struct, frozen=True, tag="judged", tag_field="status"):
    """A value with its score, origin and reason."""

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
    """The cause of a missing verdict; never counted as a No or a 0."""

    cause: Cause
    reason: str | None = None
    spent: Spent = NOTHING
    votes: tuple[Vote, ...] | None = None
    replies: tuple[Heard, ...] = ()


Outcome: TypeAlias = Verdict | Unjudged


def total(parts: Iterable[Spent]) -> Spent:
    """Return the sum; a cost that is unknown for counted tokens in one part is unknown in the sum."""
    calls = input_tokens = cached_tokens = output_tokens = uncounted = 0
    cost: float | None = 0.0
    for part in parts:
        calls += part.calls
        uncounted += part.uncounted
        if part.input_tokens is None or part.output_tokens is None:
            continue
        input_tokens += part.input_tokens
        cached_tokens += part.cached_tokens
        output_tokens += part.output_tokens
        cost = None if cost is None or part.cost_usd is None else cost + part.cost_usd
    return add_up(calls, input_tokens, cached_tokens, output_tokens, cost, uncounted)


def add_up(
    calls: int, input_tokens: int, cached_tokens: int, output_tokens: int, cost: float | None, uncounted: int
) -> Spent:
    """Return the total cost of calls, given the sums over those with token counts."""
    if uncounted and not input_tokens and not output_tokens:
        return Spent(calls, None, 0, None, None, uncounted)
    return Spent(calls, input_tokens, cached_tokens, output_tokens, cost, uncounted)


def share(spent: Spent, among: int) -> list[Spent]:
    """Return one part per item; tokens and cost add up to the whole, and each item has all calls."""
    return [
        Spent(
            calls=spent.calls,
            input_tokens=_slice(spent.input_tokens, among, index),
            cached_tokens=_slice(spent.cached_tokens, among, index) or 0,
            output_tokens=_slice(spent.output_tokens, among, index),
            cost_usd=None if spent.cost_usd is None else spent.cost_usd / among,
            uncounted=spent.uncounted,
        )
        for index in range(among)
    ]


def _slice(whole: int | None, among: int, index: int) -> int | None:
    return None if whole is None else whole * (index + 1) // among - whole * index // among
