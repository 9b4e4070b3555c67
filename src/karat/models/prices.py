"""What models cost, in dollars per million tokens, as published on the date below; the user's own price wins."""

from math import isfinite

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.types import Spent
from karat.models.endpoint import Endpoint

AS_OF = "2026-04-30"
WRITING = (
    1.25  # what Anthropic charges for input that it puts into its cache, as a multiple of the input price
)


class Price(Struct, frozen=True):
    """Dollars per million tokens; input read from a prefix cache has its own price, written to it a surcharge."""

    input: float
    output: float
    cached: float

    def charge(self, spent: Spent, written_tokens: int = 0) -> Spent:
        """Fill in the cost of counted tokens; None where there are none."""
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
    """The user's price, else the table's for the provider's own endpoint, else None: unknown."""
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
            f" {text!r} is not IN/OUT or IN/OUT/CACHED in dollars per million tokens, such as 0.25/2/0.025",
        )
    return Price(numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else numbers[0])  # noqa: PLR2004 - the third
