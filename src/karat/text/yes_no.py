"""Compare yes and no and other opposites."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from karat.core.types import Item
from karat.text.lexicon import (
    CONTRASTS,
    FUNCTION_WORDS,
    GUESSES,
    NEGATIONS,
    YES_NO_OPENING,
    any_case,
    any_of,
    list_words,
    word_set,
)
from karat.text.mention import names_something_else
from karat.text.normal import fold, normalise, split_sentences, stem_of
from karat.text.values.numbers import read_number_words
from karat.text.values.stated_figures import gives_figures, misplaces_figures

_ALTERNATIVE = any_case(
    r"\bor\b|\bwhich\b|\bwhat\b|\bhow\b|\bwhy\b|(?:\band|\bif so|,)\s(?:who|whom|when|where)\b"
)
_NEGATED = any_case(rf"\b(?:{any_of(NEGATIONS)}|nothing)\b|n't\b")
# An instruction behind the question: "Is it healthy? If that does not apply, explain why."
_CONDITION = any_case(
    r"(?<=\?)\s+(?:(?:if|(?:please )?(?:explain|justify))\b[^?]*$|if (?:so|not|yes|no)\b.*$)"
)
YES_NO_WORDS = frozenset({"yes", "no", "true", "false"})
"""The references that are a yes or a no."""
_YES = word_set("yes true yeah yep yup certainly absolutely definitely indeed") | {"of course"}
_NO = word_set("no false nope nah never incorrect") | frozenset(
    f"{word} not" for word in ("of course", "certainly", "absolutely", "definitely")
).union({"not at all"})
# "No Time to Die" and "True Grit" say neither; "No. 5" is a number.
_SAYS_YES_NO = re.compile(
    rf"\W*(?P<word>{any_of(_YES | _NO)})\b(?!\.?\s*\d)\s*(?:[,.;:!]|$|\n| - | — )(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CONCLUDES = any_case(
    r"(?:^|[\n.,;])[*#_\s]{0,8}(?:in conclusion|conclusion|bottom line|in short|in summary|overall|final answer|so|thus|therefore)\b[*_\s]{0,8}[:,]?[*_\s]{0,8}(?=(?:yes|no)\b)"
)
_TURN = rf"{any_of(CONTRASTS | GUESSES)}|depends|not sure|unless|except"
_TURNS = any_case(rf"\b(?:{_TURN}|or|yes|no|true|false)\b")
_TURNS_BACK = any_case(rf"\b(?:{_TURN}|wait|or rather)\b")
_FILLER_WORDS = word_set(
    "it he she they this that these those there is are was were do does did has have had the a an indeed"
)
# Forms of each auxiliary verb.
_HELPERS = {
    form: helper
    for helper, forms in (
        ("do", "do does did dont doesnt didnt"), ("is", "is are am isnt arent"), ("was", "was were wasnt werent"), ("has", "has have hasnt havent"), ("had", "had hadnt"), ("can", "can cannot cant"),
        ("could", "could couldnt"), ("will", "will wont"), ("would", "would wouldnt"), ("should", "should shouldnt"), ("may", "may"), ("must", "must mustnt"), ("might", "might"), ("be", "be been being"),
    )
    for form in list_words(forms)
}  # fmt: skip
_POINTING = word_set("it he she they this that these those i you we")
_SHARING = word_set("than and or only both most all every each some any")
_LONGEST_READ = 400


def asks_yes_no(question: str) -> bool:
    """Return whether a question wants a yes or a no: one that offers nothing else to choose, and is not negated itself."""
    question = _CONDITION.sub("", question)
    return YES_NO_OPENING.match(question) is not None and not (
        _ALTERNATIVE.search(question) or _NEGATED.search(question)
    )


@lru_cache(maxsize=16384)
def read_leading_yes_no(text: str) -> bool | None:
    """Return the yes or no with which a text begins."""
    says = _SAYS_YES_NO.match(fold(text[:_LONGEST_READ]))
    return None if says is None else says["word"].lower() in _YES


def read_yes_no(answer: str) -> bool | None:
    """Return the yes or no with which an answer begins, unless what follows limits it."""
    says = _SAYS_YES_NO.match(fold(answer)) if len(answer) <= _LONGEST_READ else None
    return None if says is None or _TURNS.search(says["rest"]) else says["word"].lower() in _YES


def read_final_yes_no(answer: str) -> bool | None:
    """Return the yes or no with which an answer begins or concludes; None where the two differ, or its sentence takes it back."""
    folded = fold(answer[:_LONGEST_READ])
    begun, ended = _SAYS_YES_NO.match(folded), None
    folded = folded if len(answer) <= _LONGEST_READ else fold(answer[-_LONGEST_READ:])
    for found in _CONCLUDES.finditer(folded):
        ended = _SAYS_YES_NO.match(folded, found.end())
    said = {_read_unless_turned(says) for says in (begun, ended) if says is not None}
    return said.pop() if len(said) == 1 else None


def _read_unless_turned(says: re.Match[str]) -> bool | None:
    first = split_sentences(says["rest"])[:1]
    return None if any(map(_TURNS_BACK.search, first)) else says["word"].lower() in _YES


def has_negation(text: str) -> bool:
    """Return whether a text has a word that denies."""
    return _NEGATED.search(fold(text)) is not None


def restates_question(question: str, answer: str) -> bool:
    """Return whether an answer only repeats the question behind its yes or no, negated for a no and not for a yes: "No, it does not."."""
    says = _SAYS_YES_NO.match(fold(answer)) if len(answer) <= _LONGEST_READ else None
    if says is None:
        return False
    rest = normalise(says["rest"]).split()
    negated = any(form in NEGATIONS for form in rest)
    if rest and negated is (says["word"].lower() in _YES):
        return False
    # A subsequence of the question: each word is looked for behind the one before it.
    asked = iter([stem_of(form) for form in normalise(question).split()])
    return all(stem_of(form) in asked for form in rest if form not in NEGATIONS and form not in _FILLER_WORDS)


def read_restated_yes_no(question: str, answer: str) -> bool | None:
    """Return the yes or no of an answer that is the question as a statement, all of its words in their order, with a negation or without one: "It is not legal."."""
    said = fold(answer.strip())
    if (
        not asks_yes_no(question)
        or len(said) > _LONGEST_READ
        or _TURNS.search(said)
        or len(split_sentences(said)) > 1
    ):
        return None
    wanted, given = normalise(question).split(), normalise(said).split()
    negators = sum(form in NEGATIONS for form in given)
    if not given or negators > 1 or _list_helpers(wanted) != _list_helpers(given):
        return None
    if len(_POINTING.intersection(wanted)) > 1:
        return None  # who is taller than whom
    said_again = _list_content(wanted) == _list_content(given) or _stands_for(wanted, given)
    return negators == 0 if said_again else None


def _stands_for(wanted: list[str], given: list[str]) -> bool:
    """Return whether a statement about "it" answers the question with its auxiliary verb, perhaps with words of the question behind it: "Did it rain?" "It did."."""
    helper = next((form for form in given if form in _HELPERS), "")
    if given[0] not in _POINTING or _HELPERS.get(helper) != _HELPERS.get(wanted[0]):
        return False
    content = _list_content(given)
    if content and not _SHARING.isdisjoint(wanted):
        return False  # of which of two, or of how many, it is said
    return content == _list_content(wanted)[1 : 1 + len(content)]


def _list_content(forms: list[str]) -> list[str]:
    """Return the stems of words but for those that stand elsewhere in a question than in a statement."""
    return [
        stem_of(form)
        for form in forms
        if form not in NEGATIONS and form not in _FILLER_WORDS and form not in _HELPERS
    ]


def _list_helpers(forms: list[str]) -> set[str]:
    """Return the auxiliary verbs, each by one form; "do" is left out, because a statement has none."""
    return {_HELPERS[form] for form in forms if form in _HELPERS} - {"do"}


def compare_yes_no(question: str, references: tuple[str, ...], answer: str) -> bool | None:
    """Return whether the yes or no to which an answer comes is that of all references; None where there is none, or another thing is asked for."""
    wanted = find_wanted_yes_no(question, references)
    said = read_final_yes_no(answer) if wanted is not None else None
    return None if said is None else said is wanted


def find_wanted_yes_no(question: str, references: tuple[str, ...]) -> bool | None:
    """Return the yes or no with which all references to a yes-or-no question begin."""
    words = {read_leading_yes_no(reference) for reference in references}
    return words.pop() if len(words) == 1 and asks_yes_no(question) else None


# Yes and no with reasons or figures.

_FIGURE = re.compile(r"(?!\S*\d(?:st|nd|rd|th)\b)\S*\d\S*")
_COUNT_WORDS = frozenset({"once", "twice", "thrice", "half"})
_WEAK_CUES = any_case(r"\b(?:fail\w*|without|below|under|weak\w*|poor\w*|lack\w*|exceed\w*|loss|losses)\b")


def find_agreed_reference(item: Item) -> int | None:
    """Return the place of the reference whose yes or no an answer says, with the reference's figures or without a value of its own."""
    if not compare_yes_no(item.question or "", item.references, item.answer):
        return None
    for place, reference in enumerate(item.references):
        if not _adds_value(item, reference) or _gives_its_figures(item, reference):
            return place
    return None


def find_figured_reference(item: Item) -> int | None:
    """Return the place of the reference whose figures an answer without a yes or no gives for it; None where it may come to the opposite."""
    question, answer = item.question or "", item.answer
    wanted = find_wanted_yes_no(question, item.references)
    if (
        wanted is None
        or read_final_yes_no(answer) is not None
        or not _may_imply(question, answer, wanted=wanted)
    ):
        return None
    places = (place for place, each in enumerate(item.references) if _gives_its_figures(item, each))
    return next(places, None)


def _gives_its_figures(item: Item, reference: str) -> bool:
    return gives_figures(reference, item.answer, item.question or "") and not misplaces_figures(
        reference, item.answer
    )


def _adds_value(item: Item, reference: str) -> bool:
    """Return whether an answer has a name or a number, in digits or words, that neither question nor references have; figures beside a reference that has none contradict nothing."""
    known = set(normalise(" ".join([item.question or "", *item.references])).split())
    if not any(map(str.isdigit, reference)):
        item = Item(item.question, item.references, _FIGURE.sub(" ", item.answer))
    return names_something_else(item) or any(
        form in _COUNT_WORDS or read_number_words(form) is not None
        for form in normalise(item.answer).split()
        if form not in known
    )


def _may_imply(question: str, answer: str, *, wanted: bool) -> bool:
    """Return whether an answer without a yes or no may come to the wanted one: it denies nothing, or something, or does not take up what the question ends with."""
    if wanted:
        return not has_negation(answer)
    telling = [stem_of(form) for form in normalise(question).split() if form not in FUNCTION_WORDS]
    said = set(map(stem_of, normalise(answer).split()))
    return has_negation(answer) or _WEAK_CUES.search(answer) is not None or said.isdisjoint(telling[-1:])


# Opposites and swapped sides.

_OPPOSITE_PAIRS = (
    "increase/decrease increase/reduce raise/lower rise/fall grow/shrink grow/fall higher/lower high/low more/less more/fewer most/least above/below gain/loss gain/lose profit/loss profit/deficit "
    "surplus/deficit improve/worsen better/worse best/worst widen/narrow expand/contract strengthen/weaken win/lose win/loss pass/fail success/failure accept/reject allow/forbid permit/prohibit "
    "plaintiff/defendant buyer/seller buy/sell import/export lender/borrower employer/employee north/south east/west northern/southern eastern/western inside/outside internal/external before/after "
    "first/last earliest/latest begin/end start/end open/closed include/exclude hot/cold positive/negative maximum/minimum large/small larger/smaller bigger/smaller big/small longer/shorter fast/slow "
    "faster/slower strong/weak stronger/weaker heavier/lighter alive/dead survive/die male/female mother/father brother/sister son/daughter husband/wife king/queen older/younger true/false "
    "same/different always/never public/private acidic/basic upper/lower horizontal/vertical with/without once/twice"
)
_OPPOSITES = frozenset(frozenset(map(stem_of, pair.split("/"))) for pair in list_words(_OPPOSITE_PAIRS))
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis")
_EITHER = frozenset(map(stem_of, list_words("flammable habitable valuable")))
"""Words that mean much the same with "in" before them."""
_TELLING_SMALL_WORDS = word_set(
    "not no never with without before after more most less above below over under up down"
)
"""Small words that tell: what is said with them is another thing without them."""
# Words whose two sides cannot be swapped.
_SIDED_STEMS = frozenset(
    map(
        stem_of,
        list_words(
            "than before after then beat defeat acquire buy own kill shoot sue invade conquer teach hire fire cause precede follow succeed replace exceed outsell lead employ pay owe lend sell give send win lose orbit eat chase "
            "attack invent discover found contain include produce make become"
        ),
    )
)
_PLACING = word_set("in on at during")
_LEAST_STEM = 5
_COMPARES = re.compile(
    r"(?P<before>.+?)\b(?P<more>more|less|fewer|better|worse|(?:long|short|high|low|larg|small|bigg|fast|slow|strong|weak|heavi|light|old|young|great|cheap|warm|cold|hott|near|far|thick|thin|tall|deep|wid|rich|poor)e?r)\b(?:(?!\bthan\b).){0,40}\bthan\b(?P<behind>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TAKEN_BACK = any_case(
    r"\b(?:not|no|never|nobody|none|neither|false|wrong|untrue|myth|until|before|once|used to|had|was once)\b|n['’]t\b"
)
_CAPITAL_NAME = re.compile(r"(?<!\w)[A-Z][\w'’-]+")
_LONGEST_COMPARISON = 300


def says_opposite(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer has the telling words of a reference in their order, but for one that it turns into its opposite: "in favor of the defendant"; words of the question may be left out."""
    asked, wanted, given = map(_list_content_stems, (question, reference, answer))
    lost, added = (set(one).difference(other, asked) for one, other in ((wanted, given), (given, wanted)))
    if not len(lost) == len(added) == 1:
        return False
    both = set(wanted) & set(given)
    ordered = [form for form in wanted if form in both] == [form for form in given if form in both]
    return ordered and all(any(_are_opposite(one, other) for other in added) for one in lost)


def _are_opposite(one: str, other: str) -> bool:
    """Return whether two words are opposites, or one denies the other by what it begins with."""
    if frozenset((one, other)) in _OPPOSITES:
        return True
    short, long = sorted((one, other), key=len)
    if short in _EITHER:
        return False
    return len(short) >= _LEAST_STEM and any(long == f"{prefix}{short}" for prefix in _PREFIXES)


def _list_content_stems(text: str) -> list[str]:
    return [
        stem_of(form)
        for form in normalise(text).split()
        if form in _TELLING_SMALL_WORDS or form not in FUNCTION_WORDS
    ]


def swaps_sides(reference: str, answer: str) -> bool:
    """Return whether an answer has the words of a reference, and those on one side of a verb or a comparison on the other: "Brazil beat Germany" for "Germany beat Brazil"."""
    if _compares_back(reference, answer):
        return True
    wanted, given = map(_list_movable, (reference, answer))
    if wanted == given or Counter(wanted) != Counter(given):
        return False
    sides = [word for word in _SIDED_STEMS.intersection(wanted) if wanted.count(word) == 1]
    return any(_has_swapped(wanted, given, word) for word in sides)


def _compares_back(reference: str, answer: str) -> bool:
    """Return whether two names have swapped sides in a comparison, whatever the other words: "B ruled longer than A" for "A reigned longer than B"."""
    texts = (reference, answer)
    wanted, given = (
        _COMPARES.fullmatch(text) if len(text) <= _LONGEST_COMPARISON else None for text in texts
    )
    if wanted is None or given is None or wanted["more"].lower() != given["more"].lower():
        return False
    ours, theirs = (_list_names(match["before"]) for match in (wanted, given))
    beneath, instead = (_list_names(match["behind"]) for match in (wanted, given))
    if any(map(_TAKEN_BACK.search, texts)):
        return False
    return ours.isdisjoint(theirs) and bool(ours & instead) and bool(theirs & beneath)


def is_lesser_side(answer: str, start: int, asked: Sequence[str]) -> bool:
    """Return whether a mention has less of what is asked for, where the question names both: "Poland has more than Spain"."""
    found = _COMPARES.match(answer) if "or" in asked else None
    return found is not None and found["more"].lower() in asked and found.start("behind") <= start


def _list_names(text: str) -> set[str]:
    return {stem_of(word.lower()) for word in _CAPITAL_NAME.findall(text)}


def _list_movable(text: str) -> list[str]:
    """Return the words of a text but for when and where, which stand anywhere."""
    forms = normalise(text).split()
    return [
        stem_of(form)
        for form, before in zip(forms, ["", *forms], strict=False)
        if before not in _PLACING and not any(map(str.isdigit, form))
    ]


def _has_swapped(wanted: list[str], given: list[str], word: str) -> bool:
    """Return whether words have gone over to the other side both ways."""
    before, instead = (
        {form for form in forms[: forms.index(word)] if form not in FUNCTION_WORDS}
        for forms in (wanted, given)
    )
    return bool(before - instead) and bool(instead - before)
