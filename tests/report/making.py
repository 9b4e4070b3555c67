"""Make runs without a judge: rows, outcomes, replies and labels as a test specifies."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from karat.core.flow import Completion
from karat.core.keys import hash_bytes
from karat.core.scored_row import Label
from karat.core.types import Heard, Item, Outcome, ProtocolName, Spent, Unjudged, Verdict
from karat.report.build import gather
from karat.report.page import make_page
from karat.store import NewRow, Run, Store
from karat.store.labels import NewLabel

JUDGE = "openai:m"
Make: TypeAlias = Callable[..., Path]


class Rows:
    """Rows on their way into a store."""

    def __init__(self, rows: Sequence[NewRow]) -> None:
        self.fields: dict[str, None] = {}
        self.skipped = 0
        self._rows = rows

    def __iter__(self) -> Iterator[NewRow]:
        for row in self._rows:
            self.fields.update(dict.fromkeys(row.columns))
            yield row


def row(
    number: int,
    answer: str,
    *,
    question: str | None = "What is it?",
    references: Sequence[str] = ("this",),
    system: str | None = None,
    **tags: Any,
) -> NewRow:
    return NewRow(number, f"row-{number}", Item(question, tuple(references), answer), system, tags)


def yes(*, by: str = "llm:m", confidence: float | None = None, reason: str | None = None) -> Verdict:
    return Verdict(value=True, score=1.0, decided_by=by, confidence=confidence, reason=reason)


def no(*, by: str = "llm:m", confidence: float | None = None, reason: str | None = None) -> Verdict:
    return Verdict(value=False, score=0.0, decided_by=by, confidence=confidence, reason=reason)


def level(value: int) -> Verdict:
    return Verdict(value=value, score=value / 5, decided_by="llm:m")


def lost(reason: str = "no readable reply") -> Unjudged:
    return Unjudged("unparseable", reason)


def write_page(
    store: Store, runs: Sequence[Run], path: Path, *, most: int = 50_000, passing: int = 4
) -> Path:
    """The page of some runs, at this path."""
    report = gather(store, runs, karat="0.0", now=0.0, passing=passing)
    make_page(store, runs, report, str(path), most=most)
    return path


def keep_run(
    store: Store,
    rows: Sequence[NewRow],
    outcomes: Sequence[Outcome | None],
    *,
    judge: str = JUDGE,
    protocol: ProtocolName = "match",
    key: str = "rows",
) -> Run:
    """A run whose rows have these outcomes, one after the other; None leaves a row untried."""
    dataset = store.find_dataset(key) or store.load_dataset(
        key, f"{key}.jsonl", "id=id", Rows(rows), named=True
    )
    run = store.open_run(dataset, f"{judge} {protocol}", judge, {"protocol": protocol, "judge": judge})
    numbers = [store.item_at(run, position) for position in range(len(rows))]
    found = [
        (piece[0], outcome)
        for piece, outcome in zip(numbers, outcomes, strict=True)
        if piece is not None and outcome is not None
    ]
    store.keep_outcomes(run, found).result()
    store.finish_run(run)
    return store.find_run(run.id)


def keep_reply(store: Store, run: Run, text: str, *, place: int = 1, items: int = 1) -> Heard:
    """A reply in the store, and where an outcome has it from."""
    key = hash_bytes(text.encode(), str(place).encode())
    store.completions_of(run).keep_completion(key, Completion(text, spent=Spent(1, 10, 0, 2, 0.001)))
    return Heard(key.hex(), place, items)


def keep_labels(store: Store, run: Run, labels: Sequence[tuple[int, Label]]) -> None:
    """Labels for the rows at these positions."""
    news = list[NewLabel]()
    for position, label in labels:
        piece = store.item_at(run, position)
        assert piece is not None
        news.append(NewLabel(piece[0], label, "test"))
    store.labels_of(run.dataset).keep(sorted(news, key=lambda new: new.item))
