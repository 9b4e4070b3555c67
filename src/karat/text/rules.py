"""What is surely the same answer, and what surely is not."""

import re
from functools import lru_cache

from karat.core.types import Item
from karat.text.clean import strip_invisible
from karat.text.containment import find_mentions, is_provable, is_stated, is_turned_round
from karat.text.contested import find_contest
from karat.text.core import find_cores
from karat.text.derived import is_marked
from karat.text.dressing import undress
from karat.text.forms import (
    Reference,
    Values,
    read_reference,
    read_references,
    read_values,
    read_words,
    strip_article,
    strip_lead,
)
from karat.text.names import is_acronym_of
from karat.text.normalise import normalise
from karat.text.numbered import tell_numbered
from karat.text.polarity import (
    POLAR,
    find_wanted,
    is_word_alone,
    restates,
    tell_polarity,
    tell_restated,
    tell_word,
)
from karat.text.questions import asks_back
from karat.text.results import has_several, tell_figure
from karat.text.ruling import Ruling
from karat.text.signs import has_other_sign
from karat.text.speaker import speaks_of_speaker
from karat.text.symbols import holds_exactly, is_same_symbol, is_symbolic, splits_prefix
from karat.text.topics import is_on_topic, is_value_on_topic
from karat.text.values import agrees, conflicts
from karat.text.worth import Told, tell_worth

RULES_VERSION = "13"

_LONGEST = 20_000
_COUNTS = re.compile(r"\bhow many\b", re.IGNORECASE)
_HELD = frozenset({"contained", "date", "number", "figure"})
"""Rules that find the reference among other words."""
_VALUES = frozenset({"number", "figure"})


def rule_on(item: Item) -> Ruling | None:
    """Accept what is surely the reference, reject what surely conflicts with it, and leave the rest undecided."""
    answer = strip_invisible(item.answer)
    if answer != item.answer:
        item = Item(item.question, item.references, answer)
    form = _form_of(item)
    if form is None:
        return None
    references = read_references(item.references)
    equal = _find_equal(answer, form, references)
    if equal is not None:
        return _accept("equal", "The answer is the reference.", equal)
    if asks_back(answer, item.references):
        return None
    if len(answer) > _LONGEST or not form:
        return None
    worth = tell_worth(item, references)
    if worth is not None:
        derived = _rule_on_worth(item, references, worth)
        if derived is not None or worth.open:
            return derived
        if is_marked(answer):
            item = Item(item.question, item.references, worth.final.text)
            form = normalise(worth.final.text)
    ruling = (
        _rule_on_polarity(item)
        or _rule_on_figures(item, references)
        or _rule_on_values(item, references)
        or _rule_on_numbered(form, references)
        or _rule_on_words(item, form, references)
        or _rule_on_cores(item, form)
    )
    return None if ruling is not None and ruling.accept and _is_contested(item, ruling) else ruling


def _rule_on_worth(item: Item, references: list[Reference], worth: Told) -> Ruling | None:
    """Decide what an answer comes to by what it is worth."""
    marked, final = is_marked(item.answer), worth.final.text
    equal = _find_equal(final, normalise(final), references) if marked else None
    if equal is not None:
        return _accept("equal", "The answer comes to the reference.", equal)
    if True in worth.same:
        return _accept("number", "The answer is worth what the reference is.", worth.same.index(True))
    return _reject(references[0]) if all(each is False for each in worth.same) else None


def _rule_on_cores(item: Item, form: str) -> Ruling | None:
    """Accept the phrase that answers, where a reference goes on to explain it."""
    cores = find_cores(item.question or "", item.references, item.answer)
    equal = _find_equal(item.answer, form, [read_reference(core) for _, core in cores])
    return None if equal is None else _accept("equal", "The answer is the reference.", cores[equal][0])


def _rule_on_polarity(item: Item) -> Ruling | None:
    """Decide yes-or-no questions whose references begin with the word: the other word is another answer."""
    question = item.question or ""
    wanted = find_wanted(question, item.references)
    if wanted is None:
        return None
    plain = undress(question, item.answer)
    restated = tell_restated(question, plain)
    said = tell_polarity(plain) if restated is None else restated
    if said is None:
        return None
    if said is not wanted:
        return Ruling(
            accept=False, name="polarity_conflict", reason="The answer says the opposite of the reference."
        )
    if restated is not None or is_word_alone(item.answer) or restates(question, plain):
        return _accept("polarity", "The answer is the reference's yes or no.", 0)
    return None


def _is_contested(item: Item, ruling: Ruling) -> bool:
    """Tell whether the answer that holds the reference says something against it, or speaks of its speaker, who may; yes and no are looked at elsewhere."""
    if ruling.name == "polarity":
        return False
    if ruling.name in _VALUES and all(
        has_other_sign(reference, item.answer, item.question or "") for reference in item.references
    ):
        return True
    return (ruling.name in _HELD and speaks_of_speaker(item)) or find_contest(item) is not None


def _form_of(item: Item) -> str | None:
    """Return the comparison form of the answer, or None where it is too long to be any reference."""
    longest = max(map(len, item.references), default=0)
    if len(item.answer) > max(_LONGEST, 4 * longest + 1000):
        return None
    return normalise(item.answer)


def _accept(name: str, reason: str, reference: int) -> Ruling:
    return Ruling(accept=True, name=name, reason=reason, reference=reference)


def _find_equal(answer: str, form: str, references: list[Reference]) -> int | None:
    alike = [index for index, reference in enumerate(references) if reference.form == form]
    said = answer.strip()
    for index in alike:
        if references[index].text.strip() == said:
            return index
    for index in alike:
        if _may_be(references[index].text, answer):
            return index
    bare = strip_lead(form)
    compact = _compact(bare)
    for index, reference in enumerate(references):
        same = reference.form == bare or (compact and compact == _compact(reference.form))
        if same and _may_be(reference.text, answer):
            return index
    return None


def _may_be(reference: str, answer: str) -> bool:
    """Tell whether texts of one form are the same in what the form leaves out: signs, capitals, a question mark."""
    if asks_back(answer, (reference,)) or splits_prefix(answer) != splits_prefix(reference):
        return False
    if is_symbolic(reference) or is_symbolic(answer):
        return is_same_symbol(reference, answer)
    return True


_SHORTEST_COMPACT = 4


@lru_cache(maxsize=16384)  # many answers share a reference
def _compact(form: str) -> str | None:
    """Join the words of a form, where no digit could come to mean something else."""
    joined = form.replace(" ", "")
    return joined if len(joined) >= _SHORTEST_COMPACT and joined.isalpha() else None


def _rule_on_values(item: Item, references: list[Reference]) -> Ruling | None:
    if not any(reference.is_value for reference in references):
        return None
    answer, question = read_values(item.answer), read_values((item.question or "")[:_LONGEST])
    on_topic = is_value_on_topic(answer, frozenset(normalise(question.text).split()), references)
    for index, reference in enumerate(references):
        known = Values(question.text, (), (), ()) if _is_count(reference, item) else question
        if on_topic and agrees(reference, answer, known):
            if reference.quantity is None:
                return _accept("date", "The answer states the reference's date.", index)
            return _accept("number", "The answer states the reference's number.", index)
    if all(
        conflicts(reference, answer, question)
        and tell_figure(reference.text, item.answer, question.text) in {None, "other"}
        for reference in references
    ):
        return _reject(references[0])
    return None


def _is_count(reference: Reference, item: Item) -> bool:
    """Tell whether an answer is nothing but the count that the reference is: a number of the question says nothing among other words, but "How many episodes has season 7?" may be answered by 7."""
    wanted, given = reference.quantity, read_reference(item.answer).quantity
    if wanted is None or given is None or not _COUNTS.search(item.question or ""):
        return False
    return (wanted.kind, wanted.count) == (given.kind, given.count)


def _rule_on_figures(item: Item, references: list[Reference]) -> Ruling | None:
    """Decide where a reference is a figure: reject what gives only others, accept what comes to it by several; to accept one alone is a matter of values."""
    if not any(reference.valued for reference in references) or any(
        reference.date for reference in references
    ):
        return None
    told = [
        tell_figure(reference.text, item.answer, item.question or "")
        if reference.valued or not reference.text.isascii()
        else None
        for reference in references
    ]
    question = frozenset(normalise(item.question or "").split())
    if "same" in told and has_several(item.answer):
        on_topic = is_value_on_topic(read_values(item.answer), question, references)
        place = told.index("same")
        return _accept("figure", "The answer comes to the reference's number.", place) if on_topic else None
    return _reject(references[0]) if told and all(each == "other" for each in told) else None


def _reject(reference: Reference) -> Ruling:
    if reference.date is not None or reference.period is not None:
        return Ruling(
            accept=False, name="date_conflict", reason="The answer gives another date than the reference."
        )
    return Ruling(
        accept=False, name="number_conflict", reason="The answer gives another number than the reference."
    )


def _rule_on_numbered(form: str, references: list[Reference]) -> Ruling | None:
    """Decide where a name with a number in it differs from the answer in how the number is written, or in the number; values are looked at elsewhere."""
    words = strip_lead(form).split()
    same = [None if reference.is_value else tell_numbered(reference.words, words) for reference in references]
    if True in same:
        return _accept(
            "equal", "The answer is the reference, its number written otherwise.", same.index(True)
        )
    return _reject(references[0]) if same and all(each is False for each in same) else None


def _rule_on_words(item: Item, form: str, references: list[Reference]) -> Ruling | None:
    plain = undress(item.question or "", item.answer) if _has_polar(references) else item.answer
    for index, reference in enumerate(references):
        if _is_polar_match(plain, reference):
            return _accept("polarity", "The answer begins with the reference's yes or no.", index)
    bare = strip_article(item.answer.strip(" .\n\t\"'"))
    capitals = bare.isupper()
    for index, reference in enumerate(references):
        if (capitals and is_acronym_of(bare, reference.bare)) or (
            reference.bare.isupper() and is_acronym_of(reference.bare, bare)
        ):
            return _accept("acronym", "The answer and the reference are an acronym and its expansion.", index)
    return _find_contained(item, form, references)


def _has_polar(references: list[Reference]) -> bool:
    return any(reference.form in POLAR for reference in references)


def _is_polar_match(answer: str, reference: Reference) -> bool:
    said = tell_polarity(answer) if reference.form in POLAR else None
    return said is not None and said is tell_word(reference.text)


def _find_contained(item: Item, form: str, references: list[Reference]) -> Ruling | None:
    padded = f" {form} "
    hits = [index for index, reference in enumerate(references) if reference.padded in padded]
    if not hits:
        return None
    asked = tuple(normalise(item.question or "").split())
    question = frozenset(asked)
    words = None
    for index in sorted(hits, key=lambda each: -len(references[each].form)):
        reference = references[index]
        if reference.is_value or not is_provable(reference, question):
            continue
        if not holds_exactly(reference.text, item.answer):
            continue
        words = words or read_words(item.answer)
        others = [references[each] for each in hits if not _overlaps(references[each], reference)]
        if (
            is_stated(reference, words, question, others)
            and not is_turned_round(reference, words, asked)
            and any(
                is_on_topic(reference, at, words, question, references)
                for at in find_mentions(reference.words, words)
            )
        ):
            return _accept("contained", "The answer states the reference.", index)
    return None


def _overlaps(first: Reference, second: Reference) -> bool:
    return first.padded in second.padded or second.padded in first.padded
