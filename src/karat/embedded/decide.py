"""The whole decision on a match row, in order: unwrap, gate, rules, network, vetoes, confidence."""

from operator import itemgetter
from typing import TypeVar

from msgspec import structs

from karat.core.types import Item, Outcome, ProtocolName, Unjudged, Verdict
from karat.embedded.aliases import read_aliases
from karat.embedded.confidence import Evidence, Reading, gather_evidence, read_confidence
from karat.embedded.inputs import Texts, choose_references
from karat.embedded.network import read_match
from karat.embedded.vetoes import find_committed_reference, find_reject_doubt, find_veto
from karat.protocols import PROTOCOLS
from karat.text import (
    apply_rules,
    check_gate,
    classify_figure,
    clean,
    compare_direction,
    find_agreed_reference,
    find_head_phrases,
    find_period_of_date,
    find_same_pair,
    gives_stated_figure,
    normalise,
    respell,
    set_full_stop,
    strip_politeness,
    unwrap_answer,
    write_out_latex,
    write_out_powers,
)

OutcomeT = TypeVar("OutcomeT", bound=Verdict | Unjudged)
_MOST_SHOWN = 80


def prepare_item(item: Item) -> Item:
    """Return an item with what is judged of its answer, its numbers written out."""
    return write_out_powers(write_out_latex(unwrap_answer(item)))


def note_unwrapped(outcome: OutcomeT, whole: Item, taken: Item) -> OutcomeT:
    """Add to a verdict's reason which part of the answer was judged, where it is not all of it."""
    if (
        not isinstance(outcome, Verdict)
        or taken is whole
        or normalise(taken.answer) == normalise(whole.answer)
    ):
        return outcome
    said = " ".join(taken.answer.split())
    shown = said if len(said) <= _MOST_SHOWN else f"{said[: _MOST_SHOWN - 1]}…"
    return structs.replace(outcome, reason=f"{outcome.reason} Judged of it: “{shown}”")


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
    """Accept or reject where a rule is sure; rules beyond the gate speak about `match` only."""
    taken = prepare_item(item)
    verdict = _reject_junk(taken, protocol) or (_decide_by_sure_rule(taken) if protocol == "match" else None)
    return None if verdict is None else note_unwrapped(verdict, item, taken)


def _decide_by_sure_rule(item: Item) -> Verdict | None:
    ruling = apply_rules(item)
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


MOST_REFERENCES = 2
_EVEN = 0.5
DIGITS = 4
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


def decide_match(item: Item) -> tuple[Outcome, Evidence]:
    """Judge an item that no sure rule decides: the outcome without its confidence, and the evidence for that."""
    bare = read_aliases().rename(
        Item(item.question, item.references, strip_politeness(item.question or "", item.answer))
    )
    place, reading = _read_best_reference(bare)
    verdict = _conclude(place, reading.probability)
    if not verdict.value:
        verdict = (
            _rescue_figure(bare)
            or _rescue_pair(bare)
            or _rescue_direction(bare)
            or _rescue_period(bare)
            or _rescue_yes_no(bare, reading.probability)
            or _rescue_committed(bare)
            or verdict
        )
    by_network = verdict.decided_by == "embedded"
    if verdict.matched_reference is None:
        doubt = find_reject_doubt(bare, reading.probability)
    else:
        sure = round(reading.probability, DIGITS) if by_network else None
        objection = find_veto(bare, item, verdict.matched_reference, sure)
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
    """Reject an answer that the network accepts and the text contradicts; no labelled train or dev row calls such an answer right."""
    said = f"{reason[0].upper()}{reason[1:]}."
    return Verdict(value=False, score=0.0, decided_by="rule:conflict", reason=said)


def _rescue_figure(item: Item) -> Verdict | None:
    """Accept an answer that gives or rounds the one figure that a reference is; people accepted 5 of 6 such answers on EVOUNA's train part."""
    answer, question = item.answer, item.question or ""
    places = (
        place
        for place, reference in enumerate(item.references)
        if classify_figure(reference, answer, question) in {"same", "rounded"}
        or gives_stated_figure(reference, answer, question)
    )
    place = next(places, None)
    return None if place is None else _accept(place, "rule:rounded", ROUNDED)


def _rescue_pair(item: Item) -> Verdict | None:
    """Accept the range or score that a reference is, in another notation: the network compares words, not values."""
    place = find_same_pair(item.references, item.answer, item.question or "")
    return None if place is None else _accept(place, "rule:pair", _PAIRED)


def _rescue_direction(item: Item) -> Verdict | None:
    """Accept the direction that the references name, in other words, where the question offers both."""
    agreed = compare_direction(item.references, item.answer, item.question or "")
    return _accept(0, "rule:direction", _DIRECTED) if agreed else None


def _rescue_period(item: Item) -> Verdict | None:
    """Accept a date within the decade or century that a reference is, because it is more specific; no confidence, as people accepted 5 of 9 such answers."""
    place = find_period_of_date(item)
    return None if place is None else _accept(place, "rule:within", _WITHIN)


def _rescue_yes_no(item: Item, probability: float) -> Verdict | None:
    """Accept the yes or no of the references, or their figures, where the network gives at least `_NOT_FAR`: it rejects half of such answers that give the reason in other words."""
    found = find_agreed_reference(item) if probability >= _NOT_FAR else None
    return None if found is None else _accept(found[0], "rule:agreed", _AGREED[found[1]])


def _rescue_committed(item: Item) -> Verdict | None:
    """Accept a reference that talk without a word of the question plainly gives as the answer."""
    place = find_committed_reference(item)
    return None if place is None else _accept(place, "rule:said", _SAID)


def _read_best_reference(item: Item) -> tuple[int, Reading]:
    """Read the likest reference, and the next likest and what is their core only where that one is not matched; return the place of the best one, and what was read of it."""
    answer = set_full_stop(clean(item.answer))
    places = choose_references(item.references, answer, MOST_REFERENCES)
    if len(item.references) > MOST_REFERENCES:
        respelt = _find_respelt(item, answer)
        places = (places if respelt is None else [respelt, *places])[:MOST_REFERENCES]
    texts = [(place, item.references[place]) for place in dict.fromkeys(places)]
    best: tuple[int, Reading] | None = None
    cores = sorted(find_head_phrases(item.question or "", item.references, answer), key=itemgetter(1))
    for place, reference in [*texts, *cores[:MOST_REFERENCES]]:
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


ROUNDED = "The answer gives the reference's number, perhaps rounded."
