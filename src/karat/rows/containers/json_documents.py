"""Read the records of a JSON document: an array, or one object that holds a list of objects."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO, Final, TypeAlias, cast

from msgspec import Struct, field

from karat.core.errors import UsageError
from karat.core.messages import list_names
from karat.rows.cells import name_type
from karat.rows.containers.json_values import Cursor, Unread, decode, end, read_elements, read_keys
from karat.rows.containers.jsonl import name_scalar
from karat.rows.containers.lines import LIMIT, MEGABYTE
from karat.rows.row import BadRow, Record

Place: TypeAlias = tuple[str, ...]
_KEPT: Final = MEGABYTE  # a longer value beside the list is not kept
_DEEPEST: Final = 2
_LARGEST: Final = 8 * LIMIT  # of a document that is read whole


class Document(Struct):
    """What stands beside the records: the values of the object around their list, and where the list is."""

    head: dict[str, Any] = field(default_factory=dict)
    place: Place | None = None


def read_array(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Yield the objects of an array with their numbers from 1."""
    cursor = Cursor(stream, name)
    yield from number_elements(read_elements(cursor))
    end(cursor)


def number_elements(elements: Iterator[Any], columns: list[str] | None = None) -> Iterator[Record | BadRow]:
    """Yield elements as numbered records; `columns` names the cells of elements that are lists."""
    for number, element in enumerate(elements, 1):
        if isinstance(element, dict):
            yield number, cast("dict[str, Any]", element)
        elif isinstance(element, Unread):
            yield BadRow(number, element.problem)
        elif columns is not None and isinstance(element, list) and len(cast("Any", element)) == len(columns):
            yield number, dict(zip(columns, cast("list[Any]", element), strict=True))
        else:
            told = name_type(cast("object", element)) if isinstance(element, list) else name_scalar(element)
            yield BadRow(number, f"not a JSON object but {told}")


def find_records(stream: BinaryIO, name: str, wanted: Collection[Place]) -> Document:
    """Return the head of a document, and which of its lists holds the records.

    That is the first at a place that is wanted, else the only list of objects; a document without one has no place,
    and is a record itself.
    """
    cursor, found = Cursor(stream, name), Document()
    lists = list[Place]()
    for place in _walk(cursor, wanted, found.head, ()):
        lists.append(place)
        if place in wanted:
            found.place = place
            return found
    end(cursor)
    lists = [place for place in lists if len(place) == 1] or lists
    if len(lists) > 1:
        shown = list_names([".".join(place) for place in lists])
        raise UsageError(
            f"{name}: holds several lists of objects ({shown}); take one out: jq -c '.{'.'.join(lists[0])}[]'"
        )
    found.place = lists[0] if lists else None
    return found


def read_document(
    stream: BinaryIO, name: str, place: Place, head: Mapping[str, Any]
) -> Iterator[Record | BadRow]:
    """Yield the records of the list at a place, and check that the document goes on well after it."""
    cursor = Cursor(stream, name)
    yield from number_elements(_stream(cursor, place), _read_columns(head.get("columns")))
    end(cursor)


def _read_columns(columns: object) -> list[str] | None:
    names = cast("list[object]", columns) if isinstance(columns, list) else []
    return cast("list[str]", names) if names and all(isinstance(name, str) for name in names) else None


def read_whole(stream: BinaryIO, name: str) -> Any:  # noqa: ANN401 - any JSON value
    """Decode a document that cannot be streamed, if it is not too large."""
    text = stream.read(_LARGEST + 1)
    if len(text) > _LARGEST:
        raise UsageError(f"{name}: is larger than {_LARGEST // MEGABYTE} MB and holds no list of objects")
    return decode(Cursor(stream, name), text)


def _walk(cursor: Cursor, wanted: Collection[Place], head: dict[str, Any], outer: Place) -> Iterator[Place]:
    """Fill the head with the values of an object, and yield the places of its lists of objects."""
    for key in read_keys(cursor):
        place = (*outer, key)
        kind = cursor.peek()
        if kind == b"[" and (
            cursor.peek_inside() == b"{" or (place in wanted and cursor.peek_inside() in b"[]")
        ):
            yield place
            for _ in read_elements(cursor):
                pass
        elif kind == b"{" and (len(place) < _DEEPEST or any(one[: len(place)] == place for one in wanted)):
            inner: dict[str, Any] = {}
            head[key] = inner
            found = _walk(cursor, wanted, inner, place)
            if any(one[: len(place)] == place for one in wanted):
                yield from found
            else:
                for _ in found:  # lists below the top are looked for only where a format has one
                    pass
        else:
            value = cursor.value()
            if not isinstance(value, int) and len(value) <= _KEPT:
                head[key] = decode(cursor, value)


def _stream(cursor: Cursor, place: Place) -> Iterator[Any]:
    """Yield the elements of the list at a place, and pass over the rest of the object."""
    first, *rest = place
    for key in read_keys(cursor):
        if key != first:
            cursor.value()
        elif rest:
            yield from _stream(cursor, tuple(rest))
        else:
            yield from read_elements(cursor)
