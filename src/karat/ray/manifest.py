"""The folder of verdict files: the card of its judge, and a manifest for each block."""

from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from karat.core.errors import UsageError
from karat.core.messages import one_line
from karat.core.scored_row import Group
from karat.core.types import ProtocolName, Spent
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
    write_file,
)
from karat.store.locks import hold

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
    """A judged block: its rows counted, and what they cost."""

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
        """How many rows have no verdict."""
        return sum(group.rows for group in self.groups if group.value is None)


def open_folder(folder: str, card: Card) -> Card:
    """Begin a folder of verdicts, or continue one of the same judge and options; return its card."""
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
    """Turn an error of the system into one that names the folder."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be used for verdicts: {one_line(str(error))}; choose another -o"
        ) from None


def check_folder(folder: str, card: Card) -> Card | None:
    """Return the card of a folder that a run can continue, None for an empty one; any other is refused."""
    if is_file(folder):
        raise UsageError(f"{folder} is a file; -o needs a folder")
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
        raise UsageError(f"{folder} holds {others[0]}, which is no verdict file of ours; choose another -o")


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
                f"{folder} is being graded into by another process; wait for it, or choose another -o"
            )
        yield


def refuse_other_settings(folder: str, held: Card, card: Card) -> None:
    """Refuse to mix verdicts of two judges, or of one input read in two ways; only on_bad_row may go from stop to skip."""
    if held.fingerprint != card.fingerprint:
        raise UsageError(
            f"{folder} holds verdicts of another judge ({held.judge}, {held.protocol}); choose another -o"
        )
    for field in ("columns", "on_bad_row", "with_input", "dedupe"):
        old, new = getattr(held, field), getattr(card, field)
        if old != new and (field, old, new) != ("on_bad_row", "stop", "skip"):
            name = field.replace("_", "-")
            raise UsageError(
                f"{folder} holds verdicts made with {name} {old!s}, not {new!s}; choose another -o, or the same options"
            )


def read_card(folder: str) -> Card | None:
    """Return the card of a folder; None if no cluster run made it."""
    place = join(folder, FOLDER, CARD)
    return _read(place, Card, "put it back, or choose another -o")


def write_manifest(folder: str, manifest: Manifest) -> None:
    """Write the manifest of a block, after its verdict file."""
    with write_file(join(folder, FOLDER, f"{manifest.block}.json")) as stream:
        stream.write(msgspec.json.encode(manifest))


def read_manifest(folder: str, block: str) -> Manifest | None:
    """Return the manifest of a block; None if there is none."""
    place = join(folder, FOLDER, f"{block}.json")
    return _read(place, Manifest, "remove it, and its block is judged again")


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
    """Refuse a folder that holds verdicts of other answers, or of answers that have changed since."""
    known = {block.name: block for block in blocks}
    for manifest in manifests:
        block = known.get(manifest.block)
        if block is None:
            raise UsageError(
                f"{folder} holds verdicts of another input ({manifest.block}); choose another -o"
            )
        if block.identity != manifest.identity:
            raise UsageError(
                f"{block.file} has changed since its verdicts were written to {folder}; choose another -o"
            )
