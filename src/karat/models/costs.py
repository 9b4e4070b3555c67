"""Costs of calls: prices per model, and a budget that is never exceeded.

Prices are dollars per million tokens, as published on the date below; a price given by the user takes precedence.
"""

import asyncio
from math import inf, isfinite

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.types import Spent
from karat.models.endpoint import Endpoint

AS_OF = "2026-04-30"
WRITING = 1.25  # Anthropic's price of input that it writes to its cache, as a multiple of the input price
_ROUNDING = 1e-12  # tolerance for rounding errors of floats


class Price(Struct, frozen=True):
    """Dollars per million tokens; input that is read from a prefix cache has a price of its own."""

    input: float
    output: float
    cached: float

    def charge(self, spent: Spent, written_tokens: int = 0) -> Spent:
        """Return `spent` with its cost in dollars; the cost is None if tokens were not counted."""
        if spent.input_tokens is None or spent.output_tokens is None:
            return structs.replace(spent, cost_usd=None)
        fresh = spent.input_tokens - spent.cached_tokens + (WRITING - 1) * written_tokens
        cost = fresh * self.input + spent.cached_tokens * self.cached + spent.output_tokens * self.output
        return structs.replace(spent, cost_usd=cost / 1e6)


PRICES: dict[str, Price] = {
    "openai:gpt-4.1": Price(2.0, 8.0, 0.5),
    "openai:gpt-4.1-mini": Price(0.4, 1.6, 0.1),
    "openai:gpt-4.1-nano": Price(0.1, 0.4, 0.025),
    "openai:gpt-4o": Price(2.5, 10.0, 1.25),
    "openai:gpt-4o-mini": Price(0.15, 0.6, 0.075),
    "openai:gpt-5": Price(1.25, 10.0, 0.125),
    "openai:gpt-5-mini": Price(0.25, 2.0, 0.025),
    "openai:gpt-5-nano": Price(0.05, 0.4, 0.005),
    "openai:gpt-5.4": Price(2.5, 15.0, 0.25),
    "openai:gpt-5.4-mini": Price(0.75, 4.5, 0.075),
    "openai:gpt-5.5": Price(5.0, 30.0, 0.5),
    "anthropic:claude-haiku-4-5": Price(1.0, 5.0, 0.1),
    "anthropic:claude-sonnet-4-6": Price(3.0, 15.0, 0.3),
    "anthropic:claude-opus-4-7": Price(5.0, 25.0, 0.5),
}


def find_price(endpoint: Endpoint, own: Price | None) -> Price | None:
    """Return the user's price, else the published price of the provider's own endpoint, else None."""
    return own or PRICES.get(f"{endpoint.kind}:{endpoint.model}")


def parse_price(text: str) -> Price:
    """Read `IN/OUT` or `IN/OUT/CACHED` in dollars per million tokens."""
    parts = text.split("/")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or any(not (isfinite(number) and number >= 0) for number in numbers):
        raise UsageError(
            option("price"),
            f" {text!r} must be IN/OUT or IN/OUT/CACHED in dollars per million tokens, such as 0.25/2/0.025",
        )
    return Price(numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else numbers[0])  # noqa: PLR2004 - the third


class Budget:
    """Dollars spent and dollars reserved for calls in flight; their sum never exceeds the ceiling.

    A call in flight counts at its maximum cost.
    """

    def __init__(self, ceiling: float = inf, spent: float = 0.0) -> None:
        self.ceiling = ceiling
        self.spent = spent
        self.reserved = 0.0
        self.reached = False
        self._settled = asyncio.Condition()

    @property
    def left(self) -> float:
        """The dollars that may still be reserved."""
        return 0.0 if self.reached else max(0.0, self.ceiling - self.spent - self.reserved)

    async def reserve(self, most: float) -> bool:
        """Reserve the maximum cost of a call; wait for other calls to end if needed. False if it can never fit."""
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
        """Reserve without waiting; False means only that it does not fit at this moment."""
        if self.ceiling == inf:
            return True
        fits = not self.reached and self._fits(most)
        self.reserved += most if fits else 0.0
        return fits

    async def settle(self, most: float, cost: float) -> None:
        """Release the reservation of a call that has ended, and add its cost to the spent dollars."""
        if self.ceiling == inf:
            return
        async with self._settled:
            self.reserved = max(0.0, self.reserved - most)
            if self.reserved < _ROUNDING:
                self.reserved = 0.0
            self.spent += cost
            self._settled.notify_all()

    def _fits(self, most: float) -> bool:
        return self.spent + self.reserved + most <= self.ceiling
