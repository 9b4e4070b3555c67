"""The sure rules, in order: accept what is surely the reference, reject what surely conflicts with it."""

from functools import lru_cache

from karat.core.types import Item
from karat.text.canonical import unify_currencies
from karat.text.gate.gate import Ruling
from karat.text.hedges import is_feature_hedge
from karat.text.lexicon import HEDGES, any_case, any_of, asks_when
from karat.text.maths.compare import (
    ExpressionComparison,
    compare_expression,
    holds_exactly,
    is_same_symbol,
    is_symbolic,
    marks_final_expression,
)
from karat.text.mention import is_asserted, is_on_topic, is_provable, is_value_on_topic
from karat.text.names import compare_numbered
from karat.text.normal import find_mentions, normalise, read_words, strip_announcement, strip_invisible
from karat.text.objections import find_objection, uses_personal_pronoun
from karat.text.unwrap.unwrap import strip_politeness
from karat.text.values.compare import values_agree, values_conflict
from karat.text.values.conflicts import has_other_sign
from karat.text.values.reference import Reference, read_references, read_values
from karat.text.values.stated_figures import classify_figure, has_several_figures
from karat.text.yes_no import (
    YES_NO_WORDS,
    find_wanted_yes_no,
    read_leading_yes_no,
    read_restated_yes_no,
    read_yes_no,
    restates_question,
)

RULES_VERSION = "14"

_LONGEST = 20_000
_KNOWN_HEDGE = "possibly"
_UNKNOWN_HEDGE = any_case(rf"\b(?:{any_of(word for word in HEDGES if not is_feature_hedge(word))})\b")
_MENTION_RULES = frozenset({"contained", "date", "number", "figure"})
"""Rules that find the reference among other words."""
_VALUE_RULES = frozenset({"number", "figure"})


def apply_rules(item: Item) -> Ruling | None:
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
    if len(answer) > _LONGEST or not form:
        return None
    item = _read_alike(item)
    answer, form, references = item.answer, normalise(item.answer), read_references(item.references)
    worth = compare_expression(item, references)
    if worth is not None:
        derived = _rule_on_expression(item, references, worth)
        if derived is not None or worth.open:
            return derived
        if marks_final_expression(answer):
            item = Item(item.question, item.references, worth.final.text)
            form = normalise(worth.final.text)
    ruling = (
        _rule_on_yes_no(item)
        or _rule_on_figures(item, references)
        or _rule_on_values(item, references)
        or _rule_on_numbered(item, form, references)
        or _rule_on_words(item, form, references)
    )
    return None if ruling is not None and ruling.accept and _has_objection(item, ruling) else ruling


def _read_alike(item: Item) -> Item:
    """Return the item with currencies and hedges written as the readers of features know them: those must not learn new words."""
    item = unify_currencies(item)
    answer = _UNKNOWN_HEDGE.sub(_KNOWN_HEDGE, item.answer)
    return item if answer == item.answer else Item(item.question, item.references, answer)


def _rule_on_expression(
    item: Item, references: list[Reference], worth: ExpressionComparison
) -> Ruling | None:
    """Decide what an answer comes to by what it is worth."""
    marked, final = marks_final_expression(item.answer), worth.final.text
    equal = _find_equal(final, normalise(final), references) if marked else None
    if equal is not None:
        return _accept("equal", "The answer comes to the reference.", equal)
    if True in worth.same:
        return _accept("number", "The answer is worth what the reference is.", worth.same.index(True))
    return _reject(references[0], item.question) if all(each is False for each in worth.same) else None


def _rule_on_yes_no(item: Item) -> Ruling | None:
    """Decide yes-or-no questions whose references begin with the word: the other word is another answer."""
    question = item.question or ""
    wanted = find_wanted_yes_no(question, item.references)
    if wanted is None:
        return None
    plain = strip_politeness(question, item.answer)
    restated = read_restated_yes_no(question, plain)
    said = read_yes_no(plain) if restated is None else restated
    if said is None:
        return None
    if said is not wanted:
        return Ruling(
            accept=False, name="polarity_conflict", reason="The answer says the opposite of the reference."
        )
    if restated is not None or restates_question(question, plain):
        return _accept("polarity", "The answer is the reference's yes or no.", 0)
    return None


def _has_objection(item: Item, ruling: Ruling) -> bool:
    """Return whether an answer that mentions the reference says something against it or about its speaker; yes and no have rules of their own."""
    if ruling.name == "polarity":
        return False
    if ruling.name in _VALUE_RULES and all(
        has_other_sign(reference, item.answer, item.question or "") for reference in item.references
    ):
        return True
    return (ruling.name in _MENTION_RULES and uses_personal_pronoun(item)) or find_objection(item) is not None


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
        if _is_same_beyond_form(references[index].text, answer):
            return index
    bare = strip_announcement(form)
    compact = _compact(bare)
    for index, reference in enumerate(references):
        same = reference.form == bare or (compact and compact == _compact(reference.form))
        if same and _is_same_beyond_form(reference.text, answer):
            return index
    return None


def _is_same_beyond_form(reference: str, answer: str) -> bool:
    """Return whether texts of one form are the same in what the form leaves out: signs, capitals, a question mark."""
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
        if on_topic and values_agree(reference, answer, question):
            if reference.quantity is None:
                return _accept("date", "The answer states the reference's date.", index)
            return _accept("number", "The answer states the reference's number.", index)
    if all(
        values_conflict(reference, answer, question)
        and classify_figure(reference.text, item.answer, question.text) in {None, "other"}
        for reference in references
    ):
        return _reject(references[0], item.question)
    return None


def _rule_on_figures(item: Item, references: list[Reference]) -> Ruling | None:
    """Decide where a reference is a figure: reject what gives only others, accept what comes to it by several; to accept one alone is a matter of values."""
    if not any(reference.valued for reference in references) or any(
        reference.date for reference in references
    ):
        return None
    told = [
        classify_figure(reference.text, item.answer, item.question or "")
        if reference.valued or not reference.text.isascii()
        else None
        for reference in references
    ]
    question = frozenset(normalise(item.question or "").split())
    if "same" in told and has_several_figures(item.answer):
        on_topic = is_value_on_topic(read_values(item.answer), question, references)
        place = told.index("same")
        return _accept("figure", "The answer comes to the reference's number.", place) if on_topic else None
    return _reject(references[0], item.question) if told and all(each == "other" for each in told) else None


def _reject(reference: Reference, question: str | None) -> Ruling:
    """Reject for another date or another number; a year where no time is asked for is a number."""
    bare_year = reference.date is not None and reference.date.month is None
    dated = reference.date is not None or reference.period is not None
    if dated and not (bare_year and question and not asks_when(question)):
        return Ruling(
            accept=False, name="date_conflict", reason="The answer gives another date than the reference."
        )
    return Ruling(
        accept=False, name="number_conflict", reason="The answer gives another number than the reference."
    )


def _rule_on_numbered(item: Item, form: str, references: list[Reference]) -> Ruling | None:
    """Decide where a name with a number in it differs from the answer in how the number is written, or in the number; values are looked at elsewhere."""
    words = strip_announcement(form).split()
    same = [
        None if reference.is_value else compare_numbered(reference.words, words) for reference in references
    ]
    if True in same:
        return _accept(
            "equal", "The answer is the reference, its number written otherwise.", same.index(True)
        )
    return _reject(references[0], item.question) if same and all(each is False for each in same) else None


def _rule_on_words(item: Item, form: str, references: list[Reference]) -> Ruling | None:
    for index, reference in enumerate(references):
        if reference.form not in YES_NO_WORDS:
            continue
        said = read_yes_no(strip_politeness(item.question or "", item.answer))
        if said is not None and said is read_leading_yes_no(reference.text):
            return _accept("polarity", "The answer begins with the reference's yes or no.", index)
    return _find_contained(item, form, references)


def _find_contained(item: Item, form: str, references: list[Reference]) -> Ruling | None:
    padded = f" {form} "
    hits = [index for index, reference in enumerate(references) if reference.padded in padded]
    if not hits:
        return None
    question = frozenset(normalise(item.question or "").split())
    words = None
    for index in sorted(hits, key=lambda each: -len(references[each].form)):
        reference = references[index]
        if reference.is_value or not is_provable(reference, question):
            continue
        if not holds_exactly(reference.text, item.answer):
            continue
        words = words or read_words(item.answer)
        others = [
            references[each]
            for each in hits
            if reference.padded not in references[each].padded
            and references[each].padded not in reference.padded
        ]
        if is_asserted(reference, words, question, others) and any(
            is_on_topic(reference, at, words, question, references)
            for at in find_mentions(reference.words, words)
        ):
            return _accept("contained", "The answer states the reference.", index)
    return None
