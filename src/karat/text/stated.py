"""Mentions that are said first and by themselves, and of which the rest tells more: "Paris. It lies on the river Seine."."""

import re

from karat.text.connectives import connects, sort_at
from karat.text.denied import denies
from karat.text.forms import Words

# "It was Lyon" would be another answer, and "it was replaced" takes it back: only what describes may follow.
_TELLS_MORE = re.compile(
    r"[*\"'”’)\s]*[.!]\s+(?:It|He|She|They|This)(?:'s|\s(?:is|was|are|were|has been|have been))\s(?:\w+ly\s)?"
    r"(?:chosen|located|situated|built|founded|born|known|named|established|published|released|written|discovered|invented|created|designed|an?|one|home|part|in|on|at)\s"
)


def opens_alone(answer: Words, start: int, end: int) -> bool:
    """Tell whether a mention is the whole first sentence, the next goes on about it, and nothing denies, doubts or turns to something else."""
    if not _TELLS_MORE.match(answer.text, answer.tokens[end - 1].end):
        return False
    if not all(map(connects, answer.forms[:start])):
        return False
    around = (*range(start), *range(end, len(answer.forms)))
    return all(sort_at(answer, place) == "plain" and not denies(answer.forms[place]) for place in around)
