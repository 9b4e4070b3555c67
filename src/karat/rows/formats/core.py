"""What every named format shares: how it is recognised, and how its records become rows."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

import msgspec

from karat.rows.cells import read_text, write_json
from karat.rows.columns import Columns
from karat.rows.names import COMMON_NAMES, INNER_NAMES, simplify
from karat.rows.row import pick, read_chat, unwrap_reply

Source: TypeAlias = dict[str, Any]
Flat: TypeAlias = dict[str, Any]
Mapper: TypeAlias = Callable[[Source], Iterable[Flat]]
MAPPED: Final = Columns("references", "answer", "question", "id", "system", "label")
"""What the columns of a mapped row are called."""
_LONGEST_TAG: Final = 2_000
_PARTS: Final = frozenset({"id", "question", "references", "answer", "system", "label"})
_NOTHING: Final[Mapping[str, Any]] = {}


class UnreadableError(ValueError):
    """The reason why a record of a format makes no row."""


@dataclass(frozen=True)
class Head:
    """What is known before the rows: values around them in the document, their list's place, and the first records."""

    document: Mapping[str, Any]
    place: tuple[str, ...]
    records: Sequence[Source]

    def has(self, *names: str) -> bool:
        """Check whether every one of the first records has these columns or dotted paths."""
        return bool(self.records) and all(
            pick(one, name) is not msgspec.UNSET for one in self.records for name in names
        )

    def some(self, *names: str) -> bool:
        """Check whether some of the first records have each of these."""
        return all(any(pick(one, name) is not msgspec.UNSET for one in self.records) for name in names)


@dataclass(frozen=True)
class Format:
    """A named format.

    `parts` says for people where each part stands. A format without a mapper is a table whose columns are named by
    `parts`, and whose `grades` are read from its columns. `lacks` ends the refusal of a file without references or answers. Files that hold no rows by
    nature are `beside` those that do, and left out of a folder.
    """

    name: str
    title: str
    made: str
    parts: Mapping[str, str]
    recognise: Callable[[Head], bool]
    start: Callable[[Head], Mapper] | None = None
    grades: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    lists: tuple[str, ...] = ()
    lacks: str = ""
    beside: bool = False


def each(mapper: Callable[[Source, Head], Flat | None]) -> Callable[[Head], Mapper]:
    """A mapper that makes one row of each record, or none."""

    def start(head: Head) -> Mapper:
        def make(record: Source) -> Iterable[Flat]:
            row = mapper(record, head)
            return () if row is None else (row,)

        return make

    return start


def make_row(
    *,
    question: object = None,
    references: object = None,
    answer: object = None,
    id: object = None,  # noqa: A002 - the name of the part
    system: object = None,
    verdicts: Mapping[str, Any] | None = None,
    tags: Mapping[str, Any] = _NOTHING,
) -> Flat:
    """A row with the parts that are known, then the grades that the source carries, then its other columns."""
    row: Flat = {"id": id, "question": question, "references": references, "answer": answer, "system": system}
    row = {part: value for part, value in row.items() if value is not None}
    if verdicts:
        row["verdicts"] = verdicts
    for name, value in tags.items():
        row.setdefault(name, value)
    return row


def list_tags(record: Mapping[str, Any], *nested: str, leave: Container[str] = ()) -> dict[str, Any]:
    """The short values of a record, and those of some of its objects under dotted names."""
    tags = {
        name: value
        for name, value in record.items()
        if value is not None and name not in _PARTS and name not in leave and _is_tag(value)
    }
    for outer in nested:
        inner = record.get(outer)
        if isinstance(inner, dict):
            entries = cast("dict[str, Any]", inner).items()
            tags |= {f"{outer}.{name}": value for name, value in entries if _is_tag(value)}
    return tags


def _is_tag(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_TAG
    if isinstance(value, list):
        entries = cast("list[object]", value)
        return bool(entries) and all(
            isinstance(entry, str) and len(entry) <= _LONGEST_TAG for entry in entries
        )
    return isinstance(value, bool | int | float)


def read_part(value: object, part: str) -> object:
    """The text of a part: as it is, of a chat or reply, or of the one field of an object that speaks of it."""
    if isinstance(value, list):
        chat = read_chat(cast("object", value)) if part == "question" else None
        return cast("object", value) if chat is None else chat
    if not isinstance(value, dict):
        return value
    reply = unwrap_reply(cast("object", value))
    if reply is not value:
        return reply
    fields = cast("dict[str, object]", value)
    if len(fields) == 1:
        return read_part(next(iter(fields.values())), part)
    for names in (COMMON_NAMES[part], INNER_NAMES[part]):
        named = [name for name in fields if simplify(name) in names]
        if len(named) == 1:
            return read_part(fields[named[0]], part)
        if named:
            raise UnreadableError(f"the {part} could be any of {', '.join(named)}")
    if not fields:
        return None
    raise UnreadableError(f"the {part} is an object of {', '.join(list(fields)[:8])}, not text")


def get_object(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The object under a name; an empty one where there is none."""
    value = record.get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def get_objects(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of the list under a name; nothing where there is none."""
    value = record.get(name)
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]


def list_verdicts(
    found: Iterable[Mapping[str, Any]],
    name: str,
    *,
    passed: str = "",
    score: str = "score",
    reason: str = "",
    error: str = "",
) -> dict[str, dict[str, Any]]:
    """The grades of a list of objects: whether each grader passed the answer, its score, and why."""
    return {
        one[name]: make_verdict(one.get(passed), one.get(score), reason=one.get(reason), error=one.get(error))
        for one in found
        if isinstance(one.get(name), str)
    }


def make_verdict(
    passed: object, score: object, *, reason: object = None, error: object = None
) -> dict[str, Any]:
    """A grade as rows keep it; null for what is neither a truth value nor a number, and for a grader that failed."""
    failed = isinstance(error, str) and bool(error.strip())
    number = float(score) if isinstance(score, bool) else score if isinstance(score, int | float) else None
    grade: dict[str, Any] = {
        "passed": passed if isinstance(passed, bool) and not failed else None,
        "score": None if failed else number,
    }
    told = {"reason": reason, "error": error}
    return grade | {name: text for name, text in told.items() if isinstance(text, str) and text.strip()}


def take_first(value: object) -> object:
    """The first entry of a list; any other value as it is."""
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return entries[0] if entries else cast("object", value)


def read_json(value: object) -> object:
    """What JSON in a text holds; any other value as it is."""
    if isinstance(value, str) and value[:1] in ("{", "[", '"'):
        try:
            return msgspec.json.decode(value)
        except (ValueError, RecursionError):
            return value
    return value


def list_texts(*values: object) -> list[str]:
    """All texts of values and of lists of them, each once."""
    found: dict[str, None] = {}
    for value in values:
        for entry in cast("list[object]", value) if isinstance(value, list) else [value]:
            text = read_text(entry)
            if text is not None:
                found[text] = None
    return list(found)


def join_id(*parts: object) -> str | None:
    """An id of several parts, divided by slashes; None without the first."""
    if parts[0] is None:
        return None
    return "/".join(
        part if isinstance(part, str) else write_json(part)
        for part in parts
        if part is not None and part != ""
    )


@lru_cache(maxsize=1_000)
def find_named(names: tuple[str, ...], part: str) -> tuple[str, ...]:
    """The names that say a part."""
    return tuple(name for name in names if simplify(name) in COMMON_NAMES[part])
