"""Times of day: "15:00" beside "3 pm" is read as the latter, where a time is asked for."""

import re

from karat.text.asked import asks_time

_TIME = re.compile(
    r"(?<![\d:.,/$€£-])(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?(?![\d:/%]|\.\d)(?:\s?"
    r"(?P<half>[ap]\.?\s?m\b\.?|o['’]?clock\b(?:\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight))?|in\sthe\s(?:morning|afternoon|evening)|at\snight))?",
    re.IGNORECASE,
)
# What makes a limit or a span of a time.
_LIMITED = re.compile(
    r"\b(?:after|before|until|till|from|past|since|by|to|between|and)\s+$|[-–]\s?$", re.IGNORECASE
)
_SPANNED = re.compile(r"\s?(?:to|until|till|and|-|–)\s?\d", re.IGNORECASE)
_LAST_HOUR, _NOON = 23, 12
_LIMIT_REACH = 12


def respell_times(reference: str, answer: str, question: str) -> str:
    """Return the answer with the reference's time of day written as there; one of the two has to say which half of the day it is."""
    if not asks_time(question):
        return answer
    wanted = [found for found in _TIME.finditer(reference) if _read(found)]
    if len(wanted) != 1:
        return answer
    meant = wanted[0]

    def write(found: re.Match[str]) -> str:
        halved = meant["half"] or found["half"]
        limited = _LIMITED.search(
            answer, max(0, found.start() - _LIMIT_REACH), found.start()
        ) or _SPANNED.match(answer, found.end())
        given = _read(found)
        if not halved or limited or not given or not given <= _read(meant) or found[0].strip() in question:
            return found[0]
        return meant[0].rstrip()

    return _TIME.sub(write, answer)


def _read(found: re.Match[str]) -> frozenset[int]:
    """Return the minutes of the day that a time may be; none where it is only a number."""
    half = re.sub(r"[\s.'’]", "", found["half"] or "").lower()
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > _LAST_HOUR or (not half and found["mark"] != ":"):
        return frozenset()
    late = _tell_half(half, hour)
    if late is not None:
        return frozenset(
            {60 * (hour % _NOON + (_NOON if late else 0)) + minute} if 1 <= hour <= _NOON else ()
        )
    if hour >= _NOON or hour == 0 or found["hour"].startswith("0"):
        return frozenset({60 * hour + minute})
    return frozenset({60 * hour + minute, 60 * (hour + _NOON) + minute})


def _tell_half(half: str, hour: int) -> bool | None:
    """Tell whether a time is of the second half of the day; None where nothing says so."""
    if half.startswith("am") or half.endswith("morning"):
        return False
    if half.startswith("pm") or half.endswith(("afternoon", "evening")):
        return True
    return hour not in (_NOON, 1, 2, 3, 4, 5) if half.endswith("night") else None
