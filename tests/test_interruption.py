"""Library calls that are interrupted, or made after the program has ended."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import karat
from oracle import answer_match
from provider import Call, Provider, Reply

ITEMS = [(f"q{n}?", f"thing {n}", f"stuff {n}") for n in range(12)]


def in_notebook(call: Callable[[], Any]) -> Any:
    """Call it inside a running event loop that leaves signals alone, as a notebook does."""

    async def cell() -> Any:
        return call()

    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(cell())
    finally:
        loop.close()


def test_an_interrupted_call_in_a_notebook_asks_nothing_more_and_can_be_repeated(
    tmp_path: Path,
) -> None:
    held, answer = threading.Event(), answer_match(lambda _: True)
    held.set()

    def interrupt(call: Call) -> Reply | str:
        if not held.is_set():
            return answer(call)
        if call.index == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return Reply(hang=True)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Provider(interrupt) as provider:

            def grade() -> karat.Grades:
                return karat.grade(
                    ITEMS,
                    judge=f"{provider.base_url}#m",
                    store=tmp_path / "karat.db",
                    items_per_prompt=1,
                    concurrency=4,
                )

            with pytest.raises(KeyboardInterrupt):
                in_notebook(grade)
            assert not [thread for thread in threading.enumerate() if thread.name == "karat"]
            asked = len(provider.calls)
            held.clear()
            assert in_notebook(grade).summary.judged == len(ITEMS)
            assert len(provider.calls) == asked + len(ITEMS)
    finally:
        signal.signal(signal.SIGINT, before)


LATE = """
import atexit, karat
def late():
    try:
        karat.judge("q", "a long reference of several words", "other words that need a model")
    except karat.UsageError as error:
        print(error)
atexit.register(late)
"""


def test_call_after_the_program_has_ended_is_refused() -> None:
    ended = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == (
        "Python is shutting down and starts no new threads; call karat before the program ends, not in an atexit function"
    )
    assert ended.stderr == ""
