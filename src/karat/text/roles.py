"""Sentences in which the reference stands where the question's own name should: "Frankenstein wrote Shelley"."""

from collections.abc import Sequence

from karat.text.echoes import FUNCTION_WORDS
from karat.text.vocabulary import list_words

_ASKING = frozenset(list_words("who which"))
_COPULAS = frozenset(list_words("is was are were"))
_HELPERS = FUNCTION_WORDS | frozenset(list_words("not more less most least kind type part of"))
# These hold either way round.
_MUTUAL = frozenset(
    list_words("married weds wed met meets dated divorced fought faced joined equals borders")
)
_LONGEST = 12


def is_swapped(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether the mention suffers what the question asks the doer of, or takes the owner's place: "of X is …"."""
    return len(forms) <= _LONGEST and (_is_object(forms, start, asked) or _is_owner(forms, start, end, asked))


def _is_object(forms: Sequence[str], start: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer says "Y wrote X" where the question is "who wrote Y"."""
    place = _verb(asked)
    if place is None or asked[place] not in forms[:start]:
        return False
    at = forms.index(asked[place])
    subject = [word for word in forms[:at] if word not in _HELPERS]
    behind = frozenset(asked[place + 1 :])
    return bool(subject) and behind.issuperset(subject) and start - at <= 2 and "by" not in forms[at:start]  # noqa: PLR2004 - a preposition


def _verb(asked: Sequence[str]) -> int | None:
    """Where the verb of a question after the doer stands: right behind "who", or behind the noun of "which river"."""
    if not asked or asked[0] not in _ASKING:
        return None
    place = 1 if asked[0] == "who" else 2
    found = place < len(asked) and asked[place] not in _HELPERS and asked[place] not in _MUTUAL
    return place if found else None


def _is_owner(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether "the capital of X is Y" gives the question's own Y for the mention X."""
    if not start or forms[start - 1] != "of" or not forms[end : end + 1] or forms[end] not in _COPULAS:
        return False
    own = {word for word in asked if word not in _HELPERS}
    said = [word for word in forms[end + 1 :] if word not in _HELPERS]
    return bool(said) and own.issuperset(said)
