"""The figure that a reference is, with another sign: a rise for a fall, a loss for a gain, above zero for below it."""

import re
from typing import Literal, TypeAlias

from karat.text.directions import CHANGE, DIRECTED, FALLS, RISES
from karat.text.figures import FALLEN, Figure
from karat.text.likened import compare_texts

Way: TypeAlias = Literal["up", "down", "short"]
_DEFICIT = r"(?:deficits?|shortfalls?|net loss(?:es)?)"
_LEAD = r"(?:\s+(?:by|of|was|at|about|around|approximately|roughly|some|nearly|almost|over|more than|less than))*\s+[$€£]?\s?$"
# A word goes with a figure that it stands right before or behind; "more" and "lower" are said of much else.
_BEFORE: dict[Way, re.Pattern[str]] = {
    "up": re.compile(rf"\b(?:increas\w*|ros?e|risen|rising|gr[eo]w\w*|gain\w*|up){_LEAD}", re.IGNORECASE),
    "down": re.compile(
        rf"\b(?:decreas\w*|f[ae]ll(?:en|ing|s)?|drop\w*|declin\w*|lost|down|shr[aiu]nk\w*|cut){_LEAD}",
        re.IGNORECASE,
    ),
    "short": re.compile(rf"\b{_DEFICIT}{_LEAD}", re.IGNORECASE),
}
_BEHIND: dict[Way, re.Pattern[str]] = {
    "up": re.compile(r"\s*(?:increase|rise|growth|gain)\b", re.IGNORECASE),
    "down": re.compile(r"\s*(?:decrease|decline|drop|fall|loss|cut|reduction)\b", re.IGNORECASE),
    "short": re.compile(rf"\s*(?:\w+\s)?{_DEFICIT}\b", re.IGNORECASE),
}
_SHORT = re.compile(rf"\b{_DEFICIT}\b", re.IGNORECASE)
_LESS = re.compile(
    r"\b(?:sl[iu]d\w*|slip\w*|s[au]nk|dip\w*|plung\w*|plummet\w*|tumbl\w*|slump\w*|reduc\w*|below|depreciat\w*|weaken\w*|retreat\w*|shortfall|outflow|los[et]|in the red)\b",
    re.IGNORECASE,
)
"""Words that may say a figure below zero without a sign."""
_CAME_IN = re.compile(
    r"\b(?:(?:provided|generated) (?:net )?cash|cash (?:provided|generated)|net (?:cash )?inflow|net (?:gain|profit))(?: \w+){0,3}\W*$",
    re.IGNORECASE,
)
_MINUS = re.compile(r"(?:-|\bminus|\bnegative)\s?[$€£]?\s?$", re.IGNORECASE)
_REACH = 36


def has_other_sign(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives the one figure that a reference is as a rise for a fall, above zero for below it, or the other way."""
    found = compare_texts(reference, answer, question)
    like = found.list_alike() if found else []
    if found is None or not like:
        return False
    wanted, text, asked = found.wanted, found.text, found.asked
    if wanted.negative:
        if FALLEN.match(reference):  # by a word, which a figure may go without
            return all(_goes(text, figure, "up") for figure in like)
        below = any(figure.convert(wanted).negative for figure in like)
        came_in = all(_CAME_IN.search(_before(text, figure)) for figure in like)
        return not below and (came_in or not (FALLS.search(text) or _LESS.search(text)))
    if not _SHORT.search(f"{asked} {reference}") and all(_goes(text, figure, "short") for figure in like):
        return True
    risen, fallen = (all(_goes(text, figure, way) for figure in like) for way in ("up", "down"))
    rise, fall = RISES.search(asked) is not None, FALLS.search(asked) is not None
    if DIRECTED.search(asked) is None:
        minus = all(_MINUS.search(_before(text, figure)) for figure in like)
        return CHANGE.search(asked) is not None and (minus or (fallen and not risen))
    return rise is not fall and risen is not fallen and rise is fallen


def _goes(text: str, figure: Figure, way: Way) -> bool:
    """Tell whether a word for a rise, a fall or a shortfall stands right before or behind a figure."""
    return (
        _BEFORE[way].search(_before(text, figure)) is not None
        or _BEHIND[way].match(text, figure.end) is not None
    )


def _before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _REACH) : figure.start]
