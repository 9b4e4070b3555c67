"""The output folder of a run on a cluster: verdict files, paid verdicts of unfinished blocks, the card of the judge and a manifest per block."""

import asyncio
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from karat.core.errors import UsageError
from karat.core.messages import one_line
from karat.core.scored_row import Group
from karat.core.types import Outcome, ProtocolName, Spent, Unjudged
from karat.ray.blocks import Block
from karat.ray.files import (
    CARD,
    FOLDER,
    is_file,
    is_local,
    join,
    list_names,
    make_folder,
    read_bytes,
    remove,
    write_file,
)
from karat.rows import Row, read_text
from karat.rows.containers.parquet import ParquetWriter
from karat.run.records import FIELDS, field_kinds, fixed_fields, name_columns, spent_fields
from karat.store.locks import hold

if TYPE_CHECKING:
    from karat.ray.job import Job

_LOCK = "_lock"
_AT_ONCE = 16
_Kind = TypeVar("_Kind")


class Card(Struct, frozen=True):
    """The judge and the input options that all verdicts of a folder share."""

    judge: str
    protocol: ProtocolName
    fingerprint: str
    identity: dict[str, object]
    answers: str
    columns: str
    on_bad_row: str
    with_input: bool
    dedupe: bool = False
    alone: str | None = None


class Manifest(Struct, frozen=True):
    """A judged block: counts of its rows, and their cost."""

    block: str
    identity: str
    rows: int
    skipped: int
    groups: tuple[Group, ...]
    reasons: dict[str, str]
    spent: Spent

    def count(self, *causes: str) -> int:
        """Return how many rows are unjudged for one of these causes."""
        return sum(group.rows for group in self.groups if group.cause in causes)

    @property
    def unjudged(self) -> int:
        """The number of rows without a verdict."""
        return sum(group.rows for group in self.groups if group.value is None)


def open_folder(folder: str, card: Card) -> Card:
    """Create a folder of verdicts, or continue one of the same judge and options; return its card."""
    held = check_folder(folder, card)
    with _explain_failure(folder):
        if held is None:
            make_folder(join(folder, FOLDER))
            _write_card(folder, card)
            return card
        if held.on_bad_row != card.on_bad_row:
            held = structs.replace(held, on_bad_row=card.on_bad_row)
            _write_card(folder, held)
        return held


@contextmanager
def _explain_failure(folder: str) -> Generator[None]:
    """Convert an error of the system into one that names the folder."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be used for verdicts: {one_line(str(error))}; choose another folder with -o"
        ) from None


def check_folder(folder: str, card: Card) -> Card | None:
    """Return the card of a folder that a run can continue, None for an empty one; any other is refused."""
    if is_file(folder):
        raise UsageError(f"{folder} is a file; name a folder for the verdicts")
    with _explain_failure(folder):
        held = read_card(folder)
    if held is None:
        _refuse_other_files(folder)
    else:
        refuse_other_settings(folder, held, card)
    return held


def _refuse_other_files(folder: str) -> None:
    others = [name for name in list_names(folder) if name[:1] != "."]
    if others:
        raise UsageError(
            f"{folder} contains {others[0]}, which is not a verdict file of karat; choose another folder with -o"
        )


def _write_card(folder: str, card: Card) -> None:
    with write_file(join(folder, FOLDER, CARD)) as stream:
        stream.write(msgspec.json.encode(card))


@contextmanager
def claim_folder(folder: str) -> Generator[None]:
    """Lock a folder, so that no other process of this machine grades into it; object stores have no locks."""
    if not is_local(folder):
        yield
        return
    with hold(Path(folder) / FOLDER / _LOCK) as held:
        if not held:
            raise UsageError(
                f"{folder} is in use by another process; wait for it, or choose another folder with -o"
            )
        yield


def refuse_other_settings(folder: str, held: Card, card: Card) -> None:
    """Refuse to mix verdicts of two judges, or of one input read in two ways; on_bad_row may change from stop to skip."""
    if held.fingerprint != card.fingerprint:
        raise UsageError(
            f"{folder} contains verdicts of another judge ({held.judge}, {held.protocol}); choose another folder with -o"
        )
    for field in ("columns", "on_bad_row", "with_input", "dedupe"):
        old, new = getattr(held, field), getattr(card, field)
        if old != new and (field, old, new) != ("on_bad_row", "stop", "skip"):
            name = field.replace("_", "-")
            raise UsageError(
                f"{folder} contains verdicts made with {name} {old!s}, not {new!s}; use the same options, or choose another folder with -o"
            )


def read_card(folder: str) -> Card | None:
    """Return the card of a folder; None if no cluster run made it."""
    place = join(folder, FOLDER, CARD)
    return _read(place, Card, "restore it, or choose another folder with -o")


def write_manifest(folder: str, manifest: Manifest) -> None:
    """Write the manifest of a block, after its verdict file."""
    with write_file(join(folder, FOLDER, f"{manifest.block}.json")) as stream:
        stream.write(msgspec.json.encode(manifest))


def read_manifest(folder: str, block: str) -> Manifest | None:
    """Return the manifest of a block; None if there is none."""
    place = join(folder, FOLDER, f"{block}.json")
    return _read(place, Manifest, "remove it to judge its block again")


def _read(place: str, kind: type[_Kind], remedy: str) -> _Kind | None:
    held = read_bytes(place)
    try:
        return None if held is None else msgspec.json.decode(held, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{place} is damaged: {one_line(str(error))}; {remedy}") from None


def read_manifests(folder: str) -> dict[str, Manifest]:
    """Return all manifests of a folder, by the names of the blocks."""
    there = list_names(join(folder, FOLDER))
    names = [name.removesuffix(".json") for name in there if name.endswith(".json") and name != CARD]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = pool.map(partial(read_manifest, folder), names)
        return {manifest.block: manifest for manifest in found if manifest is not None}


def refuse_other_input(folder: str, manifests: Iterable[Manifest], blocks: Iterable[Block]) -> None:
    """Refuse a folder with verdicts of other answers, or of answers that have changed since."""
    known = {block.name: block for block in blocks}
    for manifest in manifests:
        block = known.get(manifest.block)
        if block is None:
            raise UsageError(
                f"{folder} contains verdicts of another input ({manifest.block}); choose another folder with -o"
            )
        if block.identity != manifest.identity:
            raise UsageError(
                f"{block.file} has changed since its verdicts were written to {folder}; choose another folder with -o"
            )


PARTS_FOLDER = "_parts"
Known: TypeAlias = dict[bytes, Outcome]
"""Outcomes by the keys of their items."""
_SECONDS = 2.0  # after which an outcome is on disk at the latest
_MOST = 500  # outcomes that are kept in memory


class VerdictFile:
    """Writes rows with their outcomes."""

    def __init__(self, writer: ParquetWriter, block: Block, job: "Job", names: dict[str, str]) -> None:
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
def open_verdicts(block: Block, job: "Job", fields: Iterable[str]) -> Generator[VerdictFile]:
    """Open the verdict file of a block, which gets its name only when it is complete."""
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
    """The paid verdicts of one unfinished block, in small immutable files; without a folder none are stored."""

    def __init__(self, folder: str, name: str) -> None:
        self._kept = bool(folder)
        self._place = join(folder, PARTS_FOLDER, name)
        self.payers = dict[bytes, str]()
        """For outcomes that belong to several blocks: the block that has the cost."""
        self._held = list[_Entry]()
        self._timer: asyncio.TimerHandle | None = None
        self._number = 0

    def read(self, *, retry: bool) -> Known:
        """Return the final outcomes of an earlier start; `unavailable` and `over_budget` are tried again, and with `retry` all causes."""
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
        """Write the outcomes in memory to disk."""
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
    """Return whether an outcome is final: judged, or unjudged for a cause that another attempt would not change."""
    if not isinstance(outcome, Unjudged):
        return True
    return not retry and outcome.cause not in ("unavailable", "over_budget")
