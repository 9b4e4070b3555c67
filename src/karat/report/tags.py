"""Which of the input's own columns divide the rows into groups, and which are free text."""

from collections import Counter

from msgspec import Struct

from karat.core.errors import UsageError
from karat.report.marks import read_tags
from karat.rows import find_columns, parse_columns
from karat.store import Dataset, Store

MOST_TAGS = 20
MOST_VALUES = 60
MOST_LETTERS = 60
ROWS_PER_VALUE = 2


class Tags(Struct, frozen=True):
    """The tags of a dataset, those with the fewest values first; `more` others are left out."""

    names: tuple[str, ...]
    more: int = 0


def find_tags(store: Store, dataset: Dataset) -> Tags:
    """Go through the rows once, and give a column up as soon as it is too varied or too long to be a tag.

    A tag has 2 to 60 different values of at most 60 characters, each of which stands in two rows on average; every other column
    is free text, or says the same everywhere.
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
    """The columns that are the question, the references, the answer, the id, the system or the label."""
    try:
        columns = find_columns(dataset.fields, parse_columns(dataset.columns))
    except UsageError:
        return set(parse_columns(dataset.columns).values())
    parts = (
        columns.question, columns.reference, columns.answer, columns.id, columns.system, columns.label,
    )  # fmt: skip
    return {part for part in parts if part is not None}
