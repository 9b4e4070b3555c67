"""Ask one judge several times, each time with other neighbours and at another position in the prompt."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from karat.core.keys import hash_content, item_key
from karat.core.types import Item, Outcome, ProtocolName, Verdict
from karat.judges.judge import Judge
from karat.judges.panel import combine

_BATCHES = 4


def permuted_group(size: int) -> int:
    """Return how many items are taken at a time: several prompts of `size` items, so that neighbours can change."""
    return size * _BATCHES


class PermutedJudge:
    """Takes several batches at once and shuffles their items for every pass; the majority of the passes decides."""

    def __init__(self, inner: Judge, passes: int, protocol: ProtocolName) -> None:
        self.name = inner.name
        self.identity: dict[str, Any] = {**inner.identity, "permute": passes}
        self.shared = True
        self.group = permuted_group(inner.group)
        self.concurrency = max(1, inner.concurrency // _BATCHES)
        self._inner = inner
        self._passes = passes
        self._protocol: ProtocolName = protocol

    def decide(self, item: Item) -> Outcome | None:
        """Decide as the inner judge does."""
        return self._inner.decide(item)

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Ask in passes; an item whose majority is settled is not asked again."""
        collected: list[list[Outcome]] = [[] for _ in items]
        placed: list[Counter[int]] = [Counter() for _ in items]
        seed = hash_content([item_key(item).hex() for item in items])
        for number in range(self._passes):
            left = [index for index, outcomes in enumerate(collected) if not self._is_settled(outcomes)]
            Random(f"{seed} {number}").shuffle(left)
            size = self._inner.group
            batches = [
                _order_batch(left[start : start + size], placed) for start in range(0, len(left), size)
            ]
            for batch, outcomes in zip(batches, await self._ask_batches(batches, items), strict=True):
                for index, outcome in zip(batch, outcomes, strict=True):
                    collected[index].append(outcome)
        return tuple(self._combine(outcomes) for outcomes in collected)

    async def close(self) -> None:
        """Close the inner judge."""
        await self._inner.close()

    def _is_settled(self, outcomes: Sequence[Outcome]) -> bool:
        counted = Counter(outcome.value for outcome in outcomes if isinstance(outcome, Verdict))
        return any(count * 2 > self._passes for count in counted.values())

    async def _ask_batches(
        self, batches: list[list[int]], items: tuple[Item, ...]
    ) -> list[tuple[Outcome, ...]]:
        asked = [tuple(items[index] for index in batch) for batch in batches]
        tasks = [asyncio.create_task(self._inner.ask(batch)) for batch in asked]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()

    def _combine(self, outcomes: list[Outcome]) -> Outcome:
        names = [f"pass {number}" for number in range(1, len(outcomes) + 1)]
        combined = combine(names, outcomes, "majority", self._protocol)
        if not isinstance(combined, Verdict):
            return combined
        decided_by = next(outcome.decided_by for outcome in outcomes if isinstance(outcome, Verdict))
        return msgspec.structs.replace(combined, decided_by=decided_by, items_per_prompt=self._inner.group)


def _order_batch(batch: list[int], placed: list[Counter[int]]) -> list[int]:
    """Return a batch in which every position goes to the item that has had it least often."""
    waiting, ordered = list(batch), list[int]()
    for place in range(len(batch)):
        chosen = min(waiting, key=lambda index: placed[index][place])
        waiting.remove(chosen)
        placed[chosen][place] += 1
        ordered.append(chosen)
    return ordered
