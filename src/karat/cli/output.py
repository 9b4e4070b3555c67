"""Standard output and standard error: invisible characters are shown by name, and a closed stream does not end a run."""

import io
import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TextIO, cast

import msgspec

from karat.core.messages import escape_invisible, name_invisible


class Stream(io.TextIOBase):
    """A standard stream that discards all output after a failed write; `failure` holds the error."""

    def __init__(self, inner: TextIO) -> None:
        self._inner = inner
        self.failure: OSError | None = None

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] - read-only, as on files
        """Return the encoding of the stream."""
        return self._inner.encoding or "utf-8"

    def write(self, text: str) -> int:
        """Write text, or discard it after a failed write."""
        try:
            return self._inner.write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        """Flush buffered output."""
        try:
            self._inner.flush()
        except OSError as error:
            self._give_up(error)

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._inner.isatty()

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._inner.fileno()

    def _give_up(self, error: OSError) -> None:
        """Discard buffered and later output; Python flushes the stream once more when it exits."""
        self.failure = self.failure or error
        with suppress(OSError):  # a stream in memory has no descriptor
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._inner.fileno())
            os.close(nowhere)


@contextmanager
def guard_streams() -> Generator[Stream]:
    """Wrap standard output and standard error while a command runs; yields standard output."""
    _open_numbers()
    before = sys.stdout, sys.stderr
    output, errors = _prepare(sys.stdout), _prepare(sys.stderr)
    sys.stdout, sys.stderr = cast("TextIO", output), cast("TextIO", errors)
    try:
        yield output
    finally:
        output.flush()
        errors.flush()
        sys.stdout, sys.stderr = before


def _open_numbers() -> None:
    """Open descriptors 0 to 2 if the parent closed them, so that no other file gets these numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # opens the lowest free descriptor


def _prepare(stream: TextIO | None) -> Stream:
    """Wrap a stream: characters it cannot encode are replaced, and a closed one discards everything."""
    if stream is None:
        return Stream(open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123 - open as long as the process is
    writer: object = stream
    if isinstance(writer, io.TextIOWrapper) and writer.errors == "strict":
        writer.reconfigure(errors="replace")
    return Stream(stream)


def say(message: str) -> None:
    """Print one line to standard error."""
    sys.stderr.write(f"karat: {name_invisible(' '.join(message.splitlines()))}\n")


def print_text(text: str) -> None:
    """Print text; invisible characters and terminal control sequences are shown by name."""
    sys.stdout.write(name_invisible(text))


def print_json(value: object) -> None:
    """Print a value as JSON on one line, with escapes for characters that the stream cannot encode."""
    text = escape_invisible(msgspec.json.encode(value).decode())
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text))
    sys.stdout.write(f"{text}\n")
