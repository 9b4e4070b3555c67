"""Figures that are limits ("over 2.1 billion", "nearly 12 %", "< 5"), and what they say of a value."""

import re
from typing import Literal, TypeAlias, cast

from msgspec import Struct

from karat.text.figures import Figure
from karat.text.likened import NEAR

Kind: TypeAlias = Literal["above", "least", "below", "most", "nearly"]


class Limit(Struct, frozen=True):
    """What kind of limit a figure is, and where the words begin that say so."""

    kind: Kind
    start: int


_LIMIT = re.compile(
    r"""(?:\b(?:
    (?P<above>over|more\sthan|above|exceed\w*|beyond|upwards\sof|in\sexcess\sof)
    |(?P<least>at\sleast|a\sminimum\sof|not?\s(?:less|fewer)\sthan|not\s(?:below|under))
    |(?P<below>under|less\sthan|fewer\sthan|below)
    |(?P<most>at\smost|up\sto|a\smaximum\sof|as\s(?:many|much)\sas|not?\smore\sthan|not\s(?:above|over))
    |(?P<nearly>nearly|almost|approaching|just\sshort\sof|(?:just|slightly|a\s(?:little|bit|shade|touch))\s(?:under|below|less\sthan))
    )\W+|(?:(?P<greater>(?<![-=])(?<!<\w)>)|(?P<from>≥|>=)|(?P<smaller><)|(?P<to>≤|<=))[\s$€£]*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_SIGNS: dict[str, Kind] = {"greater": "above", "from": "least", "smaller": "below", "to": "most"}
_ASKED = re.compile(
    r"\b(?:min\w*|max\w*|least|most|limits?|thresholds?|over|under|above|below|(?:more|less|fewer) than|exceed\w*|cut-?offs?|up to)\b",
    re.IGNORECASE,
)
_LOWER = frozenset({"above", "least"})
_REACH, _LEAST_STEPS = 30, 10


def find_limit(text: str, figure: Figure) -> Limit | None:
    """Return the limit as which a figure is given; None where it is none."""
    begin = max(0, figure.start - _REACH)
    found = _LIMIT.search(text[begin : figure.start])
    if found is None:
        return None
    name = cast("str", found.lastgroup)
    return Limit(_SIGNS.get(name) or cast("Kind", name), begin + found.start())


def allows(limit: Limit, given: Figure, wanted: Figure) -> bool:
    """Tell whether a value lies within a limit, and is not the limit itself."""
    edge = given.convert(wanted).value
    return wanted.value > edge if limit.kind in _LOWER else wanted.value < edge


def is_close(limit: Limit, given: Figure, wanted: Figure) -> bool:
    """Tell whether a limit of two digits or more says a value roughly: it lies within, less than the limit's last digit away ("over 247 million" for 247.3 million)."""
    edge = given.convert(wanted)
    away = abs(wanted.value - edge.value)
    exact = edge.value >= _LEAST_STEPS * edge.step and away < edge.step and away <= NEAR * wanted.value
    return exact and allows(limit, given, wanted)


def excludes(limit: Limit, given: Figure, wanted: Figure, asked: str) -> bool:
    """Tell whether a value lies outside a limit that is near it; "over 500" may still be said of 500, and where limits are asked for the figure is what counts."""
    edge = given.convert(wanted).value
    if _ASKED.search(asked) or abs(wanted.value - edge) > NEAR * wanted.value:
        return False
    return limit.kind == "below" if wanted.value == edge else not allows(limit, given, wanted)
