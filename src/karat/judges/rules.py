"""The judge `rules`: the gate and the sure rules, and nothing where they are silent."""

from typing import Any

from karat.core.types import Item, Outcome, ProtocolName, Unjudged
from karat.embedded import hash_confidence
from karat.embedded.decide import decide_by_rules
from karat.text import RULES_VERSION

_SILENT = Unjudged("undecided", "no rule is sure about this answer")


class RulesJudge:
    """Needs no key, no network and no model."""

    shared = False
    group = 1
    concurrency = 1

    def __init__(self, protocol: ProtocolName) -> None:
        self.name = "rules"
        self._protocol: ProtocolName = protocol
        self.identity: dict[str, Any] = {
            "judge": "rules",
            "protocol": protocol,
            "rules": RULES_VERSION,
            "confidence": hash_confidence(),
        }

    def decide(self, item: Item) -> Outcome | None:
        """Decide, or say that no rule is sure."""
        return decide_by_rules(item, self._protocol) or _SILENT

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Nothing is left open, so nobody is asked."""
        return tuple(_SILENT for _ in items)

    async def close(self) -> None:
        """Nothing is open."""
