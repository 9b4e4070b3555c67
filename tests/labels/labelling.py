"""Runs on made-up rows, and labels for them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from karat.core.types import Item, Unjudged, Verdict
from karat.labels import ImportedLabels, import_file
from karat.rows import open_source
from karat.store import NewRow, Run, Store


class Rows:
    """Rows on their way into a store."""

    def __init__(self, rows: Iterable[NewRow]) -> None:
        self.fields: dict[str, None] = {"n": None}
        self.skipped = 0
        self._rows = rows

    def __iter__(self) -> Any:
        return iter(self._rows)


def row(number: int, content: int | None = None, label: Any = None, name: str | None = None) -> NewRow:
    """The row of line `number`; rows of the same content are the same item."""
    content = number if content is None else content
    item = Item(f"What is {content}?", (f"r{content}",), f"a{content}")
    return NewRow(number, name or f"id{number}", item, None, {"n": number}, label)


def begin(store: Store, rows: Iterable[NewRow], judge: str = "judge", key: str = "k") -> Run:
    dataset = store.find_dataset(key) or store.load_dataset(key, "a.jsonl", "answer", Rows(rows), named=True)
    return store.open_run(dataset, judge, judge, {"protocol": "match", "name": judge})


def finish(store: Store, run: Run, values: Sequence[bool | None], confidence: float | None = None) -> Run:
    """Judge the different items of a run in their order; None leaves one unjudged."""
    numbers = [number for chunk in store.pending(run) for number, _ in chunk]
    outcomes = [
        (
            number,
            Unjudged("undecided") if value is None else Verdict(value, float(value), "llm:m", confidence),
        )
        for number, value in zip(numbers, values, strict=True)
    ]
    store.keep_outcomes(run, outcomes).result(timeout=300)
    store.finish_run(run)
    return store.find_run(run.id)


def take(store: Store, run: Run, path: Path, content: str, **options: Any) -> ImportedLabels:
    """Take in a label file with this content."""
    path.write_text(content, encoding="utf-8")
    with open_source(str(path)) as source:
        return import_file(store, run.dataset, source, **options)


def said(store: Store, run: Run) -> dict[int, list[tuple[str, float, str]]]:
    """The labels that hold, by the position of their row."""
    return {
        mark.position: [(label.author, label.value, label.scale) for label in mark.labels]
        for mark in store.scored_rows(run)
        if mark.labels
    }
