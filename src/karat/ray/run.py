"""A run on a cluster: Ray Data passes blocks to a pool of actors, which write verdict files."""

import gc
import os
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import msgspec

from karat.core.errors import KaratError, SetupError, UsageError
from karat.core.types import NOTHING
from karat.ray.blocks import Block
from karat.ray.cluster import CPUS_PER_ACTOR, Cluster, load_ray
from karat.ray.grader import Grader, is_done
from karat.ray.job import Failure, Job, Scan
from karat.ray.limits import Answer, ClusterLimits, EndpointLimits, Leases, Returned, Wanted
from karat.ray.output import Manifest
from karat.ray.shared_budget import Spend, read_spend
from karat.rows.containers.parquet import load_arrow

TABLES = {"batch_format": "pyarrow", "batch_size": None}
_GC_THRESHOLD = 10_000  # as on the command line
_TASKS = 2_000
_MANY = 4


class Result(msgspec.Struct, frozen=True):
    """The manifest of a block, or the error that prevented it."""

    manifest: Manifest | None = None
    failure: Failure | None = None


def grade_blocks(
    job: Job,
    blocks: Sequence[Block],
    known: dict[str, Manifest],
    cluster: Cluster,
    *,
    watch: Callable[[Manifest], None] = lambda _: None,
) -> dict[str, Manifest]:
    """Judge the blocks that are not done yet, and return the manifests of all."""
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
    """Read all blocks before any call, if bad rows should stop the run."""
    if job.on_bad_row == "stop":
        collect(to_dataset(pending).map_batches(scan_blocks, fn_args=(job,), **TABLES), lambda _: None)


def pending_blocks(job: Job, blocks: Iterable[Block], known: dict[str, Manifest]) -> list[Block]:
    """Return the blocks that are not judged yet, or that have rows to try again."""
    return [block for block in blocks if not (block.name in known and is_done(known[block.name], block, job))]


def to_dataset(blocks: Sequence[Block]) -> Any:  # noqa: ANN401 - a dataset of Ray's
    """Return the descriptions of blocks as a dataset; the workers read the rows."""
    rows = [{"block": msgspec.json.encode(block)} for block in blocks]
    return load_ray("ray.data").from_items(rows, override_num_blocks=min(len(rows), _TASKS))


def pool_of(workers: int, blocks: int) -> dict[str, Any]:
    """Return the options for a pool of actors; Ray Data restarts them, and repeats their task, if they crash."""
    in_flight = 2 if blocks > workers * _MANY else 1
    strategy = load_ray("ray.data").ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=in_flight)
    return {"compute": strategy, "num_cpus": CPUS_PER_ACTOR}


def collect(dataset: Any, note: Callable[[Manifest], None]) -> None:  # noqa: ANN401 - a dataset of Ray's
    """Pass the manifest of each block to `note` as it is done; the first failure is raised."""
    for result in iterate(dataset):
        if result.failure is not None:
            raise make_error(result.failure)
        if result.manifest is not None:
            note(result.manifest)


def iterate(dataset: Any) -> Iterator[Result]:  # noqa: ANN401 - a dataset of Ray's
    """Yield the results of a dataset as they arrive; an error of Ray itself becomes one line."""
    errors = load_ray("ray.exceptions")
    try:
        for row in dataset.iter_rows():
            yield msgspec.json.decode(row["result"], type=Result)
    except (errors.RayError, errors.UserCodeException) as error:
        lines = str(error).strip().splitlines()
        raise SetupError(f"the Ray job failed: {lines[-1] if lines else type(error).__name__}") from error


def make_error(failure: Failure) -> KaratError:
    """Return the error reported by a worker."""
    return (SetupError if failure.code == SetupError.exit_code else UsageError)(failure.message)


class BlockActor:
    """Judges blocks; Ray Data runs a pool of these actors."""

    def __init__(self, job: Job, limits: Any = None) -> None:  # noqa: ANN401 - a handle of Ray's
        configure_worker()
        self._grader = Grader(job, None if limits is None else make_leases(limits, job), notice=_mute)

    def __call__(self, batch: Any) -> Any:  # noqa: ANN401 - a table of Arrow's
        """Return one result per block."""
        return to_table([self._grade(block) for block in read_blocks(batch)])

    def _grade(self, block: Block) -> Result:
        try:
            return Result(manifest=self._grader.grade(block))
        except KaratError as error:
            return Result(failure=Failure(str(error), error.exit_code))


def scan_blocks(batch: Any, job: Job) -> Any:  # noqa: ANN401 - tables of Arrow's
    """Check blocks for bad rows, before any call."""
    return to_table([_scan(block, job) for block in read_blocks(batch)])


def _scan(block: Block, job: Job) -> Result:
    try:
        found = Scan(block, job)
    except KaratError as error:
        return Result(failure=Failure(str(error), error.exit_code))
    return Result(Manifest(block.name, block.identity, found.rows, found.skipped, (), {}, spent=NOTHING))


def read_blocks(batch: Any) -> list[Block]:  # noqa: ANN401 - a table of Arrow's
    """Return the blocks of a batch."""
    return [msgspec.json.decode(one, type=Block) for one in batch.column("block").to_pylist()]


def to_table(results: Sequence[Result]) -> Any:  # noqa: ANN401 - a table of Arrow's
    """Return results as a table for Ray Data."""
    return load_arrow().table({"result": [msgspec.json.encode(one) for one in results]})


def configure_worker() -> None:
    """Limit a worker to one core, with the garbage collection threshold of the command line."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    gc.set_threshold(_GC_THRESHOLD)


def start_limits(job: Job, spend: Spend, folder: str | None) -> Any:  # noqa: ANN401 - a handle of Ray's
    """Start the actor with the limits, on the driver's node; it ends with the driver."""
    ray = load_ray()
    strategies = load_ray("ray.util.scheduling_strategies")
    here = strategies.NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    keeper = ray.remote(ClusterLimits).options(
        name=f"karat-limits-{uuid.uuid4().hex}", num_cpus=0, max_concurrency=10_000, scheduling_strategy=here
    )
    return keeper.remote(list_endpoint_limits(job), job.plan.request.budget, spend, folder)


def list_endpoint_limits(job: Job) -> dict[str, EndpointLimits]:
    """Return the limits that the user gave, for each endpoint of a judge."""
    request = job.plan.request
    members = job.plan.members or (job.plan,)
    return {
        member.request.judge: EndpointLimits(request.concurrency, request.rpm, request.tpm)
        for member in members
        if member.endpoint is not None
    }


def make_leases(limits: Any, job: Job) -> Leases:  # noqa: ANN401 - a handle of Ray's
    """Return the client of the limits for a worker."""
    worker = uuid.uuid4().hex

    async def exchange(returned: Sequence[Returned], wanted: Sequence[Wanted]) -> list[Answer]:
        asked = limits.exchange.remote(worker, list(returned), list(wanted))
        return await cast("Awaitable[list[Answer]]", asked)

    return Leases(exchange, job.plan.request.budget)


def _mute(_: str) -> None:
    """Drop a notice; every worker would print the same ones."""
