"""Times of day: "15:00" beside "3 pm" is read as the latter."""

import re

_TIME = re.compile(
    r"(?<![\d:.,/$€£-])(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d)(?::[0-5]\d)?)?(?![\d:/])\s?"
    r"(?P<half>[ap]\.?\s?m\b\.?|o'?clock(?:\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight))?|in\sthe\s(?:morning|afternoon|evening)|at\snight|h(?:ours|rs)?\b)?",
    re.IGNORECASE,
)
_LAST_HOUR, _NOON = 23, 12


def respell_times(reference: str, answer: str) -> str:
    """Return the answer with the reference's time of day written as there."""
    wanted = list(_TIME.finditer(reference))
    if len(wanted) != 1 or not (meant := _read(wanted[0])):
        return answer

    def write(found: re.Match[str]) -> str:
        given = _read(found)
        if not given or not given <= meant:
            return found[0]
        return wanted[0][0].rstrip() + found[0][len(found[0].rstrip()) :]

    return _TIME.sub(write, answer)


def _read(found: re.Match[str]) -> frozenset[int]:
    """Return the minutes of the day that a time may be; none where it is only a number."""
    half = re.sub(r"[\s.']", "", found["half"] or "").lower()
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > _LAST_HOUR or (not half and found["minute"] is None):
        return frozenset()
    told = _tell_half(half, hour)
    if told is not None:
        if not 1 <= hour <= _NOON:
            return frozenset()
        hour = hour % _NOON + (_NOON if told else 0)
        return frozenset({60 * hour + minute})
    if half.startswith("h") or hour > _NOON or hour == 0 or found["hour"].startswith("0"):
        return frozenset({60 * hour + minute})
    return frozenset({60 * (hour % _NOON) + minute, 60 * (hour % _NOON + _NOON) + minute})


def _tell_half(half: str, hour: int) -> bool | None:
    """Tell whether a time is of the second half of the day; None where nothing says so."""
    if half.startswith("am") or half.endswith("morning"):
        return False
    if half.startswith("pm") or half.endswith(("afternoon", "evening")):
        return True
    return hour not in (_NOON, 1, 2, 3, 4, 5) if half.endswith("night") else None
