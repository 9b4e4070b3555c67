"""Flows: a judgement in several steps is a generator that yields asks and is sent their replies.

Anything that answers prompts can drive it: asyncio, a list of strings in a test, a provider's batch API.
"""

from collections.abc import Awaitable, Callable, Generator, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar

from karat.core.exchange import Ask, Reply

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
    """Send replies into a flow and return its next asks; none once it has ended and its result is noted."""
    try:
        asks = next(flow) if replies is None else flow.send(replies)
        while not asks:
            asks = flow.send(())
    except StopIteration as stop:
        results[index] = stop.value
        return ()
    return asks
