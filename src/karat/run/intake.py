"""Load rows into the store, from a source or from items given in Python; bad rows are found before any call."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, TypeAlias, cast

import msgspec

from karat.core.errors import UsageError, option
from karat.core.keys import hash_content, item_key
from karat.core.types import Item
from karat.rows import BadRow, Columns, Row, Source, find_columns, list_paths, read_mapping
from karat.store import Dataset, NewRow, Store
from karat.store.labels import write_key

OnBadRow: TypeAlias = Literal["stop", "skip"]
_READER = 2  # increase it when the same bytes would be read differently
_NAMED = 10
_ITEM_REMEDY = "name the parts question, reference and answer, or use other common names"
_SURROGATE = re.compile("[\ud800-\udfff]")


class SourceIntake:
    """Yields the good rows of a source; bad ones are counted, or reported together in an error at the end."""

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
            raise describe_bad_rows(self._source.name, self._bad, self.skipped)
        if not count:
            why = f" (line {self._bad[0].line}: {self._bad[0].problem})" if self._bad else ""
            raise UsageError(f"{self._source.name} contains no {'good ' if self.skipped else ''}rows{why}")

    def _note(self, row: BadRow) -> None:
        self.skipped += 1
        if len(self._bad) < _NAMED:
            self._bad.append(row)
            if self._skip:
                self._notice(f"{row.locate(self._source.name)}: {row.problem}; skipped")
        elif self.skipped == _NAMED + 1 and self._skip:
            self._notice(f"{self._source.name}: more bad rows are skipped; they are not listed here")


def describe_bad_rows(name: str, bad: Sequence[BadRow], count: int) -> UsageError:
    """Return the error about all `count` bad rows of a source; it names those in `bad`."""
    first, *others = bad
    more = count - 1
    lines = ", ".join(row.locate(name) if row.file else str(row.line) for row in others) + (
        ", …" if more > len(others) else ""
    )
    rest = f" ({more} more bad {'row' if more == 1 else 'rows'}: line {lines})" if more else ""
    problem = f"{first.locate(name)}: {first.problem}{rest}; correct it, or skip such rows with "
    return UsageError(problem, option("on_bad_row"), " skip")


def load_source(
    store: Store,
    source: Source,
    chosen: Mapping[str, str],
    *,
    on_bad_row: OnBadRow = "stop",
    limit: int | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> Dataset:
    """Load a source into the store, or return the dataset if it was loaded before in the same way."""
    layout, digest = source.find_layout(chosen), source.digest()
    columns = layout.columns
    read = [layout.name] if layout.name is not None else []
    written, key = (
        hash_content([_READER, digest, place, columns, on_bad_row, limit, *read])
        for place in (source.name, source.place)
    )
    known = store.find_dataset(written) or store.find_dataset(
        key
    )  # older stores contain the path as it was typed
    if known is not None:
        return known
    intake = SourceIntake(source, columns, on_bad_row=on_bad_row, limit=limit, notice=notice)
    return store.load_dataset(key, source.name, columns.describe(), intake, named=columns.id is not None)


def find_rows(source: Source, chosen: Mapping[str, str], names: AbstractSet[str]) -> set[str]:
    """Return which of these ids or item keys the good rows of a source have."""
    rows = (row for row in source.rows(source.find_columns(chosen)) if isinstance(row, Row))
    return {name for row in rows for name in (row.id, write_key(item_key(row.item))) if name in names}


class ItemIntake:
    """Items given to the library as rows of a dataset; errors name a wrong one by its number."""

    def __init__(self, items: Iterable[object]) -> None:
        if isinstance(items, (str, bytes, Mapping)):
            raise UsageError(
                "items must be a list of rows, not a single row or a path; use `karat grade FILE` to grade a file"
            )
        given = list(items)
        if not given:
            raise UsageError("there are no items to grade")
        self.rows = [_read_given(number, one) for number, one in enumerate(given, 1)]
        self.fields: dict[str, None] = {}
        self.skipped = 0

    def key(self) -> str:
        """The key by which the store recognises these items when they are given again."""
        rows = [[row.id, item_key(row.item).hex(), row.columns] for row in self.rows]
        return hash_content(["library", rows])

    def __iter__(self) -> Iterator[NewRow]:
        for row in self.rows:
            self.fields.update(dict.fromkeys(row.columns))
            yield row


def load_items(store: Store, intake: ItemIntake) -> Dataset:
    """Load items, or recognise those that were loaded before; a store in memory holds one list of items."""
    key = "library" if store.path is None else intake.key()
    return store.find_dataset(key) or store.load_dataset(key, "library", "id=id", intake, named=True)


def _read_given(number: int, given: object) -> NewRow:
    if isinstance(given, Item):
        return NewRow(
            number, str(number), _make_item(number, given.question, given.references, given.answer), None, {}
        )
    if isinstance(given, Mapping):
        return _read_mapping(number, cast("Mapping[str, Any]", given))
    fields = tuple(cast("Iterable[object]", given)) if isinstance(given, (tuple, list)) else ()
    if len(fields) != 3:  # noqa: PLR2004 - a triple
        raise UsageError(
            f"item {number} must be a tuple (question, reference or references, answer), a mapping or a karat.Item"
        )
    return NewRow(number, str(number), _make_item(number, *fields), None, {})


def _read_mapping(number: int, given: Mapping[str, Any]) -> NewRow:
    """Read a mapping by the column names and rules of files."""
    try:
        named = {str(name): value for name, value in given.items()}
        columns = find_columns(list(list_paths(named, {})), {}, remedy=_ITEM_REMEDY)
        row = read_mapping(number, named, columns)
    except UsageError as error:
        raise UsageError(f"item {number}: ", error) from None
    if isinstance(row, BadRow):
        raise UsageError(f"item {number}: {row.problem}")
    return _new_row(row, columns)


def _make_item(number: int, question: object, references: object, answer: object) -> Item:
    texts = _read_references(references)
    if not texts or not all(map(str.strip, texts)):
        raise UsageError(f"item {number}: references must be one or more non-empty texts")
    if not isinstance(answer, (str, int, float)):
        raise UsageError(f"item {number}: the answer must be text, not {type(answer).__name__}")
    if question is not None and not isinstance(question, str):
        raise UsageError(f"item {number}: the question must be text or None, not {type(question).__name__}")
    item = Item(question or None, texts, _read_text(answer))
    if _has_lone_surrogate("\n".join((question or "", *item.references, item.answer))):
        raise UsageError(f"item {number}: the text contains half a surrogate pair; decode it correctly first")
    return item


def _read_references(references: object) -> tuple[str, ...]:
    """Return the references as texts; empty if something else was given."""
    if isinstance(references, (str, int, float)):
        return (_read_text(references),)
    listed = cast("Sequence[object]", references) if isinstance(references, Sequence) else ()
    if set(map(type, listed)) == {str}:
        return tuple(cast("Sequence[str]", listed))
    return (
        tuple(_read_text(one) for one in listed)
        if all(isinstance(one, (str, int, float)) for one in listed)
        else ()
    )


def _read_text(value: object) -> str:
    """Return text; numbers and truth values are written as in JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _has_lone_surrogate(text: str) -> bool:
    return not text.isascii() and _SURROGATE.search(text) is not None


def _new_row(row: Row, columns: Columns) -> NewRow:
    label = None if columns.label is None else row.value(columns.label)
    return NewRow(row.line, row.id, row.item, row.system, row.columns, label)
