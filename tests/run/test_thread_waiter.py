"""Futures of threads are awaited in an event loop, with their results and failures."""

import asyncio
from concurrent.futures import Future
from threading import Thread

import pytest

from karat.run.local import ThreadWaiter


def _finish_in_a_thread(futures: list[Future[None]], failure: Exception | None = None) -> Thread:
    def finish() -> None:
        for future in futures:
            future.set_exception(failure) if failure else future.set_result(None)

    thread = Thread(target=finish)
    thread.start()
    return thread


def test_all_finished_futures_are_delivered() -> None:
    async def go() -> None:
        futures = [Future[None]() for _ in range(2_000)]
        arrivals = ThreadWaiter()
        waiting = [asyncio.create_task(arrivals.wait(future)) for future in futures]
        await asyncio.sleep(0)
        threads = [_finish_in_a_thread(futures[start::4]) for start in range(4)]
        await asyncio.wait_for(asyncio.gather(*waiting), 30)
        for thread in threads:
            thread.join()

    asyncio.run(go())


def test_the_loop_is_woken_once_for_all_that_is_finished_before_it_looks() -> None:
    async def go() -> None:
        loop = asyncio.get_running_loop()
        wakings, call = list[object](), loop.call_soon_threadsafe

        def count(callback: object, *arguments: object, **options: object) -> object:
            wakings.append(callback)
            return call(callback, *arguments, **options)  # type: ignore[arg-type]

        loop.call_soon_threadsafe = count  # type: ignore[method-assign]
        futures = [Future[None]() for _ in range(50)]
        arrivals = ThreadWaiter()
        waiting = [asyncio.create_task(arrivals.wait(future)) for future in futures]
        await asyncio.sleep(0)
        _finish_in_a_thread(futures).join()
        await asyncio.gather(*waiting)
        assert len(wakings) == 1

    asyncio.run(go())


def test_already_finished_future_returns_at_once() -> None:
    async def go() -> None:
        done = Future[None]()
        done.set_result(None)
        await asyncio.wait_for(ThreadWaiter().wait(done), 10)

    asyncio.run(go())


def test_failure_is_raised_only_in_its_waiter() -> None:
    async def go() -> None:
        bad, good = Future[None](), Future[None]()
        arrivals = ThreadWaiter()
        waiting = [asyncio.create_task(arrivals.wait(future)) for future in (bad, good)]
        await asyncio.sleep(0)
        _finish_in_a_thread([bad], OSError("the disk is full")).join()
        _finish_in_a_thread([good]).join()
        with pytest.raises(OSError, match="full"):
            await waiting[0]
        await waiting[1]

    asyncio.run(go())


def test_cancelled_waiter_does_not_affect_others() -> None:
    async def go() -> None:
        futures = [Future[None](), Future[None]()]
        arrivals = ThreadWaiter()
        waiting = [asyncio.create_task(arrivals.wait(future)) for future in futures]
        await asyncio.sleep(0)
        waiting[0].cancel()
        _finish_in_a_thread(futures).join()
        await waiting[1]
        with pytest.raises(asyncio.CancelledError):
            await waiting[0]

    asyncio.run(go())


def test_closed_loop_is_not_called() -> None:
    late = Future[None]()

    async def begin() -> None:
        task = asyncio.create_task(ThreadWaiter().wait(late))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(begin())
    late.set_result(None)
