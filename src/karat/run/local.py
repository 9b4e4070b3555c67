"""A run on this machine: what is pending is decided, or asked in groups, and kept as it comes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from random import Random
from typing import TypeAlias

from karat.core.types import Outcome, Unjudged
from karat.judges import Judge
from karat.run.keeping import Keeper, Piece, Step
from karat.store import Run, Store
from karat.text import is_suspicious

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
