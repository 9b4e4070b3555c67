"""Unpack gzip and zstd, which are known by their first bytes."""

import gzip
import importlib
import io
import sys
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, cast

from karat.core.errors import SetupError, UsageError
from karat.core.messages import one_line
from karat.rows.containers.lines import MEGABYTE

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_ENDINGS: Final = {".gz": "gzip", ".zst": "zstd"}
_STANDARD: Final = (3, 14)  # the first Python that reads zstd itself


def load_zstd() -> Any:  # noqa: ANN401 - one of two modules with the same names
    """Import the module that reads zstd when it is first needed."""
    try:
        return importlib.import_module(
            "compression.zstd" if sys.version_info >= _STANDARD else "backports.zstd"
        )
    except ImportError:
        raise SetupError(
            "zstd files need backports.zstd: pip install '.[zstd]' in a clone of karat, or pip install backports.zstd"
        ) from None


def unpack(stream: io.BufferedReader, name: str) -> io.BufferedReader:
    """Return the stream of what a compressed stream holds; any other stream as it is, if its name agrees."""
    head = stream.peek(len(_ZSTD))
    if head.startswith(_GZIP):
        # The buffer's own readline is several times faster than the one of GzipFile.
        return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=stream)), MEGABYTE)
    if head.startswith(_ZSTD):
        return io.BufferedReader(load_zstd().ZstdFile(stream), MEGABYTE)
    if name.lower().endswith(tuple(_ENDINGS)) and head:
        told = _ENDINGS[name.lower()[name.rindex(".") :]]
        raise UsageError(f"{name}: broken {told} data: the file does not begin like one")
    return stream


def unpack_zstd(content: bytes) -> bytes:
    """Return what a zstd frame holds."""
    return load_zstd().decompress(content)


@contextmanager
def explain_broken(name: str) -> Generator[None]:
    """Turn errors of gzip or zstd into one line for the user."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UsageError(f"{name}: broken gzip data: {one_line(str(error))}") from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise UsageError(f"{name}: broken zstd data: {one_line(str(error))}") from None
