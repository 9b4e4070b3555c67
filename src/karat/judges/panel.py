"""A panel: several judges are asked about every item, and their verdicts are combined."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from karat.core.types import Item, Outcome, ProtocolName, Unjudged, Value, Verdict, Vote, total
from karat.embedded.decide import decide_by_gate
from karat.judges.judge import Judge
from karat.protocols import PROTOCOLS

Combine: TypeAlias = Literal["majority", "unanimous", "mean"]


def combine(
    names: Sequence[str], outcomes: Sequence[Outcome], how: Combine, protocol: ProtocolName
) -> Outcome:
    """Combine the outcomes of the members for one item; more than half of them must have a verdict."""
    verdicts = [outcome for outcome in outcomes if isinstance(outcome, Verdict)]
    votes = tuple(
        Vote(name, outcome.value if isinstance(outcome, Verdict) else None)
        for name, outcome in zip(names, outcomes, strict=True)
    )
    spent, summary = total(outcome.spent for outcome in outcomes), _describe(votes)
    replies = tuple(reply for outcome in outcomes for reply in outcome.replies)
    if len(verdicts) * 2 <= len(outcomes):
        missing = next(outcome for outcome in outcomes if isinstance(outcome, Unjudged))
        return Unjudged(
            missing.cause, f"too few panel members have a verdict: {summary}", spent, votes, replies
        )
    found = _decide(verdicts, len(outcomes), how, protocol)
    if found is None:
        return Unjudged("tie", f"the panel members do not agree: {summary}", spent, votes, replies)
    value, score = found
    agreeing = [verdict for verdict in verdicts if verdict.value == value]
    matched = {verdict.matched_reference for verdict in agreeing}
    return Verdict(
        value=value,
        score=score,
        decided_by="panel",
        confidence=len(agreeing) / len(verdicts),
        matched_reference=matched.pop() if len(matched) == 1 else None,
        reason=summary,
        votes=votes,
        spent=spent,
        replies=replies,
    )


def _decide(
    verdicts: Sequence[Verdict], members: int, how: Combine, protocol: ProtocolName
) -> tuple[Value, float] | None:
    """Return the value with its score; None if the members do not agree."""
    if how == "mean":
        return _average(verdicts, protocol)
    (value, count), *others = Counter(verdict.value for verdict in verdicts).most_common()
    agreed = count == members if how == "unanimous" else not others or count > others[0][1]
    return (value, PROTOCOLS[protocol].worth(value)) if agreed else None


def _average(verdicts: Sequence[Verdict], protocol: ProtocolName) -> tuple[Value, float] | None:
    """Return the value nearest to the mean score, and that score; None if it is halfway between two values."""
    score = sum(verdict.score for verdict in verdicts) / len(verdicts)
    scale = 1 if protocol == "match" else 5
    level, rest = divmod(score * scale, 1)
    if abs(rest - 0.5) < 1e-9:  # noqa: PLR2004 - halfway, but for rounding
        return None
    nearest = int(level) + (rest > 0.5)  # noqa: PLR2004 - halfway
    return (bool(nearest) if protocol == "match" else nearest), score


def _describe(votes: Sequence[Vote]) -> str:
    return ", ".join(f"{vote.judge} {_show(vote.value)}" for vote in votes)


def _show(value: Value | None) -> str:
    if value is None:
        return "no verdict"
    return ("Yes" if value else "No") if isinstance(value, bool) else str(value)


def identify_panel(members: Sequence[dict[str, Any]], how: Combine, protocol: ProtocolName) -> dict[str, Any]:
    """Return the identity of a panel: its members in order, and how they are combined."""
    return {"judge": "panel", "protocol": protocol, "combine": how, "members": list(members)}


class PanelJudge:
    """Asks its members at the same time and combines their outcomes."""

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
        """Reject junk by the gate."""
        return decide_by_gate(item, self._protocol)

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Ask every member about the items; one outcome per item."""
        tasks = [asyncio.create_task(_ask(member, items)) for member in self._members]
        try:
            by_member = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        names = [member.name for member in self._members]
        return tuple(
            combine(names, outcomes, self._how, self._protocol) for outcomes in zip(*by_member, strict=True)
        )

    async def close(self) -> None:
        """Close the members."""
        for member in self._members:
            await member.close()


async def _ask(member: Judge, items: tuple[Item, ...]) -> list[Outcome]:
    """Return the outcomes of one member, which decides what it can without a call."""
    decided = [member.decide(item) for item in items]
    left = tuple(item for item, outcome in zip(items, decided, strict=True) if outcome is None)
    asked = iter(await member.ask(left) if left else ())
    return [next(asked) if outcome is None else outcome for outcome in decided]
