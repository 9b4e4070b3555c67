"""The dollars of a cluster: those that were spent, and those that workers have set aside."""

import os
from collections import Counter
from math import inf
from pathlib import Path

import msgspec
from msgspec import Struct

from karat.ray.files import is_local, join, read_bytes, write_file


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


NAME = "_spend.jsonl"


class Spend(Struct, frozen=True):
    """Dollars that were paid, and those that calls under way may still cost at most."""

    usd: float = 0.0
    reserved_usd: float = 0.0
    calls: int = 0

    @property
    def most_usd(self) -> float:
        """What may have been spent, should none of the calls under way be heard of again."""
        return self.usd + self.reserved_usd


class Journal:
    """Appends where things stand; the last whole line counts. On object stores the file is written anew."""

    def __init__(self, folder: str) -> None:
        self._place = join(folder, "_manifests", NAME)
        self._begun = False

    def write(self, spend: Spend) -> None:
        """Where things stand is on disk when this returns."""
        line = msgspec.json.encode(spend) + b"\n"
        if not is_local(self._place):
            with write_file(self._place) as stream:
                stream.write(line)
            return
        with Path(self._place).open("ab") as stream:
            if not self._begun:
                stream.write(b"\n")  # a line that a killed process left half written ends here
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
        self._begun = True


def read_spend(folder: str) -> Spend:
    """Where things stood when the last start of a run ended, however it ended."""
    held = read_bytes(join(folder, "_manifests", NAME)) or b""
    for line in reversed(held.splitlines()):
        try:
            return msgspec.json.decode(line, type=Spend)
        except msgspec.DecodeError:
            continue
    return Spend()
