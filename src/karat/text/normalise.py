"""The form in which two answers are compared."""

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from karat.text.clean import clean, strip_invisible
from karat.text.fold import fold
from karat.text.vocabulary import list_words

_LETTER = r"a-zA-Z\x80-\U0010ffff"
_TOKEN = re.compile(
    rf"""
      [{_LETTER}][{_LETTER}\d]*(?:_[{_LETTER}\d]+)*(?:\+{{1,2}}(?!\w)|\#(?!\w))?   # a word; C++, C#, A+
    | (?:(?<![\w.)\]%-])-)?\d+(?:[.,:/-]\d+)*[{_LETTER}]*                      # a number, with its minus sign
    | (?<=\d)[ ]-[ ](?=\d)                                                     # a subtraction
    | [$%<>=+^&]
    | (?<=[^\W_])\*(?=[^\W_]) | (?<=[^\W_])[ ]\*[ ](?=[^\W_])                                # a product, not emphasis
    """,
    re.VERBOSE,
)
# The lookbehinds follow a literal character, by which a search finds its places fast.
_BLOOD = re.compile(r"(?<![\w])(ab|[a-z])-(?![\w-])", re.IGNORECASE)
_OPEN_DASH = re.compile(r"-(?![\w-])")
_POINT = re.compile(r"\.(?<![\w.]\.)(?=\d)")
_GROUP = re.compile(r",\d{3}")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_INITIAL = re.compile(r"\.(?<=[a-zA-Z]\.)(?<![a-zA-Z\d][a-zA-Z]\.)\s?(?=[a-zA-Z](?![a-zA-Z\d']))")
_APOSTROPHE = re.compile(r"['`](?<!\d.)")
_SPELLINGS = {"&": "and", "percent": "%", "pct": "%", " - ": "-", " * ": "*"}
_DROPPED = frozenset({"the", "an"})
_ARTICLES = _DROPPED | {"a"}
# After these words a lone "a" is a name, not an article: vitamin A, hepatitis A, plan A.
_LABELLED = frozenset(
    list_words(
        "vitamin hepatitis influenza type group class grade plan team side option answer choice point section part "
        "appendix category level model series list schedule table figure exhibit serie blood title"
    )
)
_LONGEST_CACHED = 2000


class Token(Struct, frozen=True, gc=False):
    """A word of the comparison form and where it stands in the folded text."""

    form: str
    start: int
    end: int


def normalise(text: str) -> str:
    """Return the comparison form: case, accents, punctuation and articles do not count; values and signs do."""
    if len(text) <= _LONGEST_CACHED:
        return _normalise_short(text)
    return _normalise(text)


@lru_cache(maxsize=4096)
def _normalise_short(text: str) -> str:
    return _normalise(text)


def _normalise(text: str) -> str:
    found: list[str] = _TOKEN.findall(_lower(smooth(fold(text))))
    forms = [_SPELLINGS.get(form, form) for form in found]
    if not forms:
        return " ".join(_show_signs(text).split())
    return " ".join(_without_articles(forms))


def _show_signs(text: str) -> str:
    """Return a text of signs alone in NFKC, unless that would turn them into letters."""
    cleaned = clean(text)
    return strip_invisible(text) if any(map(str.isalnum, cleaned)) else cleaned


def smooth(folded: str) -> str:
    """Close up thousands, initials and apostrophes, which only spelling separates."""
    if _GROUP.search(folded):
        folded = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), folded)
    if "." in folded:
        folded = _POINT.sub("0.", _INITIAL.sub("", folded))
    if _OPEN_DASH.search(folded):
        folded = _BLOOD.sub(r"\1_minus", folded)
    return _APOSTROPHE.sub("", folded) if "'" in folded or "`" in folded else folded


def tokenise(smoothed: str) -> list[Token]:
    """Return the words of `normalise` with their places, from text that was folded and smoothed."""
    lowered = smoothed.lower()
    if len(lowered) != len(smoothed) or not lowered.isascii():
        found = [Token(_spell(match[0]), *match.span()) for match in _TOKEN.finditer(smoothed)]
    else:
        found = [
            Token(_SPELLINGS.get(form := match[0], form), *match.span()) for match in _TOKEN.finditer(lowered)
        ]
    kept = _keep_without_articles([token.form for token in found])
    return [found[place] for place in kept]


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text.casefold())


def _spell(form: str) -> str:
    lowered = _lower(form)
    return _SPELLINGS.get(lowered, lowered)


def _without_articles(forms: list[str]) -> list[str]:
    return forms if _ARTICLES.isdisjoint(forms) else [forms[place] for place in _keep_without_articles(forms)]


def _keep_without_articles(forms: list[str]) -> list[int]:
    if _ARTICLES.isdisjoint(forms):
        return list(range(len(forms)))
    # A factor is no article: without it the sign of its product would stand alone.
    places = [
        place
        for place, form in enumerate(forms)
        if form not in _DROPPED or "*" in (forms[place - 1] if place else "", *forms[place + 1 : place + 2])
    ]
    if not places:
        return list(range(len(forms)))
    if "a" not in forms:
        return places
    kept = list[int]()
    for place in places:
        if forms[place] != "a" or _names(_find_next(forms, place), forms[kept[-1]] if kept else ""):
            kept.append(place)
    return kept


def _find_next(forms: list[str], place: int) -> str:
    """Return the next word that is no "the" or "an"; a sign stands for the end."""
    return next((forms[each] for each in range(place + 1, len(forms)) if forms[each] not in _DROPPED), "+")


def _names(following: str, before: str) -> bool:
    """Tell whether an "a" is a name: at the end, before a sign, or after a word that takes a letter."""
    return not following[0].isalnum() or before in _LABELLED
