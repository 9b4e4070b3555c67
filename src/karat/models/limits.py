"""Limits that several processes share: each client gets a budget and a throttle that ask the others."""

from typing import Protocol

from karat.models.budget import Budget
from karat.models.throttle import Throttle


class Limits(Protocol):
    """Where a client's limits come from, when they are not its own."""

    def budget(self) -> Budget:
        """The budget that counts what all of them spend."""
        ...

    def throttle(self, gate: str, concurrency: int) -> Throttle:
        """The throttle of one endpoint, at which all of them queue."""
        ...
