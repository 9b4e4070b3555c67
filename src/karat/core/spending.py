"""Add up what outcomes cost, and share the cost of one call among its items."""

from collections.abc import Iterable

from karat.core.types import Spent


def total(parts: Iterable[Spent]) -> Spent:
    """Return the sum; a cost that is unknown for counted tokens in one part is unknown in the sum."""
    calls = input_tokens = cached_tokens = output_tokens = uncounted = 0
    cost: float | None = 0.0
    for part in parts:
        calls += part.calls
        uncounted += part.uncounted
        if part.input_tokens is None or part.output_tokens is None:
            continue
        input_tokens += part.input_tokens
        cached_tokens += part.cached_tokens
        output_tokens += part.output_tokens
        cost = None if cost is None or part.cost_usd is None else cost + part.cost_usd
    return add_up(calls, input_tokens, cached_tokens, output_tokens, cost, uncounted)


def add_up(
    calls: int, input_tokens: int, cached_tokens: int, output_tokens: int, cost: float | None, uncounted: int
) -> Spent:
    """Return what calls cost together, given the sums over those that were counted."""
    if uncounted and not input_tokens and not output_tokens:
        return Spent(calls, None, 0, None, None, uncounted)
    return Spent(calls, input_tokens, cached_tokens, output_tokens, cost, uncounted)


def share(spent: Spent, among: int) -> list[Spent]:
    """Return one part per item; tokens and cost add up to the whole, and each item has all calls."""
    return [
        Spent(
            calls=spent.calls,
            input_tokens=_slice(spent.input_tokens, among, index),
            cached_tokens=_slice(spent.cached_tokens, among, index) or 0,
            output_tokens=_slice(spent.output_tokens, among, index),
            cost_usd=None if spent.cost_usd is None else spent.cost_usd / among,
            uncounted=spent.uncounted,
        )
        for index in range(among)
    ]


def _slice(whole: int | None, among: int, index: int) -> int | None:
    return None if whole is None else whole * (index + 1) // among - whole * index // among
