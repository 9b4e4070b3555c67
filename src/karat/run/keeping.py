"""Outcomes on their way to disk, and what is told of them once they are there."""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from karat.core.types import Item, Outcome, Spent, Unjudged
from karat.store import Run, Store

Piece = tuple[int, Item]


class Step(Struct, frozen=True):
    """What one kept piece of work added."""

    items: int
    unjudged: int
    spent: tuple[Spent, ...]


async def keep(
    store: Store, run: Run, outcomes: Sequence[tuple[int, Outcome]], watch: Callable[[Step], None]
) -> None:
    """Wait until outcomes are on disk, and only then tell of them."""
    if not outcomes:
        return
    await asyncio.wrap_future(store.keep_outcomes(run, outcomes))
    unjudged = sum(isinstance(outcome, Unjudged) for _, outcome in outcomes)
    watch(Step(len(outcomes), unjudged, tuple(outcome.spent for _, outcome in outcomes)))
