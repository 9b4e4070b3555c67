"""A first look at a block: its columns, its bad rows and its ids, before anything is judged."""

from collections.abc import Iterator

from karat.core.errors import UsageError
from karat.on_ray.blockrows import BlockSource
from karat.on_ray.blocks import Block
from karat.on_ray.job import Job
from karat.rows import BadRow, Row

_HELD = 20_000
_NAMED = 10


class Scan:
    """What a block holds; its rows are kept where they are few, and read again where they are many."""

    def __init__(self, block: Block, job: Job) -> None:
        self._source = BlockSource(block)
        self._job = job
        self.fields: dict[str, None] = {}
        self.rows = 0
        self.skipped = 0
        self._held: list[Row] | None = []
        self._bad: list[BadRow] = []
        self._look()

    def __iter__(self) -> Iterator[Row]:
        """The good rows, in their order."""
        if self._held is not None:
            yield from self._held
            return
        for row in self._source.rows(self._job.columns):
            if isinstance(row, Row):
                yield row

    def _look(self) -> None:
        named, lines = self._job.columns.id is not None, dict[str, int]()
        for row in self._source.rows(self._job.columns):
            if isinstance(row, BadRow):
                self._note(row)
                continue
            self.rows += 1
            self.fields.update(dict.fromkeys(row.columns))
            if named and lines.setdefault(row.id, row.line) != row.line:
                raise UsageError(
                    f"{self._source.name}:{row.line}: id {row.id!r} stands already in line {lines[row.id]};"
                    " make ids unique, or leave the column out with --columns id="
                )
            self._hold(row)
        if self._bad and self._job.on_bad_row == "stop":
            raise UsageError(self._complain())

    def _hold(self, row: Row) -> None:
        if self._held is not None:
            self._held.append(row)
            if len(self._held) > _HELD:
                self._held = None

    def _note(self, row: BadRow) -> None:
        self.skipped += 1
        if len(self._bad) < _NAMED:
            self._bad.append(row)

    def _complain(self) -> str:
        first, *others = self._bad
        more = self.skipped - 1
        lines = ", ".join(str(row.line) for row in others) + (", …" if more > len(others) else "")
        rest = f" ({more} more bad {'row' if more == 1 else 'rows'}: line {lines})" if more else ""
        return f"{self._source.name}:{first.line}: {first.problem}{rest}; mend it, or leave such rows out with --on-bad-row skip"
