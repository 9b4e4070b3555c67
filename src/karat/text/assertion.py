"""Check whether a mention is denied, plainly stated, only compared with the answer, or given the wrong role."""

import re
from collections.abc import Sequence

from karat.text.lexicon import (
    AUXILIARIES,
    COPULAS,
    DO_FORMS,
    FOREIGN_NEGATIONS,
    FUNCTION_WORDS,
    MODALS,
    NEGATED_AUXILIARIES,
    NEGATIONS,
    ROUGHLY,
    any_case,
    is_concession,
    is_connecting,
    list_words,
    word_set,
)
from karat.text.normal import CLAUSE_END, SENTENCE_END, Words, stem_of

_NEGATIONS = NEGATIONS | FOREIGN_NEGATIONS | word_set("without hardly scarcely")
# These deny what follows them, and those below what a clause with "that" or "to" says.
_DENYING = word_set(
    "wrongly falsely incorrectly mistakenly erroneously doubt doubts deny denies denied refute refutes exclude excludes except excepting excluding"
)
_CALLED_FALSE = word_set(
    "wrong false incorrect untrue mistake mistaken error erroneous myth legend fallacy misconception lie hoax fiction fake bogus nonsense rubbish inaccurate invalid "
    "rumour rumor disproved disproven debunked refuted dismissed rejected discarded excluded excepted impossible implausible unlikely improbable doubtful dubious"
)
_DENIALS = _DENYING | _CALLED_FALSE
_CLAUSAL = word_set("that to if when")
# Words with which a negation says yes, or says how far: "not until 1989", "no doubt", "none other than".
_AFFIRMED = any_case(
    r"\b(?:not (?:only|just|merely|simply|surprisingly|until|before|to be confused|to mention|long|far)|no (?:doubt|question|later|earlier|fewer|less|more|wonder|longer)|"
    r"(?:none|no|nothing) other than|(?:without|beyond) (?:a |any |all )?(?:reasonable )?(?:shadow of a )?(?:doubt|question)|nothing but|why not|whether or not|n[o']t .{0,20}until)\b"
)
_PAIRS = frozenset(
    (
        *((one, "but") for one in list_words("anything everything anyone everyone anybody everybody all any")),
        *((one, "out") for one in list_words("rule rules ruled ruling")),
        *((one, "back") for one in list_words("take takes took taking")),
        ("of", "question"), ("other", "than"), ("apart", "from"), ("aside", "from"), ("far", "from"), ("off", "list"), ("nothing", "to"),
    )
)  # fmt: skip
_TRIGGERS = _NEGATIONS | _DENIALS | frozenset(second for _, second in _PAIRS)
"""Where a denial may end."""
_RULING = word_set("rule rules ruled ruling")
_TRUTH = word_set("true correct right accurate case fact")
_CLAUSE_WORDS = word_set("which that but and who this it")
_ALLOWED = 1
_BRIEF = 14


def is_denied(answer: Words, start: int, end: int, asked: Sequence[str]) -> bool:
    """Return whether a denial before or behind the mention is tied to it; the question's own denials are not counted."""
    if _TRIGGERS.isdisjoint(answer.forms):
        return False
    own = frozenset(asked)
    start, end = _widen_to_name(answer, start, end)
    spared = 0 if len(answer.tokens) > _BRIEF else _ALLOWED
    affirmed = [found.span() for found in _AFFIRMED.finditer(answer.text)]
    for place, form in enumerate(answer.forms):
        if (
            form not in _TRIGGERS
            or start <= place < end
            or not _is_active_denial(answer, place, own, affirmed)
        ):
            continue
        if place < start and _ties_forward(answer, place, start, own, spared):
            return True
        if place >= end and _ties_back(answer, end, place, own, spared):
            return True
    return False


def _widen_to_name(answer: Words, start: int, end: int) -> tuple[int, int]:
    """Widen a mention to the words in capitals around it, as parts of the same name: "King George V"."""
    while start > 1 and _is_capital(answer, start - 1) and _gap_before(answer, start) == " ":
        start -= 1
    while end < len(answer.tokens) and _is_capital(answer, end) and _gap_before(answer, end) == " ":
        end += 1
    return start, end


def _is_capital(answer: Words, place: int) -> bool:
    return answer.text[answer.tokens[place].start].isupper() and answer.forms[place] not in _NEGATIONS


def _is_active_denial(
    answer: Words, place: int, asked: frozenset[str], affirmed: list[tuple[int, int]]
) -> bool:
    form, begin = answer.forms[place], answer.tokens[place].start
    if any(first <= begin < last for first, last in affirmed):
        return False
    pair = answer.forms[max(0, place - 1) : place + 1]
    if pair in _PAIRS and not asked.issuperset(pair):
        return True
    if form not in _NEGATIONS and form not in _DENIALS:
        return False
    own = form in asked or (form in _NEGATIONS and not _NEGATIONS.isdisjoint(asked))
    return not own or not _mentions_question(answer, asked)


def _mentions_question(answer: Words, asked: frozenset[str]) -> bool:
    """Return whether the answer has a content word of the question, so that a denial may be the question's own; "It isn't X" has none."""
    return any(
        form in asked and form not in _NEGATIONS and form not in _DENIALS and not is_connecting(form)
        for form in answer.forms
    )


def _ties_forward(answer: Words, place: int, start: int, asked: frozenset[str], spared: int) -> bool:
    """Return whether a denial applies to the mention behind it: no punctuation and no other noun in between."""
    gaps = [_gap_before(answer, each) for each in range(place + 1, start + 1)]
    if any(CLAUSE_END.search(gap) or "(" in gap or ")" in gap for gap in gaps):
        return False
    if answer.forms[place] in _CALLED_FALSE and _CLAUSAL.isdisjoint(answer.forms[place:start]):
        return False
    return _count_unknown(answer, range(place + 1, start), asked) <= spared


def _ties_back(answer: Words, end: int, place: int, asked: frozenset[str], spared: int) -> bool:
    """Return whether a denial applies to the mention before it: "X, which is false", but not "X, not Y"."""
    for each in range(end, place + 1):
        gap = _gap_before(answer, each)
        if _ends_sentence(answer, each, gap) or ("," in gap and answer.forms[each] not in _CLAUSE_WORDS):
            return False
    if answer.forms[place] in _DENYING or (
        answer.forms[place] in _NEGATIONS and not _negates_verb(answer, place)
    ):
        return False
    return _count_unknown(answer, range(end, place), asked) <= spared


def _ends_sentence(answer: Words, place: int, gap: str) -> bool:
    """Return whether a sentence ends before a word; it goes on behind the point of "Jr. is"."""
    goes_on = place < len(answer.tokens) and answer.text[answer.tokens[place].start].islower()
    return SENTENCE_END.search(gap.replace(".", "", 1) if goes_on else gap) is not None


def _negates_verb(answer: Words, place: int) -> bool:
    """Return whether a negation is that of a verb: "X did not", "X isn't", but not "X, not Y" or "X and nobody else"."""
    if answer.forms[place] in NEGATED_AUXILIARIES or answer.forms[place] in FOREIGN_NEGATIONS:
        return True
    return (
        place > 0
        and answer.forms[place] in ("not", "never", "no")
        and answer.forms[place - 1] in AUXILIARIES | MODALS
    )


def _gap_before(answer: Words, place: int) -> str:
    """What stands between a word and the one before it."""
    if place >= len(answer.tokens):
        return f"{answer.text[answer.tokens[-1].end :]}\n"
    return answer.text[answer.tokens[place - 1].end : answer.tokens[place].start]


def _count_unknown(answer: Words, places: range, asked: frozenset[str]) -> int:
    """Count the content words between a denial and a mention; a name counts as more than any limit."""
    unknown = 0
    for place in places:
        form = answer.forms[place]
        if is_connecting(form) or form in asked or form in _NEGATIONS | _DENIALS | _RULING | _TRUTH:
            continue
        unknown += 1 if answer.text[answer.tokens[place].start].islower() else 100
    return unknown


# Plain statements: the mention comes first or last.


# Behind a comma: what tells more of the name ("Twain, the humorist", "Hannibal, Missouri"), not "Twain, strike that, Harte".
_GOES_ON = re.compile(
    r"\s*[(;:](?!\s*(?i:edit|or|no|wait|sorry|correction|actually)\b)|\s+(?:rather|instead|not|and not|-)\b|[\"'”’*]*\s+(?:by|in|of|at|on|from|for)\s+(?:the\s+)?[A-Z]|,\s+(?:(?i:the|an?|who(?:d|s|ve|ll)?|whom|which|whose|where|when|not|rather|instead|also|formerly|originally|later|born|in|of|at|on|from|near|with|by|as|"
    r"aka|son|daughter|part|known|called|named|now|specifically|namely|located|founded|and not|and no|after|before|during|one|two|just|because|since|due|thanks|including|plus|following|having|about|roughly|previously|home|back|equal|unlike|under|set|held|won|built|made|written|[a-z]+ing|[a-z]+ed|[a-z]+ of)\b|\d|[A-Z][\w.'-]*(?:,?\s[A-Z][\w.'-]*){0,4}\W*$)"
)
_COPULA = r"(?:is|was|are|were|'s)"
_MADE = r"(?:born|made|built|founded|held|published|released|located|situated|set|filmed|written|signed|discovered|formed|created|opened|established|launched)"
_PLACED = any_case(
    rf"\W*(?:it|he|she|they|this|the\s+\w+)\s*(?:(?:{_COPULA}\s+(?:{_MADE}\s+)?|(?:lies|lie|sits|stands|appears|appeared|happened|occurred|began|started|ended|opened|died|took place|takes place|came out|comes out)\s+)"
    rf"(?:mainly\s+|mostly\s+|primarily\s+)?(?:in|on|at)|(?:{_COPULA}\s+made|comes?|came)\s+(?:mainly\s+|mostly\s+)?from|(?:went|travelled|traveled|sailed|flew)\s+to|(?:lasted|lasts|went on|goes on|takes|took|ran)(?:\s+for)?)\s+(?:the\s+|an?\s+)?\W*"
)
_LEADS_TO = any_case(r"(?:\bbut|[;,])(?: rather)? *$|\b(?:it was|it is|it's) *$")
_END_MARKS = " .!"


def is_plainly_stated(answer: Words, start: int, end: int) -> bool:
    """Return whether a mention is what is said first ("It was Twain, not Harte"), or last and at once ("Not Harte, but Twain")."""
    before, after = answer.text[: answer.tokens[start].start], answer.text[answer.tokens[end - 1].end :]
    ends = not after.strip(_END_MARKS)
    opens = all(is_connecting(form) or form in ROUGHLY for form in answer.forms[:start]) and (
        ends or _GOES_ON.match(after) is not None or is_concession(answer.forms[end:])
    )
    return opens or (ends and (_LEADS_TO.search(before) is not None or _PLACED.fullmatch(before) is not None))


# Swapped roles: "Frankenstein wrote Shelley".

_ASKING = word_set("who which what")
_HELPERS = FUNCTION_WORDS | word_set("not more less most least kind type part of")
# These hold either way round.
_MUTUAL = word_set(
    "married marry marries weds wed met meet meets dated date divorced fought fight faced face joined join equals equal borders border means mean stands plays play played meant represents represent "
    "beat beats"
)
_ROLE_LINKS = word_set("by with and alongside against")
_PLACING = word_set("in on at")
_RELATIVE = word_set("which that where who")
_LONGEST_CLAUSE = 14
_NEAR_VERB = 2


def has_swapped_role(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Return whether the mention has another role than the question asks for: object instead of agent, owner instead of owned, subject instead of place."""
    if len(forms) > _LONGEST_CLAUSE or not asked:
        return False
    return (
        _is_object(forms, start, asked)
        or _is_owner(forms, start, end, asked)
        or _is_subject(forms, start, end, asked)
    )


def _is_object(forms: Sequence[str], start: int, asked: Sequence[str]) -> bool:
    """Return whether the answer says "Y wrote X" where the question is "who wrote Y"."""
    place = _find_verb(asked)
    if place is None:
        return False
    # "Winner: X" names the agent.
    verbs = (each for each in range(start) if not forms[each].endswith(("er", "or")))
    at = next((each for each in verbs if stem_of(forms[each]) == stem_of(asked[place])), None)
    if at is None or start - at > _NEAR_VERB or not _ROLE_LINKS.isdisjoint(forms[at:start]):
        return False
    named = forms[at] == asked[place] and _is_of_another(forms, at, start, asked[place + 1 :])
    return named or _is_about(forms[:at], asked[place + 1 :])


def _is_of_another(forms: Sequence[str], at: int, start: int, asked: Sequence[str]) -> bool:
    """Return whether the answer says "Z wrote X" where the question is "who wrote Y", and does not mention Y."""
    wanted = {word for word in asked if word not in _HELPERS}
    doer = [word for word in forms[:at] if word not in _HELPERS]
    return (
        start == at + 1
        and bool(doer and wanted)
        and _RELATIVE.isdisjoint(forms[:at])
        and wanted.isdisjoint(forms)
    )


def _find_verb(asked: Sequence[str]) -> int | None:
    """Return where the verb stands in a question for the agent: right behind "who", or behind the noun of "which river"; else None."""
    if asked[0] not in _ASKING:
        return None
    if asked[0] == "who":
        place = 1
    elif asked[1:2] and asked[1] not in _HELPERS:
        place = 2
    else:
        return None
    # "Which French painter was known as": what an auxiliary follows is a noun still.
    if place + 1 >= len(asked) or asked[place + 1] in AUXILIARIES | MODALS:
        return None
    return None if asked[place] in _HELPERS or asked[place] in _MUTUAL else place


def _is_owner(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Return whether "the capital of X is Y" gives the question's own Y for the mention X."""
    if "whose" in asked or not start or forms[start - 1] != "of":
        return False
    if not forms[end : end + 1] or forms[end] not in COPULAS:
        return False
    return _is_about(forms[end + 1 :], asked)


def _is_subject(forms: Sequence[str], start: int, end: int, asked: Sequence[str]) -> bool:
    """Return whether the answer is "X is in Y" or "X is shared by Y" where the question asks where, or who shares, Y."""
    rest = forms[end:]
    if start or not rest or not _RELATIVE.isdisjoint(rest):
        return False
    placed = asked[0] == "where" or (asked[1:2] and asked[1] in _ASKING)
    links = _list_prepositions(asked) if placed or rest[0] in COPULAS else frozenset[str]()
    place = next((at for at in range(len(rest) - 1, 0, -1) if rest[at] in links), None)
    return place is not None and _is_about(rest[place + 1 :], asked)


def _list_prepositions(asked: Sequence[str]) -> frozenset[str]:
    """Return the prepositions that come before what is asked for in the question, and so before the mention in a right answer."""
    asked_for = frozenset(asked[:1]) if asked[1:2] and asked[1] in _ASKING else frozenset[str]()
    where = _PLACING.difference(asked) if asked[0] == "where" else frozenset[str]()
    by = frozenset({"by"}).difference(asked) if DO_FORMS.isdisjoint(asked) else frozenset[str]()
    return asked_for | where | by


def _is_about(said: Sequence[str], asked: Sequence[str]) -> bool:
    """Return whether words have content, all of it from the question."""
    telling = [word for word in said if word not in _HELPERS]
    return bool(telling) and set(asked).issuperset(telling)


_COMPARISON_REACH = 40
_COMPARED_WITH = any_case(
    r"\b(?:confused with|mistaken for|mixed up with|compared? (?:it )?(?:with|to)|compare|cf\.?|rather than|instead of|in place of|as opposed to|opposite of|unlike|see also|(?<!\w\s)out of|"
    r"versus|vs\.?|(?:up|down|increased?|decreased?|reduced|cut) from|(?:in )?contrast (?:to|with)|(?:distinct|different) from|not|not,[^,.;]{1,40},|(?:wrong|incorrect|false|mistaken)\b[^.;,:]{0,30}:)\s+(?:the |an? )?[\"'“‘*$€£]*$"
)
_MOST_OF_ALL = any_case(
    r"\b(?:high|low|larg|small|bigg|great|fast|slow|strong|weak)est\b[^.;]{0,80}?\b(?:compared? (?:with|to)|versus|vs\.?|as against|ahead of)\s[^.;]{0,100}\d[^.;]{0,30}\s(?:for|at|by)\s(?:the )?$"
)
_TOWARDS = (" for ", " at ", " by ", " for the ", " at the ", " by the ")


def is_only_compared(text: str, start: int) -> bool:
    """Return whether the mention is what the answer is set against: "Y, often confused with X", "Y, compared with 7 % for X"."""
    if _COMPARED_WITH.search(text[max(0, start - _COMPARISON_REACH) : start]):
        return True
    return (
        text[start].isupper()
        and text.endswith(_TOWARDS, 0, start)
        and _MOST_OF_ALL.search(text[max(0, start - 6 * _COMPARISON_REACH) : start]) is not None
    )
