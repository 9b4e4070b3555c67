"""Find what speaks against an answer that mentions a reference: it denies it, takes it back, or gives something else."""

import re
from collections.abc import Iterable

from karat.core.types import Item
from karat.text.assertion import has_swapped_role, is_denied, is_lesser_side, is_only_compared
from karat.text.gate.gate import is_question_again
from karat.text.hedges import announces_other_answer, are_list_items, find_doubt, strip_item_numbers
from karat.text.lexicon import is_connecting, list_words
from karat.text.maths.compare import differs_in_signs
from karat.text.mention import list_question_words, read_words_expanded
from karat.text.normal import Words, find_mentions, fold, normalise, read_words, stem_of, strip_invisible
from karat.text.rivals import (
    LISTS_SEVERAL,
    NAMES_ANOTHER,
    OFFERS_CHOICE,
    find_rivals,
    is_one_of_several_lines,
    is_one_of_several_phrases,
    repeats_frame,
)
from karat.text.specificity import contradicts_exacter_reference, has_other_item, is_less_specific
from karat.text.unwrap.unwrap import strip_politeness
from karat.text.values.dates import read_date
from karat.text.values.reference import Reference, list_mentioned, read_references, read_values
from karat.text.values.stated_figures import classify_figure
from karat.text.yes_no import YES_NO_WORDS

# Answers that hold a reference and that no judge should accept for it: it stands beside others, or is taken
# back.

_LONGEST_ANSWER = 1000
_BRIEF = 10
_SIDES = re.compile(r"[/|]|[oO](?<!\w.)[rR]\b")
_DATE = re.compile(r"(?<!\d)\d{1,4}/\d{1,2}/\d{1,4}(?!\d)")
_LATIN = re.compile(r"[A-Za-z0-9]")
_WHERE = re.compile(r"\W*where\b", re.IGNORECASE)
_HAS_VERB = re.compile(r"\b(?:is|was|are|were|be|has|had|have|did|does|do)\b", re.IGNORECASE)


def find_objection(item: Item, *, naming: bool = True) -> str | None:
    """Say why an answer that holds a reference does not stand for it; None where nothing is held against it.

    With `naming` it counts as well that something else is named beside the reference, though nothing is said for it.
    """
    if len(item.answer) > _LONGEST_ANSWER:
        return None
    question, answer = item.question or "", strip_invisible(item.answer)
    references = read_references(item.references)
    words = read_words_expanded(references, answer)
    if any(reference.words == words.forms for reference in references):
        return None
    return (
        _find_fault(question, references, answer)
        or _object_to_talk(question, references, answer, naming=naming)
        or _object_to_mentions(question, references, words)
    )


def _find_fault(question: str, references: list[Reference], answer: str) -> str | None:
    """Say what the answer as a whole has against it."""
    if _is_foreign(references, answer):
        return "it is written in another script"
    if is_question_again(normalise(question), normalise(answer)) and not any(
        reference.form in YES_NO_WORDS for reference in references
    ):
        return "it says only the question again"
    if references and all(differs_in_signs(reference.text, answer) for reference in references):
        return "its signs differ"
    if is_less_specific(references, answer, question):
        return "it is less specific"
    return _object_to_values(question, references, answer)


def _object_to_values(question: str, references: list[Reference], answer: str) -> str | None:
    """Say what is wrong with the answer's values and items."""
    if _WHERE.match(question) and read_date(fold(answer)) and not all(each.date for each in references):
        return "it gives a date where a place is asked for"
    if contradicts_exacter_reference(references, answer, question):
        return "it contradicts a fuller reference"
    return "one of its items is another" if has_other_item(references, answer) else None


def _object_to_talk(question: str, references: list[Reference], answer: str, *, naming: bool) -> str | None:
    """Say how the answer takes back what it gives, or gives more than one answer; several that are right are one."""
    if has_retraction(answer, question, (reference.text for reference in references)):
        return "it takes the answer back"
    if _has_other_dates(answer, question, references):
        return "it gives several dates"
    if _holds_several(question, references, answer):
        return None
    company = _object_to_rivals(question, references, answer, naming=naming)
    return None if company == OFFERS_CHOICE and _gives_figure(question, references, answer) else company


def _gives_figure(question: str, references: list[Reference], answer: str) -> bool:
    """Tell whether an answer comes to the figure that a reference is: a stroke or an "or" of its computation offers nothing."""
    return any(
        reference.valued and classify_figure(reference.text, answer, question) == "same"
        for reference in references
    )


def _object_to_rivals(question: str, references: list[Reference], answer: str, *, naming: bool) -> str | None:
    """Say how the reference stands beside other answers."""
    asked, listed = normalise(question), strip_item_numbers(answer)
    if not any("/" in reference.text for reference in references):
        listed = listed.replace("/", " / ")
    if naming and (
        is_one_of_several_lines(references, listed, asked)
        or is_one_of_several_phrases(references, listed, asked)
    ):
        return LISTS_SEVERAL
    opening = find_alternative_phrase(read_words(answer).known, answer)
    if opening is not None and not any(
        opening in given.lower() for given in (question, *(reference.text for reference in references))
    ):
        return OFFERS_CHOICE
    if _is_one_side(references, answer, asked):
        return OFFERS_CHOICE
    words = read_words(listed)
    company = find_rivals(references, words, list_question_words(question, words))
    return company if naming or company not in (LISTS_SEVERAL, NAMES_ANOTHER) else None


def _holds_several(question: str, references: list[Reference], answer: str) -> bool:
    """Tell whether an answer holds two references that share no word, and nothing else: several things are right, and it gives more than one."""
    words = read_words(answer)
    held = [reference for reference in list_mentioned(references, words) if not reference.is_value]
    if not any(set(one.words).isdisjoint(other.words) for one in held for other in held):
        return False
    known = {stem_of(form) for reference in held for form in reference.words}
    known.update(map(stem_of, normalise(question).split()))
    return all(stem_of(form) in known or is_connecting(form) for form in words.forms)


def _is_one_side(references: list[Reference], answer: str, asked: str) -> bool:
    """Tell whether a reference stands alone on one side of a stroke or an "or" and something else on the other: "Canberra/Sydney".

    In a sentence that speaks of the question the other side is more often another name of the same.
    """
    if _SIDES.search(answer) is None:
        return False
    sides = [form for form in map(normalise, _SIDES.split(_DATE.sub(" ", answer))) if form]
    known = {reference.form for reference in references}
    others = {word for side in sides if side not in known for word in side.split()}
    telling = {word for word in asked.split() if not is_connecting(word)}
    return bool(others) and not known.isdisjoint(sides) and others.isdisjoint(telling)


def _is_foreign(references: list[Reference], answer: str) -> bool:
    """Tell whether no letter or figure of the answer is of the alphabet in which the references are written."""
    if answer.isascii() or _LATIN.search(fold(answer)):
        return False
    return bool(references) and all(_LATIN.search(reference.text) for reference in references)


def _object_to_mentions(question: str, references: list[Reference], answer: Words) -> str | None:
    """Say what speaks against all mentions of a reference; one that nothing speaks against suffices, but a part of a longer one is none."""
    asked = tuple(normalise(question).split())
    spans = {
        (start, start + len(reference.words))
        for reference in list_mentioned(references, answer)
        for start in find_mentions(reference.words, answer)
    }
    several = are_list_items(answer.text, (answer.place(start, end) for start, end in spans))
    whole = [
        (start, end)
        for start, end in sorted(spans)
        if not any(first <= start and end <= last and (first, last) != (start, end) for first, last in spans)
    ]
    first: str | None = None
    for start, end in whole:
        reason = _object_to_mention(answer, start, end, asked, several=several)
        if reason is None:
            return None
        first = first or reason
    return first


def _object_to_mention(
    answer: Words, start: int, end: int, asked: tuple[str, ...], *, several: bool
) -> str | None:
    """Say why one mention does not count."""
    text, first, last, own = (
        answer.text,
        answer.tokens[start].start,
        answer.tokens[end - 1].end,
        frozenset(asked),
    )
    if _is_given_another(text, first, last, own) or (not several and repeats_frame(text, first, last)):
        return "it gives another answer"
    if offers_options(answer, own.union(answer.forms[start:end])):
        return OFFERS_CHOICE
    if has_swapped_role(answer.forms, start, end, asked):
        return "it turns the roles round"
    if is_denied(answer, start, end, asked):
        return "it denies the answer"
    return "it takes the answer back" if find_doubt(text, first, last, own) == "taken back" else None


def _is_given_another(text: str, first: int, last: int, asked: frozenset[str]) -> bool:
    """Tell whether another answer is announced, conceded to, said first or concluded with."""
    return (
        announces_other_answer(text, first, last)
        or is_in_concession(text, first, last, asked)
        or follows_other_answer(text, first, asked)
        or is_only_compared(text, first)
        or is_lesser_side(text, first, asked)
        or precedes_other_conclusion(text, first, last, asked)
    )


def _has_other_dates(answer: str, question: str, references: list[Reference]) -> bool:
    """Tell whether a brief answer without a verb gives more dates than one where dates are asked for."""
    if not references or not all(reference.date for reference in references):
        return False
    if len(answer.split()) > _BRIEF or _HAS_VERB.search(answer):
        return False
    known = {date.parts() for date in read_values(question).dates or ()}
    return len({date.parts() for date in read_values(answer).dates or ()} - known) > 1


# Mentions that an answer makes only to give another answer: conceded before it, or added behind it.

_CONCEDED = re.compile(
    r"(?:^|[.;!?\n]\s*)(?:while|whilst|although|though|even though|even if|whereas|much as|granted that)\b[^.;!?\n]*$",
    re.IGNORECASE,
)
_OTHERS_SAY = re.compile(
    r"\b(?:many|most|some|people|others|you|one|they|everyone|everybody|somebody|folks)\b[^.;!?\n]{0,40}\b(?:say|says|said|think|thinks|thought|guess|guessed|believe|believes|believed|assume|answer|answered|expect|suppose|claim|claims|imagine|suggest)\b[^.;!?\n]*$",
    re.IGNORECASE,
)
_BUT = re.compile(r"[^.;!?\n]{0,20}?\b(?:but|yet|however)\b(?P<main>[^;!?\n]+)", re.IGNORECASE)
_CLAUSE = re.compile(r"[^.;!?\n]*?,\s*(?P<main>[^.;!?\n]+)")
_ASSERTED = re.compile(
    r"\W*(?:it|that|this|he|she|they|(?:the|my) (?:\w+ )?answer) (?:is|was|are|were|must be|would be) (?!an? |not\b|also\b)(?P<said>[^,;.!?\n]{1,60}?)(?:[;.!\n]|\s(?:that|who|which)\b)",
    re.IGNORECASE,
)
_LED = re.compile(
    r"\W*(?:(?:the |my )?answer\W+)?(?P<said>[^,;.!?:\n()]{0,56}\w{4,})[.;\n]\s\W*\w", re.IGNORECASE
)
_STATES_OR_LINKS = re.compile(
    r"\b(?:is|was|are|were|be|has|had|have|did|does|do|in|on|at|by|of|from|to|the|can|could|will|would|may|might|not|never)\b|n['’]?t\b|\w\w(?:ed|es|ing)\b"
)
_CONCLUDED = re.compile(
    r"\b(?:final|actual|real|true|correct|right|last|proper)\s+(?:answer|word|choice|verdict|guess|one|reply|response|decision|opinion|thought)\s+(?:is|was|would be)\s+"
    r"(?P<said>[^,;.!?\n]{1,60})",
    re.IGNORECASE,
)
_OPTIONS = re.compile(
    r"\b(?:guesses|candidates|options|possibilities|choices|contenders|possible answers|alternatives|suspects|one of (?:these|those|the following)|any (?:one )?of (?:these|those|them|the following)|take your pick|choose between)\b",
    re.IGNORECASE,
)
# Of these words one is in whatever the expression finds.
_OPTION_HINTS = frozenset(
    list_words(
        "guesses candidates options possibilities choices contenders answers alternatives suspects one any pick choose"
    )
)
_ALTERNATIVE = re.compile(
    r"\b(?:unless (?:it|that|this) (?:is|was)|or else|(?:might|may|could) (?:just |equally )?(?:as well|well|equally) (?:be|have been)|(?:might|may|could) also be(?! \w+ed\b)|is also possible|or possibly|or perhaps|or maybe)\b|, (?:maybe|perhaps|possibly) \w",
    re.IGNORECASE,
)
_ALTERNATIVE_HINTS = frozenset(list_words("unless or well equally also maybe perhaps possibly"))
_SEVERAL = re.compile(r",|;|\n|\band\b|\bor\b", re.IGNORECASE)
_LONGEST_CONCESSION = 240
_ANY_WORD = re.compile(r"\w[\w'’-]*")


def is_in_concession(text: str, start: int, end: int, asked: frozenset[str]) -> bool:
    """Tell whether the mention is conceded and the main clause names another: "While X is known too, Y is the one", "Many would say X, but it is Y"."""
    if len(text) > _LONGEST_CONCESSION:
        return False
    follows = (
        _CLAUSE if _CONCEDED.search(text, 0, start) else _BUT if _OTHERS_SAY.search(text, 0, start) else None
    )
    clause = follows.match(text, end) if follows else None
    return clause is not None and _names_new(clause["main"], asked)


def follows_other_answer(text: str, start: int, asked: frozenset[str]) -> bool:
    """Tell whether a clause before the mention's own says plainly what the answer is: "It is Y; X came later"."""
    if len(text) > _LONGEST_CONCESSION:
        return False
    first = _ASSERTED.match(text)
    if first is not None and first.end() <= start and _names_new(first["said"], asked):
        return True
    led = _LED.match(text)
    return led is not None and led.end("said") < start and _is_bare_name(led["said"], asked)


def precedes_other_conclusion(text: str, start: int, end: int, asked: frozenset[str]) -> bool:
    """Tell whether the answer concludes with another one: "My first thought was X; my final word is Y"."""
    if len(text) > _LONGEST_CONCESSION:
        return False
    found = _CONCLUDED.search(text, end)
    return (
        found is not None
        and text[start:end].lower() not in found["said"].lower()
        and _names_new(found["said"], asked)
    )


def _is_bare_name(phrase: str, asked: frozenset[str]) -> bool:
    """Tell whether a phrase is a name or a figure of its own, and none of the question's."""
    words = _ANY_WORD.findall(phrase)
    if not words or _STATES_OR_LINKS.search(phrase) or not asked.isdisjoint(map(str.lower, words)):
        return False
    return words[0][0].isupper() or words[0][0].isdigit()


def find_alternative_phrase(words: frozenset[str], text: str) -> str | None:
    """Return what lets something else stand beside what an answer of these words says."""
    if len(text) > _LONGEST_CONCESSION or _ALTERNATIVE_HINTS.isdisjoint(words):
        return None
    found = _ALTERNATIVE.search(text)
    return None if found is None else found[0].lower()


def offers_options(answer: Words, asked: frozenset[str]) -> bool:
    """Tell whether the answer calls what it says guesses or options, and gives several."""
    if len(answer.text) > _LONGEST_CONCESSION or _OPTION_HINTS.isdisjoint(answer.known):
        return False
    found = _OPTIONS.search(answer.text)
    return found is not None and found[0].lower() not in asked and _SEVERAL.search(answer.text) is not None


def _names_new(clause: str, asked: frozenset[str]) -> bool:
    """Tell whether a clause holds a name or a figure that the question does not."""
    return any(
        (word[0].isupper() or word[0].isdigit()) and word.lower() not in asked and word != "I"
        for word in _ANY_WORD.findall(clause)
    )


# Answers that speak of changing their mind: which of the things that they name is meant in the end is not
# for rules to say.

_SAID_VERBS = r"(?:said|thought|wrote|written|put|had|answered|guessed|went|believed|typed|assumed|picked|chosen|named|given)"
_ANSWER = r"(?:answer|guess|reply|response|thought|instinct|reaction|impression|idea|attempt|inclination|draft|pick|choice|hunch|feeling|message|vote|mind)"
_FIRST = r"(?:first|initial|original|earlier|previous|last|gut|opening)"
_STRUCK = rf"(?:that|what i (?:just )?said|(?:my|the) (?:{_FIRST} )?{_ANSWER}|the above)"
RETRACTION_PHRASES = (
    # struck out
    rf"(?:scratch|strike|scrap|erase|delete|forget|ignore|disregard|discount) {_STRUCK}|(?:please|let me|i) (?:scrap|strike|ignore|disregard|delete|withdraw|retract|revise|amend|recant) (?:it|this|my|{_STRUCK})",
    rf"(?:take|took) (?:it|{_STRUCK}) back|(?:crossed|struck|scratched) (?:out|through)[.)]|(?:rubbed|scrubbed|crossed|struck) (?:it|that) out|(?:amend|revise|change|changing|changed|correct|withdraw|retract) my (?:{_FIRST} )?{_ANSWER}",
    r"(?:can|may|could|might) i (?:change|revise|switch)|i'd like to (?:change|revise|switch)|i(?:'m| am|'ll| will) (?:switching|switch|changing|revising) (?:my \w+ )?to|read \S.{0,60} instead",
    # found wrong
    r"correct(?:ing)? myself|stand corrected|misspoke|misread (?:the|that|your|it)|spoke too soon|jumped the gun|slip of the (?:tongue|pen)|brain fart|sorry,? typo|scrap it|my (?:mistake|bad|error)|(?:i(?:'ve| have)? made|that was) an? (?:mistake|error)|mistake on my part|apologies for the (?:confusion|error|mistake)|what am i saying",
    r"i(?:'ve| have|'m| am)? (?:mixed|mixing|muddled|muddling|messed|messing) (?:(?:that|it|this|them|things|those|the two) )?up|(?:mixed|muddled) (?:things|them|those|the two) up|i(?:'ve)? got (?:that|it|this|them|things) (?:wrong|confused|backwards|mixed|muddled)|confused myself|i was (?:wrong|mistaken|confused|thinking of|mixing)",
    r"(?<!no, )(?<!no )that(?:'s| is| was) (?:actually |in fact |clearly |of course )?(?:wrong|incorrect|inaccurate|not right|not correct|not it|the previous one)|that (?:can't|cannot|can not|couldn't) be (?:right|it|correct)|(?:my|the) (?:gut|memory|instinct) (?:is|was) wrong",
    # thought over
    rf"(?:i|it|answer|that) should(?:'ve| have) (?:been|{_SAID_VERBS})|i meant|(?:(?<=[,.;!?—–-] )|\A|(?:sorry|rather|well|no|er|um|uh),? )i (?:\w+ly )?mean\b|make that|i now (?:think|believe|see|realis\w+|realiz\w+|say|favou?r)|or rather",
    r"(?:on|upon|after) (?:(?:a|some|more|further|closer|careful|second|due) )+(?:thoughts?|reflection|reconsideration|consideration|look|inspection|reading|review|thinking)|(?:on|upon) (?:reflection|reconsideration)|(?:second|better) thoughts?|come to think of it|the more i think|thinking (?:about it |it over |it through )?(?:again|some more|harder)|having (?:reconsidered|rethought|thought (?:again|about it|it over))|i(?:'ve)? (?:have )?reconsider\w*|let me reconsider|dawned on me|(?:occurs|occurred) to me",
    r"now that i \w+|i(?:'ve| have)? (?:(?:just|now|then|suddenly) (?:remember|recall|notic)|realis|realiz)\w*|check(?:s|ing) (?:again|my notes|notes)|checking\.\.\.|let me double-check",
    # said before
    rf"my {_FIRST} {_ANSWER}|i(?:'d| had|'ve| have)? (?:first|initially|originally|previously|earlier|nearly|almost|already) {_SAID_VERBS}|so i {_SAID_VERBS} before|(?:at first|for a (?:second|moment|minute)(?: there)?|initially|originally),? i|(?:moment|minute|second) ago|i (?:was (?:going|about|tempted)|wanted) to (?:say|write|put|answer)|i used to (?:think|say|believe)|i(?:'d| would) have (?:sworn|said)|too (?:quickly|hastily|soon)[.;,!]",
    # interrupted
    r"no,? wait|wait,? no|(?:oh|hmm|er|erm|um|uh|ah|though|wait|actually)[,.]? no(?=[\s,.!;]+(?!doubt|question|problem|worries))|but no,|no,? sorry|sorry,? no|wait,? (?:that|it|i|actually|sorry|maybe)|(?:hang on|hold on|hold up|wait (?:a|one) (?:moment|minute|second|sec))(?=\s*(?:[,.!…—–-]|$))|whoops|oops|nope|actually,? (?:don't|no|scratch)|correction[:,]|erratum|errata|edit(?:ed)?:|update:|revised answer|corrected answer",
)
_CHANGED = re.compile(rf"(?<![\w'])(?:{'|'.join(RETRACTION_PHRASES)})(?!\w)|~~\S|[✗✘❌]", re.DOTALL)
RETRACTION_HINTS = frozenset(
    list_words(
        "actually ago amend back brain checking checks confusion consideration corrected correction crossed dawned delete discount disregard double "
        "edit edited erase errata erratum error forget hang hastily having hold i ignore inspection instead jumped look misread misspoke mistake "
        "mixed muddled my myself no nope occurred occurs oops quickly rather reading recant reconsider reconsideration reflection retract review "
        "revise revised rubbed scrap scratch scratched scrubbed should slip soon strike struck that think thinking thought thoughts typo update wait "
        "whoops withdraw wrong"
    )
)
"""Words of which every such phrase has one; most answers have none, and a look for them is fast."""
_LOWER_WORD = re.compile("[a-z]+")
_STARRED = re.compile(r"[^*()=]+\s\*[A-Z\d][^*()]*")


def has_retraction(answer: str, question: str, references: Iterable[str]) -> bool:
    """Tell whether an answer speaks of changing its mind, in words that neither question nor references have."""
    text = answer.replace("’", "'")
    if not _STARRED.fullmatch(text) and not _has_retraction_phrase(text.lower()):
        return False
    for reference in references:
        if reference.strip():
            own = re.escape(reference.strip().replace("’", "'"))
            text = re.sub(rf"(?<!\w){own}(?!\w)", "X", text, flags=re.IGNORECASE)
    if _STARRED.fullmatch(text):
        return True
    return any(found[0] not in question.lower() for found in _CHANGED.finditer(text.lower()))


def _has_retraction_phrase(lowered: str) -> bool:
    hinted = (
        not RETRACTION_HINTS.isdisjoint(_LOWER_WORD.findall(lowered))
        or "~~" in lowered
        or not lowered.isascii()
    )
    return hinted and _CHANGED.search(lowered) is not None


# Answers that speak of who gives or gets them: such talk may turn anywhere.

# An "I" behind a name is a number: World War I.
_PERSONAL_PRONOUN = re.compile(
    r"(?:^|[^\w\s-]\s*|\b[a-z][\w']*\s+)I\b(?!\.)|\b(?:[Mm]y|[Mm]e|[Yy]ou|[Yy]our)\b|(?<![\w`'$-])i(?=\s|'(?:m|d|ll|ve)\b)"
)
# What the long expression finds has one of these words; a search for first letters is fast.
_PRONOUN_HINT = re.compile(r"[IMYimy](?<!\w.)(?:e|y|our?)?(?!\w)")
_SPOKEN_WORD = re.compile(r"\w+")
_LONGEST_PERSONAL = 400


def uses_personal_pronoun(item: Item) -> bool:
    """Tell whether a brief answer, once what dresses it up is off, speaks of "me" or "you" in words that neither question nor references have."""
    if (
        len(item.answer) > _LONGEST_PERSONAL
        or not _PRONOUN_HINT.search(item.answer)
        or not _PERSONAL_PRONOUN.search(item.answer)
    ):
        return False
    known = set(_SPOKEN_WORD.findall(" ".join([item.question or "", *item.references]).lower()))
    said = _PERSONAL_PRONOUN.findall(strip_politeness(item.question or "", item.answer))
    return any(_SPOKEN_WORD.findall(words.lower())[-1] not in known for words in said)
