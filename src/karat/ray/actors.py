"""What runs on the cluster's nodes: actors that judge blocks, tasks that look at them, and the keeper of the limits."""

import gc
import os
import uuid
from collections.abc import Awaitable, Sequence
from typing import Any, cast

import msgspec

from karat.core.errors import KaratError
from karat.core.types import NOTHING
from karat.ray.blocks import Block
from karat.ray.cluster import load_ray
from karat.ray.grader import Grader
from karat.ray.job import Job, Scan, Trouble
from karat.ray.limits import Answer, ClusterLimits, GateSpec, Leases, Returned, Wanted
from karat.ray.manifest import Manifest
from karat.ray.shared_budget import Spend
from karat.rows.parquet import load_arrow

_SELDOM = 10_000


class Result(msgspec.Struct, frozen=True):
    """What came of a block: its manifest, or why there is none."""

    manifest: Manifest | None = None
    trouble: Trouble | None = None


class BlockActor:
    """Judges blocks; Ray Data keeps a pool of these."""

    def __init__(self, job: Job, limits: Any = None) -> None:  # noqa: ANN401 - a handle of Ray's
        settle_in()
        self._grader = Grader(job, None if limits is None else lease_from(limits, job), notice=_mute)

    def __call__(self, batch: Any) -> Any:  # noqa: ANN401 - a table of Arrow's
        """One result per block."""
        return to_table([self._grade(block) for block in read_blocks(batch)])

    def _grade(self, block: Block) -> Result:
        try:
            return Result(manifest=self._grader.grade(block))
        except KaratError as error:
            return Result(trouble=Trouble(str(error), error.exit_code))


def scan_blocks(batch: Any, job: Job) -> Any:  # noqa: ANN401 - tables of Arrow's
    """The first pass over blocks: what is wrong with them, before anyone pays."""
    return to_table([_scan(block, job) for block in read_blocks(batch)])


def _scan(block: Block, job: Job) -> Result:
    try:
        found = Scan(block, job)
    except KaratError as error:
        return Result(trouble=Trouble(str(error), error.exit_code))
    return Result(Manifest(block.name, block.identity, found.rows, found.skipped, (), {}, spent=NOTHING))


def read_blocks(batch: Any) -> list[Block]:  # noqa: ANN401 - a table of Arrow's
    """The blocks of a batch."""
    return [msgspec.json.decode(one, type=Block) for one in batch.column("block").to_pylist()]


def to_table(results: Sequence[Result]) -> Any:  # noqa: ANN401 - a table of Arrow's
    """Results as Ray Data passes them on."""
    return load_arrow().table({"result": [msgspec.json.encode(one) for one in results]})


def settle_in() -> None:
    """A worker takes no more than the core it has, and looks for cycles as seldom as the command line does."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    gc.set_threshold(_SELDOM)


def start_limits(job: Job, spend: Spend, folder: str | None) -> Any:  # noqa: ANN401 - a handle of Ray's
    """Start the one keeper of the limits, on the driver's own node; it ends with the driver."""
    ray = load_ray()
    strategies = load_ray("ray.util.scheduling_strategies")
    here = strategies.NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    keeper = ray.remote(ClusterLimits).options(
        name=f"karat-limits-{uuid.uuid4().hex}", num_cpus=0, max_concurrency=10_000, scheduling_strategy=here
    )
    return keeper.remote(spec_gates(job), job.plan.request.budget, spend, folder)


def spec_gates(job: Job) -> dict[str, GateSpec]:
    """The endpoints of a judge, each with the limits that the user gave."""
    request = job.plan.request
    members = job.plan.members or (job.plan,)
    return {
        member.request.judge: GateSpec(request.concurrency, request.rpm, request.tpm)
        for member in members
        if member.endpoint is not None
    }


def lease_from(limits: Any, job: Job) -> Leases:  # noqa: ANN401 - a handle of Ray's
    """A worker's side of the limits."""
    worker = uuid.uuid4().hex

    async def exchange(returned: Sequence[Returned], wanted: Sequence[Wanted]) -> list[Answer]:
        asked = limits.exchange.remote(worker, list(returned), list(wanted))
        return await cast("Awaitable[list[Answer]]", asked)

    return Leases(exchange, job.plan.request.budget)


def _mute(_: str) -> None:
    """A worker's notices would be repeated by every other."""
