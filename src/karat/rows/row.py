"""One row of the input, good or bad."""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from msgspec import UNSET, Struct

from karat.core.types import Item
from karat.rows.chat import read_chat, unwrap_reply
from karat.rows.columns import Columns, names_several
from karat.rows.listtext import read_list
from karat.rows.paths import pick
from karat.rows.values import LONE_SURROGATE, make_json, name_type, read_text, write_json
from karat.rows.wording import one_line

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


def read_row(line: int, record: dict[str, Any], columns: Columns, *, lists_in_text: bool) -> Row | BadRow:
    """A record as a row; `lists_in_text` is for formats whose cells can hold a list only as text."""
    try:
        item = Item(
            question=_read_question(record, columns.question),
            references=_read_references(record, columns.reference, lists_in_text=lists_in_text),
            answer=_read_answer(pick(record, columns.answer)),
        )
        row_id = _read_optional(record, "id", columns.id) or str(line)
        return Row(line, row_id, item, _read_optional(record, "system", columns.system), record)
    except _NotReadableError as problem:
        return BadRow(line, str(problem))


def read_mapping(number: int, record: Mapping[str, Any], columns: Columns) -> Row | BadRow:
    """A Python mapping as a row, by the rules for files; NaN is a missing value, a tuple a list."""
    try:
        plain = {str(name): make_json(value) for name, value in record.items()}
        write_json(plain)
    except UnicodeEncodeError:
        return BadRow(number, LONE_SURROGATE)
    except RecursionError:
        return BadRow(number, "nested too deeply")
    except ValueError as error:
        return BadRow(number, f"unreadable value: {one_line(str(error))}")
    return read_row(number, plain, columns, lists_in_text=False)


def _read_question(record: Mapping[str, Any], path: str | None) -> str | None:
    """A question in one text, or the text of a chat's user."""
    chat = read_chat(pick(record, path)) if path is not None else None
    return _read_optional(record, "question", path) if chat is None else _drop_blank(chat)


def _read_answer(value: object) -> str:
    value = unwrap_reply(value)
    if value is UNSET or value is None:
        raise _NotReadableError("no answer (missing)" if value is UNSET else "no answer (null)")
    return _require_text("answer", value)


def _read_references(record: Mapping[str, Any], path: str, *, lists_in_text: bool) -> tuple[str, ...]:
    """All references that are not blank; there is at least one."""
    value: object = pick(record, path)
    if lists_in_text and isinstance(value, str) and value.startswith("["):
        value = read_list(value, written_by_python=names_several(path))
    entries = cast("list[object]", value) if isinstance(value, list) else [value]
    replies = [unwrap_reply(entry) for entry in entries if entry is not UNSET]
    texts = [_require_text("reference", reply) for reply in replies if reply is not None]
    references = tuple(text for text in texts if _drop_blank(text))
    if not references:
        raise _NotReadableError("no reference")
    return references


def _read_optional(record: Mapping[str, Any], part: str, path: str | None) -> str | None:
    value = UNSET if path is None else pick(record, path)
    if value is UNSET or value is None:
        return None
    return _drop_blank(_require_text(part, value))


def _drop_blank(text: str) -> str | None:
    return text if text and not text.isspace() else None


def _require_text(part: str, value: object) -> str:
    text = read_text(value)
    if text is None:
        raise _NotReadableError(f"the {part} is {name_type(value)}, not text")
    return text
