"""A ceiling on spend that holds: what is under way is counted at the most it can cost."""

import asyncio
from math import inf


class Budget:
    """Dollars spent and dollars that calls under way may still cost; together never above the ceiling."""

    def __init__(self, ceiling: float = inf, spent: float = 0.0) -> None:
        self.ceiling = ceiling
        self.spent = spent
        self.reserved = 0.0
        self.reached = False
        self._settled = asyncio.Condition()

    @property
    def left(self) -> float:
        """What may still be set aside."""
        return 0.0 if self.reached else max(0.0, self.ceiling - self.spent - self.reserved)

    async def reserve(self, most: float) -> bool:
        """Set aside what a call may cost, waiting for others to end where needed; False once it cannot fit."""
        if self.ceiling == inf:
            return True
        async with self._settled:
            await self._settled.wait_for(lambda: self.reached or self._fits(most) or self.reserved <= 0)
            if self.reached or not self._fits(most):
                self.reached = True
                self._settled.notify_all()
                return False
            self.reserved += most
            return True

    def reserve_now(self, most: float) -> bool:
        """Set aside what a call may cost if that fits at this moment; False is no sign that the end is reached."""
        if self.ceiling == inf:
            return True
        fits = not self.reached and self._fits(most)
        self.reserved += most if fits else 0.0
        return fits

    async def settle(self, most: float, cost: float) -> None:
        """A call is over: it cost this much of what was set aside for it."""
        if self.ceiling == inf:
            return
        async with self._settled:
            self.reserved = max(0.0, self.reserved - most)
            if self.reserved < 1e-12:  # noqa: PLR2004 - what is left of adding and subtracting floats
                self.reserved = 0.0
            self.spent += cost
            self._settled.notify_all()

    def _fits(self, most: float) -> bool:
        return self.spent + self.reserved + most <= self.ceiling
