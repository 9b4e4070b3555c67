"""Decide when a call may start: in order of arrival, within the limits of the endpoint and the user.

Times are those of the event loop, so that tests can run with a simulated clock.
"""

import asyncio
import time
from bisect import insort
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from math import inf
from operator import itemgetter
from typing import Self

from karat.models.rate_limit.headers import read_limits, read_retry_after
from karat.models.rate_limit.windows import MinuteLimit, Quota, Share
from karat.models.transport import Response

_FIRST = 4
_SLOWER = 2.0
_COOLDOWN = 5.0  # seconds
_DRIFT = 0.001  # per round; without it, one fast round would prevent growth for ever
_OK = 200
_FAULTS = 400
_OVERLOADED = frozenset({429, 503, 529})
_LONG_WAIT = 10.0  # seconds; a longer wait is reported


class Concurrency:
    """The number of calls allowed in flight: doubled per round of replies at first, then one more while latency does not grow.

    It is halved when the endpoint is overloaded or does not answer in time.
    """

    def __init__(self, ceiling: int) -> None:
        self.ceiling = max(1, ceiling)
        self.limit = min(_FIRST, self.ceiling)
        self._starting = True
        self._best: float | None = None
        self._halved_at = -inf
        self._begin_round()

    def succeed(self, latency: float, *, full: bool) -> None:
        """Count an answer; `full` is true if the allowed number of calls was in flight."""
        self._answers += 1
        self._seconds += latency
        self._full = self._full or full
        if self._answers >= self.limit:
            self._end_round(self._seconds / self._answers)

    def fail(self, began: float, now: float) -> None:
        """Halve the limit, unless the failed call began before the last halving or ends right after it."""
        if began < self._halved_at or now < self._halved_at + _COOLDOWN:
            return
        self._halved_at = now
        self.limit = max(1, self.limit // 2)
        self._starting = False
        self._begin_round()

    def _begin_round(self) -> None:
        self._answers, self._seconds, self._full = 0, 0.0, False

    def _end_round(self, latency: float) -> None:
        best = latency if self._best is None else self._best + _DRIFT * (latency - self._best)
        self._best = min(latency, best)
        holds = latency <= _SLOWER * self._best
        if holds and self._full:
            self.limit = min(self.ceiling, self.limit * 2 if self._starting else self.limit + 1)
        elif self._starting and not holds:
            self.limit = max(1, self.limit // 2)
            self._starting = False
        self._begin_round()


class Slot:
    """The position of one call in the queue; a retry enters again with the same rank."""

    __slots__ = (
        "_throttle", "began", "entered", "rank", "request_share", "sent", "started", "token_share", "tokens",
    )  # fmt: skip

    def __init__(self, throttle: "Throttle", rank: int, tokens: float) -> None:
        self._throttle = throttle
        self.rank = rank
        self.tokens = tokens
        self.began = self.started = inf
        self.entered = False  # whether the call was admitted the last time
        self.sent = (0.0, 0.0)
        self.request_share: Share | None = None
        self.token_share: Share | None = None

    @property
    def age(self) -> float:
        """Seconds since the call was first sent, without the time in the queue before that."""
        return asyncio.get_running_loop().time() - self.began

    @property
    def latency(self) -> float:
        """Seconds since the call was last sent."""
        return asyncio.get_running_loop().time() - self.started

    async def __aenter__(self) -> Self:
        self.entered = False
        await self._throttle.enter(self)
        self.entered = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self._throttle.leave()

    def note_response(self, response: Response) -> None:
        """Pass a response to the throttle, whose limits apply to all calls."""
        self._throttle.learn_from(self, response)

    def note_timeout(self) -> None:
        """Tell the throttle that no response came in time."""
        self._throttle.note_timeout(self)

    def note_tokens(self, tokens: float) -> None:
        """Replace the expected number of tokens by the number that the call used."""
        self._throttle.correct(self, tokens)


class Throttle:
    """Starts calls in order; a call that may not start yet waits in a queue."""

    def __init__(
        self,
        ceiling: int,
        *,
        rpm: float | None = None,
        tpm: float | None = None,
        time_of_day: Callable[[], float] = time.time,
    ) -> None:
        self.concurrency = Concurrency(ceiling)
        self.under_way = 0
        self.notice: Callable[[str], None] = lambda _: None
        self._reported = set[str]()
        self._time_of_day = time_of_day
        self._requests = MinuteLimit(rpm) if rpm else None
        self._tokens = MinuteLimit(tpm) if tpm else None
        self._quotas = dict[str, Quota]()
        self._sent = (0.0, 0.0)
        self._paused_until = -inf
        self._queue = deque[tuple[int, Slot, asyncio.Future[None]]]()
        self._ranks = count()
        self._timer: asyncio.TimerHandle | None = None
        self._released = False

    def slot(self, tokens: float = 0.0) -> Slot:
        """Return a place at the end of the queue, for a call that will probably use this many tokens."""
        return Slot(self, next(self._ranks), tokens)

    def second_slot(self, slot: Slot) -> Slot:
        """Return a place of the same rank, for the second call of a hedged one."""
        return Slot(self, slot.rank, slot.tokens)

    def release(self) -> None:
        """Admit every call from now on, for use when the endpoint is dead."""
        self._released = True
        self._admit()

    async def enter(self, slot: Slot) -> None:
        """Wait until a call may start; a call that is cancelled meanwhile releases its share of the limits."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if not self._queue and self._ready_at(slot, now) <= now:
            self._start(slot, now)
            return
        place = (slot.rank, slot, loop.create_future())
        insort(self._queue, place, key=itemgetter(0))
        self._admit()
        try:
            await place[2]
        except asyncio.CancelledError:
            self._withdraw(place)
            raise

    def leave(self) -> None:
        """Note that a call has ended."""
        self.under_way -= 1
        self._admit()

    def learn_from(self, slot: Slot, response: Response) -> None:
        """Read the limits from a response: concurrency, remaining quota, and pauses."""
        now = asyncio.get_running_loop().time()
        if response.status == _OK:
            full = self.under_way >= self.concurrency.limit
            self.concurrency.succeed(now - slot.started, full=full)
        elif response.status >= _FAULTS:
            self._learn_from_fault(slot, response, now)
        for left in read_limits(response.headers, self._time_of_day()):
            quota = self._quotas.setdefault(left.limit, Quota(left.unit))
            quota.note(left.remaining, slot.sent, now, left.reset)

    def note_timeout(self, slot: Slot) -> None:
        """Lower the concurrency after a call without a response in time."""
        self.concurrency.fail(slot.started, asyncio.get_running_loop().time())

    def correct(self, slot: Slot, tokens: float) -> None:
        """Count the tokens that a call used instead of the expected number."""
        if self._tokens and slot.token_share:
            self._tokens.correct(slot.token_share, tokens)

    def _learn_from_fault(self, slot: Slot, response: Response, now: float) -> None:
        self.correct(slot, 0.0)
        if response.status in _OVERLOADED:
            self.concurrency.fail(slot.started, now)
        after = read_retry_after(response.headers, self._time_of_day())
        if after is not None:
            self._paused_until = max(self._paused_until, now + after)

    def _ready_at(self, slot: Slot, now: float) -> float:
        """Return the earliest time at which a call may start; infinity if another must end first."""
        if self._released:
            return now
        if self.under_way >= self.concurrency.limit:
            return inf
        at = self._paused_until
        if self._requests:
            at = max(at, self._requests.ready_at(1, now))
        if self._tokens:
            at = max(at, self._tokens.ready_at(slot.tokens, now))
        for quota in self._quotas.values():
            at = max(at, quota.ready_at(slot.tokens, self._sent))
        return at

    def _start(self, slot: Slot, now: float) -> None:
        self.under_way += 1
        slot.started, slot.began = now, min(slot.began, now)
        if self._requests:
            slot.request_share = self._requests.take(1, now)
        if self._tokens:
            slot.token_share = self._tokens.take(slot.tokens, now)
        for quota in self._quotas.values():
            quota.take(slot.tokens, self._sent, now)
        slot.sent = self._sent = (self._sent[0] + 1, self._sent[1] + slot.tokens)

    def _admit(self) -> None:
        """Start the calls at the head of the queue that may start, and set a timer for the next."""
        while self._queue:
            _, slot, place = self._queue[0]
            now = asyncio.get_running_loop().time()
            at = now if place.done() else self._ready_at(slot, now)
            if at > now:
                self._report_wait(slot, at, now)
                self._set_timer(at)
                return
            self._queue.popleft()
            if not place.done():
                self._start(slot, now)
                place.set_result(None)

    def _report_wait(self, slot: Slot, at: float, now: float) -> None:
        """Print why the next call waits for long, once for each cause."""
        if not _LONG_WAIT < at - now < inf:
            return
        causes = {"the endpoint asked for a pause": self._paused_until}
        if self._requests:
            causes["the limit of --rpm is reached"] = self._requests.ready_at(1, now)
        if self._tokens:
            causes["the limit of --tpm is reached"] = self._tokens.ready_at(slot.tokens, now)
        for limit, quota in self._quotas.items():
            causes[f"the quota in the header {limit} is used up"] = quota.ready_at(slot.tokens, self._sent)
        cause = max(causes, key=lambda name: causes[name])
        if cause not in self._reported:
            self._reported.add(cause)
            self.notice(f"waiting {at - now:.0f} s before the next call: {cause}")

    def _set_timer(self, at: float) -> None:
        if at == inf or (self._timer and self._timer.when() <= at):
            return
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(at, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._admit()

    def _withdraw(self, place: tuple[int, Slot, asyncio.Future[None]]) -> None:
        """Leave the queue, or give back a start that was granted and not used."""
        _, slot, granted = place
        if granted.done() and not granted.cancelled():
            self.correct(slot, 0.0)
            if self._requests and slot.request_share:
                self._requests.correct(slot.request_share, 0.0)
            self.under_way -= 1
        else:
            with suppress(ValueError):
                self._queue.remove(place)
        self._admit()
