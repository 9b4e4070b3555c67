"""The gate: answers that say nothing are wrong for every protocol and judge."""

import re
import unicodedata

from karat.core.types import Item
from karat.text.clean import clean
from karat.text.echoes import FUNCTION_WORDS, is_echo
from karat.text.normalise import normalise
from karat.text.openers import is_opener
from karat.text.plain import says_something
from karat.text.refusals import is_refusal, resembles_refusal
from karat.text.ruling import Ruling
from karat.text.stems import stem_of
from karat.text.talk import is_talk, speaks_of_answers
from karat.text.vocabulary import list_words

_LONGEST = 4_000
_FEW = 6
_SPEAKS = re.compile(r"[^\W_]")
_MEANT = frozenset({"So", "Sm"})
_NAMES_SIGN = re.compile(
    r"\b(?:(?:signs?|symbols?|marks?|operators?|characters?|keys?|arrows?|dots?|stars?)$|punctuation|emojis?|emoticons?|brackets?|parenthes[ie]s|braces?|"
    r"commas?|(?:semi)?colons?|periods?|full stops?|decimal point|ellipsis|plus|minus|slash|dash|hyphen|asterisks?|equals?|percent|hash|ampersand|"
    r"underscore|tilde|caret|pipe|apostrophe|quotes?|quotation|infinity)\b",
    re.IGNORECASE,
)
_OF_TEXTS = frozenset(
    map(
        stem_of,
        list_words(
            "information context document passage text answer question provided given data available yes not"
        ),
    )
)
_POLAR = frozenset({"yes", "no", "true", "false", "correct", "incorrect"})
_POLAR_SIGNS = frozenset("+-")


def gate(item: Item) -> Ruling | None:
    """Reject an answer that is empty, an opener, an echo or a refusal, unless a reference says just that."""
    name = _name_junk(item)
    if name is None or _is_wanted(item, name):
        return None
    return Ruling(accept=False, name=name, reason=_REASONS[name])


_REASONS = {
    "empty": "The answer is empty.",
    "punctuation": "The answer holds no word, number or symbol.",
    "opener": "The answer announces an answer and stops there.",
    "echo": "The answer repeats the question and adds nothing.",
    "refusal": "The answer declines to answer.",
    "talk": "The answer speaks of answering and says nothing.",
}


def _name_junk(item: Item) -> str | None:
    answer = item.answer
    # Most answers begin with a word; only the others are looked through. Some letters of other scripts show nothing.
    if not (answer[:1].isascii() and answer[:1].isalnum()):
        answer = clean(answer)
        if not answer.strip():
            return "empty"
        if _SPEAKS.search(answer) is None and not _has_picture(answer):
            return "punctuation"
    if len(answer) > _LONGEST:
        return None
    return _name_empty_talk(item.question or "", answer)


def _has_picture(answer: str) -> bool:
    """Tell whether an emoji or a sign beyond ASCII stands in the answer, which may be all it needs."""
    signs = answer if len(answer) <= _LONGEST else answer[:_LONGEST]
    return not signs.isascii() and any(
        unicodedata.category(sign) in _MEANT for sign in signs if not sign.isascii()
    )


def _name_empty_talk(question: str, answer: str) -> str | None:
    # What stops at a colon announces something and does not say it.
    if answer.rstrip().endswith((":", "：")) and len(answer.split()) <= _FEW:
        return "opener"
    if says_something(question, answer):
        return None
    if is_opener(answer):
        return "opener"
    if is_refusal(answer):
        return "refusal"
    if question and is_echo(question, answer):
        return "echo"
    return "talk" if is_talk(answer) else None


def _is_wanted(item: Item, name: str) -> bool:
    """Tell whether a reference is, or is part of, what the answer says."""
    given = normalise(item.answer[: _LONGEST * 2])
    if name == "refusal" and (_shares_word(item) or any(map(resembles_refusal, item.references))):
        return True
    # A reference that stands in the question is not said by saying the question.
    repeated = name == "echo" and given == normalise(item.question or "")
    for reference in item.references:
        form = normalise(reference)
        if form == given or (form and not repeated and _holds(given, form)):
            return True
        if name == "punctuation" and (form in _POLAR and not _POLAR_SIGNS.isdisjoint(item.answer)):
            return True
        if name == "punctuation" and _NAMES_SIGN.search(reference[:_LONGEST]):
            return True
        if name == "talk" and (form in _POLAR or speaks_of_answers(reference)):
            return True
    return False


def _shares_word(item: Item) -> bool:
    """Tell whether an answer has a telling word of a reference that the question does not have: what it says is missing may be the answer."""
    asked, given = (set(map(stem_of, normalise(text).split())) for text in (item.question or "", item.answer))
    wanted = {
        stem_of(form)
        for reference in item.references
        for form in normalise(reference[:_LONGEST]).split()
        if form not in FUNCTION_WORDS and form.isalpha()
    }
    return not wanted.isdisjoint(given - asked - _OF_TEXTS)


def _holds(given: str, form: str) -> bool:
    """Tell whether a reference stands in an answer as a word or words of its own, in the singular or the plural."""
    stem = form.removesuffix("s")
    if not form.isascii():
        return stem in given
    return any(f" {word} " in f" {given} " for word in (form, stem, f"{stem}s"))
