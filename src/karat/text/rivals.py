"""Another answer beside the mention: a second sentence of the same frame, or another name in a brief answer."""

import re

from karat.text.forms import Words
from karat.text.vocabulary import list_words

_SENTENCE = re.compile(r"[.!?;\n]+(?=\s|$)")
_WORD = re.compile(r"[\w']+")
_STATES = re.compile(
    r"\b(?:is|was|are|were|be|has|had|have|did|does)\b|:(?=\s)|\w\w(?:ed|es)\b", re.IGNORECASE
)
_ASSERTS = re.compile(
    r"\W*(?:it|that|this|he|she|they|the(?: \w+){1,3}) (?:is|was|are|were) (?:the |an? )?[A-Z]", re.IGNORECASE
)
_NAME = re.compile(r"(?:is|was|are|were) (?:[a-z]+ )?[A-Z]")
_LEAST_FRAME = 2
_SHORT = 120
_LONGEST = 400
_BRIEF = 10
# Words that may bear a capital and name nothing.
_PLAIN = frozenset(
    list_words(
        "the a an it its he she they we i this that these those in on at of to for from by with as and or but so yes no sure okay ok well "
        "answer mr mrs ms dr sir dame lord lady king queen prince princess president saint st prof professor pope emperor captain general "
        "january february march april may june july august september october november december jr sr usa us uk"
    )
)


def repeats_frame(text: str, start: int, end: int) -> bool:
    """Tell whether another sentence says the same of something else: "It was X. It was Y."."""
    stop = _SENTENCE.search(text) if len(text) <= _LONGEST else None
    if stop is None or not text[stop.end() :].strip():
        return False
    sentences = _split(text)
    own = next((span for span in sentences if span[0] <= start < span[1]), None)
    if own is None or len(sentences) == 1:
        return False
    before, after = _words(text[own[0] : start]), _words(text[end : own[1]])
    mention = _words(text[start:end])
    for span in sentences:
        words = _words(text[span[0] : span[1]])
        if span == own or _holds(words, mention):
            continue
        if len(before) >= _LEAST_FRAME and before[0] != "there" and words[: len(before)] == before:
            return True
        if len(text) <= _SHORT and span > own and _names_other(text[span[0] : span[1]]):
            return True
        if not before and len(after) >= _LEAST_FRAME and words[-len(after) :] == after:
            return True
    return False


def _names_other(sentence: str) -> bool:
    """Tell whether a sentence says of something that it is a name."""
    return _ASSERTS.match(sentence) is not None and _NAME.search(sentence) is not None


def has_other_name(answer: Words, start: int, end: int, question: frozenset[str]) -> bool:
    """Tell whether a brief answer without a verb holds another name than the one that is mentioned."""
    text, tokens = answer.text, answer.tokens
    if len(tokens) > _BRIEF or _STATES.search(text):
        return False
    first, last = _reach(answer, start, end)
    names = [
        place
        for place in range(len(tokens))
        if not first <= place < last and _is_name(answer, place, question)
    ]
    # One capital at the very beginning is that of the sentence.
    return any(place > 0 or place + 1 in names for place in names)


def _reach(answer: Words, start: int, end: int) -> tuple[int, int]:
    """The places of the mention with the words that are joined to it as one name."""
    first, last = start, end
    while first > 0 and _joins(answer, first - 1, first):
        first -= 1
    while last < len(answer.tokens) and _joins(answer, last - 1, last):
        last += 1
    return first, last


def _joins(answer: Words, one: int, other: int) -> bool:
    left, right = answer.tokens[one], answer.tokens[other]
    both = answer.text[left.start].isupper() and answer.text[right.start].isupper()
    return both and answer.text[left.end : right.start] in (" ", "-", "")


def _is_name(answer: Words, place: int, question: frozenset[str]) -> bool:
    token = answer.tokens[place]
    return answer.text[token.start].isupper() and token.form not in question and token.form not in _PLAIN


def _split(text: str) -> list[tuple[int, int]]:
    spans, begin = list[tuple[int, int]](), 0
    for stop in _SENTENCE.finditer(text):
        spans.append((begin, stop.start()))
        begin = stop.end()
    spans.append((begin, len(text)))
    return [span for span in spans if text[span[0] : span[1]].strip()]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _holds(words: list[str], mention: list[str]) -> bool:
    return any(words[place : place + len(mention)] == mention for place in range(len(words)))
