"""`labels plan`: choose rows to label, with known probabilities, and write them to a file for a spreadsheet."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct

from karat.core.errors import UsageError, option
from karat.core.keys import item_key
from karat.rows import Formulas, open_sink
from karat.store import Planned, Run, Store
from karat.store.label_plans import Candidate
from karat.store.labels import write_key

BANDS: Final = (0.6, 0.8, 0.95)
LEAST: Final = 2  # labels per stratum; fewer give no variance estimate
_FLOOR: Final = 0.15  # lower bound of the assumed error spread, so that confident verdicts are also checked
_BLIND: Final = 0.3  # assumed spread without a confidence: an error rate of 10 %
_TINY: Final = 1e-12
FIELDS = ("key", "id", "question", "references", "answer", "label", "author", "chance")
_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_ROOM = 32_000  # a cell of common spreadsheets holds at most 32,767 characters
_BYTE_ORDER_MARK = "\ufeff"  # without it, spreadsheets do not recognise UTF-8


class Drawn(Struct, frozen=True):
    """One chosen item with its stratum."""

    candidate: Candidate
    stratum: str


class Draw(Struct, frozen=True):
    """The chosen items in the order in which they should be labelled, and each stratum's size and number of chosen."""

    chosen: tuple[Drawn, ...]
    strata: dict[str, tuple[int, int]]


def name_stratum(candidate: Candidate, protocol: str, detail: int) -> str:
    """Return the name of an item's stratum: verdict, origin and confidence, as many of these as `detail` says."""
    names = [_verdict(candidate, protocol), _origin(candidate), _band(candidate)]
    return " · ".join(name for name in names[:detail] if name) or "all"


def choose_detail(candidates: Iterable[Candidate], protocol: str, count: int) -> int:
    """Return the finest division into strata that leaves two labels for each."""
    listed = list(candidates)
    for detail in (3, 2, 1):
        if LEAST * len({name_stratum(one, protocol, detail) for one in listed}) <= count:
            return detail
    return 0


def draw(candidates: Iterable[Candidate], protocol: str, detail: int, count: int, random: Random) -> Draw:
    """Choose items for labelling; the list is shuffled, so that every prefix of it is also a random sample."""
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
    """Return Neyman's allocation in whole numbers (Wright): each label goes where it narrows the estimate most."""
    given = [min(size, LEAST if LEAST * len(sizes) <= count else 0) for size in sizes]

    def entry(at: int) -> tuple[float, int]:
        """Return how much one more label narrows the estimate there, negated for the heap."""
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
    """Return each stratum's inclusion probability over this draw and earlier ones."""
    return {
        name: 1 - (1 - before.get(name, 0.0)) * (1 - share / size) for name, (size, share) in strata.items()
    }


def _spread(candidate: Candidate) -> float:
    """Return the standard deviation of a verdict's error, by its confidence or its origin."""
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


class Stratum(Struct, frozen=True):
    """A stratum: items that could be drawn, how many were, and their inclusion probability over all draws."""

    items: int
    drawn: int
    chance: float


class LabelPlanning(Struct, frozen=True):
    """What was drawn: positions in the order of the file, their probabilities, and the strata.

    The strata are those of the verdicts of `run`, on which the first plan was made. Items that already had labels
    are not drawn, and represent only themselves.
    """

    run: int
    positions: tuple[int, ...]
    chances: tuple[float, ...]
    strata: dict[str, Stratum]
    labelled_before: int


def draw_plan(store: Store, run: Run, count: int, *, seed: int = 0) -> LabelPlanning:
    """Choose rows of a run for labelling and store their probabilities; a later plan adds to the earlier ones."""
    if count < 1:
        raise UsageError(option("n"), f" must be at least 1, not {count}")
    if run.finished is None:
        raise UsageError(
            f"run {run.id} is not finished; finish it first, because rows are drawn according to its verdicts"
        )
    plan = store.plan_of(run.dataset)
    known = plan.find()
    by = run if known is None else store.find_run(known[0])
    candidates = list(plan.candidates(by))
    before = plan.chosen()
    labelled = [one.item for one in candidates if known is None and one.labelled]
    left = [one for one in candidates if not (one.planned or (known is None and one.labelled))]
    if not left:
        raise UsageError(f"every row of run {run.id} is already labelled or planned")
    detail = choose_detail(left, by.protocol, count) if known is None else known[1]
    drawn = draw(left, by.protocol, detail, count, Random(seed))
    chances = merge_chances({one.stratum: one.chance for one in before.values() if one.stratum}, drawn.strata)
    number = 1 + max((one.draw for one in before.values()), default=0)
    chosen = [Planned(one.candidate.item, number, one.stratum, chances[one.stratum]) for one in drawn.chosen]
    certain = [Planned(item, 0, None, 1.0) for item in labelled]
    plan.grow(by, detail, [*certain, *chosen], chances)
    return _describe(by, drawn, chances, len(labelled))


def repeat_plan(store: Store, run: Run) -> LabelPlanning:
    """Return the rows that were drawn earlier and have no label yet, in a new random order."""
    plan = store.plan_of(run.dataset)
    known, chosen = plan.find(), plan.chosen()
    waiting = [one for one in plan.candidates(run) if one.planned and not one.labelled] if known else []
    if known is None or not waiting:
        raise UsageError(
            f"run {run.id} has no planned rows without a label; leave out ",
            option("again"),
            " to draw new ones",
        )
    Random(0).shuffle(waiting)
    chances = tuple(chosen[one.item].chance for one in waiting)
    return LabelPlanning(known[0], tuple(one.position for one in waiting), chances, {}, 0)


def check_plan_file(path: str) -> None:
    """Refuse a path that cannot be written to, and an existing file, which may hold labels."""
    if Path(path).exists():
        raise UsageError(f"{path} exists and may contain labels; give another name with -o")
    open_sink(path, FIELDS)


def write_plan(
    store: Store, run: Run, planning: LabelPlanning, path: str, *, formulas: Formulas = "escape"
) -> int:
    """Write the drawn rows to a file with an empty label column, and return how many there are."""
    table = path.lower().endswith(_TABLES)
    fields = [(_BYTE_ORDER_MARK if table and not at else "") + field for at, field in enumerate(FIELDS)]
    with open_sink(path, fields, {"chance": "float"}, formulas=formulas) as sink:
        for record in _records(store, run, planning):
            values = {
                field: _fit_cell(value) if table and isinstance(value, str) else value
                for field, value in record.items()
            }
            sink.write(dict(zip(fields, values.values(), strict=True)))
    return len(planning.positions)


def _fit_cell(text: str) -> str:
    """Cut text to what a cell can hold."""
    return text if len(text) <= _ROOM else f"{text[:_ROOM]} … [cut: {len(text):,} characters in all]"


def _describe(by: Run, drawn: Draw, chances: dict[str, float], labelled: int) -> LabelPlanning:
    return LabelPlanning(
        by.id,
        tuple(one.candidate.position for one in drawn.chosen),
        tuple(chances[one.stratum] for one in drawn.chosen),
        {name: Stratum(size, share, chances[name]) for name, (size, share) in drawn.strata.items()},
        labelled,
    )


def _records(store: Store, run: Run, planning: LabelPlanning) -> Iterator[dict[str, Any]]:
    """Yield the rows without the verdict, which must not influence the labels."""
    for graded, chance in zip(store.graded_at(run, planning.positions), planning.chances, strict=True):
        item = graded.item
        yield {
            "key": write_key(item_key(item)),
            "id": graded.id,
            "question": item.question,
            "references": " | ".join(item.references),
            "answer": item.answer,
            "label": None,
            "author": None,
            "chance": chance,
        }
