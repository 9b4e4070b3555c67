"""Answers that say what the reference says, but for a word and its opposite, or with its parts on each other's side."""

import re
from collections import Counter

from karat.text.echoes import FUNCTION_WORDS
from karat.text.normalise import normalise
from karat.text.stems import stem_of
from karat.text.vocabulary import list_words

_PAIRS = (
    "increase/decrease increase/reduce raise/lower rise/fall grow/shrink grow/fall higher/lower high/low more/less more/fewer most/least above/below gain/loss gain/lose profit/loss profit/deficit "
    "surplus/deficit improve/worsen better/worse best/worst widen/narrow expand/contract strengthen/weaken win/lose win/loss pass/fail success/failure accept/reject allow/forbid permit/prohibit "
    "plaintiff/defendant buyer/seller buy/sell import/export lender/borrower employer/employee north/south east/west northern/southern eastern/western inside/outside internal/external before/after "
    "first/last earliest/latest begin/end start/end open/closed include/exclude hot/cold positive/negative maximum/minimum large/small larger/smaller bigger/smaller big/small longer/shorter fast/slow "
    "faster/slower strong/weak stronger/weaker heavier/lighter alive/dead survive/die male/female mother/father brother/sister son/daughter husband/wife king/queen older/younger true/false "
    "same/different always/never public/private acidic/basic upper/lower horizontal/vertical with/without once/twice"
)
_OPPOSITES = frozenset(frozenset(map(stem_of, pair.split("/"))) for pair in list_words(_PAIRS))
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis")
_EITHER = frozenset(map(stem_of, list_words("flammable habitable valuable")))
"""Words that mean much the same with "in" before them."""
_TELLING = frozenset(
    list_words("not no never with without before after more most less above below over under up down")
)
"""Small words that tell: what is said with them is another thing without them."""
# What stands on one side of these is no more what it was on the other.
_SIDED = frozenset(
    map(
        stem_of,
        list_words(
            "than before after then beat defeat acquire buy own kill shoot sue invade conquer teach hire fire cause precede follow succeed replace exceed outsell lead employ pay owe lend sell give send win lose orbit eat chase "
            "attack invent discover found contain include produce make become"
        ),
    )
)
_PLACING = frozenset(list_words("in on at during"))
_LEAST_STEM = 5
_COMPARES = re.compile(
    r"(?P<before>.+?)\b(?P<more>more|less|fewer|better|worse|(?:long|short|high|low|larg|small|bigg|fast|slow|strong|weak|heavi|light|old|young|great|cheap|warm|cold|hott|near|far|thick|thin|tall|deep|wid|rich|poor)e?r)\b(?:(?!\bthan\b).){0,40}\bthan\b(?P<behind>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TAKEN_BACK = re.compile(
    r"\b(?:not|no|never|nobody|none|neither|false|wrong|untrue|myth|until|before|once|used to|had|was once)\b|n['’]t\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!\w)[A-Z][\w'’-]+")
_LONGEST = 300


def says_opposite(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer has the telling words of a reference in their order, but for one that it turns into its opposite: "in favor of the defendant"; words of the question may be left out."""
    asked, wanted, given = map(_list_telling, (question, reference, answer))
    lost, added = (set(one).difference(other, asked) for one, other in ((wanted, given), (given, wanted)))
    if not len(lost) == len(added) == 1:
        return False
    both = set(wanted) & set(given)
    ordered = [form for form in wanted if form in both] == [form for form in given if form in both]
    return ordered and all(any(_are_opposite(one, other) for other in added) for one in lost)


def _are_opposite(one: str, other: str) -> bool:
    """Tell whether two words are opposites, or one denies the other by what it begins with."""
    if frozenset((one, other)) in _OPPOSITES:
        return True
    short, long = sorted((one, other), key=len)
    if short in _EITHER:
        return False
    return len(short) >= _LEAST_STEM and any(long == f"{prefix}{short}" for prefix in _PREFIXES)


def _list_telling(text: str) -> list[str]:
    return [
        stem_of(form) for form in normalise(text).split() if form in _TELLING or form not in FUNCTION_WORDS
    ]


def turns_sides(reference: str, answer: str) -> bool:
    """Tell whether an answer has the words of a reference, and those on one side of a verb or a comparison on the other: "Brazil beat Germany" for "Germany beat Brazil"."""
    if _compares_back(reference, answer):
        return True
    wanted, given = map(_list_moved, (reference, answer))
    if wanted == given or Counter(wanted) != Counter(given):
        return False
    sides = [word for word in _SIDED.intersection(wanted) if wanted.count(word) == 1]
    return any(_has_turned(wanted, given, word) for word in sides)


def _compares_back(reference: str, answer: str) -> bool:
    """Tell whether two names stand on each other's sides of one comparison, whatever else is said: "B ruled longer than A" for "A reigned longer than B"."""
    texts = (reference, answer)
    wanted, given = (_COMPARES.fullmatch(text) if len(text) <= _LONGEST else None for text in texts)
    if wanted is None or given is None or wanted["more"].lower() != given["more"].lower():
        return False
    ours, theirs = (_list_names(match["before"]) for match in (wanted, given))
    beneath, instead = (_list_names(match["behind"]) for match in (wanted, given))
    if any(map(_TAKEN_BACK.search, texts)):
        return False
    return ours.isdisjoint(theirs) and bool(ours & instead) and bool(theirs & beneath)


def _list_names(text: str) -> set[str]:
    return {stem_of(word.lower()) for word in _NAME.findall(text)}


def _list_moved(text: str) -> list[str]:
    """Return the words of a text but for when and where, which stand anywhere."""
    forms = normalise(text).split()
    return [
        stem_of(form)
        for form, before in zip(forms, ["", *forms], strict=False)
        if before not in _PLACING and not any(map(str.isdigit, form))
    ]


def _has_turned(wanted: list[str], given: list[str], word: str) -> bool:
    """Tell whether words have gone over to the other side both ways."""
    before, instead = (
        {form for form in forms[: forms.index(word)] if form not in FUNCTION_WORDS}
        for forms in (wanted, given)
    )
    return bool(before - instead) and bool(instead - before)
