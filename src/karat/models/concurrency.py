"""How many calls an endpoint bears at once, found out from how it answers."""

from math import inf

_FIRST = 4
_SLOWER = 2.0
_COOLDOWN = 5.0  # seconds
_DRIFT = 0.001  # per round; without it one lucky round would forbid growth for ever


class Concurrency:
    """Doubles per round of answers at first, then adds one while latency holds, and halves when told or timed out."""

    def __init__(self, ceiling: int) -> None:
        self.ceiling = max(1, ceiling)
        self.limit = min(_FIRST, self.ceiling)
        self._starting = True
        self._best: float | None = None
        self._halved_at = -inf
        self._begin_round()

    def succeed(self, latency: float, *, full: bool) -> None:
        """An answer came; `full` says that no further call could have been under way beside it."""
        self._answers += 1
        self._seconds += latency
        self._full = self._full or full
        if self._answers >= self.limit:
            self._end_round(self._seconds / self._answers)

    def fail(self, began: float, now: float) -> None:
        """A call was too much; one that began before the last halving, or ends right after it, says nothing new."""
        if began < self._halved_at or now < self._halved_at + _COOLDOWN:
            return
        self._halved_at = now
        self.limit = max(1, self.limit // 2)
        self._starting = False
        self._begin_round()

    def _begin_round(self) -> None:
        self._answers, self._seconds, self._full = 0, 0.0, False

    def _end_round(self, latency: float) -> None:
        best = latency if self._best is None else self._best + _DRIFT * (latency - self._best)
        self._best = min(latency, best)
        holds = latency <= _SLOWER * self._best
        if holds and self._full:
            self.limit = min(self.ceiling, self.limit * 2 if self._starting else self.limit + 1)
        elif self._starting and not holds:
            self.limit = max(1, self.limit // 2)
            self._starting = False
        self._begin_round()
