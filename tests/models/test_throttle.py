"""When calls start: within all limits, as many as the endpoint can handle, in order, without starvation."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import pytest
import stamina.instrumentation
from hypothesis import given, settings
from hypothesis import strategies as st
from limited import Kind, LimitedProvider

from karat.core.flow import Ask, Completion, Message, Prompt
from karat.models import CallSettings, Client, Endpoint, Parameters
from karat.models.rate_limit.throttle import Throttle
from karat.models.transport import Response
from simulated import now, simulate

OK = Response(200, {}, b"")
MINUTES = 10


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    stamina.instrumentation.set_on_retry_hooks([])
    yield
    stamina.instrumentation.set_on_retry_hooks(None)


async def call(throttle: Throttle, seconds: float = 1.0, response: Response = OK, tokens: float = 0) -> float:
    """One call that takes its time; when it started."""
    async with (slot := throttle.slot(tokens)):
        started = now()
        await asyncio.sleep(seconds)
        slot.note_response(response)
    return started


async def call_many(throttle: Throttle, number: int, seconds: float = 1.0) -> list[float]:
    return await asyncio.gather(*(call(throttle, seconds) for _ in range(number)))


def most_within(starts: list[float], seconds: float) -> int:
    """The largest number of starts in any span of this length."""
    starts = sorted(starts)
    return max(sum(first <= start < first + seconds for start in starts) for first in starts)


async def keep_asking(client: Client, size: int, workers: int = 64) -> list[Any]:
    """Ask without end for some minutes, with as many asks in hand as a run has."""
    attempts, replies = count(), list[Any]()
    prompt = Prompt((Message("user", "x" * size),))

    async def work() -> None:
        while now() < 60 * MINUTES:
            replies.extend(await client.answer((Ask(prompt, attempt=next(attempts)),)))

    await asyncio.gather(*(work() for _ in range(workers)))
    return replies


@pytest.mark.parametrize("kind", ["bucket", "window"])
@pytest.mark.parametrize(("size", "output"), [(400, 20), (1200, 60)], ids=["requests bind", "tokens bind"])
@pytest.mark.parametrize("told", ["by the user", "by headers"])
def test_limit_is_used_fully_and_rarely_exceeded(kind: Kind, size: int, output: int, told: str) -> None:
    """Over ten minutes 90 % of the binding limit is used; after the first minute 1 % of calls get a 429 at most."""
    provider = LimitedProvider(kind, rpm=500, tpm=100_000, output=output, headers=told == "by headers")
    ceilings: dict[str, Any] = {"rpm": 500, "tpm": 100_000} if told == "by the user" else {}

    async def run() -> list[Any]:
        endpoint = Endpoint("compatible", "http://simulated/v1", "m")
        return await keep_asking(Client(endpoint, Parameters(), provider, CallSettings(**ceilings)), size)

    replies = simulate(run())
    good = [used for at, status, used in provider.answered if status == 200 and at < 60 * MINUTES]
    later = [status for at, status, _ in provider.answered if at >= 60]
    assert max(len(good) / 500, sum(good) / 100_000) >= 0.9 * MINUTES
    assert later.count(429) <= 0.01 * len(later)
    assert all(isinstance(reply, Completion) for reply in replies)


def test_no_call_fails_without_rate_limit_headers() -> None:
    """Retry-After alone keeps most of the limit in use, and every call is answered in the end."""
    provider = LimitedProvider("window", rpm=500, tpm=100_000, output=20, headers=False)

    async def run() -> list[Any]:
        endpoint = Endpoint("compatible", "http://simulated/v1", "m")
        return await keep_asking(Client(endpoint, Parameters(), provider), 400)

    replies = simulate(run())
    assert all(isinstance(reply, Completion) for reply in replies)
    assert len(replies) >= 0.85 * 500 * MINUTES


def test_a_slow_start_doubles_up_to_the_ceiling() -> None:
    async def run() -> list[int]:
        throttle, seen = Throttle(50), list[int]()
        for _ in range(8):
            await call_many(throttle, throttle.concurrency.limit)
            seen.append(throttle.concurrency.limit)
        return seen

    assert simulate(run()) == [8, 16, 32, 50, 50, 50, 50, 50]


def test_unused_concurrency_does_not_grow() -> None:
    async def run() -> int:
        throttle = Throttle(64)
        for _ in range(50):
            await call_many(throttle, 3)
        return throttle.concurrency.limit

    assert simulate(run()) == 4


def test_queueing_server_gets_about_twice_its_parallelism() -> None:
    """Latency grows with load there: the limit settles, and the server is busy all the time."""
    finished = list[float]()

    async def run() -> list[int]:
        throttle, server, seen = Throttle(64), asyncio.Semaphore(8), list[int]()

        async def work() -> None:
            while now() < 600:
                async with (slot := throttle.slot()):
                    async with server:
                        await asyncio.sleep(1)
                    slot.note_response(OK)
                finished.append(now())
                seen.append(throttle.concurrency.limit)

        await asyncio.gather(*(work() for _ in range(64)))
        return seen

    settled = simulate(run())[400:]
    assert 8 <= min(settled) <= max(settled) <= 32
    assert len([at for at in finished if 60 <= at < 600]) >= 0.98 * 8 * 540


@pytest.mark.parametrize("status", [429, 503, 529])
def test_burst_of_faults_halves_concurrency_once(status: int) -> None:
    async def run() -> tuple[int, int, int, int]:
        throttle = Throttle(32)
        for _ in range(3):
            await call_many(throttle, throttle.concurrency.limit)
        full = throttle.concurrency.limit
        await asyncio.gather(*(call(throttle, 0.1, Response(status, {}, b"")) for _ in range(64)))
        once = throttle.concurrency.limit
        await asyncio.sleep(5)
        await call(throttle, 0.1, Response(status, {}, b""))
        twice = throttle.concurrency.limit
        for _ in range(40):
            await call_many(throttle, 2 * throttle.concurrency.limit)
        return full, once, twice, throttle.concurrency.limit

    assert simulate(run()) == (32, 16, 8, 32)


def test_timeouts_halve_too_and_one_call_is_always_allowed() -> None:
    async def run() -> list[int]:
        throttle, seen = Throttle(64), list[int]()
        for _ in range(4):
            async with (slot := throttle.slot()):
                await asyncio.sleep(10)
                slot.note_timeout()
            seen.append(throttle.concurrency.limit)
        return seen

    assert simulate(run()) == [2, 1, 1, 1]


@pytest.mark.parametrize(
    ("after", "pause"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("9999", 120),
        ("-3", 0),
        ("1e300", 0),
        ("inf", 0),
        ("nan", 0),
        ("99999999h", 0),
    ],
)
def test_retry_after_pauses_all_calls_for_two_minutes_at_most(after: str, pause: float) -> None:
    async def run() -> list[float]:
        throttle = Throttle(8)
        await call(throttle, 0, Response(429, {"retry-after": after}, b""))
        return await call_many(throttle, 2)

    assert simulate(run()) == pytest.approx([pause, pause])


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6s"}, 6),
        ({"x-ratelimit-remaining-tokens": "99", "x-ratelimit-reset-tokens": "1m0.5s"}, 60.5),
        ({"x-ratelimit-remaining-tokens": "100", "x-ratelimit-reset-tokens": "1m0s"}, 0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 120),
        ({"x-ratelimit-remaining-requests": "0"}, 0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon"}, 0),
        ({"x-ratelimit-remaining-requests": "few", "x-ratelimit-reset-requests": "6s"}, 0),
        ({"x-ratelimit-remaining-requests": "-1", "x-ratelimit-reset-requests": "99999999h"}, 0),
        ({"x-ratelimit-remaining-requests": "-1", "x-ratelimit-reset-requests": "6s"}, 0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "99999999h"}, 0),
        ({"x-ratelimit-remaining-requests": "nan", "x-ratelimit-reset-requests": "6s"}, 0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "-6"}, 0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "inf"}, 0),
        (
            {
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "1970-01-01T00:00:42Z",
            },
            42,
        ),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-05-01T10:00:30Z",
                "date": "Fri, 01 May 2026 10:00:00 GMT",
            },
            30,
        ),
    ],
)
def test_exhausted_quota_delays_calls(headers: dict[str, str], pause: float) -> None:
    """A reset that is a date is held against the endpoint's own clock, where it tells it."""

    async def run() -> float:
        throttle = Throttle(8, time_of_day=lambda: 0.0)
        await call(throttle, 0, Response(200, headers, b""), tokens=100)
        return await call(throttle, tokens=100)

    assert simulate(run()) == pytest.approx(pause)


def test_calls_in_flight_do_not_exceed_the_quota() -> None:
    """What was sent since the endpoint spoke is counted off."""
    told = {"x-ratelimit-remaining-requests": "2", "x-ratelimit-reset-requests": "30s"}

    async def run() -> list[float]:
        throttle = Throttle(8)
        await call(throttle, 0, Response(200, told, b""))
        return await call_many(throttle, 3, seconds=50)

    assert simulate(run()) == pytest.approx([0, 0, 30])


@pytest.mark.parametrize(
    ("headers", "status", "rpm", "told"),
    [
        (
            {"retry-after": "60"},
            429,
            None,
            ["waiting 60 s before the next call: the endpoint asked for a pause"],
        ),
        ({"retry-after": "9"}, 429, None, []),
        (
            {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m"},
            200,
            None,
            [
                "waiting 60 s before the next call: the quota in the header x-ratelimit-remaining-requests is used up"
            ],
        ),
        ({}, 200, 2, ["waiting 29 s before the next call: the limit of --rpm is reached"]),
    ],
)
def test_a_long_wait_says_why_once_for_each_cause(
    headers: dict[str, str], status: int, rpm: float | None, told: list[str]
) -> None:
    notices = list[str]()

    async def run() -> None:
        throttle = Throttle(8, rpm=rpm)
        throttle.notice = notices.append
        for _ in range(5):
            await call(throttle, 0, Response(status, headers, b""))
        await call_many(throttle, 3)

    simulate(run())
    assert notices == told


def test_calls_start_in_order_and_one_that_is_sent_again_keeps_its_rank() -> None:
    async def run() -> list[str]:
        throttle, order = Throttle(1), list[str]()
        first = throttle.slot()

        async def follow(name: str) -> None:
            async with throttle.slot():
                order.append(name)
                await asyncio.sleep(1)

        async with first:
            others = [asyncio.create_task(follow(name)) for name in "abc"]
            await asyncio.sleep(0.1)
        async with first:
            order.append("again")
        await asyncio.gather(*others)
        return order

    assert simulate(run()) == ["a", "again", "b", "c"]


def test_cancelled_call_releases_its_position() -> None:
    """In the queue, just let in, or under way: the next one starts as if it had never been there."""

    async def run() -> None:
        throttle = Throttle(1, rpm=60)
        under_way, let_in, queued, last = (asyncio.create_task(call(throttle, 100)) for _ in range(4))
        await asyncio.sleep(10)
        queued.cancel()
        under_way.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        let_in.cancel()
        await asyncio.sleep(0.1)
        assert throttle.under_way == 1
        assert await last == pytest.approx(10)
        assert throttle.under_way == 0

    simulate(run())


def test_one_at_a_time_works() -> None:
    async def run() -> list[float]:
        return await call_many(Throttle(1), 5)

    assert simulate(run()) == [0, 1, 2, 3, 4]


def test_a_call_larger_than_a_minutes_tokens_is_sent_all_the_same() -> None:
    async def run() -> list[float]:
        throttle = Throttle(8, tpm=1000)
        return await asyncio.gather(*(call(throttle, tokens=5000) for _ in range(2)))

    first, second = simulate(run())
    assert (first, second) == (0, pytest.approx(300, abs=2))


def test_unused_tokens_are_returned() -> None:
    async def run() -> float:
        throttle = Throttle(8, tpm=1000)
        async with (slot := throttle.slot(1000)):
            slot.note_response(OK)
        slot.note_tokens(10)
        return await call(throttle, tokens=900)

    assert simulate(run()) < 2


@settings(max_examples=60, deadline=None)
@given(
    ceiling=st.integers(1, 20),
    rpm=st.none() | st.integers(1, 200),
    tpm=st.none() | st.integers(100, 10_000),
    calls=st.lists(
        st.tuples(
            st.floats(0, 200),  # when it is asked for
            st.floats(0, 30),  # how long it takes
            st.sampled_from([200, 200, 200, 429, 500, 503]),
            st.integers(0, 400),  # tokens
            st.none() | st.floats(0, 100),  # when it is cancelled
            st.sampled_from(["", "0", "3"]),  # Retry-After
            st.none() | st.integers(0, 5),  # requests left
        ),
        min_size=1,
        max_size=60,
    ),
)
def test_limits_hold_and_all_calls_end_in_any_schedule(
    ceiling: int, rpm: int | None, tpm: int | None, calls: list[tuple[Any, ...]]
) -> None:
    """The simulated loop raises where everything waits for ever."""
    starts, tokens_started = list[float](), list[tuple[float, float]]()

    async def one(throttle: Throttle, spec: tuple[Any, ...]) -> None:
        begin, seconds, status, tokens, _, after, left = spec
        headers = {"retry-after": after}
        if left is not None:
            headers |= {"x-ratelimit-remaining-requests": str(left), "x-ratelimit-reset-requests": "2s"}
        await asyncio.sleep(begin)
        async with (slot := throttle.slot(tokens)):
            starts.append(now())
            tokens_started.append((now(), tokens))
            assert throttle.under_way <= ceiling
            await asyncio.sleep(seconds)
            slot.note_response(Response(status, headers, b""))
            if status == 200:
                slot.note_tokens(tokens)

    async def run() -> None:
        throttle = Throttle(ceiling, rpm=rpm, tpm=tpm)
        tasks = [asyncio.create_task(one(throttle, spec)) for spec in calls]
        for task, spec in zip(tasks, calls, strict=True):
            if spec[4] is not None:
                asyncio.get_running_loop().call_later(spec[0] + spec[4], task.cancel)
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        assert throttle.under_way == 0

    simulate(run())
    if rpm and starts:
        assert most_within(starts, 60) <= rpm


@settings(max_examples=40, deadline=None)
@given(tpm=st.integers(500, 5000), needs=st.lists(st.integers(1, 500), min_size=1, max_size=60))
def test_never_more_tokens_than_allowed_within_any_minute(tpm: int, needs: list[int]) -> None:
    async def run() -> list[float]:
        throttle = Throttle(64, tpm=tpm)
        return await asyncio.gather(*(call(throttle, tokens=need) for need in needs))

    starts = simulate(run())
    spent = list(zip(starts, needs, strict=True))
    for first in starts:
        assert sum(need for start, need in spent if first <= start < first + 60) <= tpm
