"""Hedges must not be accepted: the right answer next to another one, as a choice, a guess or a change of mind."""

from collections.abc import Iterator

from karat.audit.probe import Probe
from karat.audit.probes.maker import Maker, find_others, sort_of

FAMILY = "hedge"

_KINDS: dict[str, tuple[str, ...]] = {
    "or": (
        "{a} or {b}",
        "{b} or {a}",
        "Either {a} or {b}.",
        "It is {b} or {a}, one of the two.",
        "{a}/{b}",
        "{a}, or else {b}",
        "The answer is {a} or {b}.",
        "It must be {b}, unless it is {a}.",
    ),
    "possibly": (
        "{a}, but possibly {b}",
        "{a}, although it might just as well be {b}.",
        "I would guess {a}, maybe {b}.",
        "Most likely {b}; {a} is also possible.",
        "{a}? Or perhaps {b}?",
        "It could be {a}. It could also be {b}.",
        "Hard to say. {a} perhaps, {b} perhaps.",
    ),
    "contradiction": (
        "{a}. No, wait: it is {b}.",
        "It is {a}. The answer is {b}.",
        "{a} at first sight, yet in truth {b}.",
        "One might say {a}, but the correct answer is {b}.",
        "{b} is the answer, not {a}.",
        "The answer used to be {a}; today it is {b}.",
        "{a} = wrong, {b} = right",
    ),
    "shotgun": (
        "1. {a}\n2. {b}\n3. {c}",
        "{c}, {a}, {b}",
        "{b}; {c}; {a}",
        "Possible answers: {a}, {b}, {c}.",
        "- {b}\n- {a}\n- {c}",
        "{a} and {b} and {c}",
    ),
}


def probe_hedges(maker: Maker) -> Iterator[Probe]:
    """Yield one probe of every kind with other rows' answers of the same sort; none for explanations and yes/no."""
    if sort_of(maker.row) in ("polar", "sentence"):
        return
    others = find_others(maker, 2)
    for kind, texts in _KINDS.items():
        if len(others) >= (2 if kind == "shotgun" else 1):
            text = maker.draw(f"hedge {kind}", texts)
            answer = maker.fill(text, maker.row.short, others[0]).replace("{c}", others[-1])
            yield maker.probe(FAMILY, kind, answer, base="short")
