"""Limits over time: the user's limit per minute, and the quota in the endpoint's headers."""

from collections import deque
from math import inf
from typing import Literal, TypeAlias

Unit: TypeAlias = Literal["requests", "tokens"]
Sent: TypeAlias = tuple[float, float]  # requests and tokens, since the first call

_MINUTE = 61.0  # seconds; one more than a minute, because calls arrive less evenly than they are sent
_CATCH_UP = 1.0  # seconds of delay that may be caught up by sending calls without gaps
_ROUND_TRIP = 1.0  # seconds; the minimum time of a reply


class Share:
    """The share of a limit that one call uses, and when it started."""

    __slots__ = ("amount", "taken_at")

    def __init__(self, amount: float, taken_at: float) -> None:
        self.amount = amount
        self.taken_at = taken_at


class MinuteLimit:
    """A limit per minute, spread evenly; a call that needs more than the limit is delayed in proportion."""

    def __init__(self, per_minute: float) -> None:
        self._limit = per_minute
        self._even = 60.0 / per_minute
        self._due = -inf
        self._taken = 0.0
        self._shares = deque[Share]()

    def ready_at(self, amount: float, now: float) -> float:
        """Return the earliest time at which a call that needs this much may start."""
        self._forget(now)
        over, at = self._taken + amount - self._limit, self._due
        for share in self._shares:
            if over <= 0:
                break
            over -= share.amount
            at = share.taken_at + _MINUTE
        return max(at, self._due)

    def take(self, amount: float, now: float) -> Share:
        """Count a call that starts now."""
        share = Share(amount, now)
        self._shares.append(share)
        self._taken += amount
        self._due = max(self._due, now - _CATCH_UP) + amount * self._even
        return share

    def correct(self, share: Share, amount: float) -> None:
        """Replace the expected amount of a call by the used one."""
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


class Quota:
    """The remaining quota by the endpoint's last response, minus what was sent since.

    After the reset one call is sent alone to learn the new number.
    """

    __slots__ = ("_at", "_every", "_left", "_sent", "_until")

    def __init__(self, unit: Unit) -> None:
        self._at = 0 if unit == "requests" else 1
        self._left = self._sent = self._until = self._every = 0.0

    def note(self, left: float, sent: Sent, now: float, reset: float) -> None:
        """Update the quota from a response, unless a later call has already been answered."""
        if sent[self._at] < self._sent:
            return
        self._left, self._sent = left, sent[self._at]
        self._until, self._every = now + reset, reset

    def ready_at(self, tokens: float, sent: Sent) -> float:
        """Return the earliest time at which a call may start; 0 means now."""
        return 0.0 if self._fits(tokens, sent) else self._until

    def take(self, tokens: float, sent: Sent, now: float) -> None:
        """Count a call that starts now; if it does not fit, the following calls wait for the next reset."""
        if not self._fits(tokens, sent):
            self._until = now + max(self._every, _ROUND_TRIP)

    def _fits(self, tokens: float, sent: Sent) -> bool:
        need = tokens if self._at else 1.0
        return self._left - (sent[self._at] - self._sent) >= need
