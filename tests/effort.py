"""Measure work: processor time with a wide bound, or the number of function calls."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

SECONDS = 20


@contextmanager
def bounded_effort() -> Generator[None]:
    """Fail where the block takes 20 s of processor time: linear work takes less than a hundredth of that anywhere, other work minutes."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < SECONDS


def count_calls(work: Callable[[], object]) -> int:
    """How many functions are called, those of C included."""
    calls = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls
