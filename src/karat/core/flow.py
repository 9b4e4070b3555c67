"""A judgement in several steps is a generator that yields asks and is sent their replies.

Whatever can answer a prompt can drive it: asyncio, a list of strings in a test, a provider's batch API.
"""

from collections.abc import Awaitable, Callable, Generator
from typing import TypeAlias, TypeVar

from karat.core.exchange import Ask, Reply

Result = TypeVar("Result")
Flow: TypeAlias = Generator[tuple[Ask, ...], tuple[Reply, ...], Result]


def drive(flow: Flow[Result], answer: Callable[[Ask], Reply]) -> Result:
    """Run a flow to its result, answering its asks one after the other."""
    try:
        asks = next(flow)
        while True:
            asks = flow.send(tuple(answer(ask) for ask in asks))
    except StopIteration as stop:
        return stop.value


async def adrive(
    flow: Flow[Result], answer: Callable[[tuple[Ask, ...]], Awaitable[tuple[Reply, ...]]]
) -> Result:
    """Run a flow to its result; the asks it yields together are answered together."""
    try:
        asks = next(flow)
        while True:
            asks = flow.send(await answer(asks))
    except StopIteration as stop:
        return stop.value
