"""The batch check: find how many items may share a prompt, by comparing their verdicts with those of single-item prompts."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct

from karat.core.types import Outcome, Unjudged, Value, Verdict
from karat.judges import Judge
from karat.run.local import Keeper, Piece, Step
from karat.stats import Undefined, mean_bound, upper_bound
from karat.store import Run, Store
from karat.text import is_suspicious

SIZES = (8, 4, 2)
SAMPLE = 40
WORTH_IT = 120
MOST_DISAGREEMENT = 0.12
MOST_SHIFT = {"match": 0.15, "equivalence": 0.5, "keypoints": 0.5}
_TRIED = 20
_COMPARABLE = 30


class Finding(Struct, frozen=True):
    """The difference between the verdicts at a batch size and those of single-item prompts, as upper bounds."""

    size: int
    compared: int
    differ: int
    disagreement: float
    shift: float
    good: bool

    def describe(self) -> str:
        """Return the finding in one line."""
        if self.compared < _COMPARABLE:
            return (
                f"{self.size} items per prompt: not checked, because only {self.compared} of {SAMPLE} rows got verdicts both"
                " alone and together"
            )
        return (
            f"{self.size} items per prompt: {self.differ} of {self.compared} verdicts differ from those of single-item prompts "
            f"(at most {100 * self.disagreement:.0f} %, shift at most {self.shift:.2f}): {'accepted' if self.good else 'rejected'}"
        )


async def choose_size(
    store: Store,
    run: Run,
    judge: Judge,
    most: int,
    *,
    watch: Callable[[Step], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> int:
    """Return the largest size whose verdicts agree with those of single-item prompts; a known result is not checked again."""
    known = store.find_batch_check(run)
    if known is not None:
        notice(f"{known[0]} items per prompt, as an earlier check with this judge found")
        return known[0]
    pieces = draw_sample(store, run, judge, most)
    if not pieces:
        return 1
    alone = await ask_in_groups(judge, pieces, 1)
    await _keep(store, run, pieces, alone, watch)
    if _report_budget(alone, "alone", notice):
        return 1
    chosen, found, unavailable = 1, list[str](), _was_unavailable(alone)
    for size in sizes_of(most):
        together = await ask_in_groups(judge, pieces, size)
        if _report_budget(together, f"at {size} items per prompt", notice):
            return 1
        unavailable = unavailable or _was_unavailable(together)
        finding = compare(size, run.protocol, alone, together)
        found.append(finding.describe())
        notice(found[-1])
        if finding.good:
            chosen = size
            break
    if not unavailable:
        store.keep_batch_check(run, chosen, found)
    return chosen


def compare(size: int, protocol: str, alone: Sequence[Outcome], together: Sequence[Outcome]) -> Finding:
    """Compare items that were judged both ways; on a scale, a difference of one level is not a disagreement."""
    pairs = [
        (one.value, other.value)
        for one, other in zip(alone, together, strict=True)
        if isinstance(one, Verdict) and isinstance(other, Verdict)
    ]
    shift = mean_bound([float(other) - float(one) for one, other in pairs])
    if len(pairs) < _COMPARABLE or isinstance(shift, Undefined):
        return Finding(size, len(pairs), 0, 1.0, 1.0, good=False)
    differ = sum(_disagree(one, other) for one, other in pairs)
    disagreement = upper_bound(differ, len(pairs))
    good = disagreement <= MOST_DISAGREEMENT and shift <= MOST_SHIFT[protocol]
    return Finding(size, len(pairs), differ, disagreement, shift, good)


def sizes_of(most: int) -> list[int]:
    """Return the sizes to try, largest first."""
    return [size for size in SIZES if size <= most]


def _report_budget(outcomes: Sequence[Outcome], how: str, notice: Callable[[str], None]) -> bool:
    """Report that the budget ended during the check, and return whether it did."""
    missing = sum(isinstance(outcome, Unjudged) and outcome.cause == "over_budget" for outcome in outcomes)
    if missing:
        notice(
            f"the budget was used up during the batch check, after {len(outcomes) - missing} of {len(outcomes)} rows asked {how};"
            " verdicts so far are kept; run the same command again with a larger --budget to continue"
        )
    return missing > 0


def _was_unavailable(outcomes: Sequence[Outcome]) -> bool:
    """Return whether the endpoint failed during the check; then the check has no result."""
    return any(isinstance(outcome, Unjudged) and outcome.cause == "unavailable" for outcome in outcomes)


def _disagree(one: Value, other: Value) -> bool:
    return one != other if isinstance(one, bool) else abs(one - other) > 1


def draw_sample(store: Store, run: Run, judge: Judge, most: int) -> list[Piece]:
    """Draw a seeded sample of items that would share a prompt; empty if a check is not worth it."""
    if most == 1:
        return []
    rows = run.dataset.rows
    places = Random(run.fingerprint).sample(range(rows), min(rows, _TRIED * SAMPLE))
    drawn = list[Piece]()
    for place in places:
        piece = store.item_at(run, place)
        if piece is not None and judge.decide(piece[1]) is None and not is_suspicious(piece[1]):
            drawn.append(piece)
        if len(drawn) == SAMPLE:
            break
    # Rows judged by an interrupted check count as open, so that the check continues.
    open_rows = store.count_pending(run) + len(store.final_among(run, [number for number, _ in drawn]))
    return drawn if len(drawn) == SAMPLE and open_rows >= WORTH_IT else []


async def ask_in_groups(judge: Judge, pieces: list[Piece], size: int) -> list[Outcome]:
    """Ask about all items, `size` at a time, and return the outcomes in their order."""
    places = asyncio.Semaphore(judge.concurrency)

    async def ask(group: list[Piece]) -> tuple[Outcome, ...]:
        async with places:
            return await judge.ask(tuple(item for _, item in group))

    tasks = [asyncio.create_task(ask(pieces[start : start + size])) for start in range(0, len(pieces), size)]
    try:
        return [outcome for group in await asyncio.gather(*tasks) for outcome in group]
    finally:
        for task in tasks:
            task.cancel()


async def _keep(
    store: Store, run: Run, pieces: list[Piece], outcomes: list[Outcome], watch: Callable[[Step], None]
) -> None:
    """Store the verdicts of single-item prompts, which count for the run, for items without a final one."""
    final = store.final_among(run, [number for number, _ in pieces])
    new = [
        (number, outcome)
        for (number, _), outcome in zip(pieces, outcomes, strict=True)
        if number not in final
    ]
    await Keeper(store, run, watch).keep(new)
