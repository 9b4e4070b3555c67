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
_LINKS = frozenset(list_words("by with and alongside"))
_ASKED_FOR = (("which",), ("what",))
_LONGEST = 12
_NEAR = 2


def is_swapped(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether the mention suffers what the question asks the doer of, or takes the owner's place: "of X is …"."""
    if len(forms) > _LONGEST:
        return False
    return (
        _is_object(forms, start, asked)
        or _is_owner(forms, start, end, asked)
        or _is_subject(forms, start, end, asked)
    )


def _is_object(forms: Sequence[str], start: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer says "Y wrote X" where the question is "who wrote Y"."""
    place = _verb(asked)
    if place is None or asked[place] not in forms[:start]:
        return False
    at = forms.index(asked[place])
    subject = [word for word in forms[:at] if word not in _HELPERS]
    behind = frozenset(asked[place + 1 :])
    near = start - at <= _NEAR and _LINKS.isdisjoint(forms[at:start])
    return near and bool(subject) and behind.issuperset(subject)


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


def _is_subject(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer is "X is in Y" or "X is shared by Y" where the question asks in which, or who shares, Y."""
    rest = forms[end:]
    if start or not rest or rest[0] not in _COPULAS or "which" in rest or "that" in rest:
        return False
    links = {asked[0]} if tuple(asked[1:2]) in _ASKED_FOR else set[str]()
    links |= set() if "by" in asked else {"by"}
    place = next((at for at in range(len(rest) - 1, 0, -1) if rest[at] in links), None)
    behind = [] if place is None else [word for word in rest[place + 1 :] if word not in _HELPERS]
    return bool(behind) and set(asked).issuperset(behind)
