"""The rows of a page: packed in blocks, for the script that lists and searches them in the browser."""

import base64
import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from karat.core.scored_row import Label, level, truth
from karat.core.types import NOTHING, UNTOLD, Outcome, ProtocolName, Unjudged, Verdict
from karat.report.format import count, show_tokens, show_uncounted, show_value
from karat.report.tags import read_tag, read_tags
from karat.store import Dataset, Graded, Run, Store

BLOCK = 1_000  # rows
LONGEST = 20_000  # bytes of a text
Text: TypeAlias = str | tuple[str, int]  # a shortened text comes with its full number of characters
_encode = msgspec.json.Encoder().encode


class BrowserRun(Struct, frozen=True):
    """A run for the script; `least` is the lowest value that counts as correct."""

    name: str
    protocol: ProtocolName
    least: int
    unjudged: tuple[str, ...]


class Browser(Struct, frozen=True):
    """What the script needs to know about the rows: `items` of `rows` are in the page."""

    runs: tuple[BrowserRun, ...]
    items: int
    rows: int
    tags: tuple[str, ...]
    causes: tuple[str, ...]
    labelled: bool
    graded: bool
    joined: bool


class Shelf(Struct, frozen=True):
    """The runs of one dataset, by their position in the report, and how many of its rows the page holds."""

    dataset: Dataset
    runs: Mapping[int, Run]
    kept: int


class Block(Struct, frozen=True):
    """A compressed block: the data for list and search, and the data for an opened row."""

    rows: str
    more: str


def arrange(runs: Sequence[Run], most: int) -> list[Shelf]:
    """Group runs of the same dataset; if there are more rows than the page may hold, each dataset gets a proportional part."""
    datasets = {run.dataset.id: run.dataset for run in runs}
    whole = sum(dataset.rows for dataset in datasets.values())
    return [
        Shelf(
            dataset,
            {at: run for at, run in enumerate(runs) if run.dataset.id == dataset.id},
            dataset.rows if whole <= most else dataset.rows * most // whole,
        )
        for dataset in datasets.values()
    ]


def pack_items(
    store: Store, shelves: Sequence[Shelf], tags: Sequence[str], own: Sequence[str], passing: int
) -> Iterator[Block]:
    """Yield the rows of all shelves in compressed blocks; at most one block is in memory at any time."""
    for shelf in shelves:
        for block in in_blocks(_rows(store, shelf), BLOCK):
            yield _pack_block(store, shelf, block, tags, own, passing)


class _Row(Struct, frozen=True):
    graded: Mapping[int, Graded]
    labels: tuple[Label, ...]

    @property
    def any(self) -> Graded:
        return next(iter(self.graded.values()))


def _rows(store: Store, shelf: Shelf) -> Iterator[_Row]:
    """Yield rows with the outcomes of every run; evenly spaced if not all are kept."""
    first = next(iter(shelf.runs.values()))
    sources = [store.graded(run) for run in shelf.runs.values()]
    for row, *graded in zip(store.scored_rows(first), *sources, strict=True):
        if _is_kept(row.position, shelf):
            yield _Row(dict(zip(shelf.runs, graded, strict=True)), row.labels)


def _is_kept(position: int, shelf: Shelf) -> bool:
    rows, kept = shelf.dataset.rows, shelf.kept
    return (position + 1) * kept // rows > position * kept // rows


def _pack_block(
    store: Store, shelf: Shelf, rows: Sequence[_Row], tags: Sequence[str], own: Sequence[str], passing: int
) -> Block:
    listed: dict[str, Any] = {
        **columns_of([_listed(row, passing) for row in rows]),
        "tags": {name: [read_tags(row.any.columns, name) for row in rows] for name in tags},
        "runs": {str(at): columns_of([_said(row.graded[at].outcome) for row in rows]) for at in shelf.runs},
    }
    keys = [heard.key for row in rows for graded in row.graded.values() for heard in _replies(graded)]
    replies = store.find_replies(list(dict.fromkeys(keys)))
    return Block(pack(listed), pack([_more(row, replies, own) for row in rows]))


def _listed(row: _Row, passing: int) -> dict[str, Any]:
    item, mean, right = row.any.item, level(row.labels), truth(row.labels, passing)
    return {
        "id": row.any.id,
        "question": None if item.question is None else shorten(item.question),
        "references": [shorten(reference) for reference in item.references],
        "answer": shorten(item.answer),
        "system": row.any.system,
        "truth": None if right is None else {1.0: 1, 0.0: 0}.get(right, 2),
        "level": None if mean is None else floor(mean + 0.5),
    }


def _said(outcome: Outcome | None) -> dict[str, Any]:
    verdict = outcome if isinstance(outcome, Verdict) else None
    cause = outcome.cause if isinstance(outcome, Unjudged) else None
    reason = outcome.reason if outcome is not None else None
    return {
        "verdict": cause if verdict is None else int(verdict.value),
        "by": None if verdict is None else verdict.decided_by,
        "confidence": None if verdict is None or verdict.confidence is None else round(verdict.confidence, 4),
        "score": None if verdict is None else round(verdict.score, 4),
        "matched": None if verdict is None else verdict.matched_reference,
        "reason": None if reason is None else shorten(reason),
    }


def _more(row: _Row, replies: Mapping[str, str], own: Sequence[str]) -> dict[str, Any]:
    columns = row.any.columns
    return {
        "runs": {str(at): _details(graded, replies) for at, graded in row.graded.items()},
        "labels": [[label.author, _show_label(label)] for label in row.labels],
        "tags": [
            [name, shorten(text)]
            for name in columns
            if name not in own and (text := read_tag(columns, name)) is not None
        ],
    }


def _details(graded: Graded, replies: Mapping[str, str]) -> dict[str, Any]:
    said = [
        [shorten(replies[heard.key]), heard.place, heard.items]
        for heard in _replies(graded)
        if heard.key in replies
    ]
    return {"facts": list(_facts(graded)), "points": list(_points(graded.outcome)), "replies": said}


def _points(outcome: Outcome | None) -> Iterator[tuple[Text, bool]]:
    """Yield the key points of the reference, and whether the answer makes them."""
    for point in outcome.points or () if isinstance(outcome, Verdict) else ():
        yield shorten(point.text), point.status == "present"


def _facts(graded: Graded) -> Iterator[tuple[str, Text]]:
    outcome = graded.outcome
    if outcome is None:
        return
    if isinstance(outcome, Verdict) and outcome.distribution is not None:
        names = ("Yes", "No") if isinstance(outcome.value, bool) else tuple("012345")
        parts = zip(names, outcome.distribution, strict=False)
        yield "probabilities", ", ".join(f"{name} {part:.3f}" for name, part in parts)
    if outcome.votes is not None:
        yield (
            "votes",
            shorten(
                ", ".join(f"{vote.judge}: {show_value(vote.value, 'no verdict')}" for vote in outcome.votes)
            ),
        )
    if isinstance(outcome, Verdict) and (outcome.items_per_prompt or 1) > 1:
        yield "items per prompt", str(outcome.items_per_prompt)
    spent = outcome.spent
    if spent not in (NOTHING, UNTOLD):
        cost = "unknown" if spent.cost_usd is None else f"${spent.cost_usd:.6f}"
        yield (
            "share of calls",
            (
                f"{count(spent.calls, 'call')}, {show_tokens(spent.input_tokens)} input tokens, "
                f"{show_tokens(spent.output_tokens)} output tokens{show_uncounted(spent)}, {cost}"
            ),
        )
    if graded.cached:
        yield "reused from", "another row or run"


def _replies(graded: Graded) -> Sequence[Any]:
    return () if graded.outcome is None else graded.outcome.replies


def _show_label(label: Label) -> str:
    if label.scale == "yes/no":
        return "Yes" if label.value >= 1 else "No" if label.value <= 0 else f"{label.value:g}"
    return f"{5 * label.value:g} of 5, given on the scale {label.scale}"


def in_blocks(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the rows in lists of one size; the last may be shorter."""
    block = list[Any]()
    for row in rows:
        block.append(row)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block


def columns_of(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Turn records into one list per field, which compresses well."""
    return {name: [record[name] for record in records] for name in records[0]} if records else {}


def shorten(text: str, most: int = LONGEST) -> Text:
    """Return a text of at most so many bytes; a longer one is cut, with its full number of characters."""
    if len(text) * 4 <= most or len(raw := text.encode()) <= most:
        return text
    return raw[:most].decode(errors="ignore"), len(text)


def pack(content: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """Return JSON, compressed and encoded in base64, which is safe inside HTML."""
    return base64.b64encode(gzip.compress(_encode(content), mtime=0)).decode()
