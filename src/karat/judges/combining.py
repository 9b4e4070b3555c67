"""One outcome out of several: majority, unanimity or mean; disagreement is kept, a tie is no verdict."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias

from karat.core.spending import total
from karat.core.types import Outcome, ProtocolName, Unjudged, Value, Verdict, Vote
from karat.protocols import PROTOCOLS

Combine: TypeAlias = Literal["majority", "unanimous", "mean"]


def combine(
    names: Sequence[str], outcomes: Sequence[Outcome], how: Combine, protocol: ProtocolName
) -> Outcome:
    """Combine what the members said about one item; a verdict needs more than half of them to have one."""
    verdicts = [outcome for outcome in outcomes if isinstance(outcome, Verdict)]
    votes = tuple(
        Vote(name, outcome.value if isinstance(outcome, Verdict) else None)
        for name, outcome in zip(names, outcomes, strict=True)
    )
    spent, said = total(outcome.spent for outcome in outcomes), _describe(votes)
    replies = tuple(reply for outcome in outcomes for reply in outcome.replies)
    if len(verdicts) * 2 <= len(outcomes):
        missing = next(outcome for outcome in outcomes if isinstance(outcome, Unjudged))
        return Unjudged(missing.cause, f"too few of the panel have a verdict: {said}", spent, votes, replies)
    found = _decide(verdicts, len(outcomes), how, protocol)
    if found is None:
        return Unjudged("tie", f"the panel does not agree: {said}", spent, votes, replies)
    value, score = found
    agreeing = [verdict for verdict in verdicts if verdict.value == value]
    matched = {verdict.matched_reference for verdict in agreeing}
    return Verdict(
        value=value,
        score=score,
        decided_by="panel",
        confidence=len(agreeing) / len(verdicts),
        matched_reference=matched.pop() if len(matched) == 1 else None,
        reason=said,
        votes=votes,
        spent=spent,
        replies=replies,
    )


def _decide(
    verdicts: Sequence[Verdict], members: int, how: Combine, protocol: ProtocolName
) -> tuple[Value, float] | None:
    """The value with its score, None where the rule gives none."""
    if how == "mean":
        return _average(verdicts, protocol)
    (value, count), *others = Counter(verdict.value for verdict in verdicts).most_common()
    agreed = count == members if how == "unanimous" else not others or count > others[0][1]
    return (value, PROTOCOLS[protocol].worth(value)) if agreed else None


def _average(verdicts: Sequence[Verdict], protocol: ProtocolName) -> tuple[Value, float] | None:
    """The mean score, and the value that it stands nearest to; halfway between two is a tie."""
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
