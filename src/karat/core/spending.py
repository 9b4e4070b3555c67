"""Adding up what outcomes cost and sharing the cost of one call among its items."""

from collections.abc import Iterable

from karat.core.types import Spent


def total(parts: Iterable[Spent]) -> Spent:
    """The sum; a cost that is unknown in one part is unknown in the sum."""
    calls = input_tokens = cached_tokens = output_tokens = 0
    cost: float | None = 0.0
    for part in parts:
        calls += part.calls
        input_tokens += part.input_tokens
        cached_tokens += part.cached_tokens
        output_tokens += part.output_tokens
        cost = None if cost is None or part.cost_usd is None else cost + part.cost_usd
    return Spent(calls, input_tokens, cached_tokens, output_tokens, cost)


def share(spent: Spent, among: int) -> list[Spent]:
    """One part per item: tokens and cost add up to the whole, each item took part in every call."""
    return [
        Spent(
            calls=spent.calls,
            input_tokens=_slice(spent.input_tokens, among, index),
            cached_tokens=_slice(spent.cached_tokens, among, index),
            output_tokens=_slice(spent.output_tokens, among, index),
            cost_usd=None if spent.cost_usd is None else spent.cost_usd / among,
        )
        for index in range(among)
    ]


def _slice(whole: int, among: int, index: int) -> int:
    return whole * (index + 1) // among - whole * index // among
