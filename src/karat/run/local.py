"""Judge the pending items of a run in this process, in groups, a bounded number of them at the same time."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from random import Random
from typing import TypeAlias

from msgspec import Struct

from karat.core.types import Item, Outcome, Spent, Unjudged
from karat.judges import Judge
from karat.store import Run, Store
from karat.text import is_suspicious

Piece: TypeAlias = tuple[int, Item]
"""An item with its number in the store."""
Keep: TypeAlias = Callable[[list[tuple[int, Outcome]]], Awaitable[None]]

_CHUNK = 512
_MOST_LOST = 5  # consecutive groups without a reachable endpoint after which the run stops asking


class Step(Struct, frozen=True):
    """What was added by outcomes that were kept together."""

    items: int
    unjudged: int
    spent: tuple[Spent, ...]


async def run_judge(
    store: Store,
    run: Run,
    judge: Judge,
    size: int,
    *,
    retry: bool = False,
    watch: Callable[[Step], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Judge every pending item of a run in groups of `size`; only a few groups are in memory at a time."""
    pending, keeper = store.pending(run, retry=retry), Keeper(store, run, watch)
    await judge_pieces(pending, judge, keeper.keep, seed=run.fingerprint, size=size, notice=notice)
    store.finish_run(run)


async def judge_pieces(
    chunks: Iterable[list[Piece]],
    judge: Judge,
    keep: Keep,
    *,
    seed: str,
    size: int | None = None,
    concurrency: int | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Judge items chunk by chunk, and pass their outcomes to `keep`.

    `size` and `concurrency` default to the judge's own numbers.
    """
    size = size or judge.group
    groups = GroupRunner(judge, keep, notice, concurrency or judge.concurrency)
    try:
        group = list[Piece]()
        for chunk in chunks:
            opened = await groups.decide(chunk)
            if judge.shared and size > 1:
                opened = await groups.start_suspicious(opened)
                if len(opened) > size:
                    # Neighbours in a prompt are random, but the same in every run.
                    Random(f"{seed} {chunk[0][0]}").shuffle(opened)
            group += opened
            while len(group) >= size:
                await groups.start(group[:size])
                group = group[size:]
        if group:
            await groups.start(group)
        await groups.finish()
    except BaseException:
        await groups.cancel()
        raise


async def run_fixed_groups(
    store: Store, run: Run, judge: Judge, size: int, *, watch: Callable[[Step], None] = lambda _: None
) -> None:
    """Judge the rows of a run in groups of `size`, in input order; suspicious items are still asked alone.

    A group is asked completely or, if all its outcomes are already stored, not at all.
    """
    groups = GroupRunner(judge, Keeper(store, run, watch).keep, lambda _: None, judge.concurrency)
    try:
        for pending in _read_fixed_groups(store, run, size):
            opened = {
                number for number, _ in await groups.decide([piece for group in pending for piece in group])
            }
            for group in pending:
                left = [piece for piece in group if piece[0] in opened]
                if size > 1:
                    left = await groups.start_suspicious(left)
                if left:
                    await groups.start(left)
        await groups.finish()
    except BaseException:
        await groups.cancel()
        raise
    store.finish_run(run)


def _read_fixed_groups(store: Store, run: Run, size: int) -> Iterator[list[list[Piece]]]:
    """Yield the groups that are not judged yet, some hundred rows at a time."""
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


class GroupRunner:
    """The groups that are in flight."""

    def __init__(self, judge: Judge, keep: Keep, notice: Callable[[str], None], concurrency: int) -> None:
        self._judge = judge
        self._keep = keep
        self._notice = notice
        self._concurrency = concurrency
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._ended: asyncio.Future[None] | None = None
        self._lost = 0
        self._dead: str | None = None

    async def decide(self, chunk: list[Piece]) -> list[Piece]:
        """Store the outcomes that need no call, and return the other items."""
        outcomes = [(number, item, self._judge.decide(item)) for number, item in chunk]
        await self._keep([(number, outcome) for number, _, outcome in outcomes if outcome is not None])
        return [(number, item) for number, item, outcome in outcomes if outcome is None]

    async def start(self, group: list[Piece]) -> None:
        """Ask about a group as soon as fewer than the allowed number are in flight."""
        while len(self._tasks) >= self._concurrency:
            await self._wait()
        task = asyncio.create_task(self._ask(group))
        self._tasks.add(task)
        task.add_done_callback(self._note_end)

    async def start_suspicious(self, pieces: list[Piece]) -> list[Piece]:
        """Ask about suspicious items one by one, and return the others."""
        rest = list[Piece]()
        for piece in pieces:
            if is_suspicious(piece[1]):
                await self.start([piece])
            else:
                rest.append(piece)
        return rest

    async def finish(self) -> None:
        """Wait for all groups."""
        while self._tasks:
            await self._wait()
        self._raise_failure()

    async def cancel(self) -> None:
        """Stop asking; stored outcomes are kept."""
        left = list(self._tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        self._failure = self._failure or failure
        if self._ended and not self._ended.done():
            self._ended.set_result(None)

    async def _wait(self) -> None:
        """Wait until a group has ended; unlike `asyncio.wait` the cost does not depend on the number of groups."""
        self._raise_failure()
        self._ended = asyncio.get_running_loop().create_future()
        await self._ended
        self._raise_failure()

    def _raise_failure(self) -> None:
        if self._failure:
            raise self._failure

    async def _ask(self, group: list[Piece]) -> None:
        if self._dead:
            outcomes = (Unjudged("unavailable", self._dead),) * len(group)
        else:
            outcomes = await self._judge.ask(tuple(item for _, item in group))
            self._watch_endpoint(outcomes)
        await self._keep([(number, outcome) for (number, _), outcome in zip(group, outcomes, strict=True)])

    def _watch_endpoint(self, outcomes: Sequence[Outcome]) -> None:
        """Stop asking after several unavailable groups in a row, because the rest would fail too."""
        lost = [
            outcome
            for outcome in outcomes
            if isinstance(outcome, Unjudged) and outcome.cause == "unavailable"
        ]
        self._lost = self._lost + 1 if len(lost) == len(outcomes) else 0
        if self._lost >= max(_MOST_LOST, self._concurrency) and not self._dead:
            self._dead = f"the endpoint stopped answering ({lost[0].reason})"
            self._notice(
                f"{self._dead}; the remaining rows are unavailable; run the same command again to ask about them"
            )


class Keeper:
    """Stores the outcomes of one run."""

    def __init__(self, store: Store, run: Run, watch: Callable[[Step], None]) -> None:
        self._store = store
        self._run = run
        self._watch = watch
        self._waiter = ThreadWaiter()

    async def keep(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        """Wait until outcomes are on disk, then report them."""
        if not outcomes:
            return
        await self._waiter.wait(self._store.keep_outcomes(self._run, outcomes))
        unjudged = sum(isinstance(outcome, Unjudged) for _, outcome in outcomes)
        self._watch(Step(len(outcomes), unjudged, tuple(outcome.spent for _, outcome in outcomes)))


class ThreadWaiter:
    """Waits in an event loop for the futures of a thread.

    The loop is woken once for all futures that are done; `asyncio.wrap_future` wakes it for each.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._done = deque[tuple[asyncio.Future[None], Future[None]]]()
        self._called = False

    async def wait(self, work: Future[None]) -> None:
        """Wait until work is done; its failure is raised here."""
        waiting = self._loop.create_future()
        work.add_done_callback(lambda done: self._note_done(waiting, done))
        await waiting

    def _note_done(self, waiting: asyncio.Future[None], done: Future[None]) -> None:
        self._done.append((waiting, done))
        if not self._called:
            self._called = True
            with suppress(RuntimeError):  # the loop is closed, so nothing is waiting
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._called = False  # reset first, so that later futures call again
        while self._done:
            waiting, done = self._done.popleft()
            if waiting.done():
                continue
            failure = done.exception()
            if failure is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(failure)
