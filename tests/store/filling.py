"""Rows, runs and outcomes for the tests of the store."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from karat.core.types import Item, Spent, Unjudged, Verdict
from karat.store import Dataset, NewRow, Run, Store


class Rows:
    """Rows on their way into a store."""

    def __init__(self, rows: Iterable[NewRow]) -> None:
        self.fields: dict[str, None] = {"n": None}
        self.skipped = 0
        self._rows = rows

    def __iter__(self) -> Iterator[NewRow]:
        return iter(self._rows)


def row(number: int, content: int | None = None, *, name: str | None = None) -> NewRow:
    """The row of line `number`; rows of the same content are the same item."""
    content = number if content is None else content
    item = Item(f"What is {content}?", (f"r{content}",), f"a{content}")
    return NewRow(number, name or f"id{number}", item, None, {"n": number})


def load(store: Store, rows: Iterable[NewRow], key: str = "k", *, named: bool = True) -> Dataset:
    return store.load_dataset(key, "a.jsonl", "answer", Rows(rows), named=named)


def begin(store: Store, dataset: Dataset, judge: str = "judge") -> Run:
    identity: dict[str, Any] = {"protocol": "match", "name": judge}
    return store.open_run(dataset, judge, judge, identity)


def verdict(*, value: bool = True, cost: float = 0.0) -> Verdict:
    return Verdict(value, float(value), "llm:m", spent=Spent(1, 10, 2, 3, cost))


def unjudged(cause: Any) -> Unjudged:
    return Unjudged(cause, "because")


def pending(store: Store, run: Run, *, retry: bool = False) -> list[tuple[int, Item]]:
    return [piece for chunk in store.pending(run, retry=retry) for piece in chunk]


def answers(pieces: Sequence[tuple[int, Item]]) -> list[str]:
    return [item.answer for _, item in pieces]
