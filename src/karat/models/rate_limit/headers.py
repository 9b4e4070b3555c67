"""Read an endpoint's limits from the headers of a response."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from math import isfinite

from msgspec import Struct

from karat.models.rate_limit.windows import Unit

_LONGEST_WAIT = 120.0  # seconds
_PLAUSIBLE = 86_400.0  # seconds; limits are renewed within a day, so longer times are ignored
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
    """Return the remaining amount of each limit whose headers are complete; `now` is the time of day."""
    found = list[Left]()
    for rest, renewal, unit in _LIMITS:
        if rest in headers and renewal in headers:
            remaining = _read_number(headers[rest])
            reset = _read_wait(headers[renewal], headers, now)
            if (
                remaining is not None and remaining >= 0 and reset is not None
            ):  # some endpoints send -1 for no limit
                found.append(Left(rest, unit, remaining, reset))
    return found


def read_retry_after(headers: dict[str, str], now: float) -> float | None:
    """Return the seconds to wait that the endpoint asks for, at most 120; None if it asks for none."""
    millis = _read_number(headers.get("retry-after-ms", ""))
    if millis is not None:
        return _check_plausible(millis / 1000)
    return _read_wait(headers.get("retry-after", ""), headers, now)


def _read_wait(text: str, headers: dict[str, str], now: float) -> float | None:
    """Return seconds from `60`, `6m0s`, `20ms` or a date, which is compared with the endpoint's own clock."""
    seconds = _read_number(text)
    if seconds is None and _SPAN.fullmatch(text):
        seconds = sum(float(count) * _SECONDS[unit] for count, unit in _STEP.findall(text))
    if seconds is None:
        moment = _read_date(text)
        seconds = None if moment is None else max(0.0, moment - (_read_date(headers.get("date", "")) or now))
    return None if seconds is None else _check_plausible(seconds)


@lru_cache(maxsize=64)  # all responses of one second contain the same dates
def _read_date(text: str) -> float | None:
    read = datetime.fromisoformat if text[:1].isdigit() else parsedate_to_datetime
    try:
        moment = read(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _read_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _check_plausible(seconds: float) -> float | None:
    return min(_LONGEST_WAIT, seconds) if 0 <= seconds <= _PLAUSIBLE else None
