"""The judge `rules`: the gate and the certain rules; other items stay undecided."""

from typing import Any

from karat.core.types import Item, Outcome, ProtocolName, Unjudged
from karat.embedded import hash_fitted
from karat.embedded.decide import decide_by_rules
from karat.text import RULES_VERSION

_UNDECIDED = Unjudged("undecided", "no rule is sure about this answer")


def identify_rules(protocol: ProtocolName) -> dict[str, Any]:
    """Return the identity of this judge: the protocol, and the versions of the rules and their confidence."""
    confidence = hash_fitted("confidence.json")
    return {"judge": "rules", "protocol": protocol, "rules": RULES_VERSION, "confidence": confidence}


class RulesJudge:
    """Judges by rules alone: no key, network or model is needed."""

    shared = False
    group = 1
    concurrency = 1

    def __init__(self, protocol: ProtocolName) -> None:
        self.name = "rules"
        self._protocol: ProtocolName = protocol
        self.identity = identify_rules(protocol)

    def decide(self, item: Item) -> Outcome | None:
        """Return the verdict of a rule, or undecided."""
        decided = decide_by_rules(item, self._protocol)
        return _UNDECIDED if decided is None else decided

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Return undecided outcomes; `decide` leaves nothing to ask."""
        return tuple(_UNDECIDED for _ in items)

    async def close(self) -> None:
        """Do nothing; there are no connections to close."""
