"""Columns of the input: the groups that they define, and which of them have few values."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from msgspec import UNSET, Struct, structs

from karat.core.errors import Phrase, UsageError, option
from karat.core.scored_row import ScoredRow
from karat.rows import find_columns, list_names, parse_columns, pick, quote, read_text, write_json
from karat.store import Dataset, Run, Store

SYSTEM = "system"
MOST_TAGS = 20
MOST_VALUES = 60
MOST_LETTERS = 60
ROWS_PER_VALUE = 2


def read_scored_rows(
    store: Store, run: Run, *, by: str | None = None, cluster: str | None = None
) -> list[ScoredRow]:
    """Return the scored rows of a run; `by` names the column of groups, `cluster` that of clusters."""
    check_column(run.dataset, option("cluster"), cluster)
    check_column(run.dataset, option("by"), None if by == SYSTEM else by)
    rows = store.scored_rows(
        run,
        cluster_of=None if cluster is None else lambda fields: read_tag(fields, cluster),
        groups_of=None if by is None or by == SYSTEM else lambda fields: read_tags(fields, by),
    )
    if by != SYSTEM:
        return list(rows)
    return [structs.replace(row, groups=() if row.system is None else (row.system,)) for row in rows]


def read_tag(fields: Mapping[str, Any], column: str) -> str | None:
    """Return the value of a column or dotted path as text; None if it is empty."""
    value = pick(fields, column)
    if value is UNSET or value is None:
        return None
    text = read_text(value)
    return (write_json(value) if text is None else text) or None


def read_tags(fields: Mapping[str, Any], column: str) -> tuple[str, ...]:
    """Return the groups of a row; a list gives several."""
    value = pick(fields, column)
    if isinstance(value, list):
        found = (read_tag({"": entry}, "") for entry in cast("list[object]", value))
        return tuple(dict.fromkeys(text for text in found if text is not None))
    tag = read_tag(fields, column)
    return () if tag is None else (tag,)


def check_column(dataset: Dataset, asked: Phrase, column: str | None) -> None:
    """Refuse a column that no row has."""
    fields = dataset.fields
    if column is not None and column not in fields and column.partition(".")[0] not in fields:
        raise UsageError(
            asked, f": no column {quote(column)} in {dataset.source}; the columns are {list_names(fields)}"
        )


class Tags(Struct, frozen=True):
    """The tags of a dataset, those with the fewest values first; `more` others are left out."""

    names: tuple[str, ...]
    more: int = 0


def find_tags(store: Store, dataset: Dataset) -> Tags:
    """Read the rows once, and drop a column as soon as its values are too varied or too long for a tag.

    A tag has 2 to 60 different values of at most 60 characters, each in at least two rows on average; every other column
    is free text or constant.
    """
    played = played_columns(dataset)
    counts = {name: Counter[str]() for name in dataset.fields if name not in played}
    for columns in store.columns(dataset) if counts else ():
        for name in list(counts):
            found = read_tags(columns, name)
            counts[name].update(found)
            if len(counts[name]) > MOST_VALUES or any(len(one) > MOST_LETTERS for one in found):
                del counts[name]
        if not counts:
            break
    tags = [name for name, values in counts.items() if 1 < len(values) <= values.total() / ROWS_PER_VALUE]
    tags.sort(key=lambda name: len(counts[name]))
    return Tags(tuple(tags[:MOST_TAGS]), len(tags[MOST_TAGS:]))


def played_columns(dataset: Dataset) -> set[str]:
    """Return the columns used as question, references, answer, id, system or label."""
    try:
        columns = find_columns(dataset.fields, parse_columns(dataset.columns))
    except UsageError:
        return set(parse_columns(dataset.columns).values())
    parts = (
        columns.question, columns.reference, columns.answer, columns.id, columns.system, columns.label,
    )  # fmt: skip
    return {part for part in parts if part is not None}
