"""What a thread has finished, brought into an event loop that is woken once for all that is finished meanwhile."""

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


class Arrivals:
    """Waiting for a thread costs the loop one waking for many, where `asyncio.wrap_future` costs one for each."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._arrived = deque[tuple[asyncio.Future[None], Future[None]]]()
        self._called = False

    async def wait(self, work: Future[None]) -> None:
        """Wait until work is done; its failure is raised here."""
        waiting = self._loop.create_future()
        work.add_done_callback(lambda done: self._arrive(waiting, done))
        await waiting

    def _arrive(self, waiting: asyncio.Future[None], done: Future[None]) -> None:
        self._arrived.append((waiting, done))
        if not self._called:
            self._called = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._called = False  # first, so that whatever arrives from now on calls again
        while self._arrived:
            waiting, done = self._arrived.popleft()
            if waiting.done():
                continue
            failure = done.exception()
            if failure is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(failure)


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


_HOPELESS = 5
Keep: TypeAlias = Callable[[list[tuple[int, Outcome]]], Awaitable[None]]


async def run_judge(
    store: Store,
    run: Run,
    judge: Judge,
    *,
    retry: bool = False,
    watch: Callable[[Step], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Bring every pending item of a run to an outcome; at most a few groups are in memory at any time."""
    pending, keeper = store.pending(run, retry=retry), Keeper(store, run, watch)
    await judge_pieces(pending, judge, keeper.keep, seed=run.fingerprint, notice=notice)
    store.finish_run(run)


async def judge_pieces(
    chunks: Iterable[list[Piece]],
    judge: Judge,
    keep: Keep,
    *,
    seed: str,
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Bring pieces to outcomes, chunk by chunk, wherever they come from and are kept."""
    work = Work(judge, keep, notice)
    try:
        group = list[Piece]()
        for chunk in chunks:
            opened = await work.decide(chunk)
            if judge.shared and judge.group > 1:
                opened = await work.begin_alone(opened)
                if len(opened) > judge.group:
                    Random(f"{seed} {chunk[0][0]}").shuffle(opened)  # neighbours differ, runs do not
            group += opened
            while len(group) >= judge.group:
                await work.begin(group[: judge.group])
                group = group[judge.group :]
        if group:
            await work.begin(group)
        await work.finish()
    except BaseException:
        await work.abandon()
        raise


class Work:
    """The groups that are being asked right now."""

    def __init__(self, judge: Judge, keep: Keep, notice: Callable[[str], None]) -> None:
        self._judge = judge
        self._keep = keep
        self._notice = notice
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._moved: asyncio.Future[None] | None = None
        self._lost = 0
        self._gone: str | None = None

    async def decide(self, chunk: list[Piece]) -> list[Piece]:
        """Keep what needs no asking and give back the rest."""
        outcomes = [(number, item, self._judge.decide(item)) for number, item in chunk]
        await self._keep([(number, outcome) for number, _, outcome in outcomes if outcome is not None])
        return [(number, item) for number, item, outcome in outcomes if outcome is None]

    async def begin(self, group: list[Piece]) -> None:
        """Ask a group as soon as there is room for one more."""
        while len(self._tasks) >= self._judge.concurrency:
            await self._wait()
        task = asyncio.create_task(self._ask(group))
        self._tasks.add(task)
        task.add_done_callback(self._end)

    async def begin_alone(self, pieces: list[Piece]) -> list[Piece]:
        """Ask about suspicious items without company and give back the rest."""
        rest = list[Piece]()
        for piece in pieces:
            if is_suspicious(piece[1]):
                await self.begin([piece])
            else:
                rest.append(piece)
        return rest

    async def finish(self) -> None:
        """Wait for all groups."""
        while self._tasks:
            await self._wait()
        self._check()

    async def abandon(self) -> None:
        """Stop asking; what was kept stays kept."""
        left = list(self._tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _end(self, task: asyncio.Task[None]) -> None:
        """A group is over, or failed."""
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        self._failure = self._failure or failure
        if self._moved and not self._moved.done():
            self._moved.set_result(None)

    async def _wait(self) -> None:
        """Wait until a group is over, which costs the same however many are under way."""
        self._check()
        self._moved = asyncio.get_running_loop().create_future()
        await self._moved
        self._check()

    def _check(self) -> None:
        if self._failure:
            raise self._failure

    async def _ask(self, group: list[Piece]) -> None:
        if self._gone:
            outcomes = (Unjudged("unavailable", self._gone),) * len(group)
        else:
            outcomes = await self._judge.ask(tuple(item for _, item in group))
            self._watch_endpoint(outcomes)
        await self._keep([(number, outcome) for (number, _), outcome in zip(group, outcomes, strict=True)])

    def _watch_endpoint(self, outcomes: Sequence[Outcome]) -> None:
        """Ask nobody any more when group after group finds nobody there: the rest would only fail more slowly."""
        lost = [
            outcome
            for outcome in outcomes
            if isinstance(outcome, Unjudged) and outcome.cause == "unavailable"
        ]
        self._lost = self._lost + 1 if len(lost) == len(outcomes) else 0
        if self._lost >= max(_HOPELESS, self._judge.concurrency) and not self._gone:
            self._gone = f"the endpoint has stopped answering ({lost[0].reason})"
            self._notice(f"{self._gone}; what is left is unavailable, and the same command asks again")


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
