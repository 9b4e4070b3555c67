"""A worker's side of the limits that a cluster shares: what its client waits for is asked for many at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from math import inf
from typing import TypeAlias

from karat.models import Budget, Throttle, Turn
from karat.on_ray.limits import Answer, Returned, Wanted

Exchange: TypeAlias = Callable[[Sequence[Returned], Sequence[Wanted]], Awaitable[list[Answer]]]
_Asked: TypeAlias = tuple[Wanted, asyncio.Future[int | bool]]
_BEAT_SECONDS = 10.0


class Leases:
    """Asks for leases, one exchange under way for each gate, and tells at once what came of others."""

    def __init__(self, exchange: Exchange, ceiling: float | None) -> None:
        self._exchange = exchange
        self._ceiling = inf if ceiling is None else ceiling
        self._wanted = dict[str | None, list[_Asked]]()
        self._asking = dict[str | None, asyncio.Task[None]]()
        self._returned = list[Returned]()
        self._telling: asyncio.Task[None] | None = None
        self._out = 0
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
        self._wanted.setdefault(wanted.gate, []).append((wanted, place))
        asking = self._asking.get(wanted.gate)
        if asking is None or asking.done():
            self._asking[wanted.gate] = asyncio.create_task(self._ask(wanted.gate))
        return await place

    def give(self, returned: Returned) -> None:
        """Tell what came of a lease."""
        self._returned.append(returned)
        if returned.gate is not None or returned.reserved:
            self._out -= 1
        self._tell_soon()

    async def flush(self) -> None:
        """Wait until everything was told; whoever told it may then stop its event loop."""
        while self._telling and not self._telling.done() and (self._returned or not self._out):
            self._stirred.set()
            await asyncio.wait([self._telling], timeout=0.01)

    def _tell_soon(self) -> None:
        self._stirred.set()
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _ask(self, gate: str | None) -> None:
        """Ask for what is wanted at a gate until everybody has an answer."""
        while asked := self._wanted.pop(gate, []):
            try:
                answers = await self._exchange([], [wanted for wanted, _ in asked])
            except BaseException as error:
                _fail([*asked, *self._wanted.pop(gate, [])], error)
                raise
            again = self._hear(asked, answers)
            if again or gate in self._wanted:
                self._wanted[gate] = again + self._wanted.get(gate, [])

    async def _tell(self) -> None:
        """Tell what came of leases, and now and then that this worker lives while it holds one."""
        while self._returned or self._out > 0:
            if not self._returned:
                await self._rest()
            self._stirred.clear()
            told, self._returned = self._returned, []
            await self._exchange(told, [])

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_BEAT_SECONDS):
                await self._stirred.wait()

    def _hear(self, asked: list[_Asked], answers: Sequence[Answer]) -> list[_Asked]:
        """Hand out what was given, and keep who has to wait."""
        again = list[_Asked]()
        for (wanted, place), answer in zip(asked, answers, strict=True):
            if answer.given is None:
                again += [] if place.done() else [(wanted, place)]
                continue
            self._out += answer.given is not False
            if not place.done():
                place.set_result(answer.given)
            elif answer.given is not False:  # who asked has gone away
                self.give(give_up(wanted))
        if self._out > 0:
            self._tell_soon()
        return again


def _fail(asked: list[_Asked], error: BaseException) -> None:
    for _, place in asked:
        if place.done():
            continue
        if isinstance(error, Exception):
            place.set_exception(error)
        else:
            place.cancel()


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
        if self.reached:
            return False
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
