"""Several judges that are all asked about every item."""

import asyncio
from collections.abc import Sequence
from typing import Any

from karat.core.types import Item, Outcome, ProtocolName
from karat.embedded.decide import decide_by_gate
from karat.judges.combining import Combine, combine
from karat.judges.judge import Judge


def identify_panel(members: Sequence[dict[str, Any]], how: Combine, protocol: ProtocolName) -> dict[str, Any]:
    """A panel is its members, in their order, and how they are combined."""
    return {"judge": "panel", "protocol": protocol, "combine": how, "members": list(members)}


class PanelJudge:
    """Asks its members at the same time and combines what they say."""

    def __init__(self, members: Sequence[Judge], how: Combine, protocol: ProtocolName) -> None:
        self.name = ",".join(member.name for member in members)
        self.identity = identify_panel([member.identity for member in members], how, protocol)
        self.shared = any(member.shared for member in members)
        self.group = min(member.group for member in members)
        self.concurrency = max(member.concurrency for member in members)
        self._members = members
        self._how: Combine = how
        self._protocol: ProtocolName = protocol

    def decide(self, item: Item) -> Outcome | None:
        """Let the gate reject junk without asking anyone."""
        return decide_by_gate(item, self._protocol)

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Put the items to every member; one outcome per item."""
        tasks = [asyncio.create_task(_ask(member, items)) for member in self._members]
        try:
            said = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        names = [member.name for member in self._members]
        return tuple(
            combine(names, outcomes, self._how, self._protocol) for outcomes in zip(*said, strict=True)
        )

    async def close(self) -> None:
        """Close the members."""
        for member in self._members:
            await member.close()


async def _ask(member: Judge, items: tuple[Item, ...]) -> list[Outcome]:
    """What a member says, without asking where it can decide."""
    decided = [member.decide(item) for item in items]
    left = tuple(item for item, outcome in zip(items, decided, strict=True) if outcome is None)
    asked = iter(await member.ask(left) if left else ())
    return [next(asked) if outcome is None else outcome for outcome in decided]
