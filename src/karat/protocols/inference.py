"""Which protocol a prompt is for, told from the reply that it asks for."""

import re

from karat.core.errors import UsageError
from karat.core.types import ProtocolName

_SIGNS: tuple[tuple[ProtocolName, str, re.Pattern[str]], ...] = (
    (
        "match",
        'it asks for "Answer 1" with Yes or No',
        re.compile(r"\banswer[ _]1\b(?=[\s\S]*\byes\b)", re.IGNORECASE),
    ),
    (
        "match",
        "it asks for Yes or No",
        re.compile(r"[\"'“]?\byes\b[\"'”]?\s*(?:/|or|,|and)\s*[\"'“]?\bno\b", re.IGNORECASE),
    ),
    (
        "keypoints",
        "it asks for values separated by commas",
        re.compile(
            r"\bcommas?[ -]separated\b|\bseparated\s+(?:\w+\s+)?by\s+(?:a\s+)?commas?\b", re.IGNORECASE
        ),
    ),
    (
        "equivalence",
        "it asks for an integer from 0 to 5",
        re.compile(
            r"\b(?:0|zero)\s*(?:-|–|\.\.|to|through|and)\s*(?:5|five)\b|\b(?:single|one|an)\s+integer\b",
            re.IGNORECASE,
        ),
    ),
)


def infer_protocol(text: str, name: str) -> tuple[ProtocolName, str]:
    """Name the protocol whose reply contract the text asks for, with the reason; refuse where that is unclear."""
    found = dict[ProtocolName, str]()
    for protocol, why, sign in _SIGNS:
        if sign.search(text):
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
