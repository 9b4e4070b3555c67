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

_PERSONS = frozenset(list_words("who whom whose"))


def is_common(reference: str, mention: str, question: frozenset[str]) -> bool:
    """Tell whether a word is written as a common noun, in the reference or in the answer.

    Where the question asks who, a capital in the reference is a person's, however carelessly the answer is written.
    """
    return reference[:1].islower() or (mention.islower() and _PERSONS.isdisjoint(question))


def is_compound(before: str, gap: str) -> bool:
    """Tell whether the word before, with this gap, joins the noun to a new name or rules it as a verb."""
    word = before.lower()
    if gap not in (" ", "-") or not word[:1].isalpha():
        return False
    return word not in _FUNCTION


def is_asked(word: str, question: frozenset[str]) -> bool:
    """Tell whether the question has this word, in the singular or the plural."""
    return word in question or word.removesuffix("s") in question or f"{word}s" in question
