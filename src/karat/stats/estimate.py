"""What every statistic returns: a number with its interval, or why there is none."""

from typing import TypeAlias

from msgspec import Struct


class Estimate(Struct, frozen=True, tag="estimate"):
    """A number with its interval, the rows (and clusters) it rests on, and how the interval was made."""

    value: float
    low: float
    high: float
    n: int
    method: str
    level: float = 0.95
    clusters: int | None = None


class Undefined(Struct, frozen=True, tag="undefined"):
    """Why a number is not defined: a value of its own, never NaN and never 0."""

    why: str


Number: TypeAlias = Estimate | Undefined
