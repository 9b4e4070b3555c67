"""The core of a reference: the phrase that answers the question, without the sentence, clause or bracket that explains it."""

import re

from karat.text.results import contradicts

_CUT = re.compile(
    r"\s*(?:;|\.(?=\s+[A-Z\"'“])|,(?=\s+(?:since|because|as|with|due to|given|driven by|thanks to|which|who|whose|where|meaning|so)\b)|\s\((?=[^()]+\)\W*$))"
)
_OPEN = re.compile(
    r"\b(?:[A-Za-z]|dr|mrs?|ms|st|jr|sr|no|vs|inc|co|corp|ltd|etc|approx|col|gen|sen|rev|capt|lt|sgt|prof|gov|pres|hon|mt|ft)$",
    re.IGNORECASE,
)
_POLAR = re.compile(r"(?:yes|no|true|false)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|will|would|can|could|should|must|may|not|it|they|you|there)\b|n't",
    re.IGNORECASE,
)
_MOST_WORDS = 3
_LEAST_REST = 2


def find_core(reference: str) -> str | None:
    """Return the phrase of up to three words with which a longer reference begins; None where there is none, or where it is a yes or a no."""
    text = reference.strip(" .…\"'“”")
    cut = _CUT.search(text)
    if cut is None or _OPEN.search(text[: cut.start()]):
        return None
    head, rest = text[: cut.start()].strip(), text[cut.end() :]
    if not 1 <= len(head.split()) <= _MOST_WORDS or len(rest.split()) < _LEAST_REST:
        return None
    return None if _POLAR.match(head) or _CLAUSE.search(head) or not any(map(str.isalnum, head)) else head


def find_cores(references: tuple[str, ...], answer: str) -> list[tuple[int, str]]:
    """Return the cores of references whose explanation the answer does not contradict by its figures, with the places of the references."""
    found = ((place, find_core(reference)) for place, reference in enumerate(references))
    return [
        (place, core)
        for place, core in found
        if core is not None and not contradicts(references[place], answer)
    ]
