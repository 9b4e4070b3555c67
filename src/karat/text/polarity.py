"""Whether an answer to a yes-or-no question says yes or no, also without either word."""

import re

from karat.text.fold import fold
from karat.text.normalise import normalise
from karat.text.results import contradicts
from karat.text.talk import EMPTY_WORDS
from karat.text.vocabulary import list_words

_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|then|in \w+|as of \w+|according to [^,]{1,60}),?\s+)?(?P<verb>is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|must|might|am)\b",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"\bor\b|\bwhich\b|\bwhat\b|\bhow\b|\bwhy\b", re.IGNORECASE)
_SAYS = re.compile(
    r"\W*(?:(?:well|so|the answer is|short answer|answer)\W+)*(?P<word>yes|no|yeah|yep|nope|true|false)\b(?!\s+(?:one|longer|more|matter|idea|way|evidence|single|doubt)\b)(?!\.?\s*\d)\W*",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"\W*(?:(?:it|they|he|she|this|that|there|we|you)\s+(?:does|do|did|is|are|was|were|has|have|had|will|would|can|could|should)(?P<not>\s+not|n'?t)?\s*(?:[.,;:!]|$)"
    r"|(?P<no>not (?:really|quite|exactly|at all|entirely)|never|hardly|by no means)\b|(?P<yes>indeed|absolutely|definitely|certainly|correct)\b\s*[,.!:;])",
    re.IGNORECASE,
)
_YES = frozenset(list_words("yes yeah yep true"))
_NEGATES = re.compile(
    r"\b(?:not|never|no longer|cannot|neither|nor|isn'?t|aren'?t|wasn'?t|weren'?t|don'?t|doesn'?t|didn'?t|can'?t|couldn'?t|won'?t|wouldn'?t|hasn'?t|haven'?t|hadn'?t|shouldn'?t|fails? to|failed to|unable|nobody|none|no one|nothing|without)\b|\bno\s+(?!doubt\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|\n|;|$)", re.DOTALL)
_TURN = re.compile(r"\b(?:but|however|although|though|while|whereas|unless|except|despite)\b", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|depends?|partly|partially|somewhat|sort of|not sure|unclear|unknown|disputed|debat\w+|some (?:people|say|believe))\b",
    re.IGNORECASE,
)
_SMALL = EMPTY_WORDS | frozenset(
    list_words(
        "is are was were do does did can could will would has have had should may must might am be been being a an the of in on at to for from by with as and or that this these those it its any "
        "there based data year fy fiscal end than more most very so such"
    )
)
_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST = 4
_ENOUGH = 0.75


def asks_polar(question: str) -> bool:
    """Tell whether a question wants a yes or a no, and offers nothing else to choose."""
    return _ASKS.match(question) is not None and not _ALTERNATIVE.search(question)


def tell_word(text: str) -> bool | None:
    """Return what a text says by its first word."""
    says = _SAYS.match(fold(text))
    return None if says is None else says["word"].lower() in _YES


def tell_polarity(question: str, answer: str) -> bool | None:
    """Return what an answer says to a yes-or-no question: by its first word, or by saying the question with or without a negation."""
    folded = fold(answer)
    first = _SENTENCE.match(folded.strip())
    if first is None or first[0].endswith("?") or _DOUBT.search(first[0]):
        return None
    word = tell_word(answer)
    if word is not None:
        return word
    short = _SHORT.match(folded)
    if short:
        return short["not"] is None and short["no"] is None
    if _NEGATES.search(question):
        return None
    claim = _TURN.split(first[0], maxsplit=1)[0]
    asked, given = _stems(question), _stems(claim)
    if not asked or len(asked & given) < _ENOUGH * len(asked):
        return None
    return _NEGATES.search(claim) is None


def find_wanted(question: str, references: tuple[str, ...]) -> bool | None:
    """Return the yes or no with which all references to a yes-or-no question begin."""
    words = {tell_word(reference) for reference in references}
    return words.pop() if len(words) == 1 and asks_polar(question) else None


def is_said_polarity(question: str, references: tuple[str, ...], answer: str) -> bool:
    """Tell whether an answer without either word says what the references begin with, and contradicts none of their figures."""
    wanted = find_wanted(question, references)
    if wanted is None or tell_word(answer) is not None:
        return False
    return tell_polarity(question, answer) is wanted and not any(
        contradicts(reference, answer) for reference in references
    )


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in normalise(text).split() if word not in _SMALL and not word.isdigit()}


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word
