"""Label files: read labels, and write those of a run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import PurePath
from typing import Any, Final

from msgspec import Struct

from karat.core.errors import UsageError
from karat.rows import BadRow, Formulas, Kind, Record, Source, list_names, open_sink, read_text
from karat.rows.containers.csv import restore_formula
from karat.store import Run, Store
from karat.store.labels import KEY

NAMES: Final[Mapping[str, frozenset[str]]] = {
    "key": frozenset({"key"}),
    "id": frozenset({"id"}),
    "label": frozenset({"label"}),
    "author": frozenset({"author", "annotator", "labeller", "labeler"}),
}
FIELDS: dict[str, Kind] = {
    "id": "text", "label": "float", "scale": "text", "author": "text", "source": "text", "given": "text", "replaced": "text",
}  # fmt: skip


class GivenLabel(Struct, frozen=True):
    """One line of a label file: the row by its id or by the key of its item, the label, and its author."""

    line: int
    name: str
    content: Any
    author: str


def read_label_file(source: Source, author: str | None = None) -> Iterator[GivenLabel | BadRow]:
    """Yield the lines that have a label, and the bad ones; the default author is the given one or the file's name."""
    with closing(source.records()) as records:
        yield from read_labels(records, source.name, author or PurePath(source.name.removesuffix(".gz")).stem)


def read_labels(records: Iterable[Record | BadRow], name: str, author: str) -> Iterator[GivenLabel | BadRow]:
    """Yield the records that have a label, and the bad ones."""
    known = dict[tuple[str, ...], dict[str, str]]()
    for record in records:
        if isinstance(record, BadRow):
            yield record
            continue
        line, fields = record
        columns = known.get(tuple(fields)) or _find_columns(list(fields), name)
        known[tuple(fields)] = columns
        content = fields.get(columns["label"])
        if content is None or (isinstance(content, str) and not content.strip()):
            continue  # not labelled yet
        row = _name(fields, columns)
        if row is None:
            yield BadRow(line, "a label has no id")
        else:
            yield GivenLabel(line, row, content, _text(fields, columns.get("author")) or author)


def _find_columns(names: Sequence[str], source: str) -> dict[str, str]:
    found = dict[str, str]()
    for part, known in NAMES.items():
        options = [name for name in names if name.strip().casefold() in known]
        if len(options) > 1:
            raise UsageError(
                f"{source}: the {part} column could be any of {list_names(options)}; remove all but one"
            )
        found |= {part: options[0]} if options else {}
    if "label" not in found or not {"id", "key"} & set(found):
        missing = "label" if "label" not in found else "id"
        raise UsageError(
            f"{source}: no column is called {missing}; a label file needs the columns id, label and author; found {list_names(names)}"
        )
    return found


def _name(fields: Mapping[str, Any], columns: Mapping[str, str]) -> str | None:
    """Return the key of the item if a plan wrote one, since spreadsheets do not change it; else the id."""
    key, name = _text(fields, columns.get("key")), _text(fields, columns.get("id"))
    return key if name is None or (key or "").startswith(KEY) else name


def _text(fields: Mapping[str, Any], column: str | None) -> str | None:
    text = None if column is None else read_text(fields.get(column))
    return None if text is None or not text.strip() else restore_formula(text.strip())


def list_labels(store: Store, run: Run, *, history: bool = False) -> list[dict[str, Any]]:
    """Return one record per label, from 0 (wrong) to 1 (right), in input order; `history` includes replaced ones."""
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
