"""A second call beside one that is slow: when it is due, and which of the two is listened to."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

Answer = TypeVar("Answer")
Exchange: TypeAlias = Callable[[asyncio.Event], Coroutine[Any, Any, Answer]]
"""A call to be made, which sets the event once it is on its way."""

_SLOW = 0.95  # of the calls seen lately are faster
_FLOOR = 1.0  # seconds; what is faster is not worth paying twice
_SHARE = 0.1  # of the calls get a twin at most
_SEEN = 200
_ENOUGH = 20


class Raced(Struct, Generic[Answer], frozen=True):
    """The answer that counts, those that came at the same moment, and how many calls went out."""

    answer: Answer
    others: tuple[Answer, ...]
    sent: int


class Hedge:
    """Knows how long calls take: one that takes longer than 95 % of them gets a twin, one call in ten at most."""

    def __init__(self, fault: type[Exception]) -> None:
        self._fault = fault
        self._seconds = deque[float](maxlen=_SEEN)
        self._calls = self._twins = 0

    def note(self, seconds: float) -> None:
        """A call was under way for so long, whether it was answered or not."""
        self._seconds.append(seconds)

    async def race(self, first: Exchange[Answer], twin: Exchange[Answer]) -> Raced[Answer]:
        """Make a call, and its twin if it is slow: the first good answer wins, and the other call is cancelled."""
        begun = [asyncio.Event(), asyncio.Event()]
        tasks = [asyncio.create_task(first(begun[0]))]
        tasks[0].add_done_callback(lambda _: begun[0].set())
        try:
            await begun[0].wait()
            self._calls += 1
            done, _ = await asyncio.wait(tasks, timeout=self._slow_after())
            if not done and self._twins + 1 <= _SHARE * self._calls:
                self._twins += 1
                tasks.append(asyncio.create_task(twin(begun[1])))
            good = await self._find_good(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return Raced(good[0].result(), tuple(task.result() for task in good[1:]), 1 + begun[1].is_set())

    def _slow_after(self) -> float | None:
        """From how many seconds on a call is slow; None where too few were seen to tell."""
        if len(self._seconds) < _ENOUGH:
            return None
        return max(_FLOOR, sorted(self._seconds)[int(_SLOW * len(self._seconds))])

    async def _find_good(self, tasks: list[asyncio.Task[Answer]]) -> list[asyncio.Task[Answer]]:
        """Wait for the first that does not end in a fault; where both do, the fault of the first counts."""
        waiting = set(tasks)
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            good = [task for task in tasks if task in done and not isinstance(task.exception(), self._fault)]
            if good:
                return good
        return tasks[:1]
