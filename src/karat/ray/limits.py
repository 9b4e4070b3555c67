"""One limit for a whole cluster: workers ask here before they call, and tell here what came of it.

A lease is the right to one call at an endpoint, or to a sum of dollars. Workers ask for many at a time and get what can
be had now. One that is silent for long is taken for dead: its places are free again, its dollars count as spent. Should it
be heard of after all, it holds again what it held.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from typing import TypeAlias

from msgspec import Struct

from karat.models import Budget, Pace, Share, Throttle, Turn
from karat.ray.shared_budget import Journal, Purse, Spend

_ROUND_SECONDS = 1.0
_SILENT_SECONDS = 60.0


class GateSpec(Struct, frozen=True):
    """What an endpoint may be asked, by all workers together."""

    concurrency: int
    rpm: float | None = None
    tpm: float | None = None


class Wanted(Struct, frozen=True):
    """A lease that a worker asks for: a place at a gate for so many tokens, or, without a gate, so many dollars."""

    gate: str | None
    amount: float


class Returned(Struct, frozen=True):
    """What came of a lease: a place is free, its call took so many tokens, or a reserved sum cost so much."""

    gate: str | None = None
    lease: int | None = None
    amount: float = 0.0
    reserved: float = 0.0


class Answer(Struct, frozen=True):
    """What a worker may do: a lease's number, False where the budget is used up, None where it has to wait."""

    given: int | bool | None


class _Gate:
    """The places at one endpoint, and its paces."""

    def __init__(self, spec: GateSpec) -> None:
        self.spec = spec
        self.held = Counter[str]()
        self.lost = Counter[str]()
        self.requests = Pace(spec.rpm) if spec.rpm else None
        self.tokens = Pace(spec.tpm) if spec.tpm else None

    def ready_at(self, worker: str, tokens: float, others: int, now: float) -> float:
        """The earliest time at which a worker may call; infinity where another call must end first."""
        held = self.held.total()
        fair = -(-self.spec.concurrency // (others + 1))
        if held >= self.spec.concurrency or (others and self.held[worker] >= fair):
            return inf
        paces = ((self.requests, 1.0), (self.tokens, tokens))
        return max([now, *(pace.ready_at(amount, now) for pace, amount in paces if pace)])


class ClusterLimits:
    """Hands out leases; it lives in one process, and all its methods run on one event loop."""

    def __init__(
        self, gates: Mapping[str, GateSpec], ceiling: float | None, spend: Spend, folder: str | None
    ) -> None:
        self._gates = {name: _Gate(spec) for name, spec in gates.items()}
        self._purse = Purse(ceiling, spend.most_usd)
        self._calls = spend.calls
        self._journal = None if folder is None else Journal(folder)
        self._told: Spend | None = None
        self._shares = dict[int, tuple[str, Share]]()
        self._order = deque[int]()
        self._numbers = count(1)
        self._waiting = dict[int, tuple[str, set[str | None]]]()
        self._heard = dict[str, float]()
        self._changed = asyncio.Event()

    async def exchange(
        self, worker: str, returned: Sequence[Returned], wanted: Sequence[Wanted]
    ) -> list[Answer]:
        """Take leases back and give what is wanted: at once, or as soon as anything can be given."""
        now = self._now()
        self._revive(worker)
        self._heard[worker] = now
        self._bury(now)
        for one in returned:
            self._take_back(worker, one, now)
        end, number = now + _ROUND_SECONDS, next(self._numbers)
        try:
            while True:
                answers, soonest = self._answer_all(worker, wanted, number)
                self._write()
                if not wanted or any(one.given is not None for one in answers) or self._now() >= end:
                    return answers
                await self._wait(min(end, soonest))
        finally:
            self._waiting.pop(number, None)

    async def spend(self) -> Spend:
        """Where things stand."""
        return Spend(self._purse.spent, self._purse.reserved, self._calls)

    def _answer_all(self, worker: str, wanted: Sequence[Wanted], number: int) -> tuple[list[Answer], float]:
        now, soonest, answers, refused = self._now(), inf, list[Answer](), set[str | None]()
        for one in wanted:
            given: int | bool | None = None
            if one.gate not in refused:  # who came first is served first
                given, at = self._answer(worker, one, now)
                soonest = min(soonest, at)
            if given is None:
                refused.add(one.gate)
            answers.append(Answer(given))
        self._waiting[number] = (worker, refused)
        return answers, soonest

    def _answer(self, worker: str, wanted: Wanted, now: float) -> tuple[int | bool | None, float]:
        if wanted.gate is None:
            return self._purse.reserve(worker, wanted.amount), inf
        gate = self._gates[wanted.gate]
        others = sum(wanted.gate in gates for name, gates in self._waiting.values() if name != worker)
        at = gate.ready_at(worker, wanted.amount, others, now)
        return (self._enter(worker, wanted, gate, now), inf) if at <= now else (None, at)

    def _enter(self, worker: str, wanted: Wanted, gate: _Gate, now: float) -> int:
        number = next(self._numbers)
        gate.held[worker] += 1
        self._calls += 1
        if gate.requests:
            gate.requests.take(1, now)
        if gate.tokens and wanted.gate:
            self._shares[number] = (wanted.gate, gate.tokens.take(wanted.amount, now))
            self._order.append(number)
            while len(self._order) > 100_000:  # noqa: PLR2004 - more than any minute holds
                self._shares.pop(self._order.popleft(), None)
        return number

    def _take_back(self, worker: str, one: Returned, now: float) -> None:
        self._changed.set()
        if one.gate is None and one.lease is None:
            self._purse.settle(worker, one.reserved, one.amount)
        elif one.gate is not None:
            held = self._gates[one.gate].held
            held[worker] = max(0, held[worker] - 1)
        elif one.lease in self._shares:
            gate, share = self._shares.pop(one.lease)
            tokens = self._gates[gate].tokens
            if tokens and share.taken_at + _SILENT_SECONDS > now:
                tokens.correct(share, one.amount)

    def _revive(self, worker: str) -> None:
        """Who is heard of again holds what was taken back from it: its calls are under way."""
        self._purse.revive(worker)
        for gate in self._gates.values():
            gate.held[worker] += gate.lost.pop(worker, 0)

    def _bury(self, now: float) -> None:
        """Take back what workers hold that were not heard of for long."""
        for worker in [name for name, at in self._heard.items() if now - at > _SILENT_SECONDS]:
            del self._heard[worker]
            self._purse.bury(worker)
            for gate in self._gates.values():
                gate.lost[worker] += gate.held.pop(worker, 0)
            self._changed.set()

    def _write(self) -> None:
        spend = Spend(self._purse.spent, self._purse.reserved, self._calls)
        if self._journal and spend != self._told:
            self._journal.write(spend)
            self._told = spend

    async def _wait(self, until: float) -> None:
        self._changed.clear()
        try:
            async with asyncio.timeout(max(0.0, until - self._now())):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


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
