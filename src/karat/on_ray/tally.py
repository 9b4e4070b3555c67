"""The rows of a block, counted up as they are written."""

from collections import Counter

from karat.core.counts import Group
from karat.core.spending import total
from karat.core.types import NOTHING, Outcome, Spent, Verdict
from karat.on_ray.blocks import Block
from karat.on_ray.manifest import Manifest


class Tally:
    """Counts rows by system, value, cause and origin."""

    def __init__(self) -> None:
        self.rows = 0
        self._rows = Counter[tuple[str | None, int | None, str | None, str | None]]()
        self._scores = Counter[tuple[str | None, int | None, str | None, str | None]]()
        self._reasons = dict[str, str]()
        self._spent = NOTHING

    def note(self, system: str | None, outcome: Outcome, spent: Spent) -> None:
        """One more row."""
        self.rows += 1
        if isinstance(outcome, Verdict):
            key = (system, int(outcome.value), None, outcome.decided_by)
            self._scores[key] += outcome.score  # pyright: ignore[reportArgumentType] - sums of scores
        else:
            key = (system, None, outcome.cause, None)
            if outcome.reason is not None:
                known = self._reasons.get(outcome.cause, outcome.reason)
                self._reasons[outcome.cause] = min(known, outcome.reason)
        self._rows[key] += 1
        if spent is not NOTHING:
            self._spent = total((self._spent, spent))

    def close(self, block: Block, skipped: int) -> Manifest:
        """The block as its manifest says it."""
        groups = tuple(
            Group(*key, rows, self._scores[key] if key[1] is not None else None)
            for key, rows in self._rows.items()
        )
        return Manifest(block.name, block.identity, self.rows, skipped, groups, self._reasons, self._spent)
