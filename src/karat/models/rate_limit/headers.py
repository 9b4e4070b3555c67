"""What an endpoint says about its limits, read from the headers of a response."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from math import isfinite

from msgspec import Struct

from karat.models.rate_limit.windows import Unit

MOST = 120.0  # seconds; nobody is waited for longer
_PLAUSIBLE = 86_400.0  # seconds; limits are renewed within a day, and who says otherwise is not believed
_SPAN = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|us|[dhms]))+")
_STEP = re.compile(r"(\d+(?:\.\d+)?)(ms|us|[dhms])")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Left(Struct, frozen=True):
    """How much is left of a limit, and in how many seconds it is renewed."""

    limit: str
    unit: Unit
    remaining: float
    reset: float


_LIMITS: tuple[tuple[str, str, Unit], ...] = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset", "requests"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset", "tokens"),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset", "tokens"),
)


def read_limits(headers: dict[str, str], now: float) -> list[Left]:
    """What is left of each limit that is named with both its rest and its reset; `now` is the time of day."""
    found = list[Left]()
    for rest, renewal, unit in _LIMITS:
        if rest in headers and renewal in headers:
            remaining = _number(headers[rest])
            reset = _wait(headers[renewal], headers, now)
            if remaining is not None and remaining >= 0 and reset is not None:  # some say -1 for no limit
                found.append(Left(rest, unit, remaining, reset))
    return found


def read_retry_after(headers: dict[str, str], now: float) -> float | None:
    """In how many seconds the endpoint wants to be called again, at most two minutes; None where it does not say."""
    millis = _number(headers.get("retry-after-ms", ""))
    if millis is not None:
        return _believe(millis / 1000)
    return _wait(headers.get("retry-after", ""), headers, now)


def _wait(text: str, headers: dict[str, str], now: float) -> float | None:
    """Seconds from `60`, `6m0s`, `20ms`, or a date, which is held against the endpoint's own clock and may be past."""
    seconds = _number(text)
    if seconds is None and _SPAN.fullmatch(text):
        seconds = sum(float(count) * _SECONDS[unit] for count, unit in _STEP.findall(text))
    if seconds is None:
        moment = _moment(text)
        seconds = None if moment is None else max(0.0, moment - (_moment(headers.get("date", "")) or now))
    return None if seconds is None else _believe(seconds)


@lru_cache(maxsize=64)  # all calls of a second tell the same dates
def _moment(text: str) -> float | None:
    read = datetime.fromisoformat if text[:1].isdigit() else parsedate_to_datetime
    try:
        moment = read(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _believe(seconds: float) -> float | None:
    return min(MOST, seconds) if 0 <= seconds <= _PLAUSIBLE else None
