"""Progress of a run on one line: rows done, rate, unjudged, cost and time left."""

import sys
import time
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from karat.cli.output import say
from karat.core.types import NOTHING, total
from karat.run import Step

if TYPE_CHECKING:
    from karat.ray.output import Manifest

_QUIET_SECONDS = 10.0
_WINDOW_SECONDS = 30.0


class Progress:
    """A progress line: redrawn on a terminal, printed every ten seconds elsewhere."""

    def __init__(self, pending: int, *, priced: bool) -> None:
        self._pending = pending
        self._priced = priced
        self._done = 0
        self._unjudged = 0
        self._spent = NOTHING
        self._shown = time.monotonic()
        self._seen: deque[tuple[float, int]] = deque([(self._shown, 0)])
        self._live: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and self._pending:
            from rich.console import Console
            from rich.live import Live
            from rich.text import Text

            self._live = Live(Text(""), console=Console(stderr=True), refresh_per_second=8, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def note(self, step: Step) -> None:
        """Count a step and update the line."""
        self._done += step.items
        self._seen.append((time.monotonic(), self._done))
        while len(self._seen) > 2 and self._seen[-1][0] - self._seen[1][0] > _WINDOW_SECONDS:  # noqa: PLR2004 - a pair
            self._seen.popleft()
        self._unjudged += step.unjudged
        self._spent = total((self._spent, *step.spent))
        if self._live is not None:
            from rich.text import Text

            self._live.update(Text(self.line()))
        elif time.monotonic() - self._shown > _QUIET_SECONDS:
            self._shown = time.monotonic()
            say(self.line())

    def line(self) -> str:
        """Format the line; the rate is that of the last half minute, so that a stall is visible."""
        (since, before), now = self._seen[0], time.monotonic()
        rate = (self._done - before) / max(1e-6, now - since)
        left = (self._pending - self._done) / rate if rate else 0.0
        cost = self._spent.cost_usd
        least = "at least " if self._spent.uncounted else ""
        spend = f" · {least}${cost:.4f}" if self._priced and cost is not None else ""
        return (
            f"{self._done:,} of {self._pending:,} · {rate:,.1f} rows/s · {self._unjudged:,} unjudged"
            f"{spend} · {show_seconds(left)} left"
        )


class BlockProgress:
    """The same for blocks of rows on a cluster, printed every ten seconds."""

    def __init__(self, blocks: int) -> None:
        self._blocks = blocks
        self._done = self._rows = self._unjudged = 0
        self._cost: float | None = 0.0
        self._began = self._shown = time.monotonic()

    def note(self, manifest: "Manifest") -> None:
        """Count a judged block and print the line if it is due."""
        self._done += 1
        self._rows += manifest.rows
        self._unjudged += manifest.unjudged
        cost = manifest.spent.cost_usd
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        now = time.monotonic()
        if now - self._shown > _QUIET_SECONDS or self._done == self._blocks:
            self._shown = now
            rate = self._rows / max(1e-6, now - self._began)
            spend = f" · ${self._cost:.4f}" if self._cost else ""
            say(
                f"{self._done:,} of {self._blocks:,} blocks · {self._rows:,} rows · {rate:,.0f} rows/s"
                f" · {self._unjudged:,} unjudged{spend}"
            )


def show_seconds(seconds: float) -> str:
    """Format a duration in hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (
        f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
    )
