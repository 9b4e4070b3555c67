"""Whether what stands around a mention speaks of the question, or says nothing: what does neither may say anything about the mention."""

import re
from collections.abc import Sequence

from karat.text.connectives import connects
from karat.text.echoes import FUNCTION_WORDS
from karat.text.forms import Reference, Values, Words
from karat.text.names import names_kind
from karat.text.normalise import normalise
from karat.text.stems import stem_of
from karat.text.vocabulary import list_words

_SAYING = frozenset(
    list_words(
        "question asked happened occurred took place sure result number count date year exactly precisely equals thus hence therefore boxed total around approximately roughly circa ca approx "
        "nearly almost over under least early late mid during monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter"
    )
)
PARTICLES = frozenset(list_words("van von der den de la le da di du del della bin ibn al el"))
# Words that talk has as well as questions: they tell only where a question has no other.
_LIGHT = frozenset(
    list_words(
        "come comes came coming go goes going went gone out off up new old get gets got take takes took long far much"
    )
)
_COMPOUND = 5
_SHORT = re.compile(r"\b[A-Z]{3,6}\b")
_TITLES = frozenset(list_words("mr mrs ms dr st sgt gen col capt lt prof rev hon pres gov sen"))
_SMALL = FUNCTION_WORDS | frozenset(
    list_words(
        "he she they him her them his hers their i me my we us our you your first second third last one two three many most some any all other others same before after then only"
    )
)


def list_asked(question: str, answer: Words) -> frozenset[str]:
    """Return the words of a question, and those with which the answer spells its abbreviations out: CFO, Chief Financial Officer."""
    asked = frozenset(normalise(question).split())
    short = {found.lower() for found in _SHORT.findall(question)}
    if not short:
        return asked
    initials = "".join(form[0] for form in answer.forms)
    spelt = [
        answer.forms[place : place + len(each)]
        for each in short
        for place in range(len(initials))
        if initials.startswith(each, place)
    ]
    return asked.union(*spelt)


def is_on_topic(
    reference: Reference,
    start: int,
    answer: Words,
    question: frozenset[str],
    others: Sequence[Reference] = (),
) -> bool:
    """Tell whether the words beside a mention are the question's, or only hold it: a fuller name, "the answer is".

    Words of the other references are right as well.
    """
    begin = start
    while begin and (step := _name_before(answer, begin)):
        begin -= step
    rest = [*answer.forms[:begin], *answer.forms[start + len(reference.words) :]]
    return _speaks_of(rest, question, (reference, *others))


def is_value_on_topic(answer: Values, question: frozenset[str], references: Sequence[Reference]) -> bool:
    """Tell the same of what stands beside the dates and quantities of an answer."""
    text = answer.text
    for each in (*(answer.dates or ()), *(answer.quantities or ())):
        text = f"{text[: each.start]}{'0' * (each.end - each.start)}{text[each.end :]}"
    return _speaks_of(normalise(text).split(), question, references)


def _speaks_of(rest: Sequence[str], question: frozenset[str], references: Sequence[Reference]) -> bool:
    telling = [form for form in question if form not in _SMALL]
    asked = {stem_of(form) for form in telling if form not in _LIGHT} or set(map(stem_of, telling))
    if any(stem_of(form) in asked for form in rest):
        return True
    if any(
        form.endswith(word) or word.endswith(form)
        for form in rest
        if len(form) >= _COMPOUND
        for word in asked
        if len(word) >= _COMPOUND
    ):
        return True
    ours = {word for reference in references for word in reference.words}
    return all(_is_plain(form) or form in ours or form in question for form in rest)


def _is_plain(form: str) -> bool:
    return connects(form) or names_kind(form) or form in _SAYING or len(form) == 1 or not form.isalpha()


def _name_before(answer: Words, place: int) -> int:
    """How many words before a place run into it as one name: "President", "Ludwig van"."""
    if _is_name(answer, place - 1):
        return 1
    particle = place > 1 and answer.forms[place - 1] in PARTICLES and _is_name(answer, place - 2)
    return 2 if particle else 0


def _is_name(answer: Words, place: int) -> bool:
    """Tell whether a word in capitals runs into the one behind it; a dot belongs to initials and titles."""
    this, following = answer.tokens[place], answer.tokens[place + 1]
    word, gap = answer.text[this.start : this.end], answer.text[this.end : following.start]
    if not word[:1].isupper() or connects(this.form) or word.endswith("ing"):
        return False
    return gap in (" ", "") or (gap in (". ", ".") and (len(word) == 1 or this.form in _TITLES))
