"""The verdict file of a block: the fixed fields of each row, then the input's own columns."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from karat.core.types import Outcome, Spent
from karat.on_ray.blocks import Block
from karat.on_ray.job import Job
from karat.on_ray.places import join, write_file
from karat.rows import Row, read_text
from karat.rows.rowgroups import ParquetWriter
from karat.run.records import FIELDS, field_kinds, fixed_fields, name_columns, spent_fields


class VerdictFile:
    """Takes rows with their outcomes."""

    def __init__(self, writer: ParquetWriter, block: Block, job: Job, names: dict[str, str]) -> None:
        self._writer = writer
        self._block = block
        self._job = job
        self._names = names

    def write(self, row: Row, outcome: Outcome, spent: Spent, *, cached: bool) -> None:
        """One more row; what it cost is told by the first of those that are alike."""
        job = self._job
        record = fixed_fields(
            self._call(row), outcome, protocol=job.plan.request.protocol, judge=job.plan.name, cached=cached
        )
        if cached:
            record |= spent_fields(spent)
        record.update({name: row.columns.get(field) for field, name in self._names.items()})
        self._writer.write(record)

    def _call(self, row: Row) -> str:
        """The id of a row: its own, or its line, which many files have to share with the file's name."""
        column = self._job.columns.id
        own = None if column is None else read_text(row.value(column))
        alone = self._job.alone == self._block.file
        return row.id if alone or (own and own.strip()) else f"{self._block.file}:{row.line}"


@contextmanager
def open_verdicts(block: Block, job: Job, fields: Iterable[str]) -> Generator[VerdictFile]:
    """The verdict file of a block, which stands under its name only when it is whole."""
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
