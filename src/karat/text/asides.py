"""Mentions that stand beside the answer: in brackets, in a clause about another name, or before a turn."""

import re

_BRACKET = re.compile(r"\(([^()]*)$")
_RELATIVE = re.compile(
    r"(?P<head>\b[^\W\d_][\w'.-]*),?\s+(?:who|whom|whose|which)\s+(?!is\b|was\b|are\b|were\b|stands?\b|means?\b)[^,;:]*$"
)
_ALIAS = re.compile(
    r"\s*(?:also\b|a\.?k\.?a|i\.?e|known as|called|commonly|usually|the|an?|\W+$|$)", re.IGNORECASE
)
_COPULA = re.compile(r"\b(?:is|was|are|were|be|by)\b", re.IGNORECASE)
_TURN = re.compile(
    r"\b(?:yet|whereas|actually|in fact)\b|,\s*(?:but|while|though|although|however)\b|\b(?:but|while)\s+(?:it|this|the|[A-Z])",
)
_SEQUEL = re.compile(
    r"^[\s,;]*(?:(?:and|but)\s+)?(?:then|later|afterwards|followed by|before|until|if|unless)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:^|[,;:(\n]|\b(?:but|and|only|even)\s)\s*(?:"
    # Against the facts, as to what is meant, or with no clause of its own behind: "if bulb B is out, there is a gap" states the gap.
    r"(?:if|unless|assuming|suppos(?:e|ing))\b(?=.*\b(?:were|had|would|you|we|i|meant?|means)\b|[^,]*,\s*(?:then\s+)?$)"
    r"|(?:were|had|should)\s(?:it|this|that|he|she|they|we|you)\b)",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:formerly|previously)(?:\W+\w+){0,2}\W*$", re.IGNORECASE)
_NEXT_TURN = re.compile(r"[\s\"'*)\].!;-]*(?:however|yet|in fact|in reality|in truth)\b", re.IGNORECASE)
_LINK = re.compile(r"\b(?:of|to|with|from|for|by)\s+(?:the\s+)?$", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{2}")


def is_bracketed(before: str) -> bool:
    """Tell whether the mention stands with other words in brackets behind another name, and is no alias."""
    opened = _BRACKET.search(before)
    if opened is None or not _LETTERS.search(before[: opened.start()]):
        return False
    return _ALIAS.match(opened[1]) is None or _LINK.search(opened[1]) is not None


def is_in_relative_clause(before: str) -> bool:
    """Tell whether the mention ends a clause that tells more about another name."""
    clause = _RELATIVE.search(before)
    if clause is None or _COPULA.search(clause[0]):
        return False
    # "People who read X" is part of what is said; "Harte, who read X" tells more of Harte.
    return clause["head"][0].isupper() or not _COPULA.search(before)


def is_conditional(before: str) -> bool:
    """Tell whether the mention holds under a condition or in the past: "If it were 1200, X", "formerly X"."""
    return _CONDITION.search(before) is not None or _PAST.search(before) is not None


def is_turned(after: str, following: str) -> bool:
    """Tell whether the sentence goes on to say something else, or the next one does."""
    return bool(_TURN.search(after) or _SEQUEL.match(after) or _NEXT_TURN.match(following))
