"""Questions that ask which of two ways something went, and answers that say it in other words: "it fell by 3 %" for "decrease"."""

import re

from karat.text.connectives import connects
from karat.text.fold import fold
from karat.text.normalise import normalise
from karat.text.polarity import is_negated
from karat.text.stems import stem_of
from karat.text.vocabulary import list_words

_UP = r"increas\w*|rose|ris(?:e|es|en|ing)|grew|grow(?:s|n|th|ing)?|gain(?:ed|s)?|climb(?:ed|s)?|up|higher"
_DOWN = (
    r"decreas\w*|f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|declin\w*|shr[aiu]nk\w*|slipp?(?:ed|s)?|down|lower"
)
_WAYS = re.compile(rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b", re.IGNORECASE)
_ALONE = re.compile(
    rf"\W*(?:it |they )?(?:an? |has |have |had )?(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\W*", re.IGNORECASE
)
_ASKS = re.compile(rf"\b(?:(?:{_UP}) or (?:{_DOWN})|(?:{_DOWN}) or (?:{_UP}))\b", re.IGNORECASE)
_SAYING = frozenset(
    map(
        stem_of,
        list_words(
            "thousand million billion percent point basis year quarter about approximately roughly by from to"
        ),
    )
)
_LONGEST = 300


def tell_direction(references: tuple[str, ...], answer: str, question: str) -> bool | None:
    """Tell whether an answer goes the way that every reference names in a word, where the question offers both; None where it speaks of anything else, goes both ways or denies one."""
    found = [_ALONE.fullmatch(reference) for reference in references]
    ways = {each["up"] is not None for each in found if each}
    if None in found or len(ways) != 1 or not _ASKS.search(question) or len(answer) > _LONGEST:
        return None
    text = fold(answer)
    said = {each["up"] is not None for each in _WAYS.finditer(text)}
    known = _SAYING.union(map(stem_of, normalise(question).split()))
    told = (stem_of(form) for form in normalise(_WAYS.sub(" ", text)).split() if not connects(form))
    if len(said) != 1 or is_negated(answer) or any(form.isalpha() and form not in known for form in told):
        return None
    return said == ways
