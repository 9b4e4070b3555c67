"""Expressions against each other: what is surely worth the same, what surely is not, and what may be either."""

import re

from msgspec import Struct

from karat.core.types import Item
from karat.text.arithmetic import Worth, compare, find_worth
from karat.text.derived import Final, find_final, find_wanted, is_marked
from karat.text.directions import may_be_directed
from karat.text.forms import Reference
from karat.text.notation import list_pieces

# Where a form is asked for, the same value in another form is no answer.
_FORM = re.compile(
    r"\b(?:simplif\w*|reduc\w*|lowest|factor (?:the|it|out|completely|each|this|\W)|factori[sz]\w*|factored|expand\w*|convert\w*|express\w*|rewrit\w*|write|written|decimal\w*|mixed|scientific|standard form|rationali\w*|round\w*|nearest|prime factor\w*|into primes|significant|in terms of|as an? (?:\w+ )?fraction)\b|^\W*factor\b",
    re.IGNORECASE,
)
_LONGEST = 300
_NUMBERED = re.compile(
    r"\b(?:version|release|chapter|section|part|edition|build|number|update|stable|python|java|android|ios)\b",
    re.IGNORECASE,
)
_SCALED = re.compile(r"\b(?:thousand|million|billion|percent\w*)s?\b|%", re.IGNORECASE)


class Told(Struct, frozen=True):
    """What an answer comes to, of each reference whether that is surely worth the same (True) or surely not (False), and whether no other rule should look at their figures."""

    final: Final
    same: tuple[bool | None, ...]
    open: bool


def tell_worth(item: Item, references: list[Reference]) -> Told | None:
    """Tell what an answer comes to, or None where it is no expression."""
    if not is_marked(item.answer) and (len(item.answer) > _LONGEST or not any(map(_has_worth, references))):
        return None
    question = item.question or ""
    final = find_final(question, item.answer)
    if final is None or _repeats(question, final.text):
        return None
    given = find_worth(final.text)
    wanted = [_find_wanted(reference.text, final) for reference in references]
    if given is None:
        return Told(final, (None,) * len(references), open=False)
    same = tuple(each and _tell(each, given, final, question) for each in wanted)
    return Told(final, same, any(each is not None and _is_loose(each, given, question) for each in wanted))


def _find_wanted(reference: str, final: Final) -> Worth | None:
    """Return what a reference is worth, but for one that is said of another letter than the answer."""
    name, said = find_wanted(reference)
    return find_worth(said) if not name or not final.name or name == final.name else None


def _has_worth(reference: Reference) -> bool:
    return reference.noted and find_worth(find_wanted(reference.text)[1]) is not None


def may_be_worth_other(item: Item, place: int) -> bool:
    """Tell whether an answer that is like a reference differs from it in sign, order, brackets, value, or in the form that is asked for."""
    question = item.question or ""
    if not is_marked(item.answer) and len(item.answer) > _LONGEST:
        return False
    final = find_final(question, item.answer)
    wanted = _find_wanted(item.references[place], final) if final else None
    given = find_worth(final.text) if final and wanted else None
    like = compare(wanted, given) if given and wanted else None
    if given is None or wanted is None or like is None:
        return False
    if like == "same":
        return not _may_stand_for(wanted, given, question)
    return like == "turned" or bool(wanted.letters) or (like == "other" and _shows(wanted, given))


def _is_loose(wanted: Worth, given: Worth, question: str) -> bool:
    """Tell whether figures that are read as values may be something else: so many of so many, a time signature, a version, a rounded power of ten."""
    like = compare(wanted, given)
    if like == "same":
        return not _may_stand_for(wanted, given, question)
    if like == "near":
        return "power of ten" in {wanted.shape, given.shape}
    unshown = "fraction" in {wanted.shape, given.shape} and not _shows(wanted, given)
    return like == "other" and (
        unshown or _may_be_so_many(wanted, given) or _is_rescaled(wanted, given, question)
    )


def _may_be_so_many(wanted: Worth, given: Worth) -> bool:
    """Tell whether one is a fraction and the other a whole number: 15 of 20 are "15/20"."""
    return "fraction" in {wanted.shape, given.shape} and (wanted.is_whole() or given.is_whole())


def _is_rescaled(wanted: Worth, given: Worth, question: str) -> bool:
    """Tell whether one value is the other on a scale that the question names."""
    one, other = wanted.values[0], given.values[0]
    scales = (100, 10**3, 10**6, 10**9)
    return _SCALED.search(question) is not None and any(
        one == other * scale or other == one * scale for scale in scales
    )


def _tell(wanted: Worth, given: Worth, final: Final, question: str) -> bool | None:
    like = compare(wanted, given)
    if like == "same":
        return True if _may_stand_for(wanted, given, question) else None
    if not final.whole or wanted.letters or given.letters:
        return None
    if like == "turned" and not wanted.brackets:
        return False if _shows(wanted, given) and not may_be_directed(question) else None
    return False if like == "other" and _are_apart(wanted, given, question) else None


def _may_stand_for(wanted: Worth, given: Worth, question: str) -> bool:
    """Tell whether one form of a value may stand for the other: not where a form is asked for, nor where it is still to be computed."""
    if wanted.shape == given.shape == "plain":
        return wanted.places == given.places or not _NUMBERED.search(question)
    if _FORM.search(question):
        return bool(wanted.pieces) and wanted.pieces == given.pieces
    if wanted.letters or wanted.brackets:
        return True
    if {wanted.shape, given.shape} == {"fraction"} and not _shows(wanted, given):
        return False  # 3/4 and 6/8 are two time signatures
    if given.shape == "expression" and wanted.shape != "expression":
        return False  # 2^4 is not yet 16
    return not _may_be_so_many(wanted, given)


def _are_apart(wanted: Worth, given: Worth, question: str) -> bool:
    """Tell whether two values that differ are of one kind: a fraction beside a whole number may be so many of so many."""
    if not _shows(wanted, given) or len(wanted.values) != len(given.values):
        return False
    if _may_be_so_many(wanted, given):
        return False
    if {wanted.shape, given.shape} == {"plain", "expression"} and not wanted.mathematical:
        return False  # "300³" may be 300 with a note
    return not _is_rescaled(wanted, given, question)


def _shows(wanted: Worth, given: Worth) -> bool:
    return wanted.mathematical or given.mathematical


def _repeats(question: str, text: str) -> bool:
    """Tell whether the question has the expression already, in whatever notation."""
    pieces, held = list_pieces(text), "".join(text.split()) in "".join(question.split())
    if pieces is None:
        return held and len(text) > 1
    if len(pieces) == 1:
        return False
    asked = [
        part
        for part in re.split(r"(?<![\\^{])\$|\\[()\[\]]|\b[A-Za-z]{3,}\b|[?]|\.(?=\s|$)", question)
        if part.strip()
    ]
    known = {tuple(found) for part in asked if (found := list_pieces(part.strip(" .,:;")))}
    return held or tuple(pieces) in known
