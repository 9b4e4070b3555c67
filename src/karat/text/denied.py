"""Denials tied to a mention: between the denying word and the mention there is nothing but connecting words."""

import re
from collections.abc import Sequence

from karat.text.connectives import connects
from karat.text.forms import Words
from karat.text.negators import NEGATORS
from karat.text.vocabulary import list_words

_CONTRACTED = frozenset(
    list_words(
        "cannot isnt wasnt arent werent dont doesnt didnt cant couldnt wont wouldnt hasnt havent hadnt shouldnt aint mustnt"
    )
)
_NEGATIONS = (
    _CONTRACTED
    | frozenset(list_words("not never no nobody noone none neither nor nope without nowhere hardly scarcely"))
    | NEGATORS
)
_AUXILIARIES = frozenset(
    list_words("is was are were do does did has have had can could will would should must may might be been")
)
# These deny what follows them, and those below what a clause with "that" or "to" says.
_DENYING = frozenset(
    list_words(
        "wrongly falsely incorrectly mistakenly erroneously doubt doubts deny denies denied refute refutes exclude excludes except excepting excluding"
    )
)
_CALLED = frozenset(
    list_words(
        "wrong false incorrect untrue mistake mistaken error erroneous myth legend fallacy misconception lie hoax fiction fake bogus nonsense rubbish inaccurate invalid "
        "rumour rumor disproved disproven debunked refuted dismissed rejected discarded excluded excepted impossible implausible unlikely improbable doubtful dubious"
    )
)
_DENIALS = _DENYING | _CALLED
_BEING = frozenset(list_words("is was are were be been being"))
_CLAUSAL = frozenset(list_words("that to if when"))
# Words with which a negation says yes, or says how far: "not until 1989", "no doubt", "none other than".
_AFFIRMED = re.compile(
    r"\b(?:not (?:only|just|merely|simply|surprisingly|until|before|to be confused|to mention|long|far)|no (?:doubt|question|later|earlier|fewer|less|more|wonder|longer)|"
    r"(?:none|no|nothing) other than|(?:without|beyond) (?:a |any |all )?(?:reasonable )?(?:shadow of a )?(?:doubt|question)|nothing but|why not|whether or not|n[o']t .{0,20}until)\b",
    re.IGNORECASE,
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
"""Where a denial may end; the "to" of "used to" is among them."""
_RULING = frozenset(list_words("rule rules ruled ruling"))
_TRUTH = frozenset(list_words("true correct right accurate case fact"))
_BREAK = re.compile(r"[,;:!?\n()]|\.(?=\s)")
_STOP = re.compile(r"[;!?\n]|\.(?=\s)")
_CLAUSE = frozenset(list_words("which that but and who this it"))
_ALLOWED = 1
_BRIEF = 14


def is_denied(answer: Words, start: int, end: int, asked: Sequence[str]) -> bool:
    """Tell whether a denial before or behind the mention is tied to it; the question's own denials are not counted."""
    if _TRIGGERS.isdisjoint(answer.forms):
        return False
    own = frozenset(word for place, word in enumerate(asked) if not _counts(asked, place))
    start, end = _widen(answer, start, end)
    spared = 0 if len(answer.tokens) > _BRIEF else _ALLOWED
    affirmed = [found.span() for found in _AFFIRMED.finditer(answer.text)]
    for place, form in enumerate(answer.forms):
        if form not in _TRIGGERS or start <= place < end or not _denies(answer, place, own, affirmed):
            continue
        if place < start and _ties_forward(answer, place, start, own, spared):
            return True
        if place >= end and _ties_back(answer, end, place, own, spared):
            return True
    return False


def _widen(answer: Words, start: int, end: int) -> tuple[int, int]:
    """Take the words in capitals around a mention for parts of the same name: "King George V", "Chase Bridge Primary School"."""
    while start > 1 and _is_capital(answer, start - 1) and _gap(answer, start) == " ":
        start -= 1
    while end < len(answer.tokens) and _is_capital(answer, end) and _gap(answer, end) == " ":
        end += 1
    return start, end


def _is_capital(answer: Words, place: int) -> bool:
    return answer.text[answer.tokens[place].start].isupper() and answer.forms[place] not in _NEGATIONS


def _counts(asked: Sequence[str], place: int) -> bool:
    """Tell whether a "no" stands for a number: "a No 1 hit"."""
    return asked[place] == "no" and place + 1 < len(asked) and asked[place + 1][0].isdigit()


def _denies(answer: Words, place: int, asked: frozenset[str], affirmed: list[tuple[int, int]]) -> bool:
    form, begin = answer.forms[place], answer.tokens[place].start
    if _counts(answer.forms, place):
        return False
    if any(first <= begin < last for first, last in affirmed):
        return False
    pair = answer.forms[max(0, place - 1) : place + 1]
    if (pair in _PAIRS or _is_former(answer.forms, place)) and not asked.issuperset(pair):
        return True
    if form not in _NEGATIONS and form not in _DENIALS:
        return False
    own = form in asked or (form in _NEGATIONS and not _NEGATIONS.isdisjoint(asked))
    return not own or not _speaks_of(answer, asked)


def denies(form: str) -> bool:
    """Tell whether a word denies, wherever it stands."""
    return form in _NEGATIONS or form in _DENIALS


def _is_former(forms: Sequence[str], place: int) -> bool:
    """Tell whether a word is the "to" of "used to": what was, but not "was used to promote" or "is the slogan used to promote"."""
    if tuple(forms[max(0, place - 1) : place + 1]) != ("used", "to"):
        return False
    return _BEING.isdisjoint(forms[:place])


def _speaks_of(answer: Words, asked: frozenset[str]) -> bool:
    """Tell whether the answer says a word of what was asked, so that a denial may be the question's own: "It isn't X" is not."""
    return any(
        form in asked and form not in _NEGATIONS and form not in _DENIALS and not connects(form)
        for form in answer.forms
    )


def _ties_forward(answer: Words, place: int, start: int, asked: frozenset[str], spared: int) -> bool:
    """Tell whether a denial reaches the mention behind it: no sign in between, and no other thing that it denies."""
    if any(_BREAK.search(_gap(answer, each)) for each in range(place + 1, start + 1)):
        return False
    if answer.forms[place] in _CALLED and _CLAUSAL.isdisjoint(answer.forms[place:start]):
        return False
    return _count_unknown(answer, range(place + 1, start), asked) <= spared


def _ties_back(answer: Words, end: int, place: int, asked: frozenset[str], spared: int) -> bool:
    """Tell whether a denial reaches the mention before it: "X, which is false", but not "X, not Y"."""
    for each in range(end, place + 1):
        gap = _gap(answer, each)
        if _stops(answer, each, gap) or ("," in gap and answer.forms[each] not in _CLAUSE):
            return False
    if answer.forms[place] in _DENYING or (
        answer.forms[place] in _NEGATIONS and not _negates_verb(answer, place)
    ):
        return False
    return _count_unknown(answer, range(end, place), asked) <= spared


def _stops(answer: Words, place: int, gap: str) -> bool:
    """Tell whether a sentence ends before a word; it goes on behind the point of "Jr. is"."""
    goes_on = place < len(answer.tokens) and answer.text[answer.tokens[place].start].islower()
    return _STOP.search(gap.replace(".", "", 1) if goes_on else gap) is not None


def _negates_verb(answer: Words, place: int) -> bool:
    """Tell whether a negation is that of a verb: "X did not", "X isn't", but not "X, not Y" or "X and nobody else"."""
    if answer.forms[place] in _CONTRACTED or answer.forms[place] in NEGATORS:
        return True
    return (
        place > 0
        and answer.forms[place] in ("not", "never", "no")
        and answer.forms[place - 1] in _AUXILIARIES
    )


def _gap(answer: Words, place: int) -> str:
    """What stands between a word and the one before it."""
    if place >= len(answer.tokens):
        return f"{answer.text[answer.tokens[-1].end :]}\n"
    return answer.text[answer.tokens[place - 1].end : answer.tokens[place].start]


def _count_unknown(answer: Words, places: range, asked: frozenset[str]) -> int:
    """Count the words that connect nothing; a name among them is another thing, and more than any count."""
    unknown = 0
    for place in places:
        form = answer.forms[place]
        if connects(form) or form in asked or form in _NEGATIONS | _DENIALS | _RULING | _TRUTH:
            continue
        unknown += 1 if answer.text[answer.tokens[place].start].islower() else 100
    return unknown
