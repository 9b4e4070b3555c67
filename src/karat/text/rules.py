"""Sure rules, which accept or reject an answer, and objections to an answer that contains the reference."""

import re
from functools import lru_cache

from karat.core.types import Item
from karat.text.assertion import has_swapped_role, is_denied, is_only_compared
from karat.text.canonical import unify_currencies
from karat.text.gate.gate import Ruling, is_question_again
from karat.text.hedges import announces_other_answer, find_doubt, is_feature_hedge, strip_item_numbers
from karat.text.lexicon import GUESSES, HEDGES, any_case, any_of, asks_when
from karat.text.maths.compare import (
    ExpressionComparison,
    compare_expression,
    holds_exactly,
    is_same_symbol,
    is_symbolic,
    marks_final_expression,
)
from karat.text.mention import (
    is_asserted,
    is_on_topic,
    is_provable,
    is_value_on_topic,
    list_question_words,
    names_something_else,
    read_words_expanded,
)
from karat.text.names import compare_numbered
from karat.text.normal import (
    Words,
    find_mentions,
    normalise,
    read_words,
    strip_announcement,
    strip_invisible,
)
from karat.text.rivals import (
    LISTS_SEVERAL,
    OFFERS_CHOICE,
    find_rivals,
    is_one_of_several_lines,
    is_one_of_several_phrases,
    repeats_frame,
)
from karat.text.specificity import contradicts_fuller_date, has_other_item, is_less_specific
from karat.text.unwrap.unwrap import strip_politeness
from karat.text.values.compare import values_agree, values_conflict
from karat.text.values.conflicts import has_other_sign
from karat.text.values.reference import Reference, list_mentioned, read_references, read_values
from karat.text.values.stated_figures import classify_figure, has_several_figures
from karat.text.yes_no import (
    YES_NO_WORDS,
    find_wanted_yes_no,
    is_lesser_side,
    read_leading_yes_no,
    read_restated_yes_no,
    read_yes_no,
    restates_question,
)

_LONGEST_ANSWER = 1000


def find_objection(item: Item, *, listing: bool = True) -> str | None:
    """Return why an answer that contains a reference should not be accepted, or None.

    `listing` says whether it is an objection that the reference is one of several listed answers.
    """
    if len(item.answer) > _LONGEST_ANSWER:
        return None
    question, answer = item.question or "", strip_invisible(item.answer)
    references = read_references(item.references)
    words = read_words_expanded(references, answer)
    if any(reference.words == words.forms for reference in references):
        return None
    return (
        _object_to_whole(question, references, answer)
        or _object_to_rivals(question, references, answer, listing=listing)
        or _object_to_mentions(item, references, words)
    )


def _object_to_whole(question: str, references: list[Reference], answer: str) -> str | None:
    """Return an objection to the answer as a whole: it repeats the question, is less specific, or has another date or item."""
    if is_question_again(normalise(question), normalise(answer)) and not any(
        reference.form in YES_NO_WORDS for reference in references
    ):
        return "it only repeats the question"
    if is_less_specific(references, answer, question):
        return "it is less specific"
    if contradicts_fuller_date(references, answer):
        return "it gives another date"
    return "an item of its list differs" if has_other_item(references, answer) else None


_LONGEST_GUESS = 240
_ALTERNATIVE = any_case(
    rf"\b(?:unless (?:it|that|this) (?:is|was)|or else|(?:might|may|could) (?:just |equally )?(?:as well|well|equally) (?:be|have been)|(?:might|may|could) also be(?! \w+ed\b)|is also possible|or (?:{any_of(GUESSES)}))\b|, (?:{any_of(GUESSES)}) \w"
)


def _object_to_rivals(
    question: str, references: list[Reference], answer: str, *, listing: bool
) -> str | None:
    """Return how the answer offers other answers beside the reference."""
    asked, listed = normalise(question), strip_item_numbers(answer)
    if not any("/" in reference.text for reference in references):
        listed = listed.replace("/", " / ")
    if listing and (
        is_one_of_several_lines(references, listed, asked)
        or is_one_of_several_phrases(references, listed, asked)
    ):
        return LISTS_SEVERAL
    other = _ALTERNATIVE.search(answer) if len(answer) <= _LONGEST_GUESS else None
    if other and not any(
        other[0].lower() in given.lower() for given in (question, *(each.text for each in references))
    ):
        rivals = OFFERS_CHOICE
    else:
        words = read_words(listed)
        rivals = find_rivals(references, words, list_question_words(question, words))
    if rivals == OFFERS_CHOICE and _gives_figure(question, references, answer):
        return None
    return rivals if listing or rivals != LISTS_SEVERAL else None


def _gives_figure(question: str, references: list[Reference], answer: str) -> bool:
    """Return whether an answer comes to the figure of a reference: a slash or an "or" in its computation is no choice."""
    return any(
        reference.valued and classify_figure(reference.text, answer, question) == "same"
        for reference in references
    )


def _object_to_mentions(item: Item, references: list[Reference], answer: Words) -> str | None:
    """Return the first reason against a mention where there is one against each; a mention inside a longer one is left out."""
    spans = {
        (start, start + len(reference.words))
        for reference in list_mentioned(references, answer)
        for start in find_mentions(reference.words, answer)
    }
    whole = [
        (start, end)
        for start, end in sorted(spans)
        if not any(first <= start and end <= last and (first, last) != (start, end) for first, last in spans)
    ]
    reasons = (_object_to_mention(item, answer, start, end) for start, end in whole)
    first = next(reasons, None)
    return first if first and all(reasons) else None


def _object_to_mention(item: Item, answer: Words, start: int, end: int) -> str | None:
    """Return why one mention does not count as the answer."""
    asked = tuple(normalise(item.question or "").split())
    text, (first, last) = answer.text, answer.place(start, end)
    if (
        announces_other_answer(text, first, last)
        or is_only_compared(text, first)
        or is_lesser_side(text, first, asked)
        or _is_conceded(item, text, first, last)
        or repeats_frame(text, first, last)
    ):
        return "it gives another answer"
    if has_swapped_role(answer.forms, start, end, asked):
        return "it swaps the roles"
    if is_denied(answer, start, end, asked):
        return "it denies the answer"
    return (
        "it takes the answer back"
        if find_doubt(text, first, last, frozenset(asked)) == "taken back"
        else None
    )


_CONCESSION = any_case(
    r"\b(?:(?:while|whilst|although|though|even if|whereas)\b[^.;!?\n]*?,|(?:many|most|some|people|others|everyone|they)\b[^.;!?\n]{0,40}?\b(?:say|think|guess|believe|assume|answer|claim|suppose|expect)\b[^.;!?\n]*?\bbut\b)(?P<main>[^.;!?\n]+)"
)


def _is_conceded(item: Item, text: str, start: int, end: int) -> bool:
    """Return whether the main clause behind the mention's own names something else: "Many would say X, but it is Y"."""
    return any(
        found.start() <= start
        and end <= found.start("main")
        # Behind a comma a capital is that of a name.
        and names_something_else(Item(item.question, item.references, f", {found['main']}"))
        for found in _CONCESSION.finditer(text)
    )


# First and second person: in talk about the speaker the reference may be anything but the answer.

# An "I" behind a name is a number: World War I.
_PERSONAL_PRONOUN = re.compile(
    r"(?:^|[^\w\s-]\s*|\b[a-z][\w']*\s+)I\b(?!\.)|\b(?:[Mm]y|[Mm]e|[Yy]ou|[Yy]our)\b|(?<![\w`'$-])i(?=\s|'(?:m|d|ll|ve)\b)"
)
# What the long expression finds has one of these words; a search for first letters is fast.
_PRONOUN_HINT = re.compile(r"[IMYimy](?<!\w.)(?:e|y|our?)?(?!\w)")
_SPOKEN_WORD = re.compile(r"\w+")
_LONGEST_PERSONAL = 400


def uses_personal_pronoun(item: Item) -> bool:
    """Return whether a brief answer, without its politeness, has a pronoun like "me" or "you" that neither question nor references have."""
    if (
        len(item.answer) > _LONGEST_PERSONAL
        or not _PRONOUN_HINT.search(item.answer)
        or not _PERSONAL_PRONOUN.search(item.answer)
    ):
        return False
    known = set(_SPOKEN_WORD.findall(" ".join([item.question or "", *item.references]).lower()))
    said = _PERSONAL_PRONOUN.findall(strip_politeness(item.question or "", item.answer))
    return any(_SPOKEN_WORD.findall(words.lower())[-1] not in known for words in said)


RULES_VERSION = "15"

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
    longest = max(map(len, item.references), default=0)
    if len(answer) > max(_LONGEST, 4 * longest + 1000):
        return None
    form, references = normalise(answer), read_references(item.references)
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
    """Return the item with currencies and hedges written as the network's features know them: their word lists may not change."""
    item = unify_currencies(item)
    answer = _UNKNOWN_HEDGE.sub(_KNOWN_HEDGE, item.answer)
    return item if answer == item.answer else Item(item.question, item.references, answer)


def _rule_on_expression(
    item: Item, references: list[Reference], worth: ExpressionComparison
) -> Ruling | None:
    """Compare the value of the answer's final expression with the references."""
    marked, final = marks_final_expression(item.answer), worth.final.text
    equal = _find_equal(final, normalise(final), references) if marked else None
    if equal is not None:
        return _accept("equal", "The result of the answer is the reference.", equal)
    if True in worth.same:
        return _accept("number", "The answer has the same value as the reference.", worth.same.index(True))
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
    """Return whether something speaks against an accept: another sign, talk about the speaker, or an objection; yes and no have rules of their own."""
    if ruling.name == "polarity":
        return False
    if ruling.name in _VALUE_RULES and all(
        has_other_sign(reference, item.answer, item.question or "") for reference in item.references
    ):
        return True
    return (ruling.name in _MENTION_RULES and uses_personal_pronoun(item)) or find_objection(item) is not None


def _accept(name: str, reason: str, reference: int) -> Ruling:
    return Ruling(accept=True, name=name, reason=reason, reference=reference)


def _find_equal(answer: str, form: str, references: list[Reference]) -> int | None:
    """Return the place of the reference that the answer is: one of the same text, else of the same form, else of the same letters."""
    bare = strip_announcement(form)
    compact = _compact(bare)
    alike = [
        (reference.text.strip() != answer.strip(), reference.form != form, index)
        for index, reference in enumerate(references)
        if reference.form in (form, bare) or (compact and compact == _compact(reference.form))
    ]
    for *_, index in sorted(alike):
        text = references[index].text
        # In formulas also what the form leaves out counts: signs and capitals.
        if not (is_symbolic(text) or is_symbolic(answer)) or is_same_symbol(text, answer):
            return index
    return None


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
    """Decide where a reference is a figure: reject other figures, accept a computation with its result; one figure alone is compared as a value."""
    if not any(reference.valued for reference in references) or any(
        reference.date for reference in references
    ):
        return None
    found = [
        classify_figure(reference.text, item.answer, item.question or "")
        if reference.valued or not reference.text.isascii()
        else None
        for reference in references
    ]
    question = frozenset(normalise(item.question or "").split())
    if "same" in found and has_several_figures(item.answer):
        on_topic = is_value_on_topic(read_values(item.answer), question, references)
        place = found.index("same")
        return (
            _accept("figure", "The result of the answer is the reference's number.", place)
            if on_topic
            else None
        )
    return _reject(references[0], item.question) if found and all(each == "other" for each in found) else None


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
    """Decide where answer and reference are the same but for a number: "Season 6" and "season six" are equal; values have a rule of their own."""
    words = strip_announcement(form).split()
    same = [
        None if reference.is_value else compare_numbered(reference.words, words) for reference in references
    ]
    if True in same:
        return _accept(
            "equal", "The answer is the reference, with its number in another form.", same.index(True)
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
