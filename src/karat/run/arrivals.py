"""What a thread has finished, brought into an event loop that is woken once for all that is finished meanwhile."""

import asyncio
from collections import deque
from concurrent.futures import Future
from contextlib import suppress


class Arrivals:
    """Waiting for a thread costs the loop one waking for many, where `asyncio.wrap_future` costs one for each."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._arrived = deque[tuple[asyncio.Future[None], Future[None]]]()
        self._called = False

    async def wait(self, work: Future[None]) -> None:
        """Wait until work is done; its failure is raised here."""
        waiting = self._loop.create_future()
        work.add_done_callback(lambda done: self._arrive(waiting, done))
        await waiting

    def _arrive(self, waiting: asyncio.Future[None], done: Future[None]) -> None:
        self._arrived.append((waiting, done))
        if not self._called:
            self._called = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._called = False  # first, so that whatever arrives from now on calls again
        while self._arrived:
            waiting, done = self._arrived.popleft()
            if waiting.done():
                continue
            failure = done.exception()
            if failure is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(failure)
