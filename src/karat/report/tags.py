"""Which of the input's own columns divide the rows into a few groups."""

from collections.abc import Mapping

from karat.core.errors import UsageError
from karat.report.marks import read_tags
from karat.rows import find_columns, parse_columns
from karat.store import Dataset, Store

MOST_GROUPS = 40
MOST_LETTERS = 60
MOST_SLICED = 12


class Tags:
    """The tags of a dataset with their groups: those with few and short ones."""

    def __init__(self, groups: Mapping[str, set[str]]) -> None:
        self.names = tuple(groups)
        self.sliced = tuple(name for name, found in groups.items() if 1 < len(found) <= MOST_SLICED)


def find_tags(store: Store, dataset: Dataset) -> Tags:
    """Go through the rows once; a column with too many groups, or long ones, is given up on the way."""
    groups: dict[str, set[str]] = {
        name: set() for name in dataset.fields if name not in played_columns(dataset)
    }
    for columns in store.columns(dataset) if groups else ():
        for name in list(groups):
            found = read_tags(columns, name)
            groups[name].update(found)
            if len(groups[name]) > MOST_GROUPS or any(len(one) > MOST_LETTERS for one in found):
                del groups[name]
        if not groups:
            break
    return Tags({name: found for name, found in groups.items() if found})


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
