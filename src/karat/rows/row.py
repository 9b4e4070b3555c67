"""One row of the input, good or bad."""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct

from karat.core.types import Item
from karat.rows.columns import Columns
from karat.rows.values import name_type, read_text

Record: TypeAlias = tuple[int, dict[str, Any]]


class Row(Struct, frozen=True):
    """A row that can be judged, with the input's own columns as they were."""

    line: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]

    def value(self, path: str) -> Any:  # noqa: ANN401 - a cell holds any JSON value
        """What a column or dotted path holds; None where the row lacks it."""
        value = pick(self.columns, path)
        return None if value is UNSET else value


class BadRow(Struct, frozen=True):
    """A row that cannot be judged, and why."""

    line: int
    problem: str


class _NotReadableError(ValueError):
    """Why a record is no item."""


def pick(record: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - a cell holds any JSON value
    """The value under a name, else at the end of a dotted path; UNSET where there is none."""
    value: Any = record.get(path, UNSET)
    if value is not UNSET or "." not in path:
        return value
    value = record
    for name in path.split("."):
        if not isinstance(value, dict):
            return UNSET
        value = cast("dict[str, Any]", value).get(name, UNSET)
    return value


def read_row(line: int, record: dict[str, Any], columns: Columns, *, lists_in_text: bool) -> Row | BadRow:
    """A record as a row; `lists_in_text` is for formats whose cells can hold a list only as JSON text."""
    try:
        item = Item(
            question=_read_optional(record, "question", columns.question),
            references=_read_references(pick(record, columns.reference), lists_in_text=lists_in_text),
            answer=_read_answer(pick(record, columns.answer)),
        )
        row_id = _read_optional(record, "id", columns.id) or str(line)
        return Row(line, row_id, item, _read_optional(record, "system", columns.system), record)
    except _NotReadableError as problem:
        return BadRow(line, str(problem))


def _read_answer(value: object) -> str:
    if value is UNSET or value is None:
        raise _NotReadableError("no answer (missing)" if value is UNSET else "no answer (null)")
    return _require_text("answer", value)


def _read_references(value: object, *, lists_in_text: bool) -> tuple[str, ...]:
    """All references that are not blank; there is at least one."""
    if lists_in_text and isinstance(value, str) and value.startswith("["):
        value = _read_list(value)
    entries = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = [
        _require_text("reference", entry) for entry in entries if entry is not None and entry is not UNSET
    ]
    references = tuple(text for text in texts if text and not text.isspace())
    if not references:
        raise _NotReadableError("no reference")
    return references


def _read_list(text: str) -> list[str | None] | str:
    try:
        return msgspec.json.decode(text, type=list[str | None])
    except (msgspec.DecodeError, RecursionError):
        return text


def _read_optional(record: Mapping[str, Any], part: str, path: str | None) -> str | None:
    value = UNSET if path is None else pick(record, path)
    if value is UNSET or value is None:
        return None
    text = _require_text(part, value)
    return text if text and not text.isspace() else None


def _require_text(part: str, value: object) -> str:
    text = read_text(value)
    if text is None:
        raise _NotReadableError(f"the {part} is {name_type(value)}, not text")
    return text
