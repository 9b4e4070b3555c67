"""Hedging: at most one second call per slow one, rarely, and counted like the first."""

import asyncio
from typing import Any

import pytest
from timed import Script, Timed, ask, connect, take

from karat.core.flow import Completion, Failed, Reply
from karat.models import Budget, Price
from simulated import now, simulate

QUICK = 1.0  # seconds that a call usually takes here
SLOW = 60.0
WARM = 40  # calls after which it is known what is usual
PRICE = Price(1.0, 1.0, 1.0)


def after_a_while(then: Script) -> Script:
    """First calls of usual latency, then the script."""

    async def script(number: int) -> int:
        if number < WARM:
            await asyncio.sleep(QUICK)
            return 200
        return await then(number - WARM)

    return script


def run_one(then: Script, **options: Any) -> tuple[Timed, Reply, float]:
    """Warm up, then make one call more; with what it took."""
    transport = Timed(after_a_while(then))

    async def work() -> tuple[Reply, float]:
        asked = connect(transport, **{"hedge": True} | options)
        for _ in range(WARM):
            await ask(asked)
        begun = now()
        return await ask(asked), now() - begun

    reply, seconds = simulate(work())
    return transport, reply, seconds


def test_slow_call_is_hedged_and_the_second_reply_is_used() -> None:
    """It takes what is usual twice over, not what the slow one takes; both are counted as calls."""
    transport, reply, seconds = run_one(lambda number: take(SLOW if number == 0 else QUICK))
    assert isinstance(reply, Completion)
    assert reply.text == f"call {WARM + 1}"
    assert reply.spent.calls == 2
    assert seconds == pytest.approx(2 * QUICK)
    assert transport.cancelled == [WARM]


def test_without_hedge_nothing_is_sent_twice() -> None:
    transport, reply, seconds = run_one(lambda _: take(SLOW), hedge=False)
    assert isinstance(reply, Completion)
    assert reply.spent.calls == 1
    assert (len(transport.started), seconds) == (WARM + 1, pytest.approx(SLOW))


def test_reply_of_the_slow_call_is_used_if_it_is_first() -> None:
    transport, reply, seconds = run_one(lambda number: take(1.5 * QUICK if number == 0 else SLOW))
    assert isinstance(reply, Completion)
    assert (reply.text, reply.spent.calls) == (f"call {WARM}", 2)
    assert (transport.cancelled, seconds) == ([WARM + 1], pytest.approx(1.5 * QUICK))


def test_failed_second_call_is_ignored() -> None:
    transport, reply, seconds = run_one(lambda number: take(5 * QUICK) if number == 0 else take(QUICK, 500))
    assert isinstance(reply, Completion)
    assert (reply.text, seconds) == (f"call {WARM}", pytest.approx(5 * QUICK))
    assert transport.cancelled == []


def test_second_call_is_awaited_if_the_first_fails() -> None:
    _, reply, seconds = run_one(lambda number: take(2 * QUICK, 500) if number == 0 else take(4 * QUICK))
    assert isinstance(reply, Completion)
    assert (reply.text, seconds) == (f"call {WARM + 1}", pytest.approx(5 * QUICK))


def test_two_failed_calls_are_one_fault() -> None:
    transport, reply, _ = run_one(lambda number: take(2 * QUICK, (500, 503)[number]))
    assert isinstance(reply, Failed)
    assert reply.cause == "unavailable"
    assert "status 500" in reply.reason
    assert len(transport.started) == WARM + 2


def test_no_hedging_before_enough_calls_were_measured() -> None:
    transport = Timed(lambda _: take(SLOW))

    async def work() -> None:
        asked = connect(transport, hedge=True)
        for _ in range(10):
            await ask(asked)

    simulate(work())
    assert len(transport.started) == 10


def test_calls_under_one_second_are_not_hedged() -> None:
    transport = Timed(lambda number: take(0.9 if number == WARM else 0.1))

    async def work() -> None:
        asked = connect(transport, hedge=True)
        for _ in range(WARM + 1):
            await ask(asked)

    simulate(work())
    assert len(transport.started) == WARM + 1


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_at_most_one_call_in_ten_is_hedged_within_the_limits(share: float) -> None:
    """However many are slow; calls at once and calls per minute hold for both kinds together."""
    asks, rpm = 400, 240
    transport = Timed(lambda number: take(SLOW if number * 7919 % 100 < 100 * share else QUICK))

    async def work() -> list[Reply]:
        asked = connect(transport, hedge=True, concurrency=16, rpm=rpm)
        return list(await asyncio.gather(*(ask(asked) for _ in range(asks))))

    replies = simulate(work())
    assert all(isinstance(reply, Completion) for reply in replies)
    assert asks < len(transport.started) <= 1.1 * asks
    assert sum(reply.spent.calls for reply in replies) == len(transport.started)
    assert transport.most <= 16
    starts = transport.started
    assert max(sum(first <= start < first + 60 for start in starts) for first in starts) <= rpm


class Losses:
    """A cache that keeps nothing but what may have been lost."""

    def __init__(self) -> None:
        self.noted = list[float]()

    def find_completion(self, key: bytes) -> None: ...

    def keep_completion(self, key: bytes, completion: Completion) -> None: ...

    def keep_loss(self, most: float, *, answered: bool = False) -> None:
        self.noted.append(most)


async def one_is_slow(number: int) -> int:
    return await take(SLOW if number == 0 else QUICK)


def test_cancelled_call_counts_at_its_maximum_cost() -> None:
    """The cancelled call may still be charged, and counts against the budget."""
    losses, budget = Losses(), Budget(1.0)
    transport, _, _ = run_one(one_is_slow, price=PRICE, budget=budget, cache=losses)
    assert len(transport.cancelled) == len(losses.noted) == 1
    assert budget.spent == pytest.approx(transport.charged / 1e6)
    assert budget.reserved == 0


def test_second_call_needs_budget_and_releases_it() -> None:
    """Where there is room for one call only, the slow one is waited for."""
    losses, budget = Losses(), Budget(1.0)
    run_one(one_is_slow, price=PRICE, budget=budget, cache=losses)
    usual = (budget.spent - losses.noted[0]) / (WARM + 1)
    tight = Budget(WARM * usual + 1.5 * losses.noted[0])
    transport, reply, seconds = run_one(one_is_slow, price=PRICE, budget=tight)
    assert isinstance(reply, Completion)
    assert (len(transport.started), seconds) == (WARM + 1, pytest.approx(SLOW))
    assert not tight.reached


def test_stopped_run_leaves_no_call_in_flight() -> None:
    """Cancelling the ask cancels both calls and gives their places and reservations back."""
    transport, budget = Timed(after_a_while(lambda _: take(SLOW))), Budget(1.0)

    async def work() -> None:
        asked = connect(transport, hedge=True, price=PRICE, budget=budget)
        for _ in range(WARM):
            await ask(asked)
        task = asyncio.create_task(ask(asked))
        await asyncio.sleep(QUICK * 3)
        assert transport.under_way == 2
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    simulate(work())
    assert (transport.under_way, budget.reserved) == (0, 0)
