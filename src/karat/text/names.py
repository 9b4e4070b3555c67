"""Acronyms and their expansions, and names inside bigger names."""

import re

from karat.text.vocabulary import list_words

_SKIPPED = frozenset(
    list_words("of the and for in on to a an at by de la le du del y e und der die das et des von with")
)
_ACRONYM = re.compile(r"(?:[A-Z]\.?){2,10}")
_WORDS = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
# Two letters stand for too many things: only those that everyone reads the same way.
_TWO_LETTERS = {
    "us": "united states", "uk": "united kingdom", "un": "united nations", "eu": "european union", "nz": "new zealand",
    "la": "los angeles", "ny": "new york", "dc": "district of columbia", "ai": "artificial intelligence",
    "tv": "television", "wwi": "world war i", "wwii": "world war ii",
}  # fmt: skip


def is_acronym_of(short: str, long: str) -> bool:
    """Tell whether the capitals of `short` are the initials of the words of `long`."""
    if not _ACRONYM.fullmatch(short):
        return False
    letters = short.replace(".", "").lower()
    words = [word.lower() for word in _WORDS.findall(long)]
    if _TWO_LETTERS.get(letters) == " ".join(words):
        return True
    if len(letters) < _SHORTEST or not len(letters) <= len(words) <= 2 * len(letters):
        return False
    # Capitals in a name stand; a phrase in small letters is a coincidence more often than not.
    named = [word for word in _WORDS.findall(long) if word.lower() not in _SKIPPED]
    if not all(word[0].isupper() for word in named):
        return False
    initials = "".join(word[0] for word in words)
    return letters in (initials, "".join(word[0].lower() for word in named))


_PLACE_BEFORE = frozenset(
    list_words(
        "New North South East West Northern Southern Eastern Western Upper Lower Great Greater Little San Santa Saint St Los Las El "
        "Fort Port Mount Cape"
    )
)
_PREFIXES = frozenset(
    list_words(
        "vice deputy assistant acting former ex step half grand anti non pre post pseudo quasi fake mini co sub under counter semi"
    )
)
_FUNCTION = frozenset(
    list_words(
        "is was are were be been being has have had does did do in on at of to for from by with as and that which who whom "
        "whose when where while because since during after before until also then so it its he she they this these those "
        "can will would should may must if not only into onto about around between among through under over per via "
        "located born founded released published made based known called named plus including there here"
    )
)
_SUFFIXES = frozenset(
    {
        "jr",
        "sr",
        "i",
        "ii",
        "iii",
        "iv",
        "v",
        "vi",
        "vii",
        "viii",
        "ix",
        "x",
        "xi",
        "xii",
        "xiii",
        "xiv",
        "xv",
        "xvi",
    }
)
_SHORT_ANSWER = 8
_BESIDE = frozenset(
    list_words("near outside beside opposite like unlike alongside behind versus toward towards")
)
_AWAY = re.compile(
    r"\b(?:north|south|east|west|outside|similar|close|next|related|opposite|adjacent|prior|compared|due|republic)[ ](?:of|to)$",
    re.IGNORECASE,
)
_LINKS = frozenset(list_words("of to from with for taught beat met married against over under than"))
_COPULAS = frozenset(list_words("is was are were be been has had did does"))
# "The city of Paris" is Paris; "the mayor of Paris" is not.
_KINDS = frozenset(
    list_words(
        "city town village state province kingdom island county country land type kind form name god king queen lot piece made"
    )
)


def names_kind(form: str) -> bool:
    """Tell whether a word says only what sort of thing a name is of: the city of Paris."""
    return form in _KINDS


def is_only_related(forms: tuple[str, ...], start: int, end: int, ours: frozenset[str]) -> bool:
    """Tell whether an answer names something that stands in a relation to the mention, not the mention itself."""
    before = forms[:start]
    if not before:
        return False
    if before[-1] in _BESIDE - ours or _AWAY.search(" ".join(before[-2:])):
        return True
    if len(forms) > _SHORT_ANSWER or not _COPULAS.isdisjoint(forms) or len(before) < 2:  # noqa: PLR2004  # a head and its link
        return False
    return before[-1] in _LINKS and before[-2] not in _KINDS | ours and end == len(forms)


def is_part_of_name(
    before: str, after: str, gap_before: str, gap_after: str, *, count: int, ours: frozenset[str]
) -> bool:
    """Tell whether a mention may be a piece of a different name, by its neighbours in the answer.

    `before` and `after` are the neighbouring words as written, `gap_*` what separates them from the mention, `count`
    the words of the answer and `ours` the words that the question already used.
    """
    if (
        gap_before in (" ", "-")
        and before.lower() not in ours
        and (before in _PLACE_BEFORE or before.lower() in _PREFIXES)
    ):
        return True
    if not after or gap_after not in (" ", "-") or after.lower() in ours:
        return False
    if after.lower() in _SUFFIXES or (after[:1].isupper() and after.lower() not in _FUNCTION):
        return True
    return count <= _SHORT_ANSWER and after.lower() not in _FUNCTION and after[:1].isalpha()
