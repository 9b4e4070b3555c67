"""A few example rows: verdicts that differ from their label, or rows judged wrong."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from karat.core.scored_row import ScoredRow, level, truth
from karat.core.types import ProtocolName, Value, Verdict
from karat.report.figures.agreement import find_disputed
from karat.report.figures.correction import least_correct
from karat.store import Graded, Run, Store

MOST: Final = 5


class Example(Struct, frozen=True):
    """A row with its verdict; `label` is the human label: true or false, or the mean level on a 0-5 protocol."""

    id: str
    question: str | None
    references: tuple[str, ...]
    answer: str
    value: Value
    confidence: float | None
    decided_by: str
    reason: str | None
    label: Value | float | None = None


class Examples(Struct, frozen=True):
    """At most five rows; `kind` says whether their verdict differs from the label or is No."""

    kind: Literal["against_label", "judged_wrong"]
    rows: tuple[Example, ...]


def read_examples(store: Store, run: Run, passing: int, most: int = MOST) -> Examples:
    """Choose rows of a run and read them.

    With labels: rows whose verdict differs from the label, highest confidence first, of different questions if there
    are enough. Otherwise: rows judged wrong, lowest confidence first for each `decided_by`, also of different questions.
    """
    if store.labels_of(run.dataset).any():
        chosen = choose_disputed(list(store.scored_rows(run)), run.protocol, passing, most)
        said = {scored_row.position: _read_label(scored_row, run.protocol, passing) for scored_row in chosen}
        found = store.graded_at(run, [scored_row.position for scored_row in chosen])
        return Examples("against_label", tuple(_show(row, said[row.position]) for row in found))
    rejected = store.rejected(run, least_correct(run.protocol, passing), most)
    picked = spread(((position, question) for position, _, question in rejected), most)
    return Examples("judged_wrong", tuple(_show(row, None) for row in store.graded_at(run, picked)))


def choose_disputed(
    rows: Sequence[ScoredRow], protocol: ProtocolName, passing: int, most: int = MOST
) -> list[ScoredRow]:
    """Choose rows whose verdict differs from the label: highest confidence first; at equal confidence both kinds of error alternate."""
    disputed = find_disputed(rows, protocol, passing)
    least, counts = least_correct(protocol, passing), {False: 0, True: 0}
    ranked = list[tuple[float, int, int, ScoredRow]]()
    for row in disputed:
        accepted = (row.value or 0) >= least
        sure = -1.0 if row.confidence is None else row.confidence
        ranked.append((-sure, counts[accepted], row.position, row))
        counts[accepted] += 1
    ranked.sort(key=lambda entry: entry[:3])
    by_position = {row.position: row for row in disputed}
    chosen = spread(((row.position, row.cluster) for *_, row in ranked), most)
    return [by_position[position] for position in chosen]


def spread(rows: Iterable[tuple[int, Hashable]], most: int) -> list[int]:
    """Return the first positions of different questions, then others, in the given order; None is no question."""
    seen, first, rest = set[Hashable](), list[int](), list[int]()
    for position, question in rows:
        if len(first) == most:
            break
        if question is not None and question in seen:
            rest.append(position)
        else:
            seen.add(question)
            first.append(position)
    return (first + rest)[:most]


def _read_label(row: ScoredRow, protocol: ProtocolName, passing: int) -> float:
    mean = None if protocol == "match" else level(row.labels)
    return truth(row.labels, passing) == 1 if mean is None else mean


def _show(row: Graded, label: float | None) -> Example:
    if not isinstance(row.outcome, Verdict):
        raise TypeError(f"row {row.id} has no verdict")
    verdict = row.outcome
    return Example(
        id=row.id,
        question=row.item.question,
        references=row.item.references,
        answer=row.item.answer,
        value=verdict.value,
        confidence=verdict.confidence,
        decided_by=verdict.decided_by,
        reason=verdict.reason,
        label=label,
    )
