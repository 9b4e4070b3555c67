"""Read JSON arrays and documents value by value, with bounded memory."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import Struct

from karat.core.errors import UsageError
from karat.rows.containers.jsonl import describe_failure
from karat.rows.containers.lines import BYTE_ORDER_MARK, LIMIT, MEGABYTE, TooLong

_DEPTH: Final = 16  # brackets within brackets that one pattern matches; deeper ones are counted one by one
_PIECE: Final = MEGABYTE // 4
_STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
_SCALAR: Final = re.compile(rb"[^\s,\[\]{}\":]+")
_TOKEN: Final = re.compile(_STRING + rb"|[\[\]{}]|\"", re.DOTALL)
_SEAM: Final = re.compile(rb"\}[ \t\r\n]*+,[ \t\r\n]*+\{[ \t\r\n]*+" + _STRING, re.DOTALL)
_REST: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_STEP: Final = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_OPENING: Final = frozenset(b"[{")


def _nest(depth: int) -> bytes:
    inner = rb'[^][{}"]++|' + _STRING
    pattern = rb"[\[{](?:" + inner + rb")*+[\]}]"
    for _ in range(depth):
        pattern = rb"[\[{](?:" + inner + rb"|" + pattern + rb")*+[\]}]"
    return pattern


_BRACKETS: Final = re.compile(_nest(_DEPTH), re.DOTALL)
_TEXT: Final = re.compile(_STRING, re.DOTALL)


class Unread(Struct, frozen=True):
    """An element that cannot be read, and why."""

    problem: str


class Cursor:
    """A place in JSON text that is read piece by piece: the next byte, or the whole next value."""

    def __init__(self, stream: BinaryIO, name: str, *, piece: int = _PIECE) -> None:
        self._stream = stream
        self._name = name
        self._piece = piece
        self._buffer = b""
        self._at = 0
        self._doubted = 0
        self._passed = 0
        self._lines = 1
        self._ended = False
        self._read(0)
        if self._buffer.startswith(BYTE_ORDER_MARK):
            self._at = len(BYTE_ORDER_MARK)

    def peek(self) -> bytes:
        """Return the next byte that is no white space without consuming it; empty at the end."""
        while True:
            found = _SPACE.match(self._buffer, self._at)
            self._at = self._at if found is None else found.end()
            if self._at < len(self._buffer) or not self._read(self._at):
                return self._buffer[self._at : self._at + 1]

    def peek_inside(self) -> bytes:
        """Return the next byte after a bracket at this place without consuming anything; empty at the end."""
        self.peek()
        place = self._at + 1
        while True:
            found = _SPACE.match(self._buffer, place)
            place = place if found is None else found.end()
            if place < len(self._buffer):
                return self._buffer[place : place + 1]
            place -= self._at
            if not self._read(self._at):
                return b""
            place += self._at

    def take(self, wanted: bytes) -> bytes:
        """Consume the next byte, which must be one of those wanted."""
        found = self.peek()
        if not found:
            raise self.fail("the text ends too early")
        if found not in wanted:
            raise self.fail(f"unexpected {found.decode(errors='replace')!r}")
        self._at += 1
        return found

    def value(self) -> bytes | int:
        """Consume the next value and return its bytes; only its length if it is beyond the limit."""
        first = self.peek()
        if not first:
            raise self.fail("the text ends too early")
        if first[0] in _OPENING:
            found = _BRACKETS.match(self._buffer, self._at)
            return self._cut(found.end()) if found else self._count_brackets()
        if first == b'"':
            return self._match(_TEXT, "a string is not closed")
        return self._match(_SCALAR, f"unexpected {first.decode(errors='replace')!r}")

    def several(self) -> list[Any]:
        """Consume, after an element, all further elements that the buffer surely holds, and return them decoded.

        Where one object ends and the next begins with the same key as here is only a guess: in text, or deeper in
        the value, it may look the same. But what decodes as a whole list was divided rightly.
        """
        here = _SEAM.match(self._buffer, self._at - 1)
        last = -1 if here is None else self._buffer.rfind(here.group(), self._at)
        if last < 0 or self._at <= self._doubted:
            return []
        start = self._buffer.index(b",", self._at) + 1
        try:
            values = msgspec.json.decode(b"[" + self._buffer[start : last + 1] + b"]", type=list[Any])
        except (ValueError, RecursionError):
            self._doubted = len(self._buffer)  # these elements are read one by one
            return []
        self._at = last + 1
        return values

    def fail(self, problem: str) -> UsageError:
        """Return the error for the present place."""
        line = self._lines + self._buffer.count(b"\n", 0, self._at)
        byte = self._passed + self._at + 1
        return UsageError(f"{self._name}:{line}: broken JSON: {problem} (byte {byte:,})")

    def _match(self, pattern: re.Pattern[bytes], problem: str) -> bytes | int:
        while True:
            found = pattern.match(self._buffer, self._at)
            if found and (found.end() < len(self._buffer) or self._ended):
                return self._cut(found.end())
            if len(self._buffer) - self._at > LIMIT:
                raise self.fail("a text is longer than the limit")
            if not self._read(self._at):
                if found:
                    return self._cut(found.end())
                raise self.fail(problem)

    def _count_brackets(self) -> bytes | int:
        """Find the end of a value that is nested deeply, or that goes on beyond the buffer."""
        depth, place, skipped, within_text = 0, self._at, 0, False
        while True:
            if within_text:
                found = _REST.match(self._buffer, place)
                place = place if found is None else found.end()
                if self._buffer[place : place + 1] == b'"':
                    place += 1
                    within_text = False
            if not within_text:
                for token in _TOKEN.finditer(self._buffer, place):
                    place = token.end()
                    text = token.group()
                    if text == b'"':  # a text that goes on beyond the buffer
                        within_text = True
                        break
                    depth += _STEP.get(text, 0)
                    if not depth:
                        size = skipped + place - self._at
                        value = self._cut(place)
                        return value if size <= LIMIT else size
                else:
                    place = len(self._buffer)
            if place - self._at > LIMIT:
                skipped += place - self._at
                self._cut(place)
            before = self._at
            if not self._read(self._at):
                raise self.fail("the text ends within a value")
            place -= before - self._at

    def _cut(self, end: int) -> bytes:
        value = self._buffer[self._at : end]
        self._at = end
        return value

    def _read(self, keep: int) -> bool:
        """Read on, and forget what lies before `keep`; whether there was more."""
        piece = b"" if self._ended else self._stream.read(max(self._piece, len(self._buffer) - keep))
        if not piece:
            self._ended = True
            return False
        self._lines += self._buffer.count(b"\n", 0, keep)
        self._passed += keep
        self._buffer = self._buffer[keep:] + piece
        self._at -= keep
        self._doubted = max(self._doubted - keep, 0)
        return True


def read_elements(cursor: Cursor) -> Iterator[Any | Unread]:
    """Yield the elements of an array, from its bracket on; `Unread` for one that cannot be read by itself."""
    cursor.take(b"[")
    if cursor.peek() == b"]":
        cursor.take(b"]")
        return
    decode = msgspec.json.Decoder().decode
    while True:
        value = cursor.value()
        if isinstance(value, int):
            yield Unread(TooLong(value).describe().replace("line", "record", 1))
        else:
            try:
                element = decode(value)
            except (ValueError, RecursionError) as error:
                yield Unread(describe_failure(value, error))
            else:
                yield element
                if cursor.peek() == b"," and isinstance(element, dict):
                    yield from cursor.several()
        if cursor.take(b",]") == b"]":
            return


def read_keys(cursor: Cursor) -> Iterator[str]:
    """Yield the keys of an object; whoever reads them consumes each value before the next key."""
    cursor.take(b"{")
    if cursor.peek() == b"}":
        cursor.take(b"}")
        return
    while True:
        if cursor.peek() != b'"':
            cursor.take(b'"')
        key: Any = decode(cursor, cursor.value())
        cursor.take(b":")
        yield str(key)
        if cursor.take(b",}") == b"}":
            return


def end(cursor: Cursor) -> None:
    """Refuse anything after the last value."""
    if found := cursor.peek():
        raise cursor.fail(f"{found.decode(errors='replace')!r} after the end")


def decode(cursor: Cursor, value: bytes | int) -> Any:  # noqa: ANN401 - any JSON value
    """Decode a value outside of rows, where a fault breaks the whole file."""
    if isinstance(value, int):
        return None
    try:
        return msgspec.json.decode(value)
    except (ValueError, RecursionError) as error:
        raise cursor.fail(str(error).removeprefix("JSON is malformed: ")) from None
