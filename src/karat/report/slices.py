"""Parts of a run by a tag, each against the rest, with care for how many of them are looked at."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, structs

from karat.core.marks import Mark
from karat.core.types import ProtocolName
from karat.report.comparison import split_by_group, together
from karat.report.correction import Headline, correct_share, least_correct
from karat.report.pairs import adjust, differ, read_outcomes
from karat.stats import Number, Undefined

FEWEST = 5
MOST_PARTS = 12


class Slice(Struct, frozen=True):
    """One part: its own share with a plain 95 % interval, and its difference from the rest with one that holds for all parts at once.

    Where a column has too many values, those of the smallest parts are `combined` into one part; it is 0 for a value by itself.
    `adjusted` is the probability of so large a difference by chance, among all slices (Holm). It stands out, above or below, if that interval leaves out zero and it has verdicts on five questions at least.
    """

    name: str
    rows: int
    judged: int
    questions: int
    share: Number
    difference: Number
    adjusted: float | None
    shown: Literal["above", "below"] | None
    corrected: Number | None = None
    headline: Headline = "raw"
    assumption: str | None = None
    warning: str | None = None
    combined: int = 0


class Slices(Struct, frozen=True):
    """The parts of a run by one column, the largest first; `without` rows say nothing there, `waiting` ones of all `rows` are still to be judged."""

    column: str
    protocol: ProtocolName
    passing: int
    slices: tuple[Slice, ...]
    without: int
    level: float
    rows: int = 0
    judged: int = 0
    waiting: int = 0


def slice_by(
    marks: Sequence[Mark], column: str, protocol: ProtocolName, passing: int, most: int = MOST_PARTS
) -> Slices:
    """Hold each group of rows against all rows outside it: the `most` largest, and all others as one."""
    groups = list(split_by_group(marks))
    sets = [(name, {name}) for name in groups[:most]]
    others = set(groups[most:])
    if others:
        sets.append((f"others ({len(others):,} value{'s' * (len(others) > 1)})", others))
    halves = len(sets) == 2 and all(len(mark.groups) == 1 for mark in marks)  # noqa: PLR2004 - one is the rest of the other
    level = together(1 if halves else len(sets))
    parts = [_slice(name, marks, names, protocol, passing, level) for name, names in sets]
    if others:
        parts[-1] = structs.replace(parts[-1], combined=len(others))
    adjusted = adjust([part.adjusted for part in parts])
    return Slices(
        column=column,
        protocol=protocol,
        passing=passing,
        slices=tuple(structs.replace(part, adjusted=p) for part, p in zip(parts, adjusted, strict=True)),
        without=sum(not mark.groups for mark in marks),
        level=level,
        rows=len(marks),
        judged=sum(mark.value is not None for mark in marks),
        waiting=sum(mark.waiting for mark in marks),
    )


def _slice(
    name: str,
    marks: Sequence[Mark],
    names: set[str],
    protocol: ProtocolName,
    passing: int,
    level: float,
) -> Slice:
    from karat.stats.clustered import share

    rows = [mark for mark in marks if not names.isdisjoint(mark.groups)]
    here = [mark for mark in rows if mark.value is not None]
    rest = [mark for mark in marks if mark.value is not None and names.isdisjoint(mark.groups)]

    def read(marks: Sequence[Mark]) -> list[float]:
        return read_outcomes(marks, least_correct(protocol, passing))

    found = differ(rest, here, read, level)
    corrected = correct_share(rows, protocol, passing)
    return Slice(
        name=name,
        rows=len(rows),
        judged=len(here),
        questions=len({mark.cluster for mark in rows}),
        share=share(read(here), [mark.cluster for mark in here]),
        difference=found.estimate,
        adjusted=found.p,
        shown=_show(found.estimate) if len({mark.cluster for mark in here}) >= FEWEST else None,
        corrected=None if corrected is None else corrected.share.corrected,
        headline="raw" if corrected is None else corrected.headline,
        assumption=None if corrected is None else corrected.assumption,
        warning=None if corrected is None else corrected.warning,
    )


def _show(difference: Number) -> Literal["above", "below"] | None:
    if isinstance(difference, Undefined) or difference.low <= 0 <= difference.high:
        return None
    return "above" if difference.low > 0 else "below"
