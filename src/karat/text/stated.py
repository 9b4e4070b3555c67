"""Mentions that are said first and by themselves, and of which the rest tells more: "Paris. It lies on the river Seine."."""

import re

from karat.text.connectives import connects, sort_at
from karat.text.denied import denies
from karat.text.forms import Words

# "It was Lyon" would be another answer: behind a form of "to be" only what describes may follow.
_TELLS_MORE = re.compile(
    r"[*\"'”’)\s]*[.!]\s+(?:(?:Its|His|Her|Their)\s|(?:It|He|She|They|This|These)"
    r"(?:\s(?:(?:also|later|then|first)\s)?(?!is\b|was\b|are\b|were\b|be\b|has\b|had\b|have\b)[a-z]+\s"
    r"|(?:'s|\s(?:is|was|are|were|has|had|have)(?:\sbeen)?)\s(?:\w+ly\s)?(?:\w+(?:ed|en|own|orn|ilt|ade)|in|on|at|from|an?|one|home|part|also)\s))"
)


def opens_alone(answer: Words, start: int, end: int) -> bool:
    """Tell whether a mention is the whole first sentence, the next goes on about it, and nothing denies, doubts or turns to something else."""
    if not _TELLS_MORE.match(answer.text, answer.tokens[end - 1].end):
        return False
    if not all(map(connects, answer.forms[:start])):
        return False
    around = (*range(start), *range(end, len(answer.forms)))
    return all(sort_at(answer, place) == "plain" and not denies(answer.forms[place]) for place in around)
