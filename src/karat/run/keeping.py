"""Outcomes on their way to disk, and what is told of them once they are there."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from karat.core.types import Item, Outcome, Spent, Unjudged
from karat.run.arrivals import Arrivals
from karat.store import Run, Store

Piece = tuple[int, Item]


class Step(Struct, frozen=True):
    """What one kept piece of work added."""

    items: int
    unjudged: int
    spent: tuple[Spent, ...]


class Keeper:
    """Keeps the outcomes of one run."""

    def __init__(self, store: Store, run: Run, watch: Callable[[Step], None]) -> None:
        self._store = store
        self._run = run
        self._watch = watch
        self._arrivals = Arrivals()

    async def keep(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        """Wait until outcomes are on disk, and only then tell of them."""
        if not outcomes:
            return
        await self._arrivals.wait(self._store.keep_outcomes(self._run, outcomes))
        unjudged = sum(isinstance(outcome, Unjudged) for _, outcome in outcomes)
        self._watch(Step(len(outcomes), unjudged, tuple(outcome.spent for _, outcome in outcomes)))
