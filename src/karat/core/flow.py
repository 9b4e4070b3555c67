"""Asks and replies, and judgements in several steps: generators that yield asks and are sent replies."""

from collections.abc import Awaitable, Callable, Generator, Sequence
from itertools import islice
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from karat.core.types import NOTHING, Cause, Spent

Role: TypeAlias = Literal["system", "user", "assistant"]


class Message(Struct, frozen=True):
    """One turn; its first `stable` characters are the same in every call of a judge."""

    role: Role
    text: str
    stable: int = 0


class Prompt(Struct, frozen=True):
    """The turns, the beginning of the assistant's turn if given, and the schema of a structured reply."""

    messages: tuple[Message, ...]
    opened: str | None = None
    schema: dict[str, Any] | None = None


class Ask(Struct, frozen=True):
    """A prompt to be answered once; `attempt` distinguishes repeats, `room` multiplies the output limit."""

    prompt: Prompt
    items: int = 1
    attempt: int = 1
    room: int = 1


class Token(Struct, frozen=True):
    """An output token, and the likeliest tokens at its position with their log-probabilities."""

    text: str
    alternatives: dict[str, float]


class Completion(Struct, frozen=True, tag="completion"):
    """The text of a reply, why it ended and its cost; `key` is its key in the cache.

    `written_tokens` of the input were written to a provider's prefix cache, which may cost extra.
    """

    text: str
    finish: Literal["stop", "length", "refusal"] = "stop"
    cached: bool = False
    tokens: tuple[Token, ...] | None = None
    spent: Spent = NOTHING
    written_tokens: int = 0
    key: str | None = None


class Failed(Struct, frozen=True, tag="failed"):
    """The reason why there is no completion."""

    cause: Cause
    reason: str
    spent: Spent = NOTHING


Reply: TypeAlias = Completion | Failed


Result = TypeVar("Result")
Flow: TypeAlias = Generator[tuple[Ask, ...], tuple[Reply, ...], Result]


def drive(flow: Flow[Result], answer: Callable[[Ask], Reply]) -> Result:
    """Run a flow and return its result; its asks are answered one after the other."""
    try:
        asks = next(flow)
        while True:
            asks = flow.send(tuple(answer(ask) for ask in asks))
    except StopIteration as stop:
        return stop.value


async def adrive(
    flow: Flow[Result], answer: Callable[[tuple[Ask, ...]], Awaitable[tuple[Reply, ...]]]
) -> Result:
    """Run a flow and return its result; asks that it yields together are answered together."""
    try:
        asks = next(flow)
        while True:
            asks = flow.send(await answer(asks))
    except StopIteration as stop:
        return stop.value


async def adrive_together(
    flows: Sequence[Flow[Result]], answer: Callable[[tuple[Ask, ...]], Awaitable[tuple[Reply, ...]]]
) -> list[Result]:
    """Run flows side by side and return their results; what all of them ask in one round is answered together."""
    results = dict[int, Result]()
    given: dict[int, tuple[Reply, ...] | None] = dict.fromkeys(range(len(flows)))
    while given:
        asked = {
            index: asks
            for index, part in given.items()
            if (asks := _advance(flows[index], part, index, results))
        }
        replies = iter(await answer(tuple(ask for asks in asked.values() for ask in asks)) if asked else ())
        given = {index: tuple(islice(replies, len(asks))) for index, asks in asked.items()}
    return [results[index] for index in range(len(flows))]


def _advance(
    flow: Flow[Result], replies: tuple[Reply, ...] | None, index: int, results: dict[int, Result]
) -> tuple[Ask, ...]:
    """Send replies into a flow and return its next asks; none after it has ended and its result is stored."""
    try:
        asks = next(flow) if replies is None else flow.send(replies)
        while not asks:
            asks = flow.send(())
    except StopIteration as stop:
        results[index] = stop.value
        return ()
    return asks
