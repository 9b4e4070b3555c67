"""Rows from a source into the store: bad ones are found before anything is paid for."""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Literal, TypeAlias

from karat.core.errors import UsageError
from karat.core.keys import hash_content, item_key
from karat.rows import BadRow, Columns, Row, Source
from karat.store import Dataset, NewRow, Store
from karat.store.labels import write_key

OnBadRow: TypeAlias = Literal["stop", "skip"]
_READER = 2  # raise it when the same bytes would be read differently
_NAMED = 10


class SourceIntake:
    """The good rows of a source; the bad ones are counted, or all named together at the end."""

    def __init__(
        self,
        source: Source,
        columns: Columns,
        *,
        on_bad_row: OnBadRow,
        limit: int | None,
        notice: Callable[[str], None],
    ) -> None:
        self.fields: dict[str, None] = {}
        self.skipped = 0
        self._source = source
        self._columns = columns
        self._skip = on_bad_row == "skip"
        self._limit = limit
        self._notice = notice
        self._bad: list[BadRow] = []

    def __iter__(self) -> Iterator[NewRow]:
        count = 0
        for row in self._source.rows(self._columns, limit=self._limit):
            if isinstance(row, BadRow):
                self._note(row)
            elif not self._bad or self._skip:
                count += 1
                self.fields.update(dict.fromkeys(row.columns))
                yield _new_row(row, self._columns)
        if self._bad and not self._skip:
            raise UsageError(self._complain())
        if not count:
            why = f" (line {self._bad[0].line}: {self._bad[0].problem})" if self._bad else ""
            raise UsageError(f"{self._source.name} holds no {'good ' if self.skipped else ''}rows{why}")

    def _note(self, row: BadRow) -> None:
        self.skipped += 1
        if len(self._bad) < _NAMED:
            self._bad.append(row)
            if self._skip:
                self._notice(f"{self._source.name}:{row.line}: {row.problem}; left out")
        elif self.skipped == _NAMED + 1 and self._skip:
            self._notice(f"{self._source.name}: more bad rows are left out without being named here")

    def _complain(self) -> str:
        first, *others = self._bad
        more = self.skipped - 1
        lines = ", ".join(str(row.line) for row in others) + (", …" if more > len(others) else "")
        rest = f" ({more} more bad {'row' if more == 1 else 'rows'}: line {lines})" if more else ""
        return f"{self._source.name}:{first.line}: {first.problem}{rest}; mend it, or leave such rows out with --on-bad-row skip"


def take_in(
    store: Store,
    source: Source,
    chosen: Mapping[str, str],
    *,
    on_bad_row: OnBadRow = "stop",
    limit: int | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> Dataset:
    """Load a source, or recognise one that was loaded before in the same way."""
    columns, digest = source.find_columns(chosen), source.digest()
    written, key = (
        hash_content([_READER, digest, place, columns, on_bad_row, limit])
        for place in (source.name, source.place)
    )
    known = store.find_dataset(written) or store.find_dataset(
        key
    )  # older stores know a path as it was written
    if known is not None:
        return known
    intake = SourceIntake(source, columns, on_bad_row=on_bad_row, limit=limit, notice=notice)
    return store.load_dataset(key, source.name, columns.describe(), intake, named=columns.id is not None)


def find_rows(source: Source, chosen: Mapping[str, str], names: AbstractSet[str]) -> set[str]:
    """Which of these ids or keys of items the good rows of a source have, however many of them were loaded."""
    rows = (row for row in source.rows(source.find_columns(chosen)) if isinstance(row, Row))
    return {name for row in rows for name in (row.id, write_key(item_key(row.item))) if name in names}


def _new_row(row: Row, columns: Columns) -> NewRow:
    label = None if columns.label is None else row.value(columns.label)
    return NewRow(row.line, row.id, row.item, row.system, row.columns, label)
