"""The verdict file of a block, and the verdicts of an unfinished block that were paid for."""

import asyncio
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TypeAlias

import msgspec
from msgspec import Struct

from karat.core.types import Outcome, Spent, Unjudged
from karat.ray.blocks import Block
from karat.ray.files import join, list_names, make_folder, read_bytes, remove, write_file
from karat.ray.job import Job
from karat.rows import Row, read_text
from karat.rows.parquet import ParquetWriter
from karat.run.records import FIELDS, field_kinds, fixed_fields, name_columns, spent_fields

FOLDER = "_parts"
Known: TypeAlias = dict[bytes, Outcome]
"""Outcomes by the keys of their items."""
_SECONDS = 2.0  # until an outcome is on disk
_MOST = 500  # outcomes that are held in memory


class VerdictFile:
    """Writes rows with their outcomes."""

    def __init__(self, writer: ParquetWriter, block: Block, job: Job, names: dict[str, str]) -> None:
        self._writer = writer
        self._block = block
        self._job = job
        self._names = names

    def write(self, row: Row, outcome: Outcome, spent: Spent, *, cached: bool) -> None:
        """Write a row; of identical rows only the first has a cost."""
        job = self._job
        record = fixed_fields(
            self._name_row(row),
            outcome,
            protocol=job.plan.request.protocol,
            judge=job.plan.name,
            cached=cached,
        )
        if cached:
            record |= spent_fields(spent)
        record.update({name: row.columns.get(field) for field, name in self._names.items()})
        self._writer.write(record)

    def _name_row(self, row: Row) -> str:
        """Return the id of a row: its own, or its line, with the file's name if there are several files."""
        column = self._job.columns.id
        own = None if column is None else read_text(row.value(column))
        alone = self._job.alone == self._block.file
        return row.id if alone or (own and own.strip()) else f"{self._block.file}:{row.line}"


@contextmanager
def open_verdicts(block: Block, job: Job, fields: Iterable[str]) -> Generator[VerdictFile]:
    """Open the verdict file of a block, which appears under its name only when it is complete."""
    names = name_columns(fields, job.columns.describe()) if job.with_input else {}
    kinds = field_kinds(job.plan.request.protocol)
    with write_file(join(job.folder, block.output)) as stream:
        writer = ParquetWriter(stream, [*FIELDS, *names.values()], kinds)
        try:
            yield VerdictFile(writer, block, job, names)
        except BaseException:
            writer.abandon()
            raise
        writer.finish()


class _Entry(Struct, frozen=True, array_like=True):
    key: bytes
    outcome: Outcome
    payer: str = ""


_decoder = msgspec.json.Decoder(list[_Entry])


class Parts:
    """The paid verdicts of one unfinished block, in small files that never change; without a folder none are kept."""

    def __init__(self, folder: str, name: str) -> None:
        self._kept = bool(folder)
        self._place = join(folder, FOLDER, name)
        self.payers = dict[bytes, str]()
        """For outcomes that belong to several blocks: the block that pays."""
        self._held = list[_Entry]()
        self._timer: asyncio.TimerHandle | None = None
        self._number = 0

    def read(self, *, retry: bool) -> Known:
        """Return the final outcomes of an earlier start; `unavailable` and `over_budget` are tried again, with `retry` all causes."""
        known = Known()
        names = [name for name in list_names(self._place) if name.endswith(".json")] if self._kept else []
        self._number = max((int(name.removesuffix(".json")) for name in names), default=0)
        for name in names:
            for entry in _decoder.decode(read_bytes(join(self._place, name)) or b"[]"):
                known[entry.key] = entry.outcome
                self.payers[entry.key] = entry.payer
        return {key: outcome for key, outcome in known.items() if is_final(outcome, retry=retry)}

    def add(self, key: bytes, outcome: Outcome, payer: str = "") -> None:
        """Add an outcome; the event loop writes it to disk within seconds."""
        self._held.append(_Entry(key, outcome, payer))
        if len(self._held) >= _MOST:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SECONDS, self.flush)

    def flush(self) -> None:
        """Write what is held to disk."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._held and self._kept:
            make_folder(self._place)
            self._number += 1
            with write_file(join(self._place, f"{self._number:06}.json")) as stream:
                stream.write(msgspec.json.encode(self._held))
        self._held = []

    def clear(self) -> None:
        """Remove the files of a finished block."""
        if self._number:
            remove(self._place)


def is_final(outcome: Outcome, *, retry: bool = False) -> bool:
    """Check whether an outcome is final: judged, or unjudged for a cause that another try would not change."""
    if not isinstance(outcome, Unjudged):
        return True
    return not retry and outcome.cause not in ("unavailable", "over_budget")
