"""The judge `embedded` for match, equivalence and keypoints, and the limits that rules set on its values."""

import asyncio
import hashlib
import os
from typing import Any

import msgspec
from msgspec import Struct, structs

from karat.core.types import Item, Outcome, Point, ProtocolName, Unjudged, Verdict
from karat.embedded.aliases import read_aliases
from karat.embedded.confidence import read_confidence
from karat.embedded.decide import (
    DIGITS,
    MOST_REFERENCES,
    ROUNDED,
    decide_by_rules,
    decide_match,
    note_unwrapped,
    prepare_item,
)
from karat.embedded.inputs import Texts, choose_references, split_sentences
from karat.embedded.network import read_card, read_texts
from karat.embedded.phrases import hash_fitted
from karat.embedded.vetoes import REVERSES_FIGURES, find_conflict, find_veto
from karat.protocols.keypoints import value_of
from karat.text import RULES_VERSION, apply_rules, classify_figure, clean, normalise, respell

_GROUP = 32
_MOST_POINTS = 40
_HALFWAY = 2.5


def identify_embedded(protocol: ProtocolName, abstain: float | None) -> dict[str, Any]:
    """Return what makes this judge: the versions of its rules and of all fitted files, and the confidence that it needs."""
    identity = {
        "judge": "embedded",
        "protocol": protocol,
        "rules": RULES_VERSION,
        "card": hashlib.sha256(msgspec.json.encode(read_card())).hexdigest(),
        "talk": hash_fitted("talk.json"),
        "aliases": hash_fitted("aliases.txt"),
        "confidence": hash_fitted("confidence.json"),
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
        judge = {"match": self._match, "equivalence": _judge_equivalence, "keypoints": _judge_keypoints}[
            self._protocol
        ]
        taken = [prepare_item(item) for item in items]
        return tuple(
            note_unwrapped(judge(part), whole, part) for whole, part in zip(items, taken, strict=True)
        )

    def _match(self, item: Item) -> Outcome:
        outcome, evidence = decide_match(item)
        if not isinstance(outcome, Verdict):
            return outcome
        return self._hold_back(structs.replace(outcome, confidence=read_confidence().rate(evidence)))

    def _hold_back(self, verdict: Verdict) -> Outcome:
        """Leave a verdict undecided that is less sure than the user wants."""
        sure = verdict.confidence
        if self._abstain is None or sure is None or sure >= self._abstain:
            return verdict
        return Unjudged("undecided", f"the confidence {sure:.2f} is below {self._abstain:g}")


def _judge_equivalence(item: Item) -> Outcome:
    """Judge by the expected level; the most similar references are read and the best one counts."""
    item = read_aliases().rename(item)
    same = _find_equal_reference(item)
    if same is not None:
        return same
    answer = clean(item.answer)
    places = choose_references(item.references, answer, MOST_REFERENCES)
    readings = read_texts([Texts(item.question, item.references[place], answer) for place in places])
    expected, place, levels = max(
        (_expected_level(reading.levels), -place, reading.levels)
        for place, reading in zip(places, readings, strict=True)
    )
    bound = bound_level(item, -place, expected)
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
        score=round(expected / 5, DIGITS),
        decided_by="embedded",
        matched_reference=-place,
        reason=f"Expected value {expected:.2f}.",
        distribution=tuple(round(share, DIGITS) for share in levels),
    )


def _expected_level(levels: tuple[float, ...]) -> float:
    return sum(level * share for level, share in enumerate(levels))


def _judge_keypoints(item: Item) -> Outcome:
    """Count the sentences of the reference that the answer does not cover; the best reference counts."""
    same = _find_equal_reference(item)
    if same is not None:
        return same
    places = choose_references(item.references, clean(item.answer), MOST_REFERENCES)
    return max((_judge_points(item, place) for place in places), key=lambda verdict: verdict.value)


def _judge_points(item: Item, place: int) -> Verdict:
    """Count the sentences of one reference that the answer does not cover."""
    reference, answer = item.references[place], clean(item.answer)
    points = split_sentences(reference)[:_MOST_POINTS] or [reference]
    readings = read_texts([Texts(item.question, point, answer) for point in points])
    found = tuple(
        _mark_point(
            Item(item.question, (point,), answer), _expected_level(reading.levels), alone=len(points) == 1
        )
        for point, reading in zip(points, readings, strict=True)
    )
    return _count_points(found, place)


def _mark_point(item: Item, expected: float, *, alone: bool) -> Point:
    """Mark a point, the item's only reference, by the network, and by rules where the reference has no other point."""
    bound = bound_level(item, 0, expected) if alone else None
    held = expected if bound is None else bound.hold(expected)
    if held >= _HALFWAY:
        return Point(item.references[0], "present")
    return Point(item.references[0], "missing" if bound is None else "wrong")


def _count_points(points: tuple[Point, ...], place: int) -> Verdict:
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


def _find_equal_reference(item: Item) -> Verdict | None:
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


# Limits that rules set on a value.

_HIGHEST, _MOSTLY, _UNLIKE = 5, 4, 1
_LEAST = {"number": _HIGHEST, "date": _HIGHEST, "figure": _HIGHEST, "contained": _MOSTLY}
"""The least value of an answer that a rule accepts; after a yes or no the rest of the reference may be missing."""
_LONGEST_BOUNDED = 30
"""The longest reference, in words, for which rules limit the value."""


class Bound(Struct, frozen=True):
    """The least and the highest value of an answer by a rule, with its reason and reference."""

    least: int
    most: int
    rule: str
    reason: str
    reference: int | None = None

    def hold(self, value: float) -> float:
        """Return the value, moved into the bound."""
        return min(max(value, self.least), self.most)


def bound_level(item: Item, place: int, expected: float) -> Bound | None:
    """Return the bound if it changes the value that the network expects.

    Only a reference of one sentence is bounded: another figure for one part of an explanation seldom makes all of it wrong.
    """
    reference = item.references[place]
    single = len(reference.split()) <= _LONGEST_BOUNDED and len(split_sentences(reference)) <= 1
    bound = find_bound(item, place) if single else None
    return None if bound is None or round(bound.hold(expected)) == round(expected) else bound


def find_bound(item: Item, place: int) -> Bound | None:
    """Return the limits that rules set on the value of an answer; `place` is the reference that the network found best."""
    ruling = apply_rules(item)
    if ruling is not None:
        least = _LEAST.get(ruling.name, 0) if ruling.accept else 0
        most = _HIGHEST if ruling.accept else _UNLIKE
        return Bound(least, most, f"rule:{ruling.name}", ruling.reason, ruling.reference)
    rounded = _find_rounded_reference(item)
    if rounded is not None:
        return Bound(_MOSTLY, _HIGHEST, "rule:rounded", ROUNDED, rounded)
    conflict = find_conflict(item, place, respell(item.references[place], item.answer, item.question or ""))
    if conflict is None or conflict == REVERSES_FIGURES:
        return None  # explanations give figures in any order
    return Bound(0, _UNLIKE, "rule:conflict", f"The answer is like the reference, but it {conflict}.", place)


def _find_rounded_reference(item: Item) -> int | None:
    """Return the place of the reference whose one figure the answer gives or rounds, where nothing speaks against it."""
    for place, reference in enumerate(item.references):
        like = classify_figure(reference, item.answer, item.question or "")
        if like in {"same", "rounded"} and find_veto(item, item, place, None) is None:
            return place
    return None
