"""The budget that the workers of a cluster share, and its journal on disk."""

import os
from collections import Counter
from math import inf
from pathlib import Path

import msgspec
from msgspec import Struct

from karat.ray.files import FOLDER, is_local, join, read_bytes, write_file

_NAME = "_spend.jsonl"


class SharedBudget:
    """Dollars spent, and dollars reserved by each worker; those of a worker without heartbeats count as spent."""

    def __init__(self, ceiling: float | None, spent: float) -> None:
        self._ceiling = inf if ceiling is None else ceiling
        self._paid = spent
        self._reserved = dict[str, float]()
        self._lost = dict[str, float]()
        self._calls = Counter[str]()
        self._reached = False

    @property
    def spent(self) -> float:
        """The dollars that were paid or count as paid."""
        return self._paid + sum(self._lost.values())

    @property
    def reserved(self) -> float:
        """The maximum cost of calls in flight."""
        return sum(self._reserved.values())

    def reserve(self, worker: str, most: float) -> bool | None:
        """Reserve dollars; None while others may still return some, False if none are left."""
        if not self._reached and self.spent + self.reserved + most <= self._ceiling:
            self._reserved[worker] = self._reserved.get(worker, 0.0) + most
            self._calls[worker] += 1
            return True
        if any(self._calls[name] for name in self._reserved) and not self._reached:
            return None
        self._reached = True
        return False

    def settle(self, worker: str, reserved: float, cost: float) -> None:
        """Record the cost of a call that has ended; after a worker's last call nothing is reserved, despite rounding."""
        self._paid += cost
        if not reserved:
            return
        self._calls[worker] = max(0, self._calls[worker] - 1)
        left = max(0.0, self._reserved.pop(worker, 0.0) - reserved)
        if self._calls[worker]:
            self._reserved[worker] = left

    def expire(self, worker: str) -> None:
        """Count the reservations of a worker without heartbeats as spent."""
        if worker in self._reserved:
            self._lost[worker] = self._reserved.pop(worker)

    def restore(self, worker: str) -> None:
        """Restore the reservations of a worker that reports again."""
        if worker in self._lost:
            self._reserved[worker] = self._lost.pop(worker)


class Spend(Struct, frozen=True):
    """Dollars that were paid, and the maximum further cost of calls in flight."""

    usd: float = 0.0
    reserved_usd: float = 0.0
    calls: int = 0

    @property
    def most_usd(self) -> float:
        """The dollars spent if none of the calls in flight is ever reported."""
        return self.usd + self.reserved_usd


class Journal:
    """Appends the state of the budget; the last complete line is valid. On object stores the file is rewritten."""

    def __init__(self, folder: str) -> None:
        self._place = join(folder, FOLDER, _NAME)
        self._begun = False

    def write(self, spend: Spend) -> None:
        """Write the state; it is on disk when this returns."""
        line = msgspec.json.encode(spend) + b"\n"
        if not is_local(self._place):
            with write_file(self._place) as stream:
                stream.write(line)
            return
        with Path(self._place).open("ab") as stream:
            if not self._begun:
                stream.write(b"\n")  # ends a line that a killed process left incomplete
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
        self._begun = True


def read_spend(folder: str) -> Spend:
    """Return the state of the budget when the last start of a run ended."""
    held = read_bytes(join(folder, FOLDER, _NAME)) or b""
    for line in reversed(held.splitlines()):
        try:
            return msgspec.json.decode(line, type=Spend)
        except msgspec.DecodeError:
            continue
    return Spend()
