"""A quick look that passes most answers: they say something of their own in plain words.

It never passes what the gate would call an opener, a refusal, an echo or talk; where it is not sure it does not pass.
"""

import re
from functools import lru_cache

from karat.text.echoes import ASKERS, FUNCTION_WORDS
from karat.text.fold import fold
from karat.text.openers import list_opener_starts
from karat.text.refusals import HINTS, list_refusal_starts
from karat.text.talk import EMPTY_WORDS

_FIRST = re.compile(r"\"?(?:the )?\"?([a-z]{2,}(?=[ ,;:!?\n\"-]|\.?$)|\d+(?= [a-z]))")
_WORD = re.compile(r"(?<![^\s(\"])[a-z]{3,}(?=[\s,;:!?)\"]|\.(?:\s|$)|$)")
_RUN = re.compile(r"[a-z0-9]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
# Initials are closed up and these words respelt before anything is compared.
_INITIALS = re.compile(r"\.\s?[a-z](?![a-z\d])")
_CLOSED_UP = re.compile(r"['`]|\.\s?|,")
_RESPELT = frozenset({"percent", "pct", "the", "an"})
_SAYING_NOTHING = FUNCTION_WORDS | ASKERS | EMPTY_WORDS | _RESPELT


def says_something(question: str, answer: str) -> bool:
    """Tell for sure that an answer is no opener, no refusal, no echo and no talk; False says nothing about it."""
    asked, given = fold(question), fold(answer)
    if not (_is_plain(given) and _is_plain(asked)):
        return False
    lowered = given.lower()
    first = _FIRST.match(lowered)
    if first is None or first[1] in _starts() or _hints(lowered) or _INITIALS.search(lowered):
        return False
    return _adds_a_word(asked.lower(), lowered)


def _is_plain(text: str) -> bool:
    return text.isascii() and (text.isprintable() or not _CONTROL.search(text))


def _hints(answer: str) -> bool:
    """Tell whether a word that refusals have may be in the answer, with its apostrophes or without them."""
    if not HINTS.isdisjoint(_RUN.findall(answer)):
        return True
    bare = answer.replace("'", "").replace("`", "")
    return len(bare) < len(answer) and not HINTS.isdisjoint(_RUN.findall(bare))


@lru_cache(maxsize=1)
def _starts() -> frozenset[str]:
    return list_opener_starts() | list_refusal_starts() | _RESPELT


def _adds_a_word(asked: str, answer: str) -> bool:
    """Tell whether a word of the answer is nowhere in the question, however that is spelt, and says more than talk."""
    for found in _WORD.finditer(answer):
        word = found[0]
        if word in asked or word in _SAYING_NOTHING:
            continue
        if word not in _CLOSED_UP.sub("", asked):
            return True
    return False
