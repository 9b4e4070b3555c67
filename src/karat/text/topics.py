"""Whether what stands around a mention speaks of the question, or says nothing: what does neither may say anything about the mention."""

from collections.abc import Sequence

from karat.text.connectives import connects
from karat.text.echoes import FUNCTION_WORDS
from karat.text.forms import Reference, Values, Words
from karat.text.names import names_kind
from karat.text.normalise import normalise
from karat.text.vocabulary import list_words

_SAYING = frozenset(
    list_words(
        "question asked happened occurred took place around approximately roughly circa nearly almost over under least total"
    )
)


def is_on_topic(references: Sequence[Reference], start: int, answer: Words, question: frozenset[str]) -> bool:
    """Tell whether the words beside a mention are the question's, or only hold it: a fuller name, "the answer is".

    Words of the other references are right as well.
    """
    begin = start
    while begin and _is_name(answer, begin - 1):
        begin -= 1
    ours = {word for reference in references for word in reference.words}
    rest = [form for form in (*answer.forms[:begin], *answer.forms[start:]) if form not in ours]
    return _speaks_of(rest, question)


def is_value_on_topic(answer: Values, question: frozenset[str]) -> bool:
    """Tell the same of what stands beside the dates and quantities of an answer."""
    text = answer.text
    for each in (*(answer.dates or ()), *(answer.quantities or ())):
        text = f"{text[: each.start]}{'0' * (each.end - each.start)}{text[each.end :]}"
    return _speaks_of([form for form in normalise(text).split() if form.isalpha()], question)


def _speaks_of(rest: Sequence[str], question: frozenset[str]) -> bool:
    if any(form in question and form not in FUNCTION_WORDS for form in rest):
        return True
    return all(connects(form) or names_kind(form) or form in _SAYING or form in question for form in rest)


def _is_name(answer: Words, place: int) -> bool:
    """Tell whether a word in capitals runs into the one behind it: "President Barack" before "Obama"."""
    this, following = answer.tokens[place], answer.tokens[place + 1]
    gap = answer.text[this.end : following.start]
    return answer.text[this.start].isupper() and gap.strip(".") in ("", " ") and not connects(this.form)
