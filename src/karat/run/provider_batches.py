"""A run by provider batches, in rounds: the items of a round are asked together, and unanswered ones go into the next batch.

The groups of a round are on disk before anything is submitted, and its outcomes are stored together at its end. A process
that is killed in between leaves replies in the cache; the next start repeats the same round and uses them.
"""

from collections.abc import Callable, Iterator
from random import Random

from karat.judges import BatchJudge
from karat.run.local import Keeper, Piece, Step
from karat.store import Run, Store
from karat.text import is_suspicious

ROUND_ITEMS = 5_000


async def run_by_batches(
    store: Store,
    run: Run,
    judge: BatchJudge,
    size: int,
    *,
    retry: bool = False,
    watch: Callable[[Step], None] = lambda _: None,
) -> None:
    """Judge every pending item by provider batches, `size` items per prompt; one round is in memory at a time."""
    rounds = _Rounds(store, run, judge, size, watch)
    await rounds.resume()
    waiting = list[Piece]()
    for chunk in store.pending(run, retry=retry):
        waiting += await rounds.decide(chunk)
        while len(waiting) >= ROUND_ITEMS:
            await rounds.ask(waiting[:ROUND_ITEMS])
            waiting = waiting[ROUND_ITEMS:]
    if waiting:
        await rounds.ask(waiting)
    store.finish_run(run)


class _Rounds:
    """The rounds of a run, one after the other."""

    def __init__(
        self, store: Store, run: Run, judge: BatchJudge, size: int, watch: Callable[[Step], None]
    ) -> None:
        self._store = store
        self._run = run
        self._judge = judge
        self._size = size
        self._keep = Keeper(store, run, watch).keep
        self._batches = store.batches_of(run)

    async def resume(self) -> None:
        """Repeat the round in which an earlier process was stopped, with the same groups."""
        left = self._batches.find_round()
        if left is not None:
            await self._ask_groups(
                [list(zip(numbers, self._store.find_items(numbers), strict=True)) for numbers in left]
            )

    async def decide(self, chunk: list[Piece]) -> list[Piece]:
        """Store the outcomes that need no call, and return the other items."""
        decided = [(piece, self._judge.decide(piece[1])) for piece in chunk]
        await self._keep([(number, outcome) for (number, _), outcome in decided if outcome is not None])
        return [piece for piece, outcome in decided if outcome is None]

    async def ask(self, pieces: list[Piece]) -> None:
        """Group the items of a round, store the groups, and ask about them."""
        groups = list(group_round(pieces, self._size, self._run.fingerprint))
        self._batches.open_round([[number for number, _ in group] for group in groups])
        await self._ask_groups(groups)

    async def _ask_groups(self, groups: list[list[Piece]]) -> None:
        results = await self._judge.ask_together([tuple(item for _, item in group) for group in groups])
        numbers = (number for group in groups for number, _ in group)
        outcomes = (outcome for result in results for outcome in result)
        await self._keep(list(zip(numbers, outcomes, strict=True)))
        self._batches.close_round()


def group_round(pieces: list[Piece], size: int, seed: str) -> Iterator[list[Piece]]:
    """Yield groups of items: suspicious ones alone, the others shuffled by a seed so that neighbours differ."""
    if size > 1:
        yield from ([piece] for piece in pieces if is_suspicious(piece[1]))
        pieces = [piece for piece in pieces if not is_suspicious(piece[1])]
        if len(pieces) > size:
            Random(f"{seed} {pieces[0][0]}").shuffle(pieces)
    for start in range(0, len(pieces), size):
        yield pieces[start : start + size]
