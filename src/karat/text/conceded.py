"""Mentions that an answer makes only to give another answer: conceded before it, or added behind it."""

import re
from collections.abc import Set

_CONCEDED = re.compile(
    r"(?:^|[.;!?\n]\s*)(?:while|whilst|although|though|even though|even if|whereas|much as|granted that)\b[^.;!?\n]*$", re.IGNORECASE
)
_CLAUSE = re.compile(r"[^.;!?\n]*?,\s*(?P<main>[^.;!?\n]+)")
_ASSERTED = re.compile(
    r"\W*(?:it|that|this|he|she|they|(?:the|my) (?:\w+ )?answer) (?:is|was|are|were|must be|would be) (?!an? |not\b|also\b)(?P<said>[^,;.!?\n]{1,60})[;.!\n]",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"\b(?:guesses|candidates|options|possibilities|choices|contenders|possible answers|alternatives|suspects)\b", re.IGNORECASE
)
_SEVERAL = re.compile(r",|;|\n|\band\b|\bor\b", re.IGNORECASE)
_LONGEST = 240
_REACH = 40
_COMPARED = re.compile(
    r"\b(?:confused with|mistaken for|mixed up with|compared? (?:it )?(?:with|to)|compare|cf\.?|rather than|instead of|in place of|as opposed to|opposite of|unlike|see also|"
    r"(?:in )?contrast (?:to|with)|(?:distinct|different) from|not)\s+(?:the |an? )?[\"'“‘*]*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w[\w'’-]*")


def is_conceded(text: str, start: int, end: int, asked: Set[str]) -> bool:
    """Tell whether the mention is conceded and the main clause names another: "While X is known too, Y is the one"."""
    if len(text) > _LONGEST or not _CONCEDED.search(text, 0, start):
        return False
    clause = _CLAUSE.match(text, end)
    return clause is not None and _names(clause["main"], asked)


def is_second(text: str, start: int, asked: Set[str]) -> bool:
    """Tell whether a clause before the mention's own says plainly what the answer is: "It is Y; X came later"."""
    first = _ASSERTED.match(text)
    return len(text) <= _LONGEST and first is not None and first.end() <= start and _names(first["said"], asked)


def is_compared(text: str, start: int) -> bool:
    """Tell whether the mention is what the answer is set against: "Y, often confused with X"."""
    return _COMPARED.search(text[max(0, start - _REACH) : start]) is not None


def is_offered(text: str, asked: Set[str]) -> bool:
    """Tell whether the answer calls what it says guesses or options, and gives several."""
    found = _OFFERED.search(text)
    return len(text) <= _LONGEST and found is not None and found[0].lower() not in asked and _SEVERAL.search(text) is not None


def _names(clause: str, asked: Set[str]) -> bool:
    """Tell whether a clause holds a name or a figure that the question does not."""
    return any(
        (word[0].isupper() or word[0].isdigit()) and word.lower() not in asked and word != "I"
        for word in _WORD.findall(clause)
    )
