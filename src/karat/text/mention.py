"""Find where a reference is mentioned in an answer, and check that the mention is asserted, is no part of another name, and relates to the question."""

import re
from collections.abc import Sequence

from karat.core.types import Item
from karat.text.assertion import is_plainly_stated
from karat.text.hedges import find_doubt, is_in_list, is_in_pair, is_in_passing, is_slashed
from karat.text.lexicon import (
    AUXILIARIES,
    FUNCTION_WORDS,
    MODALS,
    PARTICLES,
    SELF,
    SHORT_TITLES,
    any_case,
    is_connecting,
    word_set,
)
from karat.text.names import KIND_WORDS, is_only_related, is_part_of_name
from karat.text.normal import (
    LONGEST_TEXT,
    Words,
    find_mentions,
    normalise,
    read_words,
    stem_of,
    strip_invisible,
)
from karat.text.rivals import has_other_name, repeats_frame
from karat.text.values.reference import Reference, Values, list_mentioned, mentions_any, read_references

_WEAK_WORDS = word_set(
    "yes no true false one two it he she they we i you none all both neither other same different not and or more less "
    "up down left right on off in out good bad high low big small right wrong man woman men women people person"
)
_SHORTEST_NUMBER, _FARTHEST, _MOST_MENTIONS, _SHORT_ANSWER = 3, 60, 50, 4


def is_provable(reference: Reference, question: frozenset[str]) -> bool:
    """Return whether a mention of the reference is evidence: its words are distinctive and not all from the question."""
    return is_distinctive(reference) and not all(word in question for word in reference.words)


def is_distinctive(reference: Reference) -> bool:
    """Return whether a reference is more than one word that may stand in any answer."""
    only = reference.form
    if " " in only or not only:
        return bool(only)
    return only not in _WEAK_WORDS and len(only) >= (_SHORTEST_NUMBER if only[0].isdigit() else 2)


def is_asserted(
    reference: Reference, answer: Words, question: frozenset[str], others: list[Reference]
) -> bool:
    """Return whether the answer asserts the reference: some mention is firm and none is doubted.

    Beside the `others`, which are right as well, the reference may stand in a list.
    """
    firm = False
    mentions = find_mentions(reference.words, answer)
    if len(mentions) > _MOST_MENTIONS:
        return False
    for start in mentions:
        end = start + len(reference.words)
        if not keeps_case(reference, answer, start, end):
            continue
        first, last = answer.tokens[start], answer.tokens[end - 1]
        if find_doubt(answer.text, first.start, last.end, question):
            return False
        if start < _FARTHEST and not _is_elsewhere(reference, answer, start, end, question):
            firm = firm or not is_in_list(_mask_mentions(others, answer, start), first.start, last.end)
    return firm


def _mask_mentions(others: list[Reference], answer: Words, own: int) -> str:
    """Return the answer with the mentions of other references struck out, so that they are no items of a list."""
    if not others:
        return answer.text
    letters = list(answer.text)
    for other in others:
        for start in find_mentions(other.words, answer):
            if not start <= own < start + len(other.words):
                first, last = answer.tokens[start].start, answer.tokens[start + len(other.words) - 1].end
                letters[first:last] = "x" * (last - first)
    return "".join(letters)


def keeps_case(reference: Reference, answer: Words, start: int, end: int) -> bool:
    """Return whether a mention of a short capitalised reference has a capital too: "US" is not "us"."""
    if end - start > 1 or len(reference.form) > _SHORTEST_NUMBER or not reference.text[:1].isupper():
        return True
    token = answer.tokens[start]
    return not answer.text[token.start : token.end].islower()


def _is_in_compound(
    reference: Reference, answer: Words, start: int, end: int, question: frozenset[str]
) -> bool:
    """Return whether the mention is a common noun behind a word that may form a compound with it."""
    tokens, text = answer.tokens, answer.text
    if not start or end - start > 1:
        return False
    mention, before = tokens[start], tokens[start - 1]
    said, word = text[mention.start : mention.end], text[before.start : before.end]
    if not is_common_noun(reference.text, said, question) and not may_be_other_thing(said, word, question):
        return False
    # A sentence may repeat the question's word: "mammals produce milk"; in a short answer it names the thing.
    if len(tokens) > _SHORT_ANSWER and not question.isdisjoint(
        (before.form, before.form.removesuffix("s"), f"{before.form}s")
    ):
        return False
    joined = text[before.end : mention.start] in (" ", "-") and word[:1].isalpha()
    return joined and word.lower() not in _NOT_COMPOUND_WORDS


def _is_elsewhere(
    reference: Reference, answer: Words, start: int, end: int, question: frozenset[str]
) -> bool:
    """Return whether the mention is part of another name, only related to the answer, or half of a pair."""
    tokens, text = answer.tokens, answer.text
    first, last = tokens[start], tokens[end - 1]
    if is_only_related(answer.forms, start, end, question) or is_in_pair(
        text, first.start, last.end, len(tokens)
    ):
        return True
    if is_slashed(text, first.start, last.end, len(tokens)) or repeats_frame(text, first.start, last.end):
        return True
    if has_other_name(answer, start, end, question):
        return True
    if is_in_passing(text, first.start, last.end) or _is_in_compound(reference, answer, start, end, question):
        return True
    before = tokens[start - 1] if start else None
    after = tokens[end] if end < len(tokens) else None
    return is_part_of_name(
        text[before.start : before.end] if before else "",
        text[after.start : after.end] if after else "",
        text[before.end : first.start] if before else "",
        text[last.end : after.start] if after else "",
        count=len(tokens),
        ours=question,
    )


# Compounds: a sea horse is no horse.

_NOT_COMPOUND_WORDS = word_set(
    "is was are were be been being am has have had does did do isnt in on at of to for from by with as and or that which who "
    "whom whose when where while because since during after before until also then so it its he she they this these those "
    "can will would should may must into onto about around between among through under over per via like than "
    "called named known my your his her their our some any all each every both i we you yes no answer means mean "
    "typically usually generally mainly mostly primarily commonly normally currently simply only entirely always often"
)

_PERSON_QUESTION_WORDS = word_set(
    "who whom whose person man woman actor actress singer author writer president king queen player president composer artist name"
)
_ASKS_WHO = word_set("who whom whose")
_HEAD_TITLES = word_set(
    "mount mt lake river city county state king queen president sir saint st dr mr mrs ms lord lady captain"
)


def is_common_noun(reference: str, mention: str, question: frozenset[str]) -> bool:
    """Return whether a word is written as a common noun, in the reference or in the answer.

    Where the question asks who, a capital in the reference is a person's, however carelessly the answer is written.
    """
    return reference[:1].islower() or (mention.islower() and _ASKS_WHO.isdisjoint(question))


def may_be_other_thing(mention: str, before: str, question: frozenset[str]) -> bool:
    """Return whether a capitalised word before a capitalised noun may form another name: a Teddy Bear is no Bear.

    Where the question asks who, or there is none, the word before a name is a first name or a title.
    """
    capital = mention[:1].isupper() and before[:1].isupper() and not mention.isupper()
    return (
        capital
        and bool(question)
        and _PERSON_QUESTION_WORDS.isdisjoint(question)
        and before.lower() not in _HEAD_TITLES
    )


# Contracted verbs: "Florida's not right" mentions "Florida".

# A possessive stands before a noun: "Florida's coast".
_CONTRACTED_IS = any_case(
    r"(?<=\w)['’]s(?=\s+(?:not?|never|hardly|nowhere|wrong|incorrect|false|right|correct|out|off|in|on|the|an?|my|your|our|what|who|where|it|one|just|only|also|definitely|certainly|clearly|probably|possibly|likely|been|being)\b)"
)


def read_words_expanded(references: list[Reference], answer: str) -> Words:
    """Read the words of an answer; a contracted "is" is written out if only so a reference is mentioned."""
    words = read_words(answer)
    if not _CONTRACTED_IS.search(answer) or mentions_any(references, words):
        return words
    apart = read_words(_CONTRACTED_IS.sub(" is", answer))
    return apart if mentions_any(references, apart) else words


# A capital behind these need not be that of a name.
_OPENING_REACH = 8
_OPENS = re.compile(r"(?:^|[.!?:\n\"“*(])\s*$")


def find_mentioned_reference(item: Item) -> int | None:
    """Return the place of the first reference that the answer mentions beside other words."""
    references = read_references(item.references)
    answer = read_words_expanded(references, strip_invisible(item.answer))
    held = [each for each in list_mentioned(references, answer) if len(answer.forms) > len(each.words)]
    return next((place for place, each in enumerate(references) if each in held), None)


def names_something_else(item: Item) -> bool:
    """Return whether the answer has a figure or a name that is neither in the question nor in a reference."""
    answer = read_words(strip_invisible(item.answer))
    known = set(normalise(" ".join([item.question or "", *item.references])).split())
    return any(
        token.form not in known
        and token.form not in SELF
        and (
            any(map(str.isdigit, token.form))
            or (
                answer.text[token.start].isupper()
                and not _OPENS.search(answer.text[max(0, token.start - _OPENING_REACH) : token.start])
            )
        )
        for token in answer.tokens
    )


# Whether the words around a mention relate to the question.

_SAYING_WORDS = word_set(
    "question asked happened occurred took place sure result number count date year exactly precisely equals thus hence therefore boxed total around approximately roughly circa ca approx "
    "nearly almost over under least early late mid during monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter"
)
# Words that are frequent in any talk: they count only where the question has no other.
_LIGHT_WORDS = word_set(
    "come comes came coming go goes going went gone out off up new old get gets got take takes took long far much"
)
_COMPOUND = 5
_ABBREVIATION = re.compile(r"\b[A-Z]{3,6}\b")
_SMALL_QUESTION_WORDS = FUNCTION_WORDS | word_set(
    "he she they him her them his hers their i me my we us our you your first second third last one two three many most some any all other others same before after then only"
)


def list_question_words(question: str, answer: Words) -> frozenset[str]:
    """Return the words of a question, and of its abbreviations as the answer spells them out: CFO, Chief Financial Officer."""
    asked = frozenset(normalise(question).split())
    short = {found.lower() for found in _ABBREVIATION.findall(question)}
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
    """Return whether the words beside a mention are from the question, or add nothing: a fuller name, "the answer is".

    Words of the other references are right as well.
    """
    begin = start
    while begin and (step := _count_name_before(answer, begin)):
        begin -= step
    rest = [*answer.forms[:begin], *answer.forms[start + len(reference.words) :]]
    return _relates_to_question(rest, question, (reference, *others))


def is_value_on_topic(answer: Values, question: frozenset[str], references: Sequence[Reference]) -> bool:
    """Return the same for the words beside the dates and quantities of an answer."""
    text = answer.text
    for each in (*(answer.dates or ()), *(answer.quantities or ())):
        text = f"{text[: each.start]}{'0' * (each.end - each.start)}{text[each.end :]}"
    return _relates_to_question(normalise(text).split(), question, references)


def _relates_to_question(
    rest: Sequence[str], question: frozenset[str], references: Sequence[Reference]
) -> bool:
    telling = [form for form in question if form not in _SMALL_QUESTION_WORDS]
    asked = {stem_of(form) for form in telling if form not in _LIGHT_WORDS} or set(map(stem_of, telling))
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
    harmless = ours | question | KIND_WORDS | _SAYING_WORDS
    return all(
        form in harmless or is_connecting(form) or len(form) == 1 or not form.isalpha() for form in rest
    )


def _count_name_before(answer: Words, place: int) -> int:
    """Return how many words before a place belong to the same name: "President", "Ludwig van"."""
    if _runs_into_name(answer, place - 1):
        return 1
    particle = place > 1 and answer.forms[place - 1] in PARTICLES and _runs_into_name(answer, place - 2)
    return 2 if particle else 0


def _runs_into_name(answer: Words, place: int) -> bool:
    """Return whether a capitalised word and the next one are one name; a dot may follow initials and titles."""
    this, following = answer.tokens[place], answer.tokens[place + 1]
    word, gap = answer.text[this.start : this.end], answer.text[this.end : following.start]
    if not word[:1].isupper() or is_connecting(this.form) or word.endswith("ing"):
        return False
    return gap in (" ", "") or (gap in (". ", ".") and (len(word) == 1 or this.form in SHORT_TITLES))


# Mentions off topic: the sentence has no word of the question.

_LEAST_TALK = 3
# An explanation need not repeat the question, and a reference that is a statement is its own topic.
_ASKS_WHY = word_set("why explain")
_STATES = AUXILIARIES | (MODALS - {"may"}) | word_set("cannot not because")
_END_MARKS = " .!"
_MARKS = (",", ";", ":", "/", "(", "?", ". ")
_LONGEST_NAME = 8


def is_off_topic(item: Item) -> bool:
    """Return whether every mention of a reference is in talk without a word of the question that does not plainly state it."""
    if len(item.answer) > LONGEST_TEXT:
        return False
    references = read_references(item.references)
    answer = read_words_expanded(references, strip_invisible(item.answer))
    asked = list_question_words(item.question or "", answer)
    if not asked or not asked.isdisjoint(_ASKS_WHY):
        return False
    mentions = [
        (reference, start)
        for reference in list_mentioned(references, answer)
        for start in find_mentions(reference.words, answer)
    ]
    return bool(mentions) and not any(
        len(answer.forms) - len(reference.words) < _LEAST_TALK
        or not _STATES.isdisjoint(reference.words)
        or _is_one_name(answer)
        or is_plainly_stated(answer, start, start + len(reference.words))
        or is_on_topic(reference, start, answer, asked, references)
        for reference, start in mentions
    )


def asks_for_name(item: Item) -> bool:
    """Return whether naming the reference answers the question: no explanation is asked for, and no reference is a statement."""
    asked = normalise(item.question or "").split()
    return _ASKS_WHY.isdisjoint(asked) and all(
        _STATES.isdisjoint(reference.words) for reference in read_references(item.references)
    )


def _is_one_name(answer: Words) -> bool:
    """Return whether the answer is one name from end to end: "Michelangelo di Lodovico Buonarroti Simoni"."""
    return (
        len(answer.forms) <= _LONGEST_NAME
        and all(answer.text[token.start].isupper() or token.form in PARTICLES for token in answer.tokens)
        and not any(mark in answer.text.strip(_END_MARKS) for mark in _MARKS)
    )
