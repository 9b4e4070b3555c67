"""The labels of a run as records, with their history."""

from typing import Any

from karat.rows import Formulas, Kind, open_sink
from karat.store import Run, Store

FIELDS: dict[str, Kind] = {
    "id": "text", "label": "float", "scale": "text", "author": "text", "source": "text", "given": "text", "replaced": "text",
}  # fmt: skip


def list_labels(store: Store, run: Run, *, history: bool = False) -> list[dict[str, Any]]:
    """One record per label, from 0 (wrong) to 1 (right), in input order; on request with those that were replaced."""
    labels = store.labels_of(run.dataset)
    names = labels.name_items()
    found = [one for one in labels.history() if history or one.replaced is None]
    found.sort(key=lambda one: (names[one.item][0], one.created))
    return [
        {
            "id": names[one.item][1],
            "label": one.label.value,
            "scale": one.label.scale,
            "author": one.label.author,
            "source": one.source,
            "given": _moment(one.created),
            "replaced": None if one.replaced is None else _moment(one.replaced),
        }
        for one in found
    ]


def write_labels(records: list[dict[str, Any]], path: str, *, formulas: Formulas = "escape") -> None:
    """Write labels to a file."""
    with open_sink(path, list(FIELDS), FIELDS, formulas=formulas) as sink:
        for record in records:
            sink.write(record)


def _moment(seconds: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
