"""Work that threads finish is waited for in a loop, whatever comes of it."""

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


def test_everything_that_threads_finish_arrives() -> None:
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


def test_what_was_finished_before_is_not_waited_for_in_vain() -> None:
    async def go() -> None:
        done = Future[None]()
        done.set_result(None)
        await asyncio.wait_for(ThreadWaiter().wait(done), 10)

    asyncio.run(go())


def test_a_failure_is_raised_where_it_is_waited_for_and_nowhere_else() -> None:
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


def test_whoever_stops_waiting_does_not_disturb_the_others() -> None:
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


def test_a_loop_that_is_closed_is_left_alone() -> None:
    late = Future[None]()

    async def begin() -> None:
        task = asyncio.create_task(ThreadWaiter().wait(late))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(begin())
    late.set_result(None)
