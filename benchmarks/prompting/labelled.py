"""Human-labelled rows, drawn so that a larger draw only adds to a smaller one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import load

from karat.core.errors import UsageError
from karat.core.keys import item_key
from karat.core.types import Item
from karat.text import check_gate, is_suspicious
from prompting import underspecified

SETS = {
    "match": ("evouna_nq", "evouna_tq", "efficientqa"),
    "equivalence": ("mohler", "saf_en"),
    "keypoints": ("mohler", "saf_en"),
}
MADE = "underspecified"


class Row(NamedTuple):
    """An item with what people say of it: 0 or 1, or a score from 0 to 5."""

    set: str
    id: str
    item: Item
    truth: float

    @property
    def question(self) -> str:
        """What the row is clustered by."""
        return f"{self.set}: {self.item.question or self.id}"


def read_set(data: Path, name: str, split: str, protocol: str) -> list[Row]:
    """The labelled rows of a set that a prompt would see: the gate decides the others, or they are judged alone."""
    if name == MADE and protocol != "match":
        raise UsageError(f"{MADE} holds Yes and No; it is for match")
    given = underspecified.make(read_raw(data, split)) if name == MADE else _read(data, name, split, protocol)
    seen = set[bytes]()
    rows = list[Row]()
    for row in (Row(name, *fields) for fields in given):
        key = item_key(row.item)
        if key not in seen and check_gate(row.item) is None and not is_suspicious(row.item):
            seen.add(key)
            rows.append(row)
    if not rows:
        raise UsageError(f"{name}.{split} holds no rows with what {protocol} is compared with")
    return rows


def read_raw(data: Path, split: str) -> Iterator[dict[str, Any]]:
    """The rows that under-specified answers are made from."""
    for name in underspecified.SOURCES:
        yield from _read_raw(data, name, split)


def _read(data: Path, name: str, split: str, protocol: str) -> Iterator[tuple[str, Item, float]]:
    for raw in _read_raw(data, name, split):
        truth = raw["label"] if protocol == "match" else _score(raw)
        if truth is not None:
            yield raw["id"], Item(raw["question"], tuple(raw["references"]), raw["prediction"]), float(truth)


def _read_raw(data: Path, name: str, split: str) -> list[dict[str, Any]]:
    if name not in load.list_sets(data, split):
        raise UsageError(
            f"{data / name}.{split}.jsonl.gz is not there; --data takes the folder of such files"
        )
    return load.read_set(data, name, split)


def _score(raw: dict[str, Any]) -> float | None:
    """The score on a scale from 0 to 5."""
    if raw["score"] is None:
        return None
    low, high = raw["score_range"]
    return 5 * (raw["score"] - low) / (high - low)


def draw(rows: Sequence[Row], count: int, seed: int, *, balance: bool = False) -> list[Row]:
    """The first rows of a seeded order in which every question comes once before any comes twice.

    Balanced, a coin says for each row whether a right or a wrong answer comes next, until there is none left of the kind.
    The set of made answers is small and balanced, and is taken whole.
    """
    if rows[0].set == MADE:
        return Random(f"{seed} {MADE}").sample(rows, len(rows))
    order = _spread(rows, Random(f"{seed} {rows[0].set}"))
    return (_toss(order, Random(f"{seed} coin {rows[0].set}")) if balance else order)[:count]


def _spread(rows: Sequence[Row], random: Random) -> list[Row]:
    questions: dict[str, list[Row]] = {}
    for row in rows:
        questions.setdefault(row.question, []).append(row)
    groups = list(questions.values())
    random.shuffle(groups)
    for group in groups:
        random.shuffle(group)
    rounds = range(max(map(len, groups)))
    return [group[turn] for turn in rounds for group in groups if turn < len(group)]


def _toss(order: Sequence[Row], coin: Random) -> list[Row]:
    waiting = {kind: [row for row in reversed(order) if (row.truth > 0) is kind] for kind in (True, False)}
    drawn = list[Row]()
    while waiting[kind := coin.random() < 0.5]:
        drawn.append(waiting[kind].pop())
    return drawn
