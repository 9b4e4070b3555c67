"""The rows of a block."""

import gzip
import io
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast

from karat.core.errors import UsageError
from karat.on_ray.blocks import Block
from karat.on_ray.places import open_file
from karat.rows import BadRow, Record, Source
from karat.rows.lines import MEGABYTE
from karat.rows.misfits import refuse_misfit
from karat.rows.parquet import read_groups
from karat.rows.source import READERS
from karat.rows.wording import one_line


class BlockSource(Source):
    """A block as an input; one without rows is no mistake where there are many."""

    def __init__(self, block: Block) -> None:
        super().__init__(block.file, block.path, block.ending, packed=block.packed)
        self._block = block

    @contextmanager
    def _open(self) -> Generator[io.BufferedReader]:
        try:
            with open_file(self._block.path) as stream:
                yield _unpack(stream) if self._block.packed else stream
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise UsageError(f"{self._shown}: broken gzip data: {one_line(str(error))}") from None
        except OSError as error:
            reason = error.strerror or one_line(str(error))
            raise UsageError(f"{self._shown}: cannot be read: {reason}") from None

    def _read_records(self) -> Generator[Record | BadRow]:
        block = self._block
        with self._open() as stream:
            refuse_misfit(stream.peek(), block.ending, self._shown)
            if block.group is None:
                yield from READERS[block.ending](stream, self._shown)
            else:
                yield from read_groups(stream, self._shown, [block.group], first=block.first)


def _unpack(stream: io.BufferedReader) -> io.BufferedReader:
    return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=stream)), MEGABYTE)
