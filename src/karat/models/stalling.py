"""Telling an endpoint that is slow from one that does not answer any more."""

_FEW = 5


def overdue(timeout: float) -> float:
    """When a call is given up although its transport, which has the deadline, goes on waiting."""
    return 1.25 * timeout + 5.0


class Stall:
    """Counts the faults since the last answer; some of them, over so many seconds, mean that nothing moves."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since = 0.0
        self._faults = 0

    def answer(self) -> None:
        """An answer came."""
        self._faults = 0

    def fail(self, now: float) -> bool:
        """A call failed; True where that was one too many."""
        if not self._faults:
            self._since = now
        self._faults += 1
        return self._faults >= _FEW and now - self._since >= self.seconds
