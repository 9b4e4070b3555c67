"""The judge `embedded`: gate and sure rules, then the network that ships with the package."""

import asyncio
import hashlib
import os
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import structs

from karat.core.types import Item, Outcome, Point, ProtocolName, Unjudged, Verdict
from karat.judges.bounds import ROUNDED, bound_value
from karat.judges.objections import find_doubt, find_objection, find_said
from karat.judges.rules import decide_by_rules
from karat.judges.unpacked import take_out, tell_unpacked
from karat.likeness import choose_references, split_sentences
from karat.models.embedded import (
    Evidence,
    Reading,
    Texts,
    gather_evidence,
    name_aliases,
    name_confidence,
    name_talk,
    read_aliases,
    read_card,
    read_confidence,
    read_match,
    read_texts,
)
from karat.protocols.counting import value_of
from karat.text import (
    RULES_VERSION,
    clean,
    close,
    find_agreed,
    find_cores,
    find_pair,
    find_within,
    gives_stated,
    normalise,
    respell,
    tell_direction,
    tell_figure,
    undress,
)

_GROUP = 32
_MOST_REFERENCES = 2
_MOST_POINTS = 40
_EVEN = 0.5
_DIGITS = 4
_HALFWAY = 2.5
_NOT_FAR = 0.3
_SAME = "The answer says the same as the reference."
_OTHER = "The answer is not equivalent to the reference."
_SAID = "The answer gives the reference, in talk that commits to it."
_WITHIN = "The answer gives a date of the reference's decade or century."
_AGREED = {
    "said": "The answer gives the reference's yes or no.",
    "figured": "The answer gives the figures of the reference's yes or no.",
}
_DIRECTED = "The answer says the reference's rise or fall."
_PAIRED = "The answer gives the reference's two figures."


def identify_embedded(protocol: ProtocolName, abstain: float | None) -> dict[str, Any]:
    """The rules, the card, which names the weights and holds the first look, and the phrases of talk, the aliases and the lines of its confidence make the judge, and how sure it has to be."""
    identity = {
        "judge": "embedded",
        "protocol": protocol,
        "rules": RULES_VERSION,
        "card": hashlib.sha256(msgspec.json.encode(read_card())).hexdigest(),
        "talk": name_talk(),
        "aliases": name_aliases(),
        "confidence": name_confidence(),
    }
    return identity if abstain is None else {**identity, "abstain": abstain}


class EmbeddedJudge:
    """Needs no key, no network and no download."""

    shared = False
    group = _GROUP

    def __init__(self, protocol: ProtocolName, abstain: float | None = None) -> None:
        self.name = "embedded"
        self.identity = identify_embedded(protocol, abstain)
        self.concurrency = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
        self._protocol: ProtocolName = protocol
        self._abstain = abstain

    def decide(self, item: Item) -> Outcome | None:
        """Decide by gate and sure rules."""
        verdict = decide_by_rules(item, self._protocol)
        return None if verdict is None else self._hold_back(verdict)

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Let the network judge, in a thread of its own."""
        return await asyncio.to_thread(self._judge_all, items)

    async def close(self) -> None:
        """Nothing is open."""

    def _judge_all(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        judge = {"match": self._match, "equivalence": _equivalence, "keypoints": _keypoints}[self._protocol]
        taken = [take_out(item) for item in items]
        return tuple(
            tell_unpacked(judge(part), whole, part) for whole, part in zip(items, taken, strict=True)
        )

    def _match(self, item: Item) -> Outcome:
        outcome, evidence = weigh_match(item)
        if not isinstance(outcome, Verdict):
            return outcome
        return self._hold_back(structs.replace(outcome, confidence=read_confidence().rate(evidence)))

    def _hold_back(self, verdict: Verdict) -> Outcome:
        """Leave a verdict undecided that is less sure than the user wants."""
        sure = verdict.confidence
        if self._abstain is None or sure is None or sure >= self._abstain:
            return verdict
        return Unjudged("undecided", f"sure only to {sure:.2f}, less than {self._abstain:g}")


def weigh_match(item: Item) -> tuple[Outcome, Evidence]:
    """Judge an item that no sure rule decides: the outcome without its confidence, and the evidence for that."""
    bare = read_aliases().rename(
        Item(item.question, item.references, undress(item.question or "", item.answer))
    )
    place, reading = _read_likest(bare)
    verdict = _conclude(place, reading.probability)
    if not verdict.value:
        verdict = (
            _find_rounded(bare)
            or _find_paired(bare)
            or _find_directed(bare)
            or _find_within(bare)
            or _find_agreed(bare, reading.probability)
            or _find_said(bare)
            or verdict
        )
    by_network = verdict.decided_by == "embedded"
    if verdict.matched_reference is None:
        doubt = find_doubt(bare, reading.probability)
    else:
        sure = round(reading.probability, _DIGITS) if by_network else None
        objection = find_objection(bare, item, verdict.matched_reference, sure)
        doubt = None if objection is None else objection.reason
        if objection is not None and objection.conflicts and by_network:
            verdict, doubt = _reject(objection.reason), None
    rule = None if verdict.decided_by == "embedded" else verdict.decided_by.removeprefix("rule:")
    evidence = gather_evidence(item, accepts=bool(verdict.value), rule=rule, place=place, reading=reading)
    return (verdict if doubt is None else Unjudged("undecided", doubt)), evidence


def _conclude(place: int, probability: float) -> Verdict:
    """Turn what the network says of the best reference into a verdict."""
    accept = probability >= _EVEN
    return Verdict(
        value=accept,
        score=float(accept),
        decided_by="embedded",
        matched_reference=place if accept else None,
        reason=_SAME if accept else _OTHER,
    )


def _accept(place: int, rule: str, reason: str) -> Verdict:
    return Verdict(value=True, score=1.0, decided_by=rule, matched_reference=place, reason=reason)


def _reject(reason: str) -> Verdict:
    """Reject what the network accepts and the text contradicts (training/LOG.md, "Rules version 12")."""
    said = f"{reason[0].upper()}{reason[1:]}."
    return Verdict(value=False, score=0.0, decided_by="rule:conflict", reason=said)


def _find_rounded(item: Item) -> Verdict | None:
    """Accept an answer that gives or rounds the one figure that a reference is: less specific by the letter, and the same to people (training/LOG.md, "Figures")."""
    answer, question = item.answer, item.question or ""
    places = (
        place
        for place, reference in enumerate(item.references)
        if tell_figure(reference, answer, question) in {"same", "rounded"}
        or gives_stated(reference, answer, question)
    )
    place = next(places, None)
    return None if place is None else _accept(place, "rule:rounded", ROUNDED)


def _find_paired(item: Item) -> Verdict | None:
    """Accept the range or score that a reference is, written otherwise (training/LOG.md, "Rules version 13")."""
    place = find_pair(item.references, item.answer, item.question or "")
    return None if place is None else _accept(place, "rule:pair", _PAIRED)


def _find_directed(item: Item) -> Verdict | None:
    """Accept the way that the references name, in other words (training/LOG.md, "Rules version 13")."""
    agreed = tell_direction(item.references, item.answer, item.question or "")
    return _accept(0, "rule:direction", _DIRECTED) if agreed else None


def _find_within(item: Item) -> Verdict | None:
    """Accept a date of the decade or century that a reference is: more specific, and not sure to be what people call right (training/LOG.md, "Periods")."""
    place = find_within(item)
    return None if place is None else _accept(place, "rule:within", _WITHIN)


def _find_agreed(item: Item, probability: float) -> Verdict | None:
    """Accept the yes or no of the references to a question for one, or the figures that they give for it, where the network does not think the rest far off (training/LOG.md, "Rules version 11")."""
    found = find_agreed(item) if probability >= _NOT_FAR else None
    return None if found is None else _accept(found[0], "rule:agreed", _AGREED[found[1]])


def _find_said(item: Item) -> Verdict | None:
    """Accept a reference that talk without a word of the question plainly gives as the answer."""
    place = find_said(item)
    return None if place is None else _accept(place, "rule:said", _SAID)


def _read_likest(item: Item) -> tuple[int, Reading]:
    """Read the likest reference, and the next likest and what is their core only where that one is not matched; return the place of the best one, and what was read of it."""
    answer = close(clean(item.answer))
    places = choose_references(item.references, answer, _MOST_REFERENCES)
    if len(item.references) > _MOST_REFERENCES:
        respelt = _find_respelt(item, answer)
        places = (places if respelt is None else [respelt, *places])[:_MOST_REFERENCES]
    texts = [(place, item.references[place]) for place in dict.fromkeys(places)]
    best: tuple[int, Reading] | None = None
    cores = sorted(find_cores(item.question or "", item.references, answer), key=itemgetter(1))
    for place, reference in [*texts, *cores[:_MOST_REFERENCES]]:
        reading = read_match(Texts(item.question, reference, answer))
        if best is None or reading.probability > best[1].probability:
            best = place, reading
        if reading.probability >= _EVEN:
            break
    assert best is not None  # an item has a reference  # noqa: S101
    return best


def _find_respelt(item: Item, answer: str) -> int | None:
    """Return a reference that the answer says in another writing, the first by its letters: by its words it may not be among the likest."""
    question = item.question or ""
    found = [
        (reference, place)
        for place, reference in enumerate(item.references)
        if respell(reference, answer, question) != answer
    ]
    return min(found)[1] if found else None


def _equivalence(item: Item) -> Outcome:
    """Judge by the expected level; the likest references are read and the best one counts."""
    item = read_aliases().rename(item)
    same = _find_same(item)
    if same is not None:
        return same
    answer = clean(item.answer)
    places = choose_references(item.references, answer, _MOST_REFERENCES)
    readings = read_texts([Texts(item.question, item.references[place], answer) for place in places])
    expected, place, levels = max(
        (_expect(reading.levels), -place, reading.levels)
        for place, reading in zip(places, readings, strict=True)
    )
    bound = bound_value(item, -place, expected)
    if bound is not None:
        value = round(bound.hold(expected))
        return Verdict(
            value=value,
            score=value / 5,
            decided_by=bound.rule,
            matched_reference=bound.reference,
            reason=bound.reason,
        )
    return Verdict(
        value=round(expected),
        score=round(expected / 5, _DIGITS),
        decided_by="embedded",
        matched_reference=-place,
        reason=f"Expected value {expected:.2f}.",
        distribution=tuple(round(share, _DIGITS) for share in levels),
    )


def _expect(levels: tuple[float, ...]) -> float:
    return sum(level * share for level, share in enumerate(levels))


def _keypoints(item: Item) -> Outcome:
    """Count the sentences of the reference that the answer does not cover; the best reference counts."""
    same = _find_same(item)
    if same is not None:
        return same
    answer = clean(item.answer)
    best: Verdict | None = None
    for place in choose_references(item.references, answer, _MOST_REFERENCES):
        reference = item.references[place]
        points = split_sentences(reference)[:_MOST_POINTS] or [reference]
        readings = read_texts([Texts(item.question, point, answer) for point in points])
        found = tuple(
            _mark(Item(item.question, (point,), answer), _expect(reading.levels), alone=len(points) == 1)
            for point, reading in zip(points, readings, strict=True)
        )
        verdict = _count(found, place)
        if best is None or verdict.value > best.value:
            best = verdict
    assert best is not None  # an item has a reference  # noqa: S101
    return best


def _mark(item: Item, expected: float, *, alone: bool) -> Point:
    """Say whether a point, the item's only reference, is there, by the network or, where there is no other, by what rules are sure of."""
    bound = bound_value(item, 0, expected) if alone else None
    held = expected if bound is None else bound.hold(expected)
    if held >= _HALFWAY:
        return Point(item.references[0], "present")
    return Point(item.references[0], "missing" if bound is None else "wrong")


def _count(points: tuple[Point, ...], place: int) -> Verdict:
    missing, wrong = (sum(point.status == status for point in points) for status in ("missing", "wrong"))
    value = value_of(len(points), missing + wrong)
    gone = " and ".join(
        f"{count} {status}" for count, status in ((missing, "missing"), (wrong, "wrong")) if count
    )
    reason = f"Of {len(points)} points {gone}." if gone else "All points are there."
    return Verdict(
        value=value,
        score=value / 5,
        decided_by="embedded",
        matched_reference=place,
        reason=reason,
        points=points,
    )


def _find_same(item: Item) -> Verdict | None:
    """Accept the reference itself, word for word."""
    form = normalise(item.answer)
    for place, reference in enumerate(item.references):
        if form and form == normalise(reference):
            return Verdict(
                value=5,
                score=1.0,
                decided_by="rule:equal",
                matched_reference=place,
                reason="The answer is the reference.",
            )
    return None
