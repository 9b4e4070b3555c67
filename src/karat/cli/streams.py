"""The standard streams, whatever they can take."""

import io
import json
import os
import sys
from typing import TextIO

import msgspec


def prepare_streams() -> None:
    """Let a stream replace what it cannot write, and a closed one swallow everything."""
    sys.stdout = _prepare(sys.stdout)
    sys.stderr = _prepare(sys.stderr)


def _prepare(stream: TextIO | None) -> TextIO:
    if stream is None:  # closed by whoever started us; the next file must not take its place
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open as long as the process is
    writer: object = stream
    if isinstance(writer, io.TextIOWrapper) and writer.errors == "strict":
        writer.reconfigure(errors="replace")
    return stream


def print_json(value: object) -> None:
    """Print a value as JSON on one line, with escapes where the stream cannot take its characters."""
    text = msgspec.json.encode(value).decode()
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text))
    sys.stdout.write(f"{text}\n")
