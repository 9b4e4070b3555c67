"""The core of a reference: the phrase that answers the question, without the clause that explains it."""

import re

from karat.text.likened import contradicts

# What follows explains; what follows "with", a semicolon or a bracket may be a part of the answer.
_CUT = re.compile(
    r"(?<=[a-z)])\.(?=\s+(?:It|Its|They|Their)\s(?![^.]*\b(?:also|other|too|joined|later|not)\b)[^.]*\d)|,(?=\s+(?:since|because|as|due to|given that|thanks to|which|who|whose|where|meaning)\b)|(?i:(?=\s+errat(?:a|um)\b)|(?=[\s;(]+accept(?::|\s(?:also|either|any)\b)))"
)
_BOTH = re.compile(r"\b(?:and|why|how|explain|describe|reasons?)\b", re.IGNORECASE)
_POLAR = re.compile(r"(?:yes|no|true|false)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|will|would|can|could|should|must|may|not|it|they|you|there)\b|n't",
    re.IGNORECASE,
)
_MOST_WORDS = 3
_LONGEST = 400
_LEAST_REST = 2


def find_core(reference: str) -> str | None:
    """Return the phrase of up to three words with which a longer reference begins; None where there is none, or where it is a yes or a no."""
    text = reference[:_LONGEST].strip(" .…\"'“”")
    cut = _CUT.search(text)
    if cut is None:
        return None
    head, rest = text[: cut.start()].strip(), text[cut.end() :]
    if not 1 <= len(head.split()) <= _MOST_WORDS or len(rest.split()) < _LEAST_REST:
        return None
    return None if _POLAR.match(head) or _CLAUSE.search(head) or not any(map(str.isalnum, head)) else head


def find_cores(question: str, references: tuple[str, ...], answer: str) -> list[tuple[int, str]]:
    """Return the cores of references that answer a question for one thing and whose explanation the answer does not contradict by its figures, with the places of the references."""
    if _BOTH.search(question):
        return []
    found = ((place, find_core(reference)) for place, reference in enumerate(references))
    return [
        (place, core)
        for place, core in found
        if core is not None and not contradicts(references[place], answer)
    ]
