"""Answers that hold a reference in a sentence without one word of the question: it may say anything about it, even that it is wrong."""

from karat.core.types import Item
from karat.text.apart import read_apart
from karat.text.clean import strip_invisible
from karat.text.containment import find_mentions, list_held
from karat.text.forms import Words, read_references
from karat.text.normalise import normalise
from karat.text.several import are_listed
from karat.text.stated import is_plainly_stated
from karat.text.topics import PARTICLES, is_on_topic, list_asked
from karat.text.vocabulary import list_words

_LEAST_TALK = 3
# An explanation need not repeat the question, and a reference that is a statement is its own topic.
_ASKS_WHY = frozenset(list_words("why explain"))
_STATES = frozenset(
    list_words("is are was were be has have had does do did can cannot will would should not because")
)
_END = " .!"
_MARKS = (",", ";", ":", "/", "(", "?", ". ")
_LONGEST_NAME = 8
_LONGEST = 4000


def strays(item: Item) -> bool:
    """Tell whether all mentions of a reference stand in talk that has nothing of the question and does not plainly state them."""
    if len(item.answer) > _LONGEST:
        return False
    references = read_references(item.references)
    answer = read_apart(references, strip_invisible(item.answer))
    asked = list_asked(item.question or "", answer)
    if not asked or not asked.isdisjoint(_ASKS_WHY):
        return False
    mentions = [
        (reference, start)
        for reference in list_held(references, answer)
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
            or is_plainly_stated(answer, start, start + len(reference.words))
            or is_on_topic(reference, start, answer, asked, references)
            for reference, start in mentions
        )
    )


def wants_name(item: Item) -> bool:
    """Tell whether talk can give what is asked for by naming it: no explanation is asked for, and no reference is a statement."""
    asked = normalise(item.question or "").split()
    return _ASKS_WHY.isdisjoint(asked) and all(
        _STATES.isdisjoint(reference.words) for reference in read_references(item.references)
    )


def _is_name(answer: Words) -> bool:
    """Tell whether the answer is one name from end to end: "Michelangelo di Lodovico Buonarroti Simoni"."""
    return (
        len(answer.forms) <= _LONGEST_NAME
        and all(answer.text[token.start].isupper() or token.form in PARTICLES for token in answer.tokens)
        and not any(mark in answer.text.strip(_END) for mark in _MARKS)
    )
