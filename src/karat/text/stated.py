"""Mentions that an answer plainly states: said first or last, placed, had, or by themselves, and what else is said tells more of them."""

import re
from collections.abc import Iterable

from karat.text.connectives import concedes, connects, sort_at
from karat.text.denied import denies
from karat.text.forms import Words
from karat.text.vocabulary import list_words

# "It was Lyon" would be another answer, and "it was replaced" takes it back: only what describes may follow.
_TELLS_MORE = re.compile(
    r"[*\"'”’)\s]*[.!]\s+(?:It|He|She|They|This)(?:'s|\s(?:is|was|are|were|has been|have been))\s(?:\w+ly\s)?"
    r"(?:chosen|located|situated|built|founded|born|known|named|established|published|released|written|discovered|invented|created|designed|an?|one|home|part|in|on|at)\s"
)

# Behind a comma what tells more of a name: "Twain, the humorist", "Hannibal, Missouri"; not "Twain, strike that, Harte".
_GOES_ON = re.compile(
    r"\s*[(;:](?!\s*(?i:edit|or|no|wait|sorry|correction|actually)\b)|\s+(?:rather|instead|not|and not|-)\b|[\"'”’*]*\s+(?:by|in|of|at|on|from|for)\s+(?:the\s+)?[A-Z]|,\s+(?:(?i:the|an?|who(?:d|s|ve|ll)?|whom|which|whose|where|when|not|rather|instead|also|formerly|originally|later|born|in|of|at|on|from|near|with|by|as|"
    r"aka|son|daughter|part|known|called|named|now|specifically|namely|located|founded|and not|and no|after|before|during|one|two|just|because|since|due|thanks|including|plus|following|having|about|roughly|previously|home|back|equal|unlike|under|set|held|won|built|made|written|[a-z]+ing|[a-z]+ed|[a-z]+ of)\b|\d|[A-Z][\w.'-]*(?:,?\s[A-Z][\w.'-]*){0,4}\W*$)"
)
_BEING = r"(?:is|was|are|were|'s)"
_MADE = r"(?:born|made|built|founded|held|published|released|located|situated|set|filmed|written|signed|discovered|formed|created|opened|established|launched)"
_PLACED = re.compile(
    rf"\W*(?:it|he|she|they|this|the\s+\w+)\s*(?:(?:{_BEING}\s+(?:{_MADE}\s+)?|(?:lies|lie|sits|stands|appears|appeared|happened|occurred|began|started|ended|opened|died|took place|takes place|came out|comes out)\s+)"
    rf"(?:mainly\s+|mostly\s+|primarily\s+)?(?:in|on|at)|(?:{_BEING}\s+made|comes?|came)\s+(?:mainly\s+|mostly\s+)?from|(?:went|travelled|traveled|sailed|flew)\s+to|(?:lasted|lasts|went on|goes on|takes|took|ran)(?:\s+for)?)\s+(?:the\s+|an?\s+)?\W*",
    re.IGNORECASE,
)
_HAD = re.compile(
    r"\W*(?:you|we|they|it|he|she)\s*(?:'ve|have|has|had|get|gets|got|need|needs|pay|pays|paid|receive|receives|received|earn|earns|cost|costs|weigh|weighs|weighed|takes?|took|lasts?|lasted|measures?|contains?)\s+"
    r"(?:about\s+|around\s+|up to\s+|exactly\s+|roughly\s+)?(?:the\s+|an?\s+)?\W*",
    re.IGNORECASE,
)
_LEADS_TO = re.compile(r"(?:\bbut|[;,])(?: rather)? *$|\b(?:it was|it is|it's) *$", re.IGNORECASE)
_ROUGHLY = frozenset(list_words("around roughly approximately"))
_END = " .!"


def is_plainly_stated(answer: Words, start: int, end: int) -> bool:
    """Tell whether a mention is what is said first ("It was Twain, not Harte"), or last and at once ("Not Harte, but Twain")."""
    before, after = answer.text[: answer.tokens[start].start], answer.text[answer.tokens[end - 1].end :]
    ends = not after.strip(_END)
    opens = all(connects(form) or form in _ROUGHLY for form in answer.forms[:start]) and (
        ends or _GOES_ON.match(after) is not None or concedes(answer.forms[end:])
    )
    if opens or opens_alone(answer, start, end) or _is_had(answer, start, end):
        return True
    return ends and (_LEADS_TO.search(before) is not None or _is_placed(answer, start))


def _is_had(answer: Words, start: int, end: int) -> bool:
    """Tell whether a sentence begins by saying how much one has, gets or needs, and nothing behind that denies or turns: "You have 14 days to send it back."."""
    return _HAD.fullmatch(answer.text, 0, answer.tokens[start].start) is not None and _is_plain(
        answer, range(end, len(answer.forms))
    )


def _is_placed(answer: Words, start: int) -> bool:
    """Tell whether a brief sentence about "it" ends with the mention and only says where or when: "It lies in South America."."""
    return _PLACED.fullmatch(answer.text, 0, answer.tokens[start].start) is not None


def opens_alone(answer: Words, start: int, end: int) -> bool:
    """Tell whether a mention is the whole first sentence, the next goes on about it, and nothing denies, doubts or turns to something else."""
    if not _TELLS_MORE.match(answer.text, answer.tokens[end - 1].end):
        return False
    if not all(map(connects, answer.forms[:start])):
        return False
    return _is_plain(answer, (*range(start), *range(end, len(answer.forms))))


def _is_plain(answer: Words, places: Iterable[int]) -> bool:
    """Tell whether no word at these places denies, doubts or turns to something else."""
    return all(sort_at(answer, place) == "plain" and not denies(answer.forms[place]) for place in places)
