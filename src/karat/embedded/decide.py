"""The whole decision on a match row, in order: unwrap, gate, rules, network, vetoes, confidence."""

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from msgspec import structs

from karat.core.types import Item, Outcome, ProtocolName, Unjudged, Verdict
from karat.embedded.aliases import read_aliases
from karat.embedded.confidence import Evidence, Reading, gather_evidence, read_confidence
from karat.embedded.inputs import Texts, choose_references
from karat.embedded.network import read_match
from karat.embedded.vetoes import find_committed_reference, find_reject_doubt, find_veto, only_mentions
from karat.protocols import PROTOCOLS
from karat.text import (
    apply_rules,
    check_gate,
    classify_figure,
    clean,
    find_agreed_reference,
    find_figured_reference,
    find_head_phrases,
    find_period_of_date,
    find_same_pair,
    normalise,
    respell,
    set_full_stop,
    strip_politeness,
    unify_currencies,
    unwrap_answer,
    write_out_latex,
    write_out_powers,
)

OutcomeT = TypeVar("OutcomeT", bound=Verdict | Unjudged)
_MOST_SHOWN = 80


@lru_cache(maxsize=64)  # rules and network look at the same item in turn
def prepare_item(item: Item) -> Item:
    """Return an item with the part of its answer that is judged, LaTeX and powers written out."""
    return write_out_powers(write_out_latex(unwrap_answer(item)))


def note_unwrapped(outcome: OutcomeT, whole: Item, taken: Item) -> OutcomeT:
    """Add to a verdict's reason which part of the answer was judged, unless it was all of it."""
    if (
        not isinstance(outcome, Verdict)
        or taken is whole
        or normalise(taken.answer) == normalise(whole.answer)
    ):
        return outcome
    part = " ".join(taken.answer.split())
    shown = part if len(part) <= _MOST_SHOWN else f"{part[: _MOST_SHOWN - 1]}…"
    return structs.replace(outcome, reason=f"{outcome.reason} Judged part: “{shown}”")


def decide_by_gate(item: Item, protocol: ProtocolName) -> Verdict | None:
    """Reject junk, whatever the protocol: it gets the lowest value."""
    taken = prepare_item(item)
    verdict = _reject_junk(taken, protocol)
    return None if verdict is None else note_unwrapped(verdict, item, taken)


def _reject_junk(item: Item, protocol: ProtocolName) -> Verdict | None:
    ruling = check_gate(item)
    if ruling is None:
        return None
    lowest = PROTOCOLS[protocol].lowest
    verdict = Verdict(value=lowest, score=0.0, decided_by=f"rule:{ruling.name}", reason=ruling.reason)
    return rate_by_rule(item, verdict) if protocol == "match" else verdict


def decide_by_rules(item: Item, protocol: ProtocolName) -> Verdict | None:
    """Accept or reject if a rule is sure; rules other than the gate apply to `match` only."""
    taken = prepare_item(item)
    verdict = _reject_junk(taken, protocol)
    if verdict is None and protocol == "match":
        verdict = _decide_by_sure_rule(taken)
    return None if verdict is None else note_unwrapped(verdict, item, taken)


def _decide_by_sure_rule(item: Item) -> Verdict | None:
    ruling = apply_rules(item)
    if ruling is None or (ruling.accept and ruling.name != "equal" and only_mentions(item)):
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
    """Add the fitted confidence to a Yes or No of a rule."""
    evidence = gather_evidence(
        item,
        accepts=bool(verdict.value),
        rule=verdict.decided_by.removeprefix("rule:"),
        place=verdict.matched_reference,
    )
    return structs.replace(verdict, confidence=read_confidence().rate(evidence))


MOST_REFERENCES = 2
DIGITS = 4
ROUNDED = "The answer gives the reference's number, perhaps rounded."
_EVEN = 0.5
_NOT_FAR = 0.3
_SAME = "The answer says the same as the reference."
_OTHER = "The answer is not equivalent to the reference."


def decide_match(item: Item) -> tuple[Outcome, Evidence]:
    """Judge an item that no sure rule decides: the outcome without its confidence, and the evidence for that.

    The network reads the answer. What it rejects, a rescue may accept; what is accepted, a veto may reject or leave undecided.
    """
    bare = read_aliases().rename(
        Item(item.question, item.references, strip_politeness(item.question or "", item.answer))
    )
    place, reading = _read_best_reference(bare)
    verdict = _conclude(place, reading.probability)
    bare = unify_currencies(bare)  # for rules only: the network reads what it was trained on
    if not verdict.value:
        rescued = _rescue(bare, reading.probability)
        verdict = verdict if rescued is None else rescued
    by_network, doubt = verdict.decided_by == "embedded", None
    if verdict.matched_reference is not None:
        sure = round(reading.probability, DIGITS) if by_network else None
        veto = find_veto(bare, item, verdict.matched_reference, sure)
        if veto is not None and veto.conflicts and by_network:
            said = f"{veto.reason[0].upper()}{veto.reason[1:]}."
            verdict = Verdict(value=False, score=0.0, decided_by="rule:conflict", reason=said)
        elif veto is not None:
            doubt = veto.reason
    elif reading.probability >= _NOT_FAR:
        doubt = find_reject_doubt(bare)
    rule = None if verdict.decided_by == "embedded" else verdict.decided_by.removeprefix("rule:")
    evidence = gather_evidence(item, accepts=bool(verdict.value), rule=rule, place=place, reading=reading)
    return (verdict if doubt is None else Unjudged("undecided", doubt)), evidence


def _conclude(place: int, probability: float) -> Verdict:
    """Turn the probability of the best reference into a verdict."""
    accept = probability >= _EVEN
    return Verdict(
        value=accept,
        score=float(accept),
        decided_by="embedded",
        matched_reference=place if accept else None,
        reason=_SAME if accept else _OTHER,
    )


def _rescue(item: Item, probability: float) -> Verdict | None:
    """Accept what the network rejects, by the first rule of the table that finds a reference."""
    for rule, reason, find in _RESCUES:
        place = find(item, probability)
        if place is not None:
            return Verdict(value=True, score=1.0, decided_by=rule, matched_reference=place, reason=reason)
    return None


def _find_figure(item: Item, _: float) -> int | None:
    """Find a reference that is one figure which the answer gives or rounds."""
    for place, reference in enumerate(item.references):
        if classify_figure(reference, item.answer, item.question or "") in {"same", "rounded"}:
            return place
    return None


_RESCUES: tuple[tuple[str, str, Callable[[Item, float], int | None]], ...] = (
    ("rule:rounded", ROUNDED, _find_figure),
    # a range or a score in other words
    ("rule:pair", "The answer gives the reference's two figures.", lambda item, _: find_same_pair(item.references, item.answer)),
    ("rule:within", "The answer gives a date of the reference's decade or century.", lambda item, _: find_period_of_date(item)),
    ("rule:said", "The answer names the reference as its answer.", lambda item, _: find_committed_reference(item)),
    # only where the network is not far from a Yes
    ("rule:agreed", "The answer gives the reference's yes or no.", lambda item, sure: find_agreed_reference(item) if sure >= _NOT_FAR else None),
    ("rule:agreed", "The answer gives the figures of the reference's yes or no.", lambda item, sure: find_figured_reference(item) if sure >= _NOT_FAR else None),
)  # fmt: skip
"""Rules that accept an answer that the network rejects: the name, the reason that users read, and how the reference is found."""


def _read_best_reference(item: Item) -> tuple[int, Reading]:
    """Read the most similar reference, and the next one and their head phrases only if it is not matched; return the place of the best and its reading."""
    answer = set_full_stop(clean(item.answer))
    places = choose_references(item.references, answer, MOST_REFERENCES)
    if len(item.references) > MOST_REFERENCES:
        respelt = _find_respelt(item, answer)
        places = (places if respelt is None else [respelt, *places])[:MOST_REFERENCES]
    texts = [(place, item.references[place]) for place in dict.fromkeys(places)]
    best: tuple[int, Reading] | None = None
    heads = sorted(find_head_phrases(item.question or "", item.references, answer), key=itemgetter(1))
    for place, reference in [*texts, *heads[:MOST_REFERENCES]]:
        reading = read_match(Texts(item.question, reference, answer))
        if best is None or reading.probability > best[1].probability:
            best = place, reading
        if reading.probability >= _EVEN:
            break
    assert best is not None  # an item has a reference  # noqa: S101
    return best


def _find_respelt(item: Item, answer: str) -> int | None:
    """Return the place of a reference that the answer gives in another spelling, the first in the alphabet; by its words it may not be among the most similar."""
    question = item.question or ""
    found = [
        (reference, place)
        for place, reference in enumerate(item.references)
        if respell(reference, answer, question) != answer
    ]
    return min(found)[1] if found else None
