"""Read a record of the input as a row: its item, with dotted paths, chat messages and lists in text."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct

from karat.core.messages import one_line
from karat.core.types import Item
from karat.rows.cells import LONE_SURROGATE, make_json, name_type, read_text, write_json
from karat.rows.columns import Columns, names_several
from karat.rows.names import COMMON_NAMES, find_role, is_nest, simplify

Record: TypeAlias = tuple[int, dict[str, Any]]
"""A line number with the values of the line by their names."""
_CHATS: Final = COMMON_NAMES["question"]
_BLANK_LINE: Final = "\n\n"
_MOST_ENTRIES: Final = 4
_DEEPEST: Final = 2
_LONGEST_LIST: Final = 100_000
_ESCAPE: Final = r"\\(?:[\\'\"nrt]|x[0-9a-f]{2}|u(?!d[89a-f])[0-9a-f]{4}|U00(?:0[1-9a-f]|10)[0-9a-f]{4})"
_QUOTED: Final = rf"""(?:'(?:[^'\\\r\n]|{_ESCAPE})*'|"(?:[^"\\\r\n]|{_ESCAPE})*")"""
_PYTHON_LIST: Final = re.compile(rf"\[{_QUOTED}(?:, ?{_QUOTED})*\]")


class Row(Struct, frozen=True):
    """A row that can be judged, with the input's own columns unchanged."""

    line: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]

    def value(self, path: str) -> Any:  # noqa: ANN401 - a cell holds any JSON value
        """Return the value of a column or dotted path; None if the row lacks it."""
        value = pick(self.columns, path)
        return None if value is UNSET else value


class BadRow(Struct, frozen=True):
    """A row that cannot be judged, and why."""

    line: int
    problem: str
    file: str | None = None

    def locate(self, name: str) -> str:
        """Return the file and line; `name` is the input's, which may be of several files."""
        return f"{self.file or name}:{self.line}"


class _NotReadableError(ValueError):
    """The reason why a record is no item."""


def read_row(line: int, record: dict[str, Any], columns: Columns, *, lists_in_text: bool) -> Row | BadRow:
    """Read a record as a row; `lists_in_text` is for formats whose cells can hold a list only as text."""
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
    """Read a Python mapping as a row, by the rules for files; NaN is a missing value, a tuple a list."""
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
    """Return the question: one text, or the user's messages of a chat."""
    chat = read_chat(pick(record, path)) if path is not None else None
    return _read_optional(record, "question", path) if chat is None else _drop_blank(chat)


def _read_answer(value: object) -> str:
    value = unwrap_reply(value)
    if value is UNSET or value is None:
        raise _NotReadableError("no answer (missing)" if value is UNSET else "no answer (null)")
    return _require_text("answer", value)


def _read_references(record: Mapping[str, Any], path: str, *, lists_in_text: bool) -> tuple[str, ...]:
    """Return all references that are not blank; at least one is required."""
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


def pick(record: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - a cell holds any JSON value
    """Return the value under a name, else at the end of a dotted path; UNSET if there is none."""
    value: Any = record.get(path, UNSET)
    if value is not UNSET or "." not in path:
        return value
    value = record
    for name in path.split("."):
        if isinstance(value, dict):
            value = cast("dict[str, Any]", value).get(name, UNSET)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(cast("list[Any]", value)):
            value = cast("list[Any]", value)[int(name)]
        elif isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value).get(name, UNSET)
        else:
            return UNSET
    return value


def list_paths(record: Mapping[str, Any], chosen: Mapping[str, str]) -> Iterator[str]:
    """Yield a row's columns, the readable values in nested objects, and chosen paths that exist.

    An object that says itself which part it holds, such as `output`, gives way to what is found in it.
    """
    for name, value in record.items():
        inner = list(_list_inner(name, cast("object", value))) if isinstance(value, Mapping | list) else []
        if not any((role := find_role(path)) is not None and role[1] > 1 for path in inner) or "." in name:
            yield name
        yield from inner
    yield from (path for path in chosen.values() if path and pick(record, path) is not UNSET)


def _list_inner(outer: str, value: object) -> Iterator[str]:
    """Yield the paths of readable values in an object, or of would-be answers in a list of objects."""
    if isinstance(value, list):
        for number, entry in enumerate(cast("list[object]", value[:_MOST_ENTRIES])):
            if isinstance(entry, dict) and "role" not in entry:
                names = (
                    name
                    for name in cast("dict[str, object]", entry)
                    if simplify(name) in COMMON_NAMES["answer"]
                )
                yield from (f"{outer}.{number}.{name}" for name in names)
        return
    if (
        not is_nest(outer.rpartition(".")[2])
        or outer.count(".") > _DEEPEST
        or "role" in cast("Mapping[str, object]", value)
    ):
        return
    for name, inner in cast("Mapping[str, object]", value).items():
        path = f"{outer}.{name}"
        if _is_readable(outer, name, inner):
            yield path
        elif isinstance(inner, Mapping):
            yield from _list_inner(path, cast("object", inner))


def _is_readable(outer: str, name: str, value: object) -> bool:
    """Check whether a value can be read: text, a list of texts, a reply, or the chat that an item asks."""
    if not outer.startswith("sample") and simplify(name) in _CHATS and read_chat(value) is not None:
        return True
    entries = cast("list[object]", value) if isinstance(value, list) else [unwrap_reply(value)]
    return not any(isinstance(entry, Mapping | list) for entry in entries)


def read_chat(value: object) -> str | None:
    """Return the text of the user's messages, or of all if none is the user's; None if the value is no chat."""
    if not isinstance(value, list):
        return None
    messages = [_read_message(entry) for entry in cast("list[object]", value)]
    whole = [message for message in messages if message is not None]
    if not whole or len(whole) < len(messages):
        return None
    spoken = [text for role, text in whole if role == "user"] or [text for _, text in whole]
    return _BLANK_LINE.join(text for text in spoken if text)


def unwrap_reply(value: object) -> object:
    """Return the text of an assistant's message, None if that is null; any other value as it is."""
    message = _read_message(value)
    if message is None or message[0] != "assistant":
        return value
    return None if cast("dict[str, object]", value)["content"] is None else message[1]


def _read_message(value: object) -> tuple[str, str] | None:
    """Return a message's role and text."""
    if not isinstance(value, dict):
        return None
    message = cast("dict[str, object]", value)
    role, text = message.get("role"), _read_content(message.get("content", UNSET))
    return (role, text) if isinstance(role, str) and text is not None else None


def _read_content(content: object) -> str | None:
    """Return a content's text, joined from its parts; None if no part has one."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = cast("list[object]", content) if isinstance(content, list) else [content]
    texts = [text for part in parts if (text := _read_part(part)) is not None]
    return _BLANK_LINE.join(texts) if texts or not parts else None


def _read_part(part: object) -> str | None:
    text = cast("dict[str, object]", part).get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else None


def read_list(text: str, *, written_by_python: bool) -> object:
    """Return the texts of a JSON list, or of one that Python or pandas wrote; any other text, such as `[1, 2]`, as it is."""
    try:
        return msgspec.json.decode(text, type=list[str | None])
    except (msgspec.DecodeError, RecursionError):
        return _read_python_list(text) if written_by_python else text


def _read_python_list(text: str) -> object:
    """Return quoted texts with commas between them; without commas Python would join them to one."""
    if len(text) > _LONGEST_LIST or _PYTHON_LIST.fullmatch(text) is None:
        return text
    return ast.literal_eval(text)
