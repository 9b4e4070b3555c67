"""How the records of a file become rows: by a named format, or by the names of its columns."""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, Protocol, cast

from msgspec import UNSET, Struct, structs

from karat.core.errors import NoRowsError, UsageError
from karat.core.messages import list_names
from karat.rows.columns import NEEDED, Columns, find_columns
from karat.rows.formats import MAPPED, Format, Head, find_format, load_formats, recognise
from karat.rows.formats.core import Mapper, UnreadableError, join_id
from karat.rows.names import COMMON_NAMES, find_role, simplify
from karat.rows.row import BadRow, Record, Row, list_paths, pick, read_row
from karat.rows.values import refuse_letters, settle_by_values

_DEEPEST: Final = 3
_MOST_LEAVES: Final = 100


class Layout(Struct, frozen=True):
    """Which columns play which part, and the format by which records become rows; None for a plain table."""

    columns: Columns
    format: Format | None = None
    head: Head | None = None
    chosen: Mapping[str, str] = {}
    several: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What kind of file it is, for people; nothing for a plain table."""
        return ", ".join(filter(None, self.several)) if self.format is None else self.format.title

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
        if self.format is None or not self.mapped:
            return self.columns.describe()
        return ", ".join(
            f"{part} from {self.chosen.get(part) or self._find_origin(part) or column}"
            for part, column in self.columns.played().items()
            if part != "label" or part in self.chosen or self._has_label()
        )

    def _has_label(self) -> bool:
        """Whether the labels are a column of the first record; those of other places are said when they are found."""
        path = self.format.parts.get("label", "") if self.format is not None else ""
        return any(pick(record, path) is not UNSET for record in (self.head.records[:1] if self.head else ()))

    def _find_origin(self, part: str) -> str:
        """Return where a part comes from in the first record: of objects, the field that is named like the part."""
        parts: Mapping[str, str] = self.format.parts if self.format is not None else {}
        first: dict[str, Any] = self.head.records[0] if self.head is not None and self.head.records else {}
        paths = parts.get(part, "")
        if not paths:
            others = set(re.split(r"\W+", " ".join(parts.values())))
            named = [name for name in _find_named(first, part) if name not in others]
            return named[0] if len(named) == 1 else ""
        ways = paths.split(" or ")
        for path in ways:
            value = pick(first, path)
            fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
            named = _find_named(fields, part) or (list(fields) if len(ways) == 1 else [])
            if len(named) == 1:
                return f"{path}.{named[0]}"
            if len(ways) > 1 and value is not UNSET and not fields:
                return path
        return paths

    def read(
        self,
        records: Iterable[Record | BadRow],
        *,
        lists_in_text: bool = False,
    ) -> Iterator[Row | BadRow]:
        """Yield the rows of records, good and bad."""
        if not self.mapped:
            for record in records:
                if isinstance(record, BadRow):
                    yield record
                else:
                    yield read_row(*record, self.columns, lists_in_text=lists_in_text)
            return
        for line, flat in self.spread(records):
            if isinstance(flat, str):
                yield BadRow(line, flat)
            else:
                yield read_row(line, flat, self.columns, lists_in_text=False)

    def spread(self, records: Iterable[Record | BadRow]) -> Iterator[tuple[int, dict[str, Any] | str]]:
        """Yield lines with the parts of their rows, each under its own name, or with the problem."""
        mapper = self._start()
        for record in records:
            if isinstance(record, BadRow):
                yield record.line, record.problem
                continue
            line, source = record
            try:
                made = list(mapper(source))
            except UnreadableError as problem:
                yield line, str(problem)
                continue
            for number, flat in enumerate(made, 1):
                for part, column in self.chosen.items():
                    _override(flat, part, column, source)
                if len(made) > 1 and "id" not in flat:
                    yield line, {"id": join_id(line, flat.get("system", number)), **flat}
                else:
                    yield line, flat

    def _start(self) -> Mapper:
        """Return what makes rows of records; of a table, by its columns."""
        if self.format is not None and self.format.start is not None and self.head is not None:
            return self.format.start(self.head)
        parts = {part: column for part, column in self.columns.played().items() if column}
        names = MAPPED.played()

        def read(record: dict[str, Any]) -> Iterable[dict[str, Any]]:
            found = {names[part]: pick(record, column) for part, column in parts.items()}
            found = {name: value for name, value in found.items() if value is not UNSET}
            yield found | {name: value for name, value in record.items() if name not in found}

        return read


def _find_named(fields: Mapping[str, Any], part: str) -> list[str]:
    """Return the fields whose names say the part."""
    return [name for name in fields if simplify(name) in COMMON_NAMES[part]]


def find_layout(
    records: Sequence[Mapping[str, object]],
    document: Mapping[str, Any],
    place: tuple[str, ...],
    chosen: Mapping[str, str],
    wanted: str | None = None,
    needed: Sequence[str] = NEEDED,
) -> Layout:
    """Return the layout of a file by its first records, and by what the user chose."""
    head = Head(document, place, cast("list[dict[str, Any]]", list(records)))
    settled = {"reference", "answer"} <= chosen.keys()
    known = find_format(wanted) if wanted is not None else None if settled else recognise(head)
    if known is None:
        return Layout(_find_table_columns(records, chosen, needed), chosen=chosen)
    if known.start is None:
        parts = {
            part: next((path for path in paths.split(" or ") if head.some(path)), "")
            for part, paths in known.parts.items()
        }
        given = {part: path for part, path in parts.items() if path} | dict(chosen)
        columns = _find_table_columns(records, given, needed)
        if columns.answer:
            _refuse_empty_answers(known, head, columns)
        return Layout(columns, known, head, chosen)
    return Layout(_find_mapped_columns(known, head, chosen, needed), known, head, chosen)


class Half(Struct, frozen=True):
    """One half of joined rows: the answers, or the references with the questions."""

    source: "Readable"
    layout: Layout
    needed: str

    @property
    def title(self) -> str:
        """What kind of file it is, for people."""
        return self.layout.title

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that its rows have."""
        return tuple(self.layout.columns.played())

    def read(self) -> Iterator[tuple[int, dict[str, Any] | str]]:
        """Yield lines with the parts of their rows, each under its own name, or with the problem."""
        with closing(self.source.records()) as records:
            yield from self.layout.spread(records)


class Readable(Protocol):
    """An input whose records can be read."""

    def records(self) -> Generator[Record | BadRow]:
        """Yield all records."""
        ...

    def find_half(self, chosen: Mapping[str, str], needed: str) -> Layout:
        """Return how its records become rows of which one half is needed."""
        ...


def find_half(source: Readable, chosen: Mapping[str, str], needed: str) -> Half:
    """Return one half of joined rows: those parts of an input that the other does not have."""
    return Half(source, source.find_half(chosen, needed), needed)


def list_places(wanted: str | None) -> frozenset[tuple[str, ...]]:
    """Return where documents of the named formats hold their records."""
    known = None if wanted is None else find_format(wanted)
    formats = load_formats().values() if known is None else [known]
    return frozenset(tuple(path.split(".")) for one in formats for path in one.lists)


def spread_columns(document: object) -> Iterator[Record | BadRow]:
    """Yield the records of columns that stand side by side as lists of one length; else the document itself.

    An object of texts alone is read as predictions by id.
    """
    table = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    lists = {name: cast("list[Any]", value) for name, value in table.items() if isinstance(value, list)}
    if len(lists) >= len(NEEDED) and len({len(value) for value in lists.values()}) == 1:
        for number, cells in enumerate(zip(*lists.values(), strict=True), 1):
            yield number, dict(zip(lists, cells, strict=True))
    elif (
        len(table) > 1
        and all(isinstance(value, str) for value in table.values())
        and not any(map(find_role, table))
    ):
        for number, (name, text) in enumerate(table.items(), 1):
            yield number, {"id": name, "prediction": text}
    else:
        yield 1, table


def _find_table_columns(
    records: Sequence[Mapping[str, object]], chosen: Mapping[str, str], needed: Sequence[str]
) -> Columns:
    names = list(dict.fromkeys(path for record in records for path in list_paths(record, chosen)))
    names += [path for path in list_leaves(records) if path not in names]

    def settle(candidates: dict[str, list[str]]) -> None:
        if tuple(needed) == ("reference",) and not candidates.get("reference", [""]):
            candidates["reference"] = candidates.get("answer", [])
        if "reference" not in needed:
            candidates.pop("reference", None)
        if "answer" not in needed:
            candidates["answer"] = []
        paths = {name for options in candidates.values() for name in options}
        settle_by_values(candidates, _collect(records, paths))

    columns = find_columns(names, chosen, settle=settle, needed=needed)
    if "reference" not in chosen and columns.reference:
        refuse_letters(columns.reference, _collect(records, names))
    return columns


def list_leaves(records: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the dotted paths of texts in objects of any name, to show in errors and to be chosen."""
    found: dict[str, None] = {}

    def walk(outer: str, value: object, depth: int) -> None:
        for name, inner in cast("dict[str, object]", value).items() if isinstance(value, dict) else ():
            path = f"{outer}.{name}"
            if isinstance(inner, dict) and depth < _DEEPEST:
                walk(path, cast("object", inner), depth + 1)
            elif isinstance(inner, str) and len(found) < _MOST_LEAVES:
                found[path] = None

    for record in records:
        for name, value in record.items():
            walk(name, value, 1)
    return list(found)


def _collect(records: Sequence[Mapping[str, object]], paths: Iterable[str]) -> dict[str, list[Any]]:
    return {
        path: [None if (value := pick(record, path)) is UNSET else value for record in records]
        for path in paths
    }


def _find_mapped_columns(
    known: Format, head: Head, chosen: Mapping[str, str], needed: Sequence[str]
) -> Columns:
    """The columns of mapped rows: those that any of the first ones has; a half that none has is refused."""
    assert known.start is not None  # noqa: S101 - who calls this has looked
    mapper = known.start(head)
    present: set[str] = set()
    problem: str | None = None
    for record in head.records:
        try:
            made = list(mapper(record))
        except UnreadableError as reason:
            problem = problem or str(reason)
            continue
        present |= {"id"} if len(made) > 1 else set()
        present |= {part for flat in made for part in flat if flat[part] is not None}
    present |= {getattr(MAPPED, part) for part, column in chosen.items() if column}
    present |= {"label"} & known.parts.keys()  # people label a few rows, perhaps none of the first
    lacking = [part for part in needed if getattr(MAPPED, part) not in present]
    if lacking:
        parts = " or ".join(("an " if part == "answer" else "a ") + part for part in lacking)
        why = problem or known.lacks
        keys = list_names([*head.records[0]]) if head.records and not known.beside else ""
        kind = NoRowsError if known.beside else UsageError
        raise kind(
            f"{known.title}: no row has {parts}"
            f"{'; ' + why if why else ''}{'; the keys are ' + keys if keys else ''}"
        )
    dropped = {part for part, column in chosen.items() if not column}
    played = {
        part: column
        for part, column in structs.asdict(MAPPED).items()
        if column in present and part not in dropped
    }
    return Columns(**{"reference": "", "answer": ""} | played)


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


def flatten(row: Row, columns: Columns) -> dict[str, Any]:
    """Return a row's columns with each part under its own name."""
    fields: dict[str, Any] = {"id": row.id, "question": row.item.question}
    fields |= {"references": list(row.item.references), "answer": row.item.answer}
    fields |= {"system": row.system, "label": None if columns.label is None else row.value(columns.label)}
    fields = {name: value for name, value in fields.items() if value is not None}
    return fields | {name: value for name, value in row.columns.items() if name not in fields}
