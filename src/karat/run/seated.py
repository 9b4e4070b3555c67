"""A run in which it is fixed who shares a prompt with whom, and in which order."""

from collections.abc import Callable, Iterator

from karat.judges import Judge
from karat.run.keeping import Keeper, Piece, Step
from karat.run.local import Work
from karat.store import Run, Store

_CHUNK = 512


async def run_seated(
    store: Store, run: Run, judge: Judge, size: int, *, watch: Callable[[Step], None] = lambda _: None
) -> None:
    """Judge the rows in groups of `size` as they stand; suspicious items leave the table, as in every run.

    A group is asked whole or, once its outcomes are kept, not at all.
    """
    work = Work(judge, Keeper(store, run, watch).keep, lambda _: None)
    try:
        for groups in _pending(store, run, size):
            opened = {
                number for number, _ in await work.decide([piece for group in groups for piece in group])
            }
            for group in groups:
                left = [piece for piece in group if piece[0] in opened]
                if size > 1:
                    left = await work.begin_alone(left)
                if left:
                    await work.begin(left)
        await work.finish()
    except BaseException:
        await work.abandon()
        raise
    store.finish_run(run)


def _pending(store: Store, run: Run, size: int) -> Iterator[list[list[Piece]]]:
    """The groups that are not judged yet, some hundred rows at a time."""
    step = max(1, _CHUNK // size) * size
    for start in range(0, run.dataset.rows, step):
        places = range(start, min(start + step, run.dataset.rows))
        groups = [
            [store.item_at(run, place) for place in places[at : at + size]]
            for at in range(0, len(places), size)
        ]
        pieces = [[piece for piece in group if piece is not None] for group in groups]
        final = store.final_among(run, [number for group in pieces for number, _ in group])
        yield [group for group in pieces if not all(number in final for number, _ in group)]
