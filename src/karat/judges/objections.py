"""Why an answer gets no verdict from the embedded judge: what it says, or how it speaks of the reference that it holds."""

import re
from collections.abc import Callable

from msgspec import Struct

from karat.core.types import Item
from karat.judges.reports import is_report
from karat.models.embedded import Weighed, read_talk
from karat.text import (
    TOPICLESS,
    addresses_judge,
    concludes_otherwise,
    find_contest,
    find_mentioned,
    gives_other_figure,
    gives_other_number,
    gives_other_pair,
    has_other_code,
    has_other_scale,
    has_other_sign,
    has_other_unit,
    is_for_comparison,
    is_shut_out,
    lacks_figure,
    may_be_worth_other,
    misplaces_figures,
    names_more,
    names_value,
    read_only_figure,
    respell,
    says_opposite,
    speaks_of_speaker,
    strays,
    tell_agreed,
    tell_direction,
    tell_figure,
    turns_round,
    turns_sides,
    wants_name,
)


class Objection(Struct, frozen=True):
    """What is wrong with accepting an answer, and whether that makes it another answer."""

    reason: str
    conflicts: bool = False


_UNLIKELY, _LIKELY, _SURE, _VERY_SURE = 0.3, 0.75, 0.9, 0.97
"""How sure the network has to be: of a No to talk without a word of the question, of a Yes to talk about who gives or gets the answer, or that names something else, of one that phrases speak against, and of one without their help."""
_REPORTED = 0.9
"""How sure it has to be of a report without a word of the question (training/LOG.md, "Rules version 11")."""
_COMMITTED, _SURELY_COMMITTED, _OPEN, _UNCOMMITTED = 0.9, 0.97, 0.5, 0.2
"""From where on phrases say that talk commits to what it names, also where something else is named; where they say nothing, and up to where they say that it does not (training/LOG.md, "Rules version 8")."""
_SHIFTS = re.compile(
    r"\b(?:plus|minus|less|more|fewer|before|after|times|half|twice|double|off|short|over|under|above|below)\b",
    re.IGNORECASE,
)
_MISSTATED = (
    gives_other_figure,
    has_other_sign,
    has_other_scale,
    has_other_unit,
    is_shut_out,
    is_for_comparison,
    concludes_otherwise,
)
TURNED = "turns the figures round"
_NOTHING = Weighed(_OPEN, idle=False)
_DIFFERS = Objection("the answer is like the reference, but it may be worth something else")
_STRAYS = "the answer holds the reference, but says nothing of what was asked"
_MENTIONS = "the answer holds the reference, but may not give it as the answer"


def find_objection(item: Item, whole: Item, place: int, probability: float | None) -> Objection | None:
    """Say why an answer that the network accepts for a reference with a probability, or that rounds it, should not be; `whole` is the item with all that dresses the answer up."""
    if addresses_judge(item):
        return Objection("the answer seems to speak to its grader; a person should look at it")
    told = respell(item.references[place], item.answer, item.question or "")
    conflict = find_conflict(item, place, told)
    if conflict is not None:
        return Objection(f"the answer is like the reference, but it {conflict}", conflicts=True)
    talk = _find_in_talk(Item(item.question, item.references, told), probability)
    if talk is not None:
        return Objection(talk)
    return _DIFFERS if may_be_worth_other(whole, place) and not _is_figure(item, place) else None


def find_conflict(item: Item, place: int, told: str) -> str | None:
    """Say what an answer gives in the place of what the reference says: another number or figure, the opposite, the way back."""
    said = Item(item.question or "", item.references, told)
    if gives_other_pair(item.references, item.answer, item.question or ""):  # before a half of it is respelt
        return "gives another range or score"
    return next((reason for reason, holds in _CONFLICTS.items() if holds(said, place)), None)


def _gives_number(item: Item, place: int) -> bool:
    asked = item.question or ""
    return gives_other_number(item.references, place, item.answer, asked) or _all(lacks_figure, item)


def _gives_code(item: Item, _: int) -> bool:
    return _all(has_other_code, item)


def _gives_figure(item: Item, _: int) -> bool:
    """Tell whether an answer has or comes to another figure than the references, or has the same with another sign or unit, on another scale, beyond a limit or for comparison."""
    return all(
        any(tell(reference, item.answer, item.question or "") for tell in _MISSTATED)
        for reference in item.references
    )


def _says_opposite(item: Item, _: int) -> bool:
    denied = tell_agreed(item.question or "", item.references, item.answer) is False
    turned = tell_direction(item.references, item.answer, item.question or "") is False
    return denied or turned or _all(says_opposite, item)


def _turns_figures(item: Item, place: int) -> bool:
    reference = item.references[place]
    return turns_round(reference, item.answer, item.question or "") or misplaces_figures(
        reference, item.answer
    )


def _turns_roles(item: Item, place: int) -> bool:
    return turns_sides(item.references[place], item.answer)


def _all(tell: Callable[[str, str, str], bool], item: Item) -> bool:
    return all(tell(reference, item.answer, item.question or "") for reference in item.references)


_CONFLICTS: dict[str, Callable[[Item, int], bool]] = {
    "gives another number": _gives_number,
    "gives another code": _gives_code,
    "gives another figure": _gives_figure,
    "says the opposite": _says_opposite,
    TURNED: _turns_figures,
    "turns the roles round": _turns_roles,
}


def _is_figure(item: Item, place: int) -> bool:
    """Tell whether an answer gives the figure with a unit that a reference is: the unit is no variable."""
    reference = item.references[place]
    wanted = read_only_figure(reference)
    return (
        wanted is not None
        and bool(wanted.noun)
        and tell_figure(reference, item.answer, item.question or "") is not None
    )


def _find_in_talk(item: Item, probability: float | None) -> str | None:
    """Say why talk that holds a reference may not give it as the answer."""
    talk = _weigh(item)
    likely = probability is None or probability >= _LIKELY
    reported = probability is not None and probability >= _REPORTED and is_report(item)
    committed = likely and talk.idle and talk.share >= _SURELY_COMMITTED
    contest = find_contest(item, naming=not committed)
    if contest == TOPICLESS and reported:
        contest = find_contest(item, naming=False)
    if contest is not None:
        return f"the answer is like the reference, but {contest}"
    if talk.share < _COMMITTED and not reported and strays(item):
        very_sure = probability is not None and probability >= _VERY_SURE
        return None if very_sure and talk.share >= _OPEN and not names_more(item) else _STRAYS
    if probability is None:
        return None
    denied = (
        not reported and probability < _SURE and talk.share <= _UNCOMMITTED and talk.idle and wants_name(item)
    )
    told = not likely and find_mentioned(item) is not None and speaks_of_speaker(item)
    return _MENTIONS if denied or told else None


def _weigh(item: Item) -> Weighed:
    """Weigh the phrases around the reference that an answer mentions; they say nothing where it mentions none, or computes with a figure."""
    shifted = any(map(names_value, item.references)) and _SHIFTS.search(item.answer)
    weighed = None if shifted else read_talk().weigh(item.question, item.references, item.answer)
    return weighed or _NOTHING


def find_said(item: Item) -> int | None:
    """Return the place of a reference that talk without a word of the question plainly gives, and nothing else, as the answer."""
    said = _weigh(item).share >= _COMMITTED and _strays_alone(item)
    return find_mentioned(item) if said else None


def find_doubt(item: Item, probability: float) -> str | None:
    """Say why an answer that the network rejects with a probability of a match should not be: what it makes of talk without a word of the question is no verdict."""
    return _STRAYS if probability > _UNLIKELY and _strays_alone(item) else None


def _strays_alone(item: Item) -> bool:
    """Tell whether the answer holds a reference and nothing else that might be an answer, in talk without a word of the question."""
    return strays(item) and not names_more(item)
