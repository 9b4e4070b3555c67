"""The standard streams: what is written to them is made visible, and losing one ends no work."""

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
    """A standard stream; once it cannot be written any more it swallows everything, and `failure` says why."""

    def __init__(self, inner: TextIO) -> None:
        self._inner = inner
        self.failure: OSError | None = None

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] - read only, as that of a file
        """How text becomes bytes."""
        return self._inner.encoding or "utf-8"

    def write(self, text: str) -> int:
        """Take text, whether or not anybody reads it."""
        try:
            return self._inner.write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        """Hand on what is waiting."""
        try:
            self._inner.flush()
        except OSError as error:
            self._give_up(error)

    def isatty(self) -> bool:
        """Whether a person looks at it."""
        return self._inner.isatty()

    def fileno(self) -> int:
        """The number of the open file."""
        return self._inner.fileno()

    def _give_up(self, error: OSError) -> None:
        """What is waiting, and what comes, goes nowhere; Python writes it out once more at its end."""
        self.failure = self.failure or error
        with suppress(OSError):  # a stream in memory has no number
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._inner.fileno())
            os.close(nowhere)


@contextmanager
def guard_streams() -> Generator[Stream]:
    """Guard standard output and standard error as long as a command runs; gives the output."""
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
    """Take the numbers of streams that whoever started us closed, so that no other file gets them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def _prepare(stream: TextIO | None) -> Stream:
    """Let a stream replace what it cannot write, and a closed one swallow everything."""
    if stream is None:
        return Stream(open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123 - open as long as the process is
    writer: object = stream
    if isinstance(writer, io.TextIOWrapper) and writer.errors == "strict":
        writer.reconfigure(errors="replace")
    return Stream(stream)


def say(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"karat: {name_invisible(' '.join(message.splitlines()))}\n")


def print_text(text: str) -> None:
    """Print text as it is, but for characters that are not seen or would command the terminal: these are named."""
    sys.stdout.write(name_invisible(text))


def print_json(value: object) -> None:
    """Print a value as JSON on one line, with escapes where the stream cannot take its characters."""
    text = escape_invisible(msgspec.json.encode(value).decode())
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text))
    sys.stdout.write(f"{text}\n")
