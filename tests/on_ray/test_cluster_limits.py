"""Limits shared by the workers of a cluster, tested in one process without Ray."""

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from karat.ray.limits import Answer, ClusterLimits, EndpointLimits, Leases, Returned, Wanted
from karat.ray.shared_budget import SharedBudget, Spend, read_spend

ENDPOINTS = {"m": EndpointLimits(4)}


def connect(limits: ClusterLimits, worker: str, ceiling: float | None = None) -> Leases:
    async def exchange(returned: Sequence[Returned], wanted: Sequence[Wanted]) -> list[Answer]:
        await asyncio.sleep(0.001)
        return await limits.exchange(worker, returned, wanted)

    return Leases(exchange, ceiling)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    async def within() -> Any:
        async with asyncio.timeout(20):
            return await work

    return asyncio.run(within())


def test_all_workers_together_have_no_more_calls_under_way_than_the_limit() -> None:
    async def work() -> tuple[int, set[str]]:
        limits, most, under_way, served = ClusterLimits(ENDPOINTS, None, Spend(), None), 0, 0, set[str]()

        async def call(leases: Leases, worker: str) -> None:
            nonlocal most, under_way
            throttle = leases.throttle("m", 64)
            throttle.concurrency.limit = 64
            for _ in range(10):
                async with throttle.slot():
                    under_way += 1
                    most = max(most, under_way)
                    served.add(worker)
                    await asyncio.sleep(0.002)
                    under_way -= 1

        leases = {name: connect(limits, name) for name in ("a", "b", "c")}
        await asyncio.gather(*(call(one, name) for name, one in leases.items() for _ in range(5)))
        return most, served

    assert run(work()) == (4, {"a", "b", "c"})


def test_busy_worker_yields_leases_to_another() -> None:
    """Who waits gets a fair share, although the other asks again at once whenever a call of its own ends."""

    async def work() -> int:
        limits, order = ClusterLimits(ENDPOINTS, None, Spend(), None), list[str]()

        async def call(leases: Leases, worker: str, times: int) -> None:
            throttle = leases.throttle("m", 64)
            for _ in range(times):
                async with throttle.slot():
                    order.append(worker)
                    await asyncio.sleep(0.005)

        greedy, late = connect(limits, "greedy"), connect(limits, "late")
        tasks = [asyncio.create_task(call(greedy, "greedy", 20)) for _ in range(8)]
        await asyncio.sleep(0.05)
        await call(late, "late", 2)
        seen = len(order)
        await asyncio.gather(*tasks)
        return seen

    assert run(work()) < 100


def test_rate_limit_holds_across_workers() -> None:
    async def work() -> float:
        limits = ClusterLimits({"m": EndpointLimits(64, rpm=600)}, None, Spend(), None)
        began = asyncio.get_running_loop().time()

        async def call(leases: Leases) -> None:
            throttle = leases.throttle("m", 64)
            for _ in range(10):
                async with throttle.slot():
                    pass

        await asyncio.gather(*(call(connect(limits, name)) for name in ("a", "b")))
        return asyncio.get_running_loop().time() - began

    assert 0.7 < run(work()) < 5  # twenty calls, ten a second, the first second's worth at once


def test_budget_is_never_passed_and_ends_when_nothing_more_fits(tmp_path: Path) -> None:
    (tmp_path / "_manifests").mkdir()

    async def work() -> tuple[int, Spend]:
        limits = ClusterLimits(ENDPOINTS, 1.0, Spend(), str(tmp_path))

        async def call(leases: Leases) -> int:
            budget, paid = leases.budget(), 0
            while await budget.reserve(0.09):
                await asyncio.sleep(0.001)
                await budget.settle(0.09, 0.05)
                paid += 1
            await leases.flush()
            return paid

        paid = await asyncio.gather(*(call(connect(limits, name, 1.0)) for name in ("a", "b", "c")))
        return sum(paid), await limits.spend()

    paid, spend = run(work())
    assert paid == 19  # a twentieth might have passed the ceiling
    assert round(spend.usd, 9) == 0.95
    assert spend.reserved_usd == 0
    assert read_spend(str(tmp_path)) == spend


def test_what_was_spent_before_counts() -> None:
    """Calls under way when an earlier start was killed count at the most they may have cost."""

    async def work() -> tuple[bool, bool]:
        budget = connect(ClusterLimits(ENDPOINTS, 1.0, Spend(0.5, 0.3), None), "a", 1.0).budget()
        first = await budget.reserve(0.15)
        await budget.settle(0.15, 0.15)
        return first, await budget.reserve(0.15)

    assert run(work()) == (True, False)


def test_dollars_under_way_are_journalled_before_they_are_spent(tmp_path: Path) -> None:
    """Whoever starts after a kill counts what was reserved as if it were spent."""
    (tmp_path / "_manifests").mkdir()

    async def work() -> None:
        await connect(ClusterLimits(ENDPOINTS, 1.0, Spend(), str(tmp_path)), "a", 1.0).budget().reserve(0.25)

    run(work())
    assert read_spend(str(tmp_path)).most_usd == 0.25


def test_leases_of_a_silent_worker_expire() -> None:
    """Its places are free again, and the dollars it held count as spent."""

    async def work() -> Spend:
        limits = ClusterLimits({"m": EndpointLimits(1)}, 1.0, Spend(), None)
        await limits.exchange("dead", [], [Wanted("m", 0.0), Wanted(None, 0.4)])
        limits._heard["dead"] -= 1000
        answers = await limits.exchange("alive", [], [Wanted("m", 0.0)])
        assert answers[0].given is not None
        return await limits.spend()

    assert run(work()) == Spend(0.4, 0.0, 2)


def test_returning_worker_releases_only_its_leases() -> None:
    """Its places are counted once, and what its call cost replaces what was taken for spent."""

    async def work() -> tuple[int, Spend]:
        limits = ClusterLimits({"m": EndpointLimits(2)}, 1.0, Spend(), None)
        await limits.exchange("slow", [], [Wanted("m", 0.0), Wanted("m", 0.0), Wanted(None, 0.4)])
        limits._heard["slow"] -= 1000
        await limits.exchange("other", [], [])
        back = [Returned(endpoint="m"), Returned(endpoint="m"), Returned(amount=0.3, reserved=0.4)]
        await limits.exchange("slow", back, [])
        answers = await limits.exchange("other", [], [Wanted("m", 0.0)] * 6)
        return sum(one.given is not None for one in answers), await limits.spend()

    assert run(work()) == (2, Spend(0.3, 0.0, 4))


def test_rounding_of_reserved_sums_blocks_no_call() -> None:
    """Once no call is under way, a sum that does not fit is refused and not put off."""
    budget = SharedBudget(1e9, 0.0)
    sums = [0.1 + number / 7 for number in range(10_000)]
    for most in sums:
        assert budget.reserve("a", most)
    for most in reversed(sums[::2] + sums[1::2]):
        budget.settle("a", most, 0.0)
    assert budget.reserved == 0
    assert budget.reserve("a", 2e9) is False


def test_lease_of_a_cancelled_call_is_returned() -> None:
    async def work() -> bool:
        leases = connect(ClusterLimits({"m": EndpointLimits(1)}, None, Spend(), None), "a")
        throttle = leases.throttle("m", 4)
        async with throttle.slot():
            waiting = asyncio.create_task(throttle.slot().__aenter__())
            await asyncio.sleep(0.05)
            waiting.cancel()
        async with throttle.slot():
            return True

    assert run(work())
