"""A run never hangs: whatever an endpoint does, every ask ends, and one that stopped answering is given up."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
import stamina.instrumentation
from timed import Timed, ask, connect, take

from karat.core.errors import SetupError
from karat.core.flow import Completion, Failed, Reply
from karat.models import HttpTransport, Patience
from karat.models.transport import Response, TransportError
from simulated import now, simulate

TIMEOUT = 120.0
PATIENCE = Patience()
STALLED = TIMEOUT + PATIENCE.seconds
DAY = 86_400.0


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    stamina.instrumentation.set_on_retry_hooks([])
    yield
    stamina.instrumentation.set_on_retry_hooks(None)


async def never(_: int) -> int:
    """Wait for ever, past every deadline."""
    await asyncio.Event().wait()
    raise AssertionError


def run(transport: Any, asks: int, **options: Any) -> tuple[list[Reply], float, list[str]]:
    """One ask, then many, as many at once as a run has: the replies, how long it all took, and what was said."""
    notices = list[str]()

    async def work() -> tuple[list[Reply], float]:
        client = connect(transport, patience=PATIENCE, timeout=TIMEOUT, notice=notices.append, **options)
        places = asyncio.Semaphore(64)

        async def ask_in_company() -> Reply:
            async with places:
                return await ask(client)

        first = await ask(client)
        replies = [first, *await asyncio.gather(*(ask_in_company() for _ in range(asks)))]
        took = now()
        assert client.stalled is not None
        late = await ask(client)
        assert now() == took  # nobody is waited for any more
        return [*replies, late], took

    return *simulate(work()), notices


def check_given_up(replies: list[Reply], notices: list[str]) -> None:
    """The first was answered, all others have their cause, and it was said once in one line."""
    assert isinstance(replies[0], Completion)
    assert all(isinstance(reply, Failed) and reply.cause == "unavailable" for reply in replies[1:])
    told = [notice for notice in notices if "m: no more calls are sent: no " in notice]
    assert len(told) == 1
    assert " for 300 s: " in told[0]
    assert not any("\n" in notice for notice in notices)


@pytest.mark.parametrize("concurrency", [1, 64])
def test_endless_calls_are_abandoned_and_the_endpoint_counts_as_dead(concurrency: int) -> None:
    """Though 10,000 asks wait, it takes minutes, not the days that one after the other would take."""
    transport = Timed(lambda number: never(number) if number else take(1))
    replies, took, notices = run(transport, 10_000, concurrency=concurrency)
    check_given_up(replies, notices)
    assert transport.under_way == 0
    assert took < 5 * (1.25 * TIMEOUT + 5) + PATIENCE.longest_wait + 60


class Refusing:
    """Replies to the first call, and to all others with a status and headers."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        self._response = Response(status, headers, b"{}")
        self._good = Timed(lambda _: take(1))
        self.calls = 0

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        self.calls += 1
        if self.calls == 1:
            return await self._good.send(method, url, headers, body)
        await asyncio.sleep(0.1)
        return self._response

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (429, {"retry-after": str(3 * DAY)}),
        (429, {}),
        (503, {"retry-after": "60"}),
        (500, {}),
        (
            429,
            {
                "retry-after": str(DAY),
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "3d",
            },
        ),
    ],
)
def test_endpoint_that_only_refuses_counts_as_dead(status: int, headers: dict[str, str]) -> None:
    """A Retry-After of days, or a quota that is never renewed, delays no call for days."""
    replies, took, notices = run(Refusing(status, headers), 1_000)
    check_given_up(replies, notices)
    assert STALLED <= took < STALLED + 3 * 120 + 60


def test_a_long_wait_for_the_next_attempt_says_why_once() -> None:
    """Many calls wait for a fault to pass; one line tells of all of them."""
    notices = list[str]()

    async def work() -> list[Reply]:
        transport = Timed(lambda _: take(1, 503 if 1 <= now() < 31 else 200))
        client = connect(transport, patience=PATIENCE, timeout=TIMEOUT, notice=notices.append)
        return [await ask(client), *await asyncio.gather(*(ask(client) for _ in range(20)))]

    assert all(isinstance(reply, Completion) for reply in simulate(work()))
    assert len(notices) == 1
    assert notices[0].startswith("m: status 503: no reason given; retrying in 16 s")


def test_occasional_replies_are_not_a_stall() -> None:
    """An endpoint that answers every tenth call does not count as dead."""

    async def script(number: int) -> int:
        await asyncio.sleep(20)
        return 200 if number % 10 == 0 else 500

    async def work() -> list[Reply]:
        client = connect(Timed(script), patience=PATIENCE, timeout=TIMEOUT, concurrency=4)
        replies = [await ask(client), *await asyncio.gather(*(ask(client) for _ in range(60)))]
        assert client.stalled is None
        assert now() > 3 * STALLED
        return replies

    assert any(isinstance(reply, Completion) for reply in simulate(work()))


def test_a_slow_tail_is_timed_out_and_sent_again() -> None:
    """One call hangs, and its second attempt gets a reply."""
    hung = 7
    transport = Timed(lambda number: never(number) if number == hung else take(1))

    async def work() -> tuple[list[Reply], float]:
        client = connect(transport, patience=PATIENCE, timeout=TIMEOUT)
        return [await ask(client), *await asyncio.gather(*(ask(client) for _ in range(30)))], now()

    replies, took = simulate(work())
    assert all(isinstance(reply, Completion) for reply in replies)
    assert took < 1.25 * TIMEOUT + 5 + 10


def test_endpoint_that_never_replied_is_a_setup_error() -> None:
    async def work() -> None:
        await ask(connect(Timed(never), patience=PATIENCE, timeout=TIMEOUT))

    with pytest.raises(SetupError, match="cannot be reached"):
        simulate(work())


def test_queued_calls_end_when_the_endpoint_is_dead() -> None:
    """With one call per minute allowed, those behind it do not wait for their minutes."""
    transport = Timed(lambda number: take(1) if number == 0 else take(1, 500))
    replies, took, notices = run(transport, 500, rpm=1)
    check_given_up(replies, notices)
    assert took < STALLED + 5 * 61 + 60


def test_call_above_the_token_limit_per_minute_is_reported() -> None:
    notices = list[str]()

    async def work() -> None:
        client = connect(Timed(lambda _: take(1)), tpm=10, notice=notices.append)
        for _ in range(3):
            await ask(client)

    simulate(work())
    assert sum("--tpm 10" in notice for notice in notices) == 1


@contextlib.asynccontextmanager
async def server(answer: Any) -> AsyncGenerator[str]:
    """A raw server on the loopback."""
    handled = list[asyncio.Task[Any]]()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handled.append(asyncio.current_task())  # pyright: ignore[reportArgumentType]
        try:
            await reader.readuntil(b"\r\n\r\n")
            await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()

    opened = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with opened:
        yield f"http://127.0.0.1:{opened.sockets[0].getsockname()[1]}/"
        for task in handled:
            task.cancel()
        await asyncio.gather(*handled)


async def drip(writer: asyncio.StreamWriter) -> None:
    """One byte at a time, each long before any deadline."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    for _ in range(2000):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


async def drip_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(2000):
        writer.write(b"x-%d: y\r\n" % number)
        await writer.drain()
        await asyncio.sleep(0.02)


async def say_nothing(_: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def send_late(url: str) -> None:
    """Send a call that is to be late, within a time that proves it."""
    async with HttpTransport(timeout=0.3) as transport, asyncio.timeout(300):
        with pytest.raises(TransportError) as caught:
            await transport.send("POST", url, {}, b"{}")
    assert caught.value.timed_out


@pytest.mark.parametrize("answer", [drip, drip_headers, say_nothing])
def test_the_deadline_holds_for_the_whole_answer_not_for_each_byte(answer: Any) -> None:
    async def work() -> None:
        async with server(answer) as url:
            await send_late(url)

    asyncio.run(work())


def test_deadline_includes_name_resolution(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(*_: object, **__: object) -> None:
        await asyncio.sleep(60)

    async def work() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
        await send_late("http://nowhere.invalid/")

    asyncio.run(work())
