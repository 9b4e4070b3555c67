"""A budget is a ceiling: on what is spent plus the most that is under way, whatever the order of events."""

import asyncio
import random

import pytest

from karat.models import Budget


async def spend(budget: Budget, dice: random.Random, most: float, paid: list[float]) -> bool:
    """One call: it costs at most what was set aside, and takes its time."""
    if not await budget.reserve(most):
        return False
    assert budget.spent + budget.reserved <= budget.ceiling + 1e-12
    for _ in range(dice.randrange(4)):
        await asyncio.sleep(0)
    cost = most * dice.random()
    paid.append(cost)
    await budget.settle(most, cost)
    return True


@pytest.mark.parametrize("seed", range(50))
def test_no_schedule_of_calls_spends_more_than_the_budget_and_all_calls_end(seed: int) -> None:
    dice = random.Random(seed)
    budget = Budget(ceiling=dice.uniform(0.5, 5), spent=dice.uniform(0, 0.5))
    paid = [budget.spent]

    async def run() -> list[bool]:
        calls = [spend(budget, dice, dice.uniform(0.01, 0.4), paid) for _ in range(60)]
        return await asyncio.wait_for(asyncio.gather(*calls), timeout=10)

    allowed = asyncio.run(run())
    assert sum(paid) <= budget.ceiling
    assert budget.reserved == 0
    assert budget.reached == (not all(allowed))


def test_a_call_waits_for_those_under_way_before_it_gives_up() -> None:
    async def run() -> bool:
        budget = Budget(1.0)
        assert await budget.reserve(0.8)
        second = asyncio.create_task(budget.reserve(0.5))
        await asyncio.sleep(0)
        assert not second.done()
        await budget.settle(0.8, 0.1)
        return await second

    assert asyncio.run(run())


def test_once_reached_it_stays_reached() -> None:
    async def run() -> tuple[bool, bool]:
        budget = Budget(0.1)
        return await budget.reserve(0.2), await budget.reserve(0.01)

    assert asyncio.run(run()) == (False, False)
