"""One limit for a whole cluster: workers ask here before they call, and tell here what came of it.

A lease is the right to one call at an endpoint, or to a sum of dollars. Workers ask for many at a time and get what can
be had now. One that is silent for long is taken for dead: its places are free again, its dollars count as spent. Should it
be heard of after all, it holds again what it held.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from itertools import count
from math import inf

from msgspec import Struct

from karat.models import Pace, Share
from karat.on_ray.journal import Journal, Spend
from karat.on_ray.purse import Purse

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
