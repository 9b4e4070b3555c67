"""A budget limits the spent dollars plus the maximum cost of calls in flight, in any order of events."""

import asyncio
import random
from typing import Any

import pytest
from timed import Timed, ask, connect

from karat.core.flow import Completion
from karat.models import Budget, Patience, Price
from karat.models.transport import TransportError
from simulated import simulate


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
        return await asyncio.wait_for(asyncio.gather(*calls), timeout=300)

    allowed = asyncio.run(run())
    assert sum(paid) <= budget.ceiling
    assert budget.reserved == 0
    assert budget.reached == (not all(allowed))


def test_call_waits_for_calls_in_flight_before_it_is_over_budget() -> None:
    async def run() -> bool:
        budget = Budget(1.0)
        assert await budget.reserve(0.8)
        second = asyncio.create_task(budget.reserve(0.5))
        await asyncio.sleep(0)
        assert not second.done()
        await budget.settle(0.8, 0.1)
        return await second

    assert asyncio.run(run())


def test_used_up_budget_stays_used_up() -> None:
    async def run() -> tuple[bool, bool]:
        budget = Budget(0.1)
        return await budget.reserve(0.2), await budget.reserve(0.01)

    assert asyncio.run(run()) == (False, False)


@pytest.mark.parametrize("hedge", [False, True])
@pytest.mark.parametrize("seed", range(50))
def test_what_the_endpoint_charges_never_exceeds_the_budget(seed: int, *, hedge: bool) -> None:
    """Calls that fail, are dropped, hang or are cancelled by a twin: whatever it may charge for them is covered."""
    dice = random.Random(seed)

    async def script(number: int) -> int:
        await asyncio.sleep(dice.choice([0.1, 0.5, 1.0, 3.0, 30.0]))
        if number and dice.random() < 0.15:
            raise TransportError("lost", timed_out=dice.random() < 0.5)
        return dice.choice([200] * 8 + [500, 429]) if number else 200

    transport, budget = Timed(script), Budget(dice.uniform(0.001, 0.02))

    async def run() -> list[Any]:
        patience = Patience(attempts=3, seconds=60, wait=0.1, longest_wait=1)
        client = connect(transport, hedge=hedge, price=Price(1.0, 1.0, 1.0), budget=budget, patience=patience)
        return [await ask(client), *await asyncio.gather(*(ask(client) for _ in range(150)))]

    replies = simulate(run())
    assert transport.charged / 1e6 <= budget.spent + 1e-9 <= budget.ceiling + 2e-9
    assert all(
        isinstance(reply, Completion) or reply.cause in ("over_budget", "unavailable") for reply in replies
    )
