"""Answers that hold a reference in a sentence without one word of the question: it may say anything about it, even that it is wrong."""

import re

from karat.core.types import Item
from karat.text.clean import strip_invisible
from karat.text.connectives import concedes, connects, sort_at
from karat.text.containment import find_mentions
from karat.text.denied import denies
from karat.text.forms import Words, read_reference, read_words
from karat.text.several import are_listed
from karat.text.stated import opens_alone
from karat.text.topics import PARTICLES, is_on_topic, list_asked
from karat.text.vocabulary import list_words

_LEAST_TALK = 3
# Behind a comma what tells more of a name: "Twain, the humorist", "Hannibal, Missouri"; not "Twain, strike that, Harte".
_GOES_ON = re.compile(
    r"\s*[(;:](?!\s*(?i:edit|or|no|wait|sorry|correction|actually)\b)|\s+(?:rather|instead|not|and not|-)\b|[\"'”’*]*\s+(?:by|in|of|at|on|from|for)\s+(?:the\s+)?[A-Z]|,\s+(?:(?i:the|an?|who|whom|which|whose|where|when|not|rather|instead|also|formerly|originally|later|born|in|of|at|on|from|near|with|by|as|"
    r"aka|son|daughter|part|known|called|named|now|specifically|namely|located|founded|and not|and no|after|before|during|one|two|just|because|since|due|thanks|including|plus|following|having|about|roughly|previously|home|back|equal|unlike|under|[a-z]+ing|[a-z]+ed|[a-z]+ of)\b|\d|[A-Z][\w.'-]*(?:,?\s[A-Z][\w.'-]*){0,4}\W*$)"
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
# An explanation need not repeat the question, and a reference that is a statement is its own topic.
_ASKS_WHY = frozenset(list_words("why explain"))
_STATES = frozenset(
    list_words("is are was were be has have had does do did can cannot will would should not because")
)
_END = " .!"
_MARKS = (",", ";", ":", "/", "(", "?", ". ")
_LONGEST_NAME = 8


def strays(item: Item) -> bool:
    """Tell whether all mentions of a reference stand in talk that has nothing of the question and does not plainly state them."""
    answer = read_words(strip_invisible(item.answer))
    asked = list_asked(item.question or "", answer)
    if not asked or not asked.isdisjoint(_ASKS_WHY):
        return False
    references = [read_reference(text) for text in item.references]
    mentions = [
        (reference, start)
        for reference in references
        if reference.words
        for start in find_mentions(reference.words, answer)
    ]
    return (
        bool(mentions)
        and not are_listed(
            answer.text, (answer.place(start, start + len(reference.words)) for reference, start in mentions)
        )
        and not any(
            len(answer.forms) - len(reference.words) < _LEAST_TALK
            or not _STATES.isdisjoint(reference.words)
            or _is_name(answer)
            or _is_stated(answer, start, start + len(reference.words))
            or is_on_topic(reference, start, answer, asked, references)
            for reference, start in mentions
        )
    )


def _is_name(answer: Words) -> bool:
    """Tell whether the answer is one name from end to end: "Michelangelo di Lodovico Buonarroti Simoni"."""
    return (
        len(answer.forms) <= _LONGEST_NAME
        and all(answer.text[token.start].isupper() or token.form in PARTICLES for token in answer.tokens)
        and not any(mark in answer.text.strip(_END) for mark in _MARKS)
    )


def _is_stated(answer: Words, start: int, end: int) -> bool:
    """Tell whether a mention is what is said first ("It was Twain, not Harte"), or last and at once ("Not Harte, but Twain")."""
    before, after = answer.text[: answer.tokens[start].start], answer.text[answer.tokens[end - 1].end :]
    ends = not after.strip(_END)
    opens = all(map(connects, answer.forms[:start])) and (
        ends or _GOES_ON.match(after) is not None or concedes(answer.forms[end:])
    )
    if opens or opens_alone(answer, start, end) or _is_had(answer, start, end):
        return True
    return ends and (_LEADS_TO.search(before) is not None or _is_placed(answer, start))


def _is_had(answer: Words, start: int, end: int) -> bool:
    """Tell whether a sentence begins by saying how much one has, gets or needs, and nothing behind that denies or turns: "You have 14 days to send it back."."""
    return _HAD.fullmatch(answer.text, 0, answer.tokens[start].start) is not None and all(
        sort_at(answer, place) == "plain" and not denies(answer.forms[place])
        for place in range(end, len(answer.forms))
    )


def _is_placed(answer: Words, start: int) -> bool:
    """Tell whether a brief sentence about "it" ends with the mention and only says where or when: "It lies in South America."."""
    return _PLACED.fullmatch(answer.text, 0, answer.tokens[start].start) is not None
