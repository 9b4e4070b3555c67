"""The dollars of a cluster: those that were spent, and those that workers have set aside."""

from collections import Counter
from math import inf


class Purse:
    """What a worker that is taken for dead has set aside counts as spent, until it is heard of again."""

    def __init__(self, ceiling: float | None, spent: float) -> None:
        self._ceiling = inf if ceiling is None else ceiling
        self._paid = spent
        self._reserved = dict[str, float]()
        self._lost = dict[str, float]()
        self._calls = Counter[str]()
        self._reached = False

    @property
    def spent(self) -> float:
        """What was paid, or has to be taken for paid."""
        return self._paid + sum(self._lost.values())

    @property
    def reserved(self) -> float:
        """What calls under way may cost at most."""
        return sum(self._reserved.values())

    def reserve(self, worker: str, most: float) -> bool | None:
        """Set dollars aside; None while others may still give some back, False once none are left."""
        if not self._reached and self.spent + self.reserved + most <= self._ceiling:
            self._reserved[worker] = self._reserved.get(worker, 0.0) + most
            self._calls[worker] += 1
            return True
        if any(self._calls[name] for name in self._reserved) and not self._reached:
            return None
        self._reached = True
        return False

    def settle(self, worker: str, reserved: float, cost: float) -> None:
        """A call is over; with the last one of a worker nothing is set aside, whatever rounding has left."""
        self._paid += cost
        if not reserved:
            return
        self._calls[worker] = max(0, self._calls[worker] - 1)
        left = max(0.0, self._reserved.pop(worker, 0.0) - reserved)
        if self._calls[worker]:
            self._reserved[worker] = left

    def bury(self, worker: str) -> None:
        """Take a worker for dead."""
        if worker in self._reserved:
            self._lost[worker] = self._reserved.pop(worker)

    def revive(self, worker: str) -> None:
        """A worker lives after all: what it costs replaces what was counted."""
        if worker in self._lost:
            self._reserved[worker] = self._lost.pop(worker)
