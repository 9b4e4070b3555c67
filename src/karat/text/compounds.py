"""Common nouns behind another word, where they may name another thing: a sea horse is no horse."""

from karat.text.vocabulary import list_words

_FUNCTION = frozenset(
    list_words(
        "is was are were be been being am has have had does did do isnt in on at of to for from by with as and or that which who "
        "whom whose when where while because since during after before until also then so it its he she they this these those "
        "can will would should may must into onto about around between among through under over per via like than "
        "called named known my your his her their our some any all each every both i we you yes no answer means mean "
        "typically usually generally mainly mostly primarily commonly normally currently simply only entirely always often"
    )
)

_PERSONS = frozenset(
    list_words(
        "who whom whose person man woman actor actress singer author writer president king queen player president composer artist name"
    )
)
_ASKS_WHO = frozenset(list_words("who whom whose"))
_TITLES = frozenset(
    list_words(
        "mount mt lake river city county state king queen president sir saint st dr mr mrs ms lord lady captain"
    )
)


def is_common(reference: str, mention: str, question: frozenset[str]) -> bool:
    """Tell whether a word is written as a common noun, in the reference or in the answer.

    Where the question asks who, a capital in the reference is a person's, however carelessly the answer is written.
    """
    return reference[:1].islower() or (mention.islower() and _ASKS_WHO.isdisjoint(question))


def may_be_renamed(mention: str, before: str, question: frozenset[str]) -> bool:
    """Tell whether a capital word before a capital noun may make another thing of it: a Teddy Bear is no Bear.

    Where the question asks who, or there is none, the word before a name is a first name or a title.
    """
    capital = mention[:1].isupper() and before[:1].isupper() and not mention.isupper()
    return capital and bool(question) and _PERSONS.isdisjoint(question) and before.lower() not in _TITLES


def is_compound(before: str, gap: str) -> bool:
    """Tell whether the word before, with this gap, joins the noun to a new name or rules it as a verb."""
    word = before.lower()
    if gap not in (" ", "-") or not word[:1].isalpha():
        return False
    return word not in _FUNCTION


def is_asked(word: str, question: frozenset[str]) -> bool:
    """Tell whether the question has this word, in the singular or the plural."""
    return word in question or word.removesuffix("s") in question or f"{word}s" in question
