"""How the records of a file become rows: by a named format, or by the names of its columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import UNSET, Struct, structs

from karat.core.errors import UsageError
from karat.core.messages import list_names
from karat.rows.columns import NEEDED, Columns, find_columns
from karat.rows.formats import MAPPED, Format, Head, find_format, iterate, load_formats, recognise
from karat.rows.formats.core import join_id
from karat.rows.row import BadRow, Record, Row, list_paths, pick, read_row
from karat.rows.values import refuse_letters, settle_by_values


class Layout(Struct, frozen=True):
    """Which columns play which part, and the format by which records become rows; None for a plain table."""

    columns: Columns
    format: Format | None = None
    head: Head | None = None
    chosen: Mapping[str, str] = {}

    @property
    def mapped(self) -> bool:
        """Whether records are made into rows of other columns."""
        return self.format is not None and self.format.start is not None

    @property
    def name(self) -> str | None:
        """What tells rows of these columns from those that another format makes of the same bytes."""
        return self.format.name if self.format is not None and self.mapped else None

    def describe(self) -> str:
        """Where each part comes from, for printing."""
        if self.format is None:
            return self.columns.describe()
        played = {part: column for part, column in structs.asdict(self.columns).items() if column}
        origins = [
            f"{part} from {self.chosen.get(part) or self.format.parts.get(part) or column}"
            for part, column in played.items()
            if part in ("question", "reference", "answer", "id", "system")
        ]
        return ", ".join(sorted(origins, key=_order))

    def read(
        self,
        records: Iterable[Record | BadRow],
        *,
        lists_in_text: bool = False,
    ) -> Iterator[Row | BadRow]:
        """Yield the rows of records, good and bad."""
        if self.format is None or self.format.start is None or self.head is None:
            for record in records:
                if isinstance(record, BadRow):
                    yield record
                else:
                    yield read_row(*record, self.columns, lists_in_text=lists_in_text)
            return
        mapper = self.format.start(self.head)
        for record in records:
            if isinstance(record, BadRow):
                yield record
                continue
            line, source = record
            made = list(iterate(mapper, source, line))
            for number, (_, flat) in enumerate(made, 1):
                if isinstance(flat, str):
                    yield BadRow(line, flat)
                    continue
                for part, column in self.chosen.items():
                    _override(flat, part, column, source)
                if "id" not in flat and len(made) > 1:
                    flat = {"id": join_id(line, flat.get("system", number)), **flat}  # noqa: PLW2901 - the same row
                yield read_row(line, flat, self.columns, lists_in_text=False)


def find_layout(
    records: Sequence[Mapping[str, object]],
    document: Mapping[str, Any],
    place: tuple[str, ...],
    chosen: Mapping[str, str],
    wanted: str | None = None,
) -> Layout:
    """Return the layout of a file by its first records, and by what the user chose."""
    head = Head(document, place, cast("list[dict[str, Any]]", list(records)))
    settled = {"reference", "answer"} <= chosen.keys()
    known = find_format(wanted) if wanted is not None else None if settled else recognise(head)
    if known is None:
        return Layout(_find_table_columns(records, chosen), chosen=chosen)
    if known.start is None:
        parts = {
            part: next((path for path in paths.split(" or ") if head.some(path)), "")
            for part, paths in known.parts.items()
        }
        columns = _find_table_columns(
            records, {part: path for part, path in parts.items() if path} | dict(chosen)
        )
        _refuse_empty_answers(known, head, columns)
        return Layout(columns, known, head, chosen)
    return Layout(_find_mapped_columns(known, head, chosen), known, head, chosen)


def list_places(wanted: str | None) -> frozenset[tuple[str, ...]]:
    """Return where documents of the named formats hold their records."""
    known = None if wanted is None else find_format(wanted)
    formats = load_formats().values() if known is None else [known]
    return frozenset(tuple(path.split(".")) for one in formats for path in one.lists)


def spread_columns(document: object) -> Iterator[Record | BadRow]:
    """Yield the records of columns that stand side by side as lists of one length; else the document itself."""
    table = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    lists = {name: cast("list[Any]", value) for name, value in table.items() if isinstance(value, list)}
    lengths = {len(value) for value in lists.values()}
    if len(lists) < len(NEEDED) or len(lengths) != 1:
        yield 1, table
        return
    for number, cells in enumerate(zip(*lists.values(), strict=True), 1):
        yield number, dict(zip(lists, cells, strict=True))


def _find_table_columns(records: Sequence[Mapping[str, object]], chosen: Mapping[str, str]) -> Columns:
    names = list(dict.fromkeys(path for record in records for path in list_paths(record, chosen)))

    def settle(candidates: dict[str, list[str]]) -> None:
        paths = {name for options in candidates.values() for name in options}
        settle_by_values(candidates, _collect(records, paths))

    columns = find_columns(names, chosen, settle=settle)
    if "reference" not in chosen:
        refuse_letters(columns.reference, _collect(records, names))
    return columns


def _collect(records: Sequence[Mapping[str, object]], paths: Iterable[str]) -> dict[str, list[Any]]:
    return {
        path: [None if (value := pick(record, path)) is UNSET else value for record in records]
        for path in paths
    }


def _find_mapped_columns(known: Format, head: Head, chosen: Mapping[str, str]) -> Columns:
    """The columns of mapped rows: those that any of the first ones has; a half that none has is refused."""
    assert known.start is not None  # noqa: S101 - who calls this has looked
    mapper = known.start(head)
    present: set[str] = set()
    problem: str | None = None
    for record in head.records:
        made = list(iterate(mapper, record, 0))
        present |= {"id"} if len(made) > 1 else set()
        for _, flat in made:
            if isinstance(flat, str):
                problem = problem or flat
            else:
                present |= {part for part in flat if flat[part] is not None}
    present |= {getattr(MAPPED, part) for part, column in chosen.items() if column}
    lacking = [part for part in NEEDED if getattr(MAPPED, part) not in present]
    if lacking:
        parts = " and no ".join(lacking)
        why = problem or known.lacks
        keys = list_names([*head.records[0]]) if head.records else ""
        raise UsageError(
            f"{known.title}: no row has {'an' if lacking[0] == 'answer' else 'a'} {parts}"
            f"{'; ' + why if why else ''}{'; the keys are ' + keys if keys else ''}"
        )
    dropped = {part for part, column in chosen.items() if not column}
    played = {
        part: column
        for part, column in structs.asdict(MAPPED).items()
        if column in present and part not in dropped
    }
    return Columns(**played)


def _refuse_empty_answers(known: Format, head: Head, columns: Columns) -> None:
    """Refuse a table of a known peer that no model has answered yet."""
    if known.lacks and all(pick(one, columns.answer) in (None, "", UNSET) for one in head.records):
        raise UsageError(f"{known.title}: no row has an answer in {columns.answer}; {known.lacks}")


def _override(flat: dict[str, Any], part: str, column: str, source: Mapping[str, Any]) -> None:
    """Take a part of a mapped row from the column of the source that the user chose."""
    if not column:
        return
    value = pick(source, column)
    name: str = getattr(MAPPED, part)
    if value is UNSET:
        value = pick(flat, column)
    if value is UNSET:
        flat.pop(name, None)
    else:
        flat[name] = value


def _order(origin: str) -> int:
    return ("question", "reference", "answer", "id", "system").index(origin.partition(" ")[0])
