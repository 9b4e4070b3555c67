"""What a question asks for, by its words."""

import re

_PERSON = re.compile(
    r"\b(?:who|whom|whose|actor|actress|author|writer|poet|novelist|painter|artist|sculptor|composer|musician|singer|player|footballer|"
    r"president|minister|politician|leader|founder|philosopher|physicist|chemist|mathematician|explorer|king|queen|emperor|general|scientist|inventor|director|character)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:when|years?|decades?|century|centuries|era|(?:what|which|historical|time) period|dates?|dated?)\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b(?:what time|which time|what hour|when|o['’]?clock)\b", re.IGNORECASE)


def asks_person(question: str) -> bool:
    """Tell whether somebody is asked for."""
    return _PERSON.search(question) is not None


def asks_when(question: str) -> bool:
    """Tell whether a date or a period is asked for."""
    return _WHEN.search(question) is not None


def asks_time(question: str) -> bool:
    """Tell whether a time of day may be asked for."""
    return _TIME.search(question) is not None
