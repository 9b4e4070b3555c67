"""An event loop with a simulated clock: sleeping takes no real time."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class _Selector(selectors.DefaultSelector):  # pyright: ignore[reportUntypedBaseClass, reportGeneralTypeIssues]
    """Instead of waiting, it moves the clock; waiting without end means that nothing will ever happen again."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        events = super().select(0)
        if not events and timeout is None:
            raise AssertionError("everything waits for something that never comes")
        self.now += 0.0 if events else max(0.0, timeout or 0.0)
        return events


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop of its own time, which starts at 0."""

    def __init__(self) -> None:
        self._simulated = _Selector()
        super().__init__(self._simulated)

    def time(self) -> float:
        return self._simulated.now


def simulate(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end in simulated time."""
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(work)


def now() -> float:
    """The simulated time."""
    return asyncio.get_running_loop().time()
