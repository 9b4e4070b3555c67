"""From the store to the rows that statistics are made of."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec import UNSET, structs

from karat.core.errors import UsageError
from karat.core.marks import Mark
from karat.rows import list_names, pick, quote, read_text, write_json
from karat.store import Dataset, Run, Store

SYSTEM = "system"


def read_marks(store: Store, run: Run, *, by: str | None = None, cluster: str | None = None) -> list[Mark]:
    """The rows of a run in numbers; `by` names the column of their groups, `cluster` that of what belongs together."""
    check_column(run.dataset, "--cluster", cluster)
    check_column(run.dataset, "--by", None if by == SYSTEM else by)
    marks = store.marks(
        run,
        cluster_of=None if cluster is None else lambda fields: read_tag(fields, cluster),
        groups_of=None if by is None or by == SYSTEM else lambda fields: read_tags(fields, by),
    )
    if by != SYSTEM:
        return list(marks)
    return [structs.replace(mark, groups=() if mark.system is None else (mark.system,)) for mark in marks]


def read_tag(fields: Mapping[str, Any], column: str) -> str | None:
    """What a column or dotted path says of a row, as text; None where it says nothing."""
    value = pick(fields, column)
    if value is UNSET or value is None:
        return None
    text = read_text(value)
    return (write_json(value) if text is None else text) or None


def read_tags(fields: Mapping[str, Any], column: str) -> tuple[str, ...]:
    """The groups of a row: a list names several."""
    value = pick(fields, column)
    if isinstance(value, list):
        found = (read_tag({"": entry}, "") for entry in cast("list[object]", value))
        return tuple(dict.fromkeys(text for text in found if text is not None))
    tag = read_tag(fields, column)
    return () if tag is None else (tag,)


def check_column(dataset: Dataset, option: str, column: str | None) -> None:
    """Refuse a column that no row has."""
    fields = dataset.fields
    if column is not None and column not in fields and column.partition(".")[0] not in fields:
        raise UsageError(
            f"{option}: no column {quote(column)} in {dataset.source}; the columns are {list_names(fields)}"
        )
