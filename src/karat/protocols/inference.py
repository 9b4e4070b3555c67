"""Which protocol a prompt is for, told from the reply that it asks for."""

import re

from karat.core.errors import UsageError
from karat.core.types import ProtocolName

# What is found one after the other in the text.
_SIGNS: tuple[tuple[ProtocolName, str, tuple[re.Pattern[str], ...]], ...] = (
    (
        "match",
        'it asks for "Answer 1" with Yes or No',
        (re.compile(r"\banswer[ _]1\b", re.IGNORECASE), re.compile(r"\byes\b", re.IGNORECASE)),
    ),
    (
        "match",
        "it asks for Yes or No",
        (re.compile(r"[\"'“]?\byes\b[\"'”]?\s*(?:/|or|,|and)\s*[\"'“]?\bno\b", re.IGNORECASE),),
    ),
    (
        "keypoints",
        "it asks for values separated by commas",
        (
            re.compile(
                r"\bcommas?[ -]separated\b|\bseparated\s+(?:\w+\s+)?by\s+(?:a\s+)?commas?\b", re.IGNORECASE
            ),
        ),
    ),
    (
        "equivalence",
        "it asks for an integer from 0 to 5",
        (
            re.compile(
                r"\b(?:0|zero)\s*(?:-|–|\.\.|to|through|and)\s*(?:5|five)\b|\b(?:single|one|an)\s+integer\b",
                re.IGNORECASE,
            ),
        ),
    ),
)


def infer_protocol(text: str, name: str) -> tuple[ProtocolName, str]:
    """Name the protocol whose reply contract the text asks for, with the reason; refuse where that is unclear."""
    found = dict[ProtocolName, str]()
    for protocol, why, signs in _SIGNS:
        if _has_all(text, signs):
            found.setdefault(protocol, why)
    if "keypoints" in found:
        found.pop("equivalence", None)  # a list of integers from 0 to 5 is asked for with the same words
    if len(found) == 1:
        ((protocol, why),) = found.items()
        return protocol, why
    told = (
        "; ".join(f"{protocol} because {why}" for protocol, why in found.items())
        or "no reply form was recognised"
    )
    raise UsageError(
        f"{name}: cannot tell which protocol this prompt is for ({told}); name it with --protocol"
    )


def _has_all(text: str, signs: tuple[re.Pattern[str], ...]) -> bool:
    """Whether the signs stand in the text, each after the one before."""
    at = 0
    for sign in signs:
        found = sign.search(text, at)
        if not found:
            return False
        at = found.end()
    return True
