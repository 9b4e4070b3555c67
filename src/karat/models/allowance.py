"""A limit that the endpoint speaks of: never more under way than it said is left."""

from typing import Literal, TypeAlias

Unit: TypeAlias = Literal["requests", "tokens"]
Sent: TypeAlias = tuple[float, float]  # requests and tokens, since the first call


_ROUND_TRIP = 1.0  # seconds; sooner no answer can be hoped for


class Allowance:
    """What was left when the endpoint last said so, less what was sent since; once renewed, one call finds out."""

    __slots__ = ("_at", "_every", "_left", "_sent", "_until")

    def __init__(self, unit: Unit) -> None:
        self._at = 0 if unit == "requests" else 1
        self._left = self._sent = self._until = self._every = 0.0

    def note(self, left: float, sent: Sent, now: float, reset: float) -> None:
        """Believe what came back with a call, unless one that was sent later spoke already."""
        if sent[self._at] < self._sent:
            return
        self._left, self._sent = left, sent[self._at]
        self._until, self._every = now + reset, reset

    def ready_at(self, tokens: float, sent: Sent) -> float:
        """The earliest time at which a call may start; 0 is at once."""
        return 0.0 if self._fits(tokens, sent) else self._until

    def take(self, tokens: float, sent: Sent, now: float) -> None:
        """A call starts: one that does not fit finds out for those behind it, which wait for the next renewal."""
        if not self._fits(tokens, sent):
            self._until = now + max(self._every, _ROUND_TRIP)

    def _fits(self, tokens: float, sent: Sent) -> bool:
        need = tokens if self._at else 1.0
        return self._left - (sent[self._at] - self._sent) >= need
