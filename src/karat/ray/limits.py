"""Limits for a whole cluster: workers request leases before they call, and return them afterwards.

A lease is the right to one call at an endpoint, or to a sum of dollars. Workers request many at a time and get what is
available. The leases of a worker without heartbeats expire: its calls no longer count, its dollars count as spent.
If it reports again, its leases are restored.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from typing import TypeAlias

from msgspec import Struct

from karat.models import Budget, MinuteLimit, Share, Slot, Throttle
from karat.ray.shared_budget import Journal, SharedBudget, Spend

_ROUND_SECONDS = 1.0
_SILENT_SECONDS = 60.0
_HEARTBEAT_SECONDS = 10.0


class EndpointLimits(Struct, frozen=True):
    """The limits of one endpoint for all workers together."""

    concurrency: int
    rpm: float | None = None
    tpm: float | None = None


class Wanted(Struct, frozen=True):
    """A requested lease: a call of so many tokens at an endpoint or, without an endpoint, so many dollars."""

    endpoint: str | None
    amount: float


class Returned(Struct, frozen=True):
    """A worker's report about a lease: a call has ended, its tokens, or the cost of a reserved sum."""

    endpoint: str | None = None
    lease: int | None = None
    amount: float = 0.0
    reserved: float = 0.0


class Answer(Struct, frozen=True):
    """The answer to `Wanted`: a lease's number, False if the budget is used up, None if the worker has to wait."""

    given: int | bool | None


Exchange: TypeAlias = Callable[[Sequence[Returned], Sequence[Wanted]], Awaitable[list[Answer]]]
_Asked: TypeAlias = tuple[Wanted, asyncio.Future[int | bool]]


class _EndpointState:
    """The calls in flight at one endpoint, by worker, and its limits per minute."""

    def __init__(self, spec: EndpointLimits) -> None:
        self.spec = spec
        self.held = Counter[str]()
        self.lost = Counter[str]()
        self.requests = MinuteLimit(spec.rpm) if spec.rpm else None
        self.tokens = MinuteLimit(spec.tpm) if spec.tpm else None

    def ready_at(self, worker: str, tokens: float, others: int, now: float) -> float:
        """Return the earliest time at which a worker may call; infinity if another call must end first."""
        held = self.held.total()
        fair = -(-self.spec.concurrency // (others + 1))
        if held >= self.spec.concurrency or (others and self.held[worker] >= fair):
            return inf
        limits = ((self.requests, 1.0), (self.tokens, tokens))
        return max([now, *(limit.ready_at(amount, now) for limit, amount in limits if limit)])


class ClusterLimits:
    """Hands out leases; it runs in one process, all its methods on one event loop."""

    def __init__(
        self, endpoints: Mapping[str, EndpointLimits], ceiling: float | None, spend: Spend, folder: str | None
    ) -> None:
        self._endpoints = {name: _EndpointState(spec) for name, spec in endpoints.items()}
        self._budget = SharedBudget(ceiling, spend.most_usd)
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
        """Accept returned leases and return answers, immediately or as soon as a lease is available."""
        now = self._now()
        self._restore_leases(worker)
        self._heard[worker] = now
        self._expire_leases(now)
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
        """Return what was spent and reserved so far."""
        return Spend(self._budget.spent, self._budget.reserved, self._calls)

    def _answer_all(self, worker: str, wanted: Sequence[Wanted], number: int) -> tuple[list[Answer], float]:
        now, soonest, answers, refused = self._now(), inf, list[Answer](), set[str | None]()
        for one in wanted:
            given: int | bool | None = None
            if one.endpoint not in refused:  # leases are given in the order of the requests
                given, at = self._answer(worker, one, now)
                soonest = min(soonest, at)
            if given is None:
                refused.add(one.endpoint)
            answers.append(Answer(given))
        self._waiting[number] = (worker, refused)
        return answers, soonest

    def _answer(self, worker: str, wanted: Wanted, now: float) -> tuple[int | bool | None, float]:
        if wanted.endpoint is None:
            return self._budget.reserve(worker, wanted.amount), inf
        endpoint = self._endpoints[wanted.endpoint]
        others = sum(
            wanted.endpoint in endpoints for name, endpoints in self._waiting.values() if name != worker
        )
        at = endpoint.ready_at(worker, wanted.amount, others, now)
        return (self._enter(worker, wanted, endpoint, now), inf) if at <= now else (None, at)

    def _enter(self, worker: str, wanted: Wanted, endpoint: _EndpointState, now: float) -> int:
        number = next(self._numbers)
        endpoint.held[worker] += 1
        self._calls += 1
        if endpoint.requests:
            endpoint.requests.take(1, now)
        if endpoint.tokens and wanted.endpoint:
            self._shares[number] = (wanted.endpoint, endpoint.tokens.take(wanted.amount, now))
            self._order.append(number)
            while len(self._order) > 100_000:  # noqa: PLR2004 - more than any minute holds
                self._shares.pop(self._order.popleft(), None)
        return number

    def _take_back(self, worker: str, one: Returned, now: float) -> None:
        self._changed.set()
        if one.endpoint is None and one.lease is None:
            self._budget.settle(worker, one.reserved, one.amount)
        elif one.endpoint is not None:
            held = self._endpoints[one.endpoint].held
            held[worker] = max(0, held[worker] - 1)
        elif one.lease in self._shares:
            endpoint, share = self._shares.pop(one.lease)
            tokens = self._endpoints[endpoint].tokens
            if tokens and share.taken_at + _SILENT_SECONDS > now:
                tokens.correct(share, one.amount)

    def _restore_leases(self, worker: str) -> None:
        """Restore the expired leases of a worker that reports again, because its calls are still in flight."""
        self._budget.restore(worker)
        for endpoint in self._endpoints.values():
            endpoint.held[worker] += endpoint.lost.pop(worker, 0)

    def _expire_leases(self, now: float) -> None:
        """Expire the leases of workers without heartbeats."""
        for worker in [name for name, at in self._heard.items() if now - at > _SILENT_SECONDS]:
            del self._heard[worker]
            self._budget.expire(worker)
            for endpoint in self._endpoints.values():
                endpoint.lost[worker] += endpoint.held.pop(worker, 0)
            self._changed.set()

    def _write(self) -> None:
        spend = Spend(self._budget.spent, self._budget.reserved, self._calls)
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


class Leases:
    """The client side in a worker: requests leases, one exchange at a time per endpoint, and returns used ones immediately."""

    def __init__(self, exchange: Exchange, ceiling: float | None) -> None:
        self._exchange = exchange
        self._ceiling = inf if ceiling is None else ceiling
        self._wanted = dict[str | None, list[_Asked]]()
        self._asking = dict[str | None, asyncio.Task[None]]()
        self._returned = list[Returned]()
        self._reporting: asyncio.Task[None] | None = None
        self._held_count = 0
        self._changed = asyncio.Event()

    def budget(self) -> Budget:
        """Return a budget of the cluster's dollars."""
        return LeasedBudget(self, self._ceiling)

    def throttle(self, endpoint: str, concurrency: int) -> Throttle:
        """Return a throttle with the cluster's limits and those that this worker learns from the endpoint."""
        return LeasedThrottle(self, endpoint, concurrency)

    async def take(self, wanted: Wanted) -> int | bool:
        """Wait for a lease and return its number, or False if the budget is used up."""
        place: asyncio.Future[int | bool] = asyncio.get_running_loop().create_future()
        self._wanted.setdefault(wanted.endpoint, []).append((wanted, place))
        asking = self._asking.get(wanted.endpoint)
        if asking is None or asking.done():
            self._asking[wanted.endpoint] = asyncio.create_task(self._ask(wanted.endpoint))
        return await place

    def give(self, returned: Returned) -> None:
        """Return a lease."""
        self._returned.append(returned)
        if returned.endpoint is not None or returned.reserved:
            self._held_count -= 1
        self._report_soon()

    async def flush(self) -> None:
        """Wait until all leases were reported; the caller may then stop its event loop."""
        while self._reporting and not self._reporting.done() and (self._returned or not self._held_count):
            self._changed.set()
            await asyncio.wait([self._reporting], timeout=0.01)

    def _report_soon(self) -> None:
        self._changed.set()
        if self._reporting is None or self._reporting.done():
            self._reporting = asyncio.create_task(self._report())

    async def _ask(self, endpoint: str | None) -> None:
        """Request the leases of an endpoint until every request has an answer."""
        while asked := self._wanted.pop(endpoint, []):
            try:
                answers = await self._exchange([], [wanted for wanted, _ in asked])
            except BaseException as error:
                _fail([*asked, *self._wanted.pop(endpoint, [])], error)
                raise
            again = self._hand_out(asked, answers)
            if again or endpoint in self._wanted:
                self._wanted[endpoint] = again + self._wanted.get(endpoint, [])

    async def _report(self) -> None:
        """Report returned leases; while the worker has any, also send regular heartbeats."""
        while self._returned or self._held_count > 0:
            if not self._returned:
                await self._wait_for_change()
            self._changed.clear()
            returned, self._returned = self._returned, []
            await self._exchange(returned, [])

    async def _wait_for_change(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_HEARTBEAT_SECONDS):
                await self._changed.wait()

    def _hand_out(self, asked: list[_Asked], answers: Sequence[Answer]) -> list[_Asked]:
        """Pass leases to their callers, and return the requests that must wait."""
        again = list[_Asked]()
        for (wanted, place), answer in zip(asked, answers, strict=True):
            if answer.given is None:
                again += [] if place.done() else [(wanted, place)]
                continue
            self._held_count += answer.given is not False
            if not place.done():
                place.set_result(answer.given)
            elif answer.given is not False:  # the caller was cancelled
                self.give(return_unused(wanted))
        if self._held_count > 0:
            self._report_soon()
        return again


def _fail(asked: list[_Asked], error: BaseException) -> None:
    for _, place in asked:
        if place.done():
            continue
        if isinstance(error, Exception):
            place.set_exception(error)
        else:
            place.cancel()


def return_unused(wanted: Wanted) -> Returned:
    """Return the report for an unused lease."""
    return Returned(endpoint=wanted.endpoint) if wanted.endpoint else Returned(reserved=wanted.amount)


class LeasedBudget(Budget):
    """A budget whose dollars are shared by the cluster."""

    def __init__(self, leases: Leases, ceiling: float) -> None:
        super().__init__(ceiling)
        self._leases = leases

    async def reserve(self, most: float) -> bool:
        """Reserve the maximum cost of a call, among all workers."""
        if self.ceiling == inf:
            return True
        if self.reached:
            return False
        given = bool(await self._leases.take(Wanted(None, most)))
        self.reached = self.reached or not given
        return given

    def reserve_now(self, most: float) -> bool:  # noqa: ARG002 - the signature of Budget
        """Return False, because the cluster cannot be asked without waiting; True if there is no ceiling."""
        return self.ceiling == inf

    async def settle(self, most: float, cost: float) -> None:
        """Report the cost of a call that has ended to the cluster."""
        self.spent += cost
        reserved = 0.0 if self.ceiling == inf else most
        if reserved or cost:
            self._leases.give(Returned(amount=cost, reserved=reserved))


class LeasedThrottle(Throttle):
    """Lets a call start when both this worker and the cluster allow it."""

    def __init__(self, leases: Leases, endpoint: str, concurrency: int) -> None:
        super().__init__(concurrency)
        self._leases = leases
        self._endpoint = endpoint
        self._numbers = dict[Slot, int]()

    async def enter(self, slot: Slot) -> None:
        """Wait in this worker's queue, then for a lease of the cluster."""
        began = slot.began
        await super().enter(slot)
        try:
            self._numbers[slot] = int(await self._leases.take(Wanted(self._endpoint, slot.tokens)))
        except BaseException:
            super().leave()
            raise
        slot.started = asyncio.get_running_loop().time()
        slot.began = min(began, slot.started)

    def leave(self) -> None:
        """Record that a call has ended, here and in the cluster."""
        self._leases.give(Returned(endpoint=self._endpoint))
        super().leave()

    def correct(self, slot: Slot, tokens: float) -> None:
        """Report the tokens that a call used."""
        number = self._numbers.pop(slot, None)
        if number is not None:
            self._leases.give(Returned(lease=number, amount=tokens))
