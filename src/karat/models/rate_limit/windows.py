"""A limit per minute that the user gave: spread evenly, and held within any minute."""

from collections import deque
from math import inf
from typing import Literal, TypeAlias

_MINUTE = 61.0  # a second longer than theirs, since calls do not arrive as evenly as they are sent
_LENIENCY = 1.0  # seconds; who was late may catch up by this much


class Share:
    """What one call took of a limit, and when."""

    __slots__ = ("amount", "taken_at")

    def __init__(self, amount: float, taken_at: float) -> None:
        self.amount = amount
        self.taken_at = taken_at


class Pace:
    """At most so much per minute; a call that needs more than a minute's worth has a minute of its own."""

    def __init__(self, per_minute: float) -> None:
        self._limit = per_minute
        self._even = 60.0 / per_minute
        self._due = -inf
        self._taken = 0.0
        self._shares = deque[Share]()

    def ready_at(self, amount: float, now: float) -> float:
        """The earliest time at which a call that needs this much may start."""
        self._forget(now)
        over, at = self._taken + amount - self._limit, self._due
        for share in self._shares:
            if over <= 0:
                break
            over -= share.amount
            at = share.taken_at + _MINUTE
        return max(at, self._due)

    def take(self, amount: float, now: float) -> Share:
        """A call starts."""
        share = Share(amount, now)
        self._shares.append(share)
        self._taken += amount
        self._due = max(self._due, now - _LENIENCY) + amount * self._even
        return share

    def correct(self, share: Share, amount: float) -> None:
        """A call turned out to need another amount than it took."""
        more = amount - share.amount
        self._due += more * self._even
        if self._shares and share.taken_at >= self._shares[0].taken_at:
            self._taken += more
        share.amount = amount

    def _forget(self, now: float) -> None:
        while self._shares and self._shares[0].taken_at + _MINUTE <= now:
            self._taken -= self._shares.popleft().amount
        if not self._shares:
            self._taken = 0.0


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
