"""Sentences in which the reference stands where the question's own name should: "Frankenstein wrote Shelley"."""

from collections.abc import Sequence
from itertools import takewhile

from karat.text.echoes import FUNCTION_WORDS
from karat.text.stems import stem_of
from karat.text.vocabulary import list_words

_ASKING = frozenset(list_words("who which what"))
_COPULAS = frozenset(list_words("is was are were"))
_AUXILIARIES = _COPULAS | frozenset(list_words("did does do has had have can could will would"))
_HELPERS = FUNCTION_WORDS | frozenset(list_words("not more less most least kind type part of"))
# These hold either way round.
_MUTUAL = frozenset(
    list_words(
        "married marry marries weds wed met meet meets dated date divorced fought fight faced face joined join equals equal borders border means mean stands plays play played meant represents represent "
        "beat beats"
    )
)
_LINKS = frozenset(list_words("by with and alongside against"))
_DID = frozenset(list_words("did does do"))
_PLACING = frozenset(list_words("in on at"))
_RELATIVE = frozenset(list_words("which that where who"))
_LONGEST = 14
_NEAR = 2


def is_swapped(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether the mention suffers what the question asks the doer of, or takes the owner's or the place's part."""
    if len(forms) > _LONGEST or not asked:
        return False
    return (
        _is_object(forms, start, asked)
        or _is_owner(forms, start, end, asked)
        or _is_owned(forms, start, end, asked)
        or _is_subject(forms, start, end, asked)
        or _is_doer(forms, start, end, asked)
    )


def _is_object(forms: Sequence[str], start: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer says "Y wrote X" where the question is "who wrote Y"."""
    place = _verb(asked)
    if place is None:
        return False
    # "Winner: X" names the doer.
    verbs = (each for each in range(start) if not forms[each].endswith(("er", "or")))
    at = next((each for each in verbs if stem_of(forms[each]) == stem_of(asked[place])), None)
    if at is None or start - at > _NEAR or not _LINKS.isdisjoint(forms[at:start]):
        return False
    named = forms[at] == asked[place] and _is_of_another(forms, at, start, asked[place + 1 :])
    return named or _is_about(forms[:at], asked[place + 1 :])


def _is_of_another(forms: Sequence[str], at: int, start: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer says "Z wrote X" where the question is "who wrote Y", and does not speak of Y."""
    wanted = {word for word in asked if word not in _HELPERS}
    doer = [word for word in forms[:at] if word not in _HELPERS]
    return (
        start == at + 1
        and bool(doer and wanted)
        and _RELATIVE.isdisjoint(forms[:at])
        and wanted.isdisjoint(forms)
    )


def _verb(asked: Sequence[str]) -> int | None:
    """Where the verb of a question after the doer stands: right behind "who", or behind the nouns of "which river"."""
    if asked[0] not in _ASKING:
        return None
    if asked[0] == "who":
        place = 1
    elif asked[1:2] and asked[1] not in _HELPERS:
        place = 2
    else:
        return None
    # "Which French painter was known as": what an auxiliary follows is a noun still.
    if place + 1 >= len(asked) or asked[place + 1] in _AUXILIARIES:
        return None
    return None if asked[place] in _HELPERS or asked[place] in _MUTUAL else place


def _is_owner(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether "the capital of X is Y" gives the question's own Y for the mention X."""
    if "whose" in asked or not start or forms[start - 1] != "of":
        return False
    if not forms[end : end + 1] or forms[end] not in _COPULAS:
        return False
    return _is_about(forms[end + 1 :], asked)


def _is_owned(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether "Y is the capital of X" is said where the question has "the capital of Y" itself."""
    if end != len(forms) or start < _NEAR or forms[start - 1] != "of":
        return False
    name = list(takewhile(lambda form: form not in _COPULAS, forms[:start]))
    if not name or len(name) == start or not _is_about(name, asked):
        return False
    phrase = [forms[start - 2], "of", *name]
    return any(list(asked[place : place + len(phrase)]) == phrase for place in range(len(asked)))


def _is_subject(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer is "X is in Y" or "X is shared by Y" where the question asks where, or who shares, Y."""
    rest = forms[end:]
    if start or not rest or not _RELATIVE.isdisjoint(rest):
        return False
    placed = asked[0] == "where" or (asked[1:2] and asked[1] in _ASKING)
    links = _links(asked) if placed or rest[0] in _COPULAS else frozenset[str]()
    place = next((at for at in range(len(rest) - 1, 0, -1) if rest[at] in links), None)
    return place is not None and _is_about(rest[place + 1 :], asked)


def _is_doer(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether the answer says "X promoted Y" where the question is "what did Y promote"."""
    rest = forms[end:]
    if start or len(rest) < _NEAR or asked[0] not in _ASKING or _DID.isdisjoint(asked):
        return False
    place = next((at for at in range(len(asked)) if stem_of(asked[at]) == stem_of(rest[0])), None)
    if place is None or asked[place] in _HELPERS or asked[place] in _MUTUAL:
        return False
    return _is_about(rest[1:], asked[:place])


def _links(asked: Sequence[str]) -> frozenset[str]:
    """The prepositions that the question puts before what is asked for, and so the answer before the mention."""
    asked_for = frozenset(asked[:1]) if asked[1:2] and asked[1] in _ASKING else frozenset[str]()
    where = _PLACING.difference(asked) if asked[0] == "where" else frozenset[str]()
    by = frozenset({"by"}).difference(asked) if _DID.isdisjoint(asked) else frozenset[str]()
    return asked_for | where | by


def _is_about(said: Sequence[str], asked: Sequence[str]) -> bool:
    """Tell whether words say something, and nothing that the question does not."""
    telling = [word for word in said if word not in _HELPERS]
    return bool(telling) and set(asked).issuperset(telling)
