"""Which items are worth labelling: more where the judge is likely to err, and every one with a known chance.

The items are divided into strata by verdict, by who gave it and by confidence. Within a stratum every item has the
same chance, so an estimate that weighs labels by these chances is right on average, whatever was guessed here.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import sqrt
from random import Random
from typing import Final

from msgspec import Struct

from karat.store.plans import Candidate

BANDS: Final = (0.6, 0.8, 0.95)
LEAST: Final = 2  # labels in a stratum, without which its spread cannot be seen
_FLOOR: Final = 0.15  # even a sure judge is checked: no chance is much smaller than the others
_BLIND: Final = 0.3  # a judge without a confidence is taken to be wrong once in ten times
_TINY: Final = 1e-12


class Drawn(Struct, frozen=True):
    """One chosen item with its stratum."""

    candidate: Candidate
    stratum: str


class Draw(Struct, frozen=True):
    """The chosen items in the order in which they should be labelled, and each stratum's size and number of chosen."""

    chosen: tuple[Drawn, ...]
    strata: dict[str, tuple[int, int]]


def name_stratum(candidate: Candidate, protocol: str, detail: int) -> str:
    """What an item has in common with the others of its stratum, in up to three respects."""
    names = [_verdict(candidate, protocol), _origin(candidate), _band(candidate)]
    return " · ".join(name for name in names[:detail] if name) or "all"


def choose_detail(candidates: Iterable[Candidate], protocol: str, count: int) -> int:
    """How many respects leave room for two labels in every stratum."""
    listed = list(candidates)
    for detail in (3, 2, 1):
        if LEAST * len({name_stratum(one, protocol, detail) for one in listed}) <= count:
            return detail
    return 0


def draw(candidates: Iterable[Candidate], protocol: str, detail: int, count: int, random: Random) -> Draw:
    """Choose items for labelling; any beginning of the list is a fair choice as well."""
    strata = defaultdict[str, list[Candidate]](list)
    for candidate in candidates:
        strata[name_stratum(candidate, protocol, detail)].append(candidate)
    names = sorted(strata)
    sizes = [len(strata[name]) for name in names]
    spreads = [sum(map(_spread, strata[name])) / len(strata[name]) for name in names]
    shares = allocate(sizes, spreads, count)
    chosen = [
        Drawn(candidate, name)
        for name, share in zip(names, shares, strict=True)
        for candidate in random.sample(strata[name], share)
    ]
    random.shuffle(chosen)
    return Draw(tuple(chosen), dict(zip(names, zip(sizes, shares, strict=True), strict=True)))


def allocate(sizes: Sequence[int], spreads: Sequence[float], count: int) -> list[int]:
    """Neyman's allocation in whole numbers (Wright): each next label goes where it narrows the estimate most."""
    given = [min(size, LEAST if LEAST * len(sizes) <= count else 0) for size in sizes]

    def entry(at: int) -> tuple[float, int]:
        """How much one more label is worth there, the most first."""
        return -sizes[at] * spreads[at] / sqrt(max(given[at] * (given[at] + 1), _TINY)), at

    queue = [entry(at) for at, size in enumerate(sizes) if given[at] < size]
    heapify(queue)
    for _ in range(min(count, sum(sizes)) - sum(given)):
        _, at = heappop(queue)
        given[at] += 1
        if given[at] < sizes[at]:
            heappush(queue, entry(at))
    return given


def merge_chances(before: Mapping[str, float], strata: Mapping[str, tuple[int, int]]) -> dict[str, float]:
    """The chance of each stratum's items to be in this draw or an earlier one, those drawn before being left aside here."""
    return {
        name: 1 - (1 - before.get(name, 0.0)) * (1 - share / size) for name, (size, share) in strata.items()
    }


def _spread(candidate: Candidate) -> float:
    """How much a verdict may be off, as far as its confidence or its origin tells."""
    if candidate.value is None:
        return 0.5
    if candidate.confidence is None:
        return _FLOOR if _origin(candidate) == "rule" else _BLIND
    return max(_FLOOR, sqrt(candidate.confidence * (1 - candidate.confidence)))


def _verdict(candidate: Candidate, protocol: str) -> str:
    if candidate.value is None:
        return "unjudged"
    return ("No", "Yes")[candidate.value] if protocol == "match" else str(candidate.value)


def _origin(candidate: Candidate) -> str:
    return "" if candidate.decided_by is None else candidate.decided_by.partition(":")[0]


def _band(candidate: Candidate) -> str:
    if candidate.confidence is None:
        return ""
    ends = (0.0, *BANDS, 1.0)
    at = sum(candidate.confidence >= edge for edge in BANDS)
    return f"confidence {ends[at]:g} to {ends[at + 1]:g}"
