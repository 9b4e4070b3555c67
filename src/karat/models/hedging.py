"""Hedging: send a slow call a second time, and use the first reply."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

Answer = TypeVar("Answer")
Exchange: TypeAlias = Callable[[asyncio.Event], Coroutine[Any, Any, Answer]]
"""A function that makes a call, and sets the event once the call has been sent."""

_SLOW = 0.95  # a call is slow if it takes longer than this share of recent calls
_FLOOR = 1.0  # seconds; a faster call is never sent twice
_SHARE = 0.1  # at most this share of calls is sent twice
_SEEN = 200  # number of recent calls that define "slow"
_ENOUGH = 20  # calls needed before one can count as slow


class Raced(Struct, Generic[Answer], frozen=True):
    """The reply to use, others that arrived at the same moment, and how many calls were sent."""

    answer: Answer
    others: tuple[Answer, ...]
    sent: int


class Hedge:
    """Measures how long calls take; a call slower than 95 % of them is sent again, at most one in ten."""

    def __init__(self, fault: type[Exception]) -> None:
        self._fault = fault
        self._seconds = deque[float](maxlen=_SEEN)
        self._calls = self._seconds_sent = 0

    def note(self, seconds: float) -> None:
        """Record how long a call took, whether it was answered or not."""
        self._seconds.append(seconds)

    async def race(self, first: Exchange[Answer], second: Exchange[Answer]) -> Raced[Answer]:
        """Make a call, and a second one if it is slow; the first good reply is used, and the other call is cancelled."""
        begun = [asyncio.Event(), asyncio.Event()]
        tasks = [asyncio.create_task(first(begun[0]))]
        tasks[0].add_done_callback(lambda _: begun[0].set())
        try:
            await begun[0].wait()
            self._calls += 1
            done, _ = await asyncio.wait(tasks, timeout=self._slow_after())
            if not done and self._seconds_sent + 1 <= _SHARE * self._calls:
                self._seconds_sent += 1
                tasks.append(asyncio.create_task(second(begun[1])))
            good = await self._find_good(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return Raced(good[0].result(), tuple(task.result() for task in good[1:]), 1 + begun[1].is_set())

    def _slow_after(self) -> float | None:
        """Return the number of seconds after which a call is slow; None if too few calls were measured."""
        if len(self._seconds) < _ENOUGH:
            return None
        return max(_FLOOR, sorted(self._seconds)[int(_SLOW * len(self._seconds))])

    async def _find_good(self, tasks: list[asyncio.Task[Answer]]) -> list[asyncio.Task[Answer]]:
        """Wait for the first call without a fault; if both fail, the fault of the first counts."""
        waiting = set(tasks)
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            good = [task for task in tasks if task in done and not isinstance(task.exception(), self._fault)]
            if good:
                return good
        return tasks[:1]
