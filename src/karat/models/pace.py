"""A limit per minute that the user gave: spread evenly, and held within any minute."""

from collections import deque
from math import inf

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
