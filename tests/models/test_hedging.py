"""A second call beside a slow one: rare, never a third, and counted wherever the first is counted."""

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
    """Usual calls first, so that it is known what is usual; then the script."""

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


def test_a_slow_call_gets_a_twin_whose_answer_counts() -> None:
    """It takes what is usual twice over, not what the slow one takes; both are counted as calls."""
    transport, reply, seconds = run_one(lambda number: take(SLOW if number == 0 else QUICK))
    assert isinstance(reply, Completion)
    assert reply.text == f"call {WARM + 1}"
    assert reply.spent.calls == 2
    assert seconds == pytest.approx(2 * QUICK)
    assert transport.cancelled == [WARM]


def test_without_being_asked_nothing_is_sent_twice() -> None:
    transport, reply, seconds = run_one(lambda _: take(SLOW), hedge=False)
    assert isinstance(reply, Completion)
    assert reply.spent.calls == 1
    assert (len(transport.started), seconds) == (WARM + 1, pytest.approx(SLOW))


def test_the_slow_call_may_still_win() -> None:
    transport, reply, seconds = run_one(lambda number: take(1.5 * QUICK if number == 0 else SLOW))
    assert isinstance(reply, Completion)
    assert (reply.text, reply.spent.calls) == (f"call {WARM}", 2)
    assert (transport.cancelled, seconds) == ([WARM + 1], pytest.approx(1.5 * QUICK))


def test_a_twin_that_fails_decides_nothing() -> None:
    transport, reply, seconds = run_one(lambda number: take(5 * QUICK) if number == 0 else take(QUICK, 500))
    assert isinstance(reply, Completion)
    assert (reply.text, seconds) == (f"call {WARM}", pytest.approx(5 * QUICK))
    assert transport.cancelled == []


def test_where_the_slow_call_fails_its_twin_is_waited_for() -> None:
    _, reply, seconds = run_one(lambda number: take(2 * QUICK, 500) if number == 0 else take(4 * QUICK))
    assert isinstance(reply, Completion)
    assert (reply.text, seconds) == (f"call {WARM + 1}", pytest.approx(5 * QUICK))


def test_where_both_fail_it_is_one_fault() -> None:
    transport, reply, _ = run_one(lambda number: take(2 * QUICK, (500, 503)[number]))
    assert isinstance(reply, Failed)
    assert reply.cause == "unavailable"
    assert "status 500" in reply.reason
    assert len(transport.started) == WARM + 2


def test_nobody_is_hedged_before_it_is_known_what_is_usual() -> None:
    transport = Timed(lambda _: take(SLOW))

    async def work() -> None:
        asked = connect(transport, hedge=True)
        for _ in range(10):
            await ask(asked)

    simulate(work())
    assert len(transport.started) == 10


def test_what_takes_less_than_a_second_is_not_worth_a_twin() -> None:
    transport = Timed(lambda number: take(0.9 if number == WARM else 0.1))

    async def work() -> None:
        asked = connect(transport, hedge=True)
        for _ in range(WARM + 1):
            await ask(asked)

    simulate(work())
    assert len(transport.started) == WARM + 1


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_one_call_in_ten_has_a_twin_at_most_and_no_ceiling_is_broken(share: float) -> None:
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


def test_what_is_cancelled_counts_in_full() -> None:
    """The call that lost may be charged all the same, and the budget knows."""
    losses, budget = Losses(), Budget(1.0)
    transport, _, _ = run_one(one_is_slow, price=PRICE, budget=budget, cache=losses)
    assert len(transport.cancelled) == len(losses.noted) == 1
    assert budget.spent == pytest.approx(transport.charged / 1e6)
    assert budget.reserved == 0


def test_a_twin_needs_room_in_the_budget_and_does_not_use_it_up() -> None:
    """Where there is room for one call only, the slow one is waited for."""
    losses, budget = Losses(), Budget(1.0)
    run_one(one_is_slow, price=PRICE, budget=budget, cache=losses)
    usual = (budget.spent - losses.noted[0]) / (WARM + 1)
    tight = Budget(WARM * usual + 1.5 * losses.noted[0])
    transport, reply, seconds = run_one(one_is_slow, price=PRICE, budget=tight)
    assert isinstance(reply, Completion)
    assert (len(transport.started), seconds) == (WARM + 1, pytest.approx(SLOW))
    assert not tight.reached


def test_a_run_that_is_stopped_leaves_no_call_behind() -> None:
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
