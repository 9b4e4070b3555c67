"""A run on a cluster: blocks in, verdict files out; Ray Data does the rest."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from karat.core.errors import KaratError, SetupError, UsageError
from karat.ray.actors import BlockActor, Result, scan_blocks, start_limits
from karat.ray.blocks import Block
from karat.ray.cluster import CPUS_PER_ACTOR, Cluster, load_ray
from karat.ray.grader import is_done
from karat.ray.job import Job, Trouble
from karat.ray.manifest import Manifest
from karat.ray.shared_budget import read_spend

TABLES = {"batch_format": "pyarrow", "batch_size": None}
_TASKS = 2_000
_MANY = 4


def grade_blocks(
    job: Job,
    blocks: Sequence[Block],
    known: dict[str, Manifest],
    cluster: Cluster,
    *,
    watch: Callable[[Manifest], None] = lambda _: None,
) -> dict[str, Manifest]:
    """Judge the blocks that are not done yet, and give the manifests of all."""
    pending = pending_blocks(job, blocks, known)
    if job.pays and pending:
        scan_all(job, pending)
    found = dict(known)

    def note(manifest: Manifest) -> None:
        found[manifest.block] = manifest
        watch(manifest)

    if pending:
        limits = start_limits(job, read_spend(job.folder), job.folder) if job.pays else None
        workers = cluster.count_actors(len(pending), pays=job.pays)
        graded = to_dataset(pending).map_batches(
            BlockActor, fn_constructor_args=(job, limits), **pool_of(workers, len(pending)), **TABLES
        )
        collect(graded, note)
    return found


def scan_all(job: Job, pending: Sequence[Block]) -> None:
    """Look at all blocks before anyone pays, where bad rows are to stop the run."""
    if job.on_bad_row == "stop":
        collect(to_dataset(pending).map_batches(scan_blocks, fn_args=(job,), **TABLES), lambda _: None)


def pending_blocks(job: Job, blocks: Iterable[Block], known: dict[str, Manifest]) -> list[Block]:
    """The blocks that were not judged yet, or of which something is to be tried again."""
    return [block for block in blocks if not (block.name in known and is_done(known[block.name], block, job))]


def to_dataset(blocks: Sequence[Block]) -> Any:  # noqa: ANN401 - a dataset of Ray's
    """The descriptions of blocks as a dataset; their rows are read where they are judged."""
    rows = [{"block": msgspec.json.encode(block)} for block in blocks]
    return load_ray("ray.data").from_items(rows, override_num_blocks=min(len(rows), _TASKS))


def pool_of(workers: int, blocks: int) -> dict[str, Any]:
    """A pool of actors; Ray Data spreads them, starts them again when they or their node die, and repeats their task."""
    in_flight = 2 if blocks > workers * _MANY else 1
    strategy = load_ray("ray.data").ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=in_flight)
    return {"compute": strategy, "num_cpus": CPUS_PER_ACTOR}


def collect(dataset: Any, note: Callable[[Manifest], None]) -> None:  # noqa: ANN401 - a dataset of Ray's
    """Hear of each block as it is done; the first mistake stops everything."""
    for result in iterate(dataset):
        if result.trouble is not None:
            raise find_error(result.trouble)
        if result.manifest is not None:
            note(result.manifest)


def iterate(dataset: Any) -> Iterator[Result]:  # noqa: ANN401 - a dataset of Ray's
    """The results of a dataset as they come; what Ray itself stumbles over is told in one line."""
    errors = load_ray("ray.exceptions")
    try:
        for row in dataset.iter_rows():
            yield msgspec.json.decode(row["result"], type=Result)
    except (errors.RayError, errors.UserCodeException) as error:
        told = str(error).strip().splitlines()
        raise SetupError(f"the cluster gave up: {told[-1] if told else type(error).__name__}") from error


def find_error(trouble: Trouble) -> KaratError:
    """The error that a worker met."""
    return (SetupError if trouble.code == SetupError.exit_code else UsageError)(trouble.message)
