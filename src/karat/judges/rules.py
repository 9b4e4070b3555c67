"""The judge `rules`: the gate and the sure rules, and nothing where they are silent."""

from typing import Any

from msgspec import structs

from karat.core.types import Item, Outcome, ProtocolName, Unjudged, Verdict
from karat.judges.unpacked import take_out, tell_unpacked
from karat.models.embedded import gather_evidence, name_confidence, read_confidence
from karat.protocols import PROTOCOLS
from karat.text import RULES_VERSION, gate, rule_on

_SILENT = Unjudged("undecided", "no rule is sure about this answer")


def decide_by_gate(item: Item, protocol: ProtocolName) -> Verdict | None:
    """Reject junk, whatever the protocol: it gets the lowest value."""
    taken = take_out(item)
    verdict = _reject_junk(taken, protocol)
    return None if verdict is None else tell_unpacked(verdict, item, taken)


def _reject_junk(item: Item, protocol: ProtocolName) -> Verdict | None:
    ruling = gate(item)
    if ruling is None:
        return None
    lowest = PROTOCOLS[protocol].lowest
    verdict = Verdict(value=lowest, score=0.0, decided_by=f"rule:{ruling.name}", reason=ruling.reason)
    return rate_by_rule(item, verdict) if protocol == "match" else verdict


def decide_by_rules(item: Item, protocol: ProtocolName) -> Verdict | None:
    """Accept or reject where a rule is sure; rules beyond the gate speak about `match` only."""
    taken = take_out(item)
    verdict = _reject_junk(taken, protocol) or (_decide(taken) if protocol == "match" else None)
    return None if verdict is None else tell_unpacked(verdict, item, taken)


def _decide(item: Item) -> Verdict | None:
    ruling = rule_on(item)
    if ruling is None:
        return None
    verdict = Verdict(
        value=ruling.accept,
        score=float(ruling.accept),
        decided_by=f"rule:{ruling.name}",
        matched_reference=ruling.reference,
        reason=ruling.reason,
    )
    return rate_by_rule(item, verdict)


def rate_by_rule(item: Item, verdict: Verdict) -> Verdict:
    """Give a Yes or No of a rule the confidence that was measured for verdicts of its kind."""
    evidence = gather_evidence(
        item,
        accepts=bool(verdict.value),
        rule=verdict.decided_by.removeprefix("rule:"),
        place=verdict.matched_reference,
    )
    return structs.replace(verdict, confidence=read_confidence().rate(evidence))


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
            "confidence": name_confidence(),
        }

    def decide(self, item: Item) -> Outcome | None:
        """Decide, or say that no rule is sure."""
        return decide_by_rules(item, self._protocol) or _SILENT

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Nothing is left open, so nobody is asked."""
        return tuple(_SILENT for _ in items)

    async def close(self) -> None:
        """Nothing is open."""
