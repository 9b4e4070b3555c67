"""A worker's side of the limits that a cluster shares: what its client waits for is asked for many at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from math import inf
from typing import TypeAlias

from karat.models import Budget, Throttle, Turn
from karat.on_ray.limits import Answer, Returned, Wanted

Exchange: TypeAlias = Callable[[Sequence[Returned], Sequence[Wanted]], Awaitable[list[Answer]]]
_BEAT_SECONDS = 10.0


class Leases:
    """Asks for leases and gives them back, with one exchange under way at any time."""

    def __init__(self, exchange: Exchange, ceiling: float | None) -> None:
        self._exchange = exchange
        self._ceiling = inf if ceiling is None else ceiling
        self._wanted = list[tuple[Wanted, asyncio.Future[int | bool]]]()
        self._returned = list[Returned]()
        self._out = 0
        self._pumping: asyncio.Task[None] | None = None
        self._stirred = asyncio.Event()

    def budget(self) -> Budget:
        """The cluster's budget."""
        return LeasedBudget(self, self._ceiling)

    def throttle(self, gate: str, concurrency: int) -> Throttle:
        """The cluster's places at an endpoint, behind what this worker finds out about it."""
        return LeasedThrottle(self, gate, concurrency)

    async def take(self, wanted: Wanted) -> int | bool:
        """Wait for a lease: its number, or False where the budget is used up."""
        place: asyncio.Future[int | bool] = asyncio.get_running_loop().create_future()
        self._wanted.append((wanted, place))
        self._stir()
        return await place

    def give(self, returned: Returned) -> None:
        """Tell what came of a lease."""
        self._returned.append(returned)
        if returned.gate is not None or returned.reserved:
            self._out -= 1
        self._stir()

    async def flush(self) -> None:
        """Wait until everything was told; whoever told it may then stop its event loop."""
        while self._returned and self._pumping:
            await asyncio.wait([self._pumping], timeout=0.01)
        if self._pumping and not self._out:
            await self._pumping

    def _stir(self) -> None:
        self._stirred.set()
        if self._pumping is None or self._pumping.done():
            self._pumping = asyncio.create_task(self._pump())

    async def _pump(self) -> None:
        """Exchange while there is anything to tell or wait for, and now and then while a lease is out."""
        while self._wanted or self._returned or self._out > 0:
            if not (self._wanted or self._returned):
                await self._rest()
            self._stirred.clear()
            asked, told = self._wanted, self._returned
            self._wanted, self._returned = [], []
            try:
                answers = await self._exchange(told, [wanted for wanted, _ in asked])
            except BaseException as error:
                self._fail(asked, error)
                raise
            self._hear(asked, answers)

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_BEAT_SECONDS):
                await self._stirred.wait()

    def _hear(
        self, asked: list[tuple[Wanted, asyncio.Future[int | bool]]], answers: Sequence[Answer]
    ) -> None:
        again = list[tuple[Wanted, asyncio.Future[int | bool]]]()
        for (wanted, place), answer in zip(asked, answers, strict=True):
            if answer.given is None:
                again += [] if place.done() else [(wanted, place)]
                continue
            self._out += answer.given is not False
            if not place.done():
                place.set_result(answer.given)
            elif answer.given is not False:  # who asked has gone away
                self.give(give_up(wanted))
        self._wanted = again + self._wanted

    def _fail(self, asked: list[tuple[Wanted, asyncio.Future[int | bool]]], error: BaseException) -> None:
        for _, place in [*asked, *self._wanted]:
            if not place.done():
                place.cancel() if isinstance(error, asyncio.CancelledError) else place.set_exception(error)
        self._wanted = []


def give_up(wanted: Wanted) -> Returned:
    """A lease that was not used."""
    return Returned(gate=wanted.gate) if wanted.gate else Returned(reserved=wanted.amount)


class LeasedBudget(Budget):
    """A budget whose dollars are those of the cluster."""

    def __init__(self, leases: Leases, ceiling: float) -> None:
        super().__init__(ceiling)
        self._leases = leases

    async def reserve(self, most: float) -> bool:
        """Set aside what a call may cost, among all workers."""
        if self.ceiling == inf:
            return True
        given = bool(await self._leases.take(Wanted(None, most)))
        self.reached = self.reached or not given
        return given

    def reserve_now(self, most: float) -> bool:  # noqa: ARG002 - the shape of a budget
        """Whether there is room cannot be known at this moment; without a ceiling there always is."""
        return self.ceiling == inf

    async def settle(self, most: float, cost: float) -> None:
        """A call is over, and all workers know what it cost."""
        self.spent += cost
        reserved = 0.0 if self.ceiling == inf else most
        if reserved or cost:
            self._leases.give(Returned(amount=cost, reserved=reserved))


class LeasedThrottle(Throttle):
    """Lets a call start when this worker would, and then when the cluster does."""

    def __init__(self, leases: Leases, gate: str, concurrency: int) -> None:
        super().__init__(concurrency)
        self._leases = leases
        self._gate = gate
        self._numbers = dict[Turn, int]()

    async def enter(self, turn: Turn) -> None:
        """Wait here, then among all workers; the call begins after both."""
        began = turn.began
        await super().enter(turn)
        try:
            self._numbers[turn] = int(await self._leases.take(Wanted(self._gate, turn.tokens)))
        except BaseException:
            super().leave()
            raise
        turn.started = asyncio.get_running_loop().time()
        turn.began = min(began, turn.started)

    def leave(self) -> None:
        """A call is over, here and for the cluster."""
        self._leases.give(Returned(gate=self._gate))
        super().leave()

    def correct(self, turn: Turn, tokens: float) -> None:
        """Count the tokens that a call really used."""
        number = self._numbers.pop(turn, None)
        if number is not None:
            self._leases.give(Returned(lease=number, amount=tokens))
