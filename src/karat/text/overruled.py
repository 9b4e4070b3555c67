"""Answers that a reference seems to allow and a value contradicts: "14 August 1976" where the references are "1976" and "July 14, 1976"."""

from collections.abc import Sequence

from karat.text.dates import covers
from karat.text.forms import Reference, Values, read_references, read_values, strip_lead
from karat.text.normalise import normalise
from karat.text.numbered import tell_numbered
from karat.text.regnal import is_renumbered
from karat.text.results import tell_figure
from karat.text.values import agrees, conflicts, is_limit, single_date, single_period

_UNSURE = frozenset({"plain", "ordinal", "pound", "ounce", "ton", "gallon", "cent"})
"""Kinds of which another word may name the same."""
_ALIKE = frozenset({"same", "rounded"})


def is_overruled(references: Sequence[Reference], answer: str, question: str) -> bool:
    """Tell whether the answer holds looser references alone, and all that are exacter contradict it."""
    if len(references) == 1 or not any(reference.is_value for reference in references):
        return False
    given, asked = read_values(answer), read_values(question)
    form = f" {normalise(answer)} "
    held = [
        reference for reference in references if reference.padded in form or agrees(reference, given, asked)
    ]
    return bool(held) and all(_contradict(references, each, given, asked) for each in held)


def _contradict(references: Sequence[Reference], loose: Reference, given: Values, asked: Values) -> bool:
    exacter = [reference for reference in references if _is_exacter(reference, loose)]
    if loose.period is not None and single_period(given, asked) is not None:
        return False  # "the 1970s" are not 1974, and leave it open
    return bool(exacter) and all(
        _is_passed(each, given, asked) or conflicts(each, given, asked) or _is_in_other_unit(each, given)
        for each in exacter
    )


def _is_passed(limit: Reference, given: Values, asked: Values) -> bool:
    """Tell whether a reference is a limit, and the answer's date is not it."""
    date = single_date(given, asked)
    named = limit.date is not None and date is not None and covers(limit.date, date)
    return is_limit(limit) and not named


def _is_exacter(one: Reference, loose: Reference) -> bool:
    """Tell whether one reference is a value that says what another says, and more."""
    if one.date is not None and one.date.year is not None and loose.period is not None:
        return loose.period.holds(one.date.year)
    if one.date is not None and loose.date is not None:
        return one.date.parts() != loose.date.parts() and covers(loose.date, one.date)
    counted = one.quantity is not None and (loose.quantity is None or loose.quantity.kind == "plain")
    return counted and one.form != loose.form and _is_within(loose, one)


def gives_other_number(references: Sequence[str], place: int, answer: str, question: str) -> bool:
    """Tell whether the answer is the reference at a place, or a shorter or longer form of it, but for the number, or gives a reference's figure in another unit."""
    known = read_references(tuple(references))
    given, asked, words = read_values(answer), read_values(question), strip_lead(normalise(answer)).split()
    like = [each for each in known if _is_within(each, known[place]) or _is_within(known[place], each)]
    if any(
        agrees(each, given, asked) or tell_figure(each.text, answer, question) in _ALIKE for each in known
    ):
        return False
    if all(is_renumbered(each.text, answer) for each in known):
        return True
    return any(_is_in_other_unit(each, given) for each in known) or any(
        _is_renumbered(each.words, words) or conflicts(each, given, asked) for each in like
    )


def _is_renumbered(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether two phrases differ in their numbers alone, and not in their order: "(x - 3)(x - 2)" has the numbers of "(x - 2)(x - 3)"."""
    return tell_numbered(wanted, words) is False and sorted(wanted) != sorted(words)


def _is_in_other_unit(reference: Reference, given: Values) -> bool:
    """Tell whether the answer's one quantity has the reference's figure and another unit."""
    wanted = reference.quantity
    if wanted is None or given.quantities is None or len(given.quantities) != 1:
        return False
    other = given.quantities[0]
    if not _UNSURE.isdisjoint((wanted.kind, other.kind)):
        return False
    return wanted.count == other.count and (wanted.kind, wanted.value) != (other.kind, other.value)


def _is_within(one: Reference, other: Reference) -> bool:
    return one.padded in other.padded
