"""Amounts of a time: "4 g per day" is "4 g" where the question asks for a daily dose."""

import re
from fractions import Fraction

from msgspec import structs

from karat.text.figures import Figure

_PERIODS = (
    (re.compile(r"\b(?:per second|each second|a second)\b", re.IGNORECASE), "time", 1),
    (re.compile(r"\b(?:per minute|each minute|every minute|a minute)\b", re.IGNORECASE), "time", 60),
    (re.compile(r"\b(?:hourly|per hour|each hour|every hour|an hour)\b", re.IGNORECASE), "time", 3600),
    (re.compile(r"\b(?:daily|per day|each day|every day|a day|per diem)\b", re.IGNORECASE), "time", 86_400),
    (re.compile(r"\b(?:weekly|per week|each week|every week|a week)\b", re.IGNORECASE), "time", 604_800),
    (re.compile(r"\b(?:monthly|per month|each month|every month|a month)\b", re.IGNORECASE), "calendar", 1),
    (re.compile(r"\b(?:annual(?:ly)?|yearly|per (?:year|annum)|each year|every year|a year)\b", re.IGNORECASE), "calendar", 12),
)  # fmt: skip
"""Words for a time, its dimension, and its length in the base of that."""


def settle_rate(figure: Figure, wanted: Figure, asked: str) -> Figure:
    """Return a figure as what the wanted one is, where one of them says the time to which the question asks and the other leaves it out."""
    longer, shorter = sorted((figure.kind, wanted.kind), key=len, reverse=True)
    whole, _, time = longer.partition("/")
    if not time or whole != shorter:
        return figure
    named = {
        Fraction(size) for words, dimension, size in _PERIODS if dimension == time and words.search(asked)
    }
    if len(named) != 1:
        return figure
    size = named.pop()
    unit = figure.unit * size if figure.kind == longer else figure.unit / size
    return structs.replace(figure, kind=wanted.kind, unit=unit)
