"""The description of a run that every worker gets, and the scan of a block for bad rows."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from karat.core.errors import Phrase, UsageError
from karat.judges import Plan
from karat.ray.blocks import Block, BlockSource, plan_blocks
from karat.ray.files import is_local
from karat.ray.output import (
    Card,
    Manifest,
    check_folder,
    open_folder,
    read_manifests,
    refuse_other_input,
)
from karat.rows import BadRow, Columns, Layout, Row
from karat.rows.formats import TABLE
from karat.run.intake import describe_bad_rows

_HELD = 20_000  # rows that are kept in memory
_NAMED = 10  # bad rows that are listed


class Job(Struct, frozen=True):
    """The run description for workers: the judge, how rows are read, and where verdicts are written."""

    plan: Plan
    columns: Columns
    folder: str
    on_bad_row: str = "stop"
    with_input: bool = True
    retry: bool = False
    alone: str | None = None
    """The only input file at the first start, if there was just one; its rows have their line numbers as ids."""
    workers: int = 1
    format: str = TABLE
    """What all blocks are read as."""
    chosen: Mapping[str, str] = {}

    def open_block(self, block: Block) -> BlockSource:
        """Return a block as an input of this run."""
        return BlockSource(block, format=self.format, chosen=self.chosen)

    @property
    def pays(self) -> bool:
        """Whether any verdict needs a call."""
        return any(plan.endpoint is not None for plan in (self.plan, *self.plan.members))


class Failure(Struct, frozen=True):
    """An error in a worker, and its exit code."""

    message: str
    code: int = 2


class Opened(Struct, frozen=True):
    """A run that can begin: its job, its blocks, and the manifests of an earlier start."""

    job: Job
    blocks: tuple[Block, ...]
    known: dict[str, Manifest]


def open_job(
    answers: str,
    folder: str | None,
    plan: Plan,
    chosen: Mapping[str, str],
    *,
    on_bad_row: str = "stop",
    with_input: bool = True,
    retry: bool = False,
    dedupe: bool = False,
    look: bool = False,
    notice: Callable[[str], None] = lambda _: None,
) -> Opened:
    """Plan the blocks and open the folder of verdicts; without a folder, or with `look`, nothing is written."""
    blocks = plan_blocks(answers, folder)
    if not blocks:
        raise UsageError(f"{answers} contains no rows")
    layout = _find_layout(blocks, chosen)
    columns = layout.columns
    place = "" if folder is None else str(Path(folder).absolute()) if is_local(folder) else folder
    files = {block.file for block in blocks}
    alone = blocks[0].file if len(files) == 1 else None
    title = f"{layout.title}: " if layout.title else ""
    notice(f"{answers}: {len(blocks):,} block{'' if len(blocks) == 1 else 's'}; {title}{layout.describe()}")
    known = dict[str, Manifest]()
    form = TABLE if layout.format is None else layout.format.name
    if folder is not None:
        card = Card(
            plan.name, plan.request.protocol, plan.fingerprint, plan.identity, answers, columns.describe(),
            on_bad_row, with_input, dedupe, alone,
        )  # fmt: skip
        card = (check_folder(place, card) or card) if look else open_folder(place, card)
        alone = card.alone
        known = read_manifests(place)
        refuse_other_input(place, known.values(), blocks)
    job = Job(plan, columns, place, on_bad_row, with_input, retry, alone, format=form, chosen=dict(chosen))
    return Opened(job, tuple(blocks), known)


def _find_layout(blocks: list[Block], chosen: Mapping[str, str]) -> Layout:
    """Return how the rows of the first block that has any are read."""
    for block in blocks:
        source = BlockSource(block)
        if any(True for _ in source.records()):
            return source.find_layout(chosen)
    raise UsageError(f"{blocks[0].file} contains no rows")


class Scan:
    """The rows of a block; few rows are kept in memory, many are read again."""

    def __init__(self, block: Block, job: Job) -> None:
        self._source = job.open_block(block)
        self._job = job
        self.fields: dict[str, None] = {}
        self.rows = 0
        self.skipped = 0
        self._held: list[Row] | None = []
        self._bad: list[BadRow] = []
        self._read_all()

    def __iter__(self) -> Iterator[Row]:
        """Yield the good rows in their order."""
        if self._held is not None:
            yield from self._held
            return
        for row in self._source.rows(self._job.columns):
            if isinstance(row, Row):
                yield row

    def _read_all(self) -> None:
        named, lines = self._job.columns.id is not None, dict[str, int]()
        for row in self._source.rows(self._job.columns):
            if isinstance(row, BadRow):
                self._note(row)
                continue
            self.rows += 1
            self.fields.update(dict.fromkeys(row.columns))
            if named and lines.setdefault(row.id, row.line) != row.line:
                raise UsageError(
                    f"{self._source.name}:{row.line}: id {row.id!r} is already used in line {lines[row.id]};"
                    " make ids unique, or ignore the column",
                    Phrase(" with --columns id=", ""),
                )
            self._hold(row)
        if self._bad and self._job.on_bad_row == "stop":
            raise describe_bad_rows(self._source.name, self._bad, self.skipped)

    def _hold(self, row: Row) -> None:
        if self._held is not None:
            self._held.append(row)
            if len(self._held) > _HELD:
                self._held = None

    def _note(self, row: BadRow) -> None:
        self.skipped += 1
        if len(self._bad) < _NAMED:
            self._bad.append(row)
