"""Names and dotted paths under which a row holds its values."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from msgspec import UNSET

from karat.rows.chat import read_chat, unwrap_reply
from karat.rows.columns import COMMON_NAMES, NESTS

_CHATS: Final = COMMON_NAMES["question"]


def pick(record: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - a cell holds any JSON value
    """The value under a name, else at the end of a dotted path; UNSET where there is none."""
    value: Any = record.get(path, UNSET)
    if value is not UNSET or "." not in path:
        return value
    value = record
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return UNSET
        value = cast("Mapping[str, Any]", value).get(name, UNSET)
    return value


def list_paths(record: Mapping[str, Any], chosen: Mapping[str, str]) -> Iterator[str]:
    """A row's columns, what `item` and `sample` hold in readable values, and chosen paths that lead somewhere."""
    yield from record
    for nest in NESTS:
        inner = record.get(nest)
        if isinstance(inner, Mapping):
            entries = cast("Mapping[str, Any]", inner).items()
            yield from (f"{nest}.{name}" for name, value in entries if _is_readable(nest, name, value))
    yield from (path for path in chosen.values() if path and pick(record, path) is not UNSET)


def _is_readable(nest: str, name: str, value: object) -> bool:
    """Text, lists of it and replies are readable, and so is the chat that an item asks."""
    if nest == "item" and name.casefold() in _CHATS and read_chat(value) is not None:
        return True
    entries = cast("list[object]", value) if isinstance(value, list) else [unwrap_reply(value)]
    return not any(isinstance(entry, dict | list) for entry in entries)
