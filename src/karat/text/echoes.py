"""Answers that only say the question again."""

import re
from collections import Counter

from karat.text.normalise import normalise
from karat.text.talk import EMPTY_WORDS, META
from karat.text.vocabulary import list_words

FUNCTION_WORDS = frozenset(
    list_words(
        "is was are were be been being has have had does did do in on at of to for from by with as and that which who whom whose when "
        "where why how what it its this these those there a an the can will would should may must s name"
    )
)
ASKERS = frozenset(list_words("i you we me us my your re about so here one would want"))
_CHOICE = re.compile(
    r"\b(?:or|either|versus|vs|which of|between|true or false|oder|ou|o|или|还是|または|それとも)\b|还是|それとも|[/:,]",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"^\W*(?:(?:so|and|but|then),?\s+)?(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|must|might|am|isn't|aren't|don't|doesn't|didn't)\b",
    re.IGNORECASE,
)
_COVERAGE = 0.8
_MOST_ADDED = 100
_SHORTEST = 2
_SHORTEST_QUESTION = 4


def is_echo(question: str, answer: str) -> bool:
    """Tell whether the answer repeats the question, nearly whole, and adds nothing.

    In a question that offers a choice or asks for yes or no, the question's own words can be the answer: there only
    the question itself, word for word, is an echo.
    """
    if len(answer) > 2 * len(question) + _MOST_ADDED:
        return False
    asked, given = normalise(question), normalise(answer)
    if not given:
        return False
    if given == asked or _repeats(asked.split(), given.split()):
        return True
    if _CHOICE.search(question) or _POLAR.match(question):
        return False
    return _adds_nothing(asked.split(), given.split())


def asks_again(asked: str, given: str) -> bool:
    """Tell whether a text holds the whole question and around it nothing but small words and words about asking."""
    if len(asked.split()) < _SHORTEST_QUESTION or f" {asked} " not in f" {given} ":
        return False
    return (EMPTY_WORDS | ASKERS).issuperset(f" {given} ".replace(f" {asked} ", " ", 1).split())


def _repeats(asked: list[str], given: list[str]) -> bool:
    """Tell whether the question is said several times over."""
    return bool(asked) and given == asked * (len(given) // len(asked))


def _adds_nothing(asked: list[str], given: list[str]) -> bool:
    # "You asked who …", "the question is who …": to speak of asking adds nothing either.
    known = FUNCTION_WORDS.union(asked, META, ASKERS)
    if any(word not in known for word in given):
        return False
    own = (META | ASKERS).difference(asked)
    said = Counter(word for word in given if word not in FUNCTION_WORDS and word not in own)
    content = Counter(word for word in asked if word not in FUNCTION_WORDS)
    # A word that comes more often than in the question says something: "the unit of cell theory is the cell".
    if len(content) < _SHORTEST or not said <= content:
        return False
    return len(said) >= _COVERAGE * len(content)
