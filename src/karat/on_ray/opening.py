"""From a command to a job: the blocks, the columns and the folder, checked before anything is judged."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from karat.core.errors import UsageError
from karat.judges import Plan
from karat.on_ray.blockrows import BlockSource
from karat.on_ray.blocks import Block, plan_blocks
from karat.on_ray.job import Job
from karat.on_ray.manifest import (
    Card,
    Manifest,
    look_at_folder,
    open_folder,
    read_manifests,
    refuse_strangers,
)
from karat.on_ray.places import is_local
from karat.rows import Columns


class Opened(Struct, frozen=True):
    """A run that can begin: what is to be judged, and what is known from an earlier start."""

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
    """Plan the blocks and open the folder of verdicts; without one, or with a mere look, nothing is written."""
    blocks = plan_blocks(answers, folder)
    if not blocks:
        raise UsageError(f"{answers} holds no rows")
    columns = _find_columns(blocks, chosen)
    place = "" if folder is None else str(Path(folder).absolute()) if is_local(folder) else folder
    files = {block.file for block in blocks}
    alone = blocks[0].file if len(files) == 1 else None
    notice(f"{answers}: {len(blocks):,} block{'' if len(blocks) == 1 else 's'}; {columns.describe()}")
    known = dict[str, Manifest]()
    if folder is not None:
        card = Card(
            plan.name, plan.request.protocol, plan.fingerprint, plan.identity, answers, columns.describe(),
            on_bad_row, with_input, dedupe, alone,
        )  # fmt: skip
        card = (look_at_folder(place, card) or card) if look else open_folder(place, card)
        alone = card.alone
        known = read_manifests(place)
        refuse_strangers(place, known.values(), blocks)
    job = Job(plan, columns, place, on_bad_row, with_input, retry, alone)
    return Opened(job, tuple(blocks), known)


def _find_columns(blocks: list[Block], chosen: Mapping[str, str]) -> Columns:
    """The columns of the first block that has rows."""
    for block in blocks:
        source = BlockSource(block)
        if any(True for _ in source.records()):
            return source.find_columns(chosen)
    raise UsageError(f"{blocks[0].file} holds no rows")
