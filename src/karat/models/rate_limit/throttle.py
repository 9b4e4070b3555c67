"""When a call may start: in order of arrival, as many at once and as often as the endpoint and the user allow.

Time is the event loop's, so that a loop with a simulated clock simulates all of it.
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
from karat.models.rate_limit.windows import Allowance, Pace, Share
from karat.models.transport import Response

_FIRST = 4
_SLOWER = 2.0
_COOLDOWN = 5.0  # seconds
_DRIFT = 0.001  # per round; without it one lucky round would forbid growth for ever


class Concurrency:
    """Doubles per round of answers at first, then adds one while latency holds, and halves when told or timed out."""

    def __init__(self, ceiling: int) -> None:
        self.ceiling = max(1, ceiling)
        self.limit = min(_FIRST, self.ceiling)
        self._starting = True
        self._best: float | None = None
        self._halved_at = -inf
        self._begin_round()

    def succeed(self, latency: float, *, full: bool) -> None:
        """An answer came; `full` says that no further call could have been under way beside it."""
        self._answers += 1
        self._seconds += latency
        self._full = self._full or full
        if self._answers >= self.limit:
            self._end_round(self._seconds / self._answers)

    def fail(self, began: float, now: float) -> None:
        """A call was too much; one that began before the last halving, or ends right after it, says nothing new."""
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


_OK = 200
_FAULTS = 400
_TOO_MUCH = frozenset({429, 503, 529})
_LONG_WAIT = 10.0  # seconds; who waits longer is told why


class Turn:
    """One call in the queue: it is entered once for each time the call is sent, and keeps its rank."""

    __slots__ = (
        "_throttle", "began", "entered", "rank", "request_share", "sent", "started", "token_share", "tokens",
    )  # fmt: skip

    def __init__(self, throttle: "Throttle", rank: int, tokens: float) -> None:
        self._throttle = throttle
        self.rank = rank
        self.tokens = tokens
        self.began = self.started = inf
        self.entered = False  # whether the last time in the queue came to its end
        self.sent = (0.0, 0.0)
        self.request_share: Share | None = None
        self.token_share: Share | None = None

    @property
    def age(self) -> float:
        """Seconds since the call was first sent; the time in the queue before that does not count."""
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

    def answer(self, response: Response) -> None:
        """A response came; what it says counts for all calls."""
        self._throttle.hear(self, response)

    def time_out(self) -> None:
        """No response came in time."""
        self._throttle.tire(self)

    def use(self, tokens: float) -> None:
        """The call used this many tokens, whatever was expected."""
        self._throttle.correct(self, tokens)


class Throttle:
    """Lets calls start; whoever may not start yet waits behind those who came before."""

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
        self._told = set[str]()
        self._time_of_day = time_of_day
        self._requests = Pace(rpm) if rpm else None
        self._tokens = Pace(tpm) if tpm else None
        self._allowances = dict[str, Allowance]()
        self._sent = (0.0, 0.0)
        self._paused_until = -inf
        self._queue = deque[tuple[int, Turn, asyncio.Future[None]]]()
        self._ranks = count()
        self._alarm: asyncio.TimerHandle | None = None
        self._released = False

    def turn(self, tokens: float = 0.0) -> Turn:
        """A place in the order of calls, for one that is expected to use this many tokens."""
        return Turn(self, next(self._ranks), tokens)

    def twin(self, turn: Turn) -> Turn:
        """A place of the same rank, for a second call beside one that is under way."""
        return Turn(self, turn.rank, turn.tokens)

    def release(self) -> None:
        """Let everybody through from now on: who was waiting has nothing to wait for."""
        self._released = True
        self._admit()

    async def enter(self, turn: Turn) -> None:
        """Wait until a call may start; one that is cancelled meanwhile leaves no trace."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if not self._queue and self._ready_at(turn, now) <= now:
            self._start(turn, now)
            return
        place = (turn.rank, turn, loop.create_future())
        insort(self._queue, place, key=itemgetter(0))
        self._admit()
        try:
            await place[2]
        except asyncio.CancelledError:
            self._withdraw(place)
            raise

    def leave(self) -> None:
        """A call is over."""
        self.under_way -= 1
        self._admit()

    def hear(self, turn: Turn, response: Response) -> None:
        """Learn from a response: how many calls are borne, how much is left, how long to pause."""
        now = asyncio.get_running_loop().time()
        if response.status == _OK:
            full = self.under_way >= self.concurrency.limit
            self.concurrency.succeed(now - turn.started, full=full)
        elif response.status >= _FAULTS:
            self._hear_fault(turn, response, now)
        for left in read_limits(response.headers, self._time_of_day()):
            allowance = self._allowances.setdefault(left.limit, Allowance(left.unit))
            allowance.note(left.remaining, turn.sent, now, left.reset)

    def tire(self, turn: Turn) -> None:
        """Learn from a call that got no response in time."""
        self.concurrency.fail(turn.started, asyncio.get_running_loop().time())

    def correct(self, turn: Turn, tokens: float) -> None:
        """Count the tokens that a call used instead of those it was expected to."""
        if self._tokens and turn.token_share:
            self._tokens.correct(turn.token_share, tokens)

    def _hear_fault(self, turn: Turn, response: Response, now: float) -> None:
        self.correct(turn, 0.0)
        if response.status in _TOO_MUCH:
            self.concurrency.fail(turn.started, now)
        after = read_retry_after(response.headers, self._time_of_day())
        if after is not None:
            self._paused_until = max(self._paused_until, now + after)

    def _ready_at(self, turn: Turn, now: float) -> float:
        """The earliest time at which a call may start; infinity where another must end first."""
        if self._released:
            return now
        if self.under_way >= self.concurrency.limit:
            return inf
        at = self._paused_until
        if self._requests:
            at = max(at, self._requests.ready_at(1, now))
        if self._tokens:
            at = max(at, self._tokens.ready_at(turn.tokens, now))
        for allowance in self._allowances.values():
            at = max(at, allowance.ready_at(turn.tokens, self._sent))
        return at

    def _start(self, turn: Turn, now: float) -> None:
        self.under_way += 1
        turn.started, turn.began = now, min(turn.began, now)
        if self._requests:
            turn.request_share = self._requests.take(1, now)
        if self._tokens:
            turn.token_share = self._tokens.take(turn.tokens, now)
        for allowance in self._allowances.values():
            allowance.take(turn.tokens, self._sent, now)
        turn.sent = self._sent = (self._sent[0] + 1, self._sent[1] + turn.tokens)

    def _admit(self) -> None:
        """Start those at the head of the queue that may start, and set the alarm for the next."""
        while self._queue:
            _, turn, place = self._queue[0]
            now = asyncio.get_running_loop().time()
            at = now if place.done() else self._ready_at(turn, now)
            if at > now:
                self._tell_of_wait(turn, at, now)
                self._wake_at(at)
                return
            self._queue.popleft()
            if not place.done():
                self._start(turn, now)
                place.set_result(None)

    def _tell_of_wait(self, turn: Turn, at: float, now: float) -> None:
        """Say why nothing starts for long, once for each cause."""
        if not _LONG_WAIT < at - now < inf:
            return
        causes = {"the endpoint asks for a pause": self._paused_until}
        if self._requests:
            causes["--rpm allows no more"] = self._requests.ready_at(1, now)
        if self._tokens:
            causes["--tpm allows no more"] = self._tokens.ready_at(turn.tokens, now)
        for limit, allowance in self._allowances.items():
            causes[f"the endpoint says in {limit} that too little is left"] = allowance.ready_at(
                turn.tokens, self._sent
            )
        cause = max(causes, key=lambda name: causes[name])
        if cause not in self._told:
            self._told.add(cause)
            self.notice(f"the next call waits {at - now:.0f} s: {cause}")

    def _wake_at(self, at: float) -> None:
        if at == inf or (self._alarm and self._alarm.when() <= at):
            return
        if self._alarm:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_at(at, self._wake)

    def _wake(self) -> None:
        self._alarm = None
        self._admit()

    def _withdraw(self, place: tuple[int, Turn, asyncio.Future[None]]) -> None:
        """Give back a place in the queue, or one that was granted and not yet used."""
        _, turn, granted = place
        if granted.done() and not granted.cancelled():
            self.correct(turn, 0.0)
            if self._requests and turn.request_share:
                self._requests.correct(turn.request_share, 0.0)
            self.under_way -= 1
        else:
            with suppress(ValueError):
                self._queue.remove(place)
        self._admit()
