"""Rises and falls: which way a figure goes, by its sign or by a word."""

import re

from karat.text.figures import Figure
from karat.text.likened import Told

_UP = r"increas\w*|ros?e|risen?|rising|gr[eo]w\w*|up|gain\w*|higher|more"
_DOWN = r"decreas\w*|f[ae]ll(?:en|ing|s)?|drop\w*|declin\w*|loss(?:es)?|lost|down|negative|lower\w*|less|cut|fewer|shr[ai]nk\w*"
DIRECTED = re.compile(rf"\b(?:{_UP}|{_DOWN})\b", re.IGNORECASE)
RISES = re.compile(rf"\b(?:{_UP}|widen\w*|expand\w*)\b", re.IGNORECASE)
FALLS = re.compile(
    rf"\b(?:{_DOWN}|shrunk\w*|narrow\w*|contract(?:ed|s|ing|ion)|deficit|minus)\b", re.IGNORECASE
)
CHANGE = re.compile(r"\b(?:chang\w*|differ\w*|var(?:y|ied|iance|iation))\b", re.IGNORECASE)


def may_be_turned(wanted: Figure, text: str, told: Told, asked: str) -> bool:
    """Tell whether a sign, or a word for a rise or a fall where a change is asked for, may make another value of the same figure."""
    signs = {figure.negative for figure, like in told if like in {"same", "rounded"}}
    rises, falls = RISES.search(text) is not None, FALLS.search(text) is not None
    if wanted.negative:
        return signs != {True} and (True in signs or rises or not falls)
    if True in signs or not CHANGE.search(asked):
        return True in signs
    # "What is the change?" "65 %": a rise, unless the question speaks of a fall.
    return falls or (rises and DIRECTED.search(asked) is not None)


def may_be_directed(question: str) -> bool:
    """Tell whether a question asks for a change, a rise or a fall, where a figure may be said without its sign."""
    return DIRECTED.search(question) is not None or CHANGE.search(question) is not None
