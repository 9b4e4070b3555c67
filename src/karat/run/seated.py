"""A run in which it is fixed who shares a prompt with whom, and in which order."""

from collections.abc import Callable

from karat.judges import Judge
from karat.run.keeping import Step
from karat.run.local import Work
from karat.store import Run, Store


async def run_seated(
    store: Store, run: Run, judge: Judge, size: int, *, watch: Callable[[Step], None] = lambda _: None
) -> None:
    """Judge the rows in groups of `size` as they stand; suspicious items leave the table, as in every run.

    A group is asked whole or, once its outcomes are kept, not at all.
    """
    work = Work(store, run, judge, watch, lambda _: None)
    try:
        for start in range(0, run.dataset.rows, size):
            found = (store.item_at(run, place) for place in range(start, min(start + size, run.dataset.rows)))
            pieces = [piece for piece in found if piece is not None]
            if len(store.final_among(run, [number for number, _ in pieces])) == len(pieces):
                continue
            opened = await work.decide(pieces)
            if size > 1:
                opened = await work.begin_alone(opened)
            if opened:
                await work.begin(opened)
        await work.finish()
    except BaseException:
        await work.abandon()
        raise
    store.finish_run(run)
