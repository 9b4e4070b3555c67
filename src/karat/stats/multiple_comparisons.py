"""Many questions asked of the same rows: p values that hold for all at once."""

from collections.abc import Iterable, Sequence
from itertools import accumulate


def holm(p: Sequence[float]) -> list[float]:
    """P values adjusted so that even one false finding is as rare as a single test's (Holm 1979)."""
    count = len(p)
    order = sorted(range(count), key=p.__getitem__)
    stepped = accumulate(((count - rank) * p[place] for rank, place in enumerate(order)), max)
    return _back(order, stepped)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """P values adjusted so that of the findings only a known share is false on average (Benjamini and Hochberg 1995)."""
    count = len(p)
    order = sorted(range(count), key=p.__getitem__, reverse=True)
    stepped = accumulate((count / (count - rank) * p[place] for rank, place in enumerate(order)), min)
    return _back(order, stepped)


def benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """The same for tests that depend on each other in any way (Benjamini and Yekutieli 2001)."""
    harmonic = sum(1 / rank for rank in range(1, len(p) + 1))
    return benjamini_hochberg([harmonic * each for each in p])


def _back(order: Sequence[int], stepped: Iterable[float]) -> list[float]:
    adjusted = dict(zip(order, stepped, strict=True))
    return [min(1.0, adjusted[place]) for place in range(len(order))]
