"""Judge identical rows once per cluster: Ray Data groups items by bucket to judge them, and outcomes by block."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from karat.core.errors import KaratError
from karat.core.keys import item_key
from karat.core.types import NOTHING, Item, Outcome
from karat.ray.blocks import Block
from karat.ray.cluster import Cluster
from karat.ray.files import join, make_folder, read_bytes, remove, write_file
from karat.ray.grader import Grader, Tally
from karat.ray.job import Failure, Job, Scan
from karat.ray.output import PARTS_FOLDER, Manifest, open_verdicts, write_manifest
from karat.ray.run import (
    TABLES,
    Result,
    collect,
    configure_worker,
    grade_blocks,
    make_leases,
    pending_blocks,
    pool_of,
    read_blocks,
    scan_all,
    start_limits,
    to_dataset,
    to_table,
)
from karat.ray.shared_budget import read_spend
from karat.rows.containers.parquet import load_arrow

_BUCKET_BYTES = 64 << 20
_BUCKETS = "_buckets.json"
_FEWEST, _MOST = 8, 4_096
_Group = dict[str, Any]


def grade_once(
    job: Job,
    blocks: Sequence[Block],
    known: dict[str, Manifest],
    cluster: Cluster,
    *,
    watch: Callable[[Manifest], None] = lambda _: None,
) -> dict[str, Manifest]:
    """Judge every different item of the pending blocks once; its cost belongs to the first block that contains it."""
    pending = pending_blocks(job, blocks, known)
    if not pending:
        return known
    scan_all(job, pending)
    found, noted = dict(known), set[str]()

    def note(manifest: Manifest) -> None:
        found[manifest.block] = manifest
        noted.add(manifest.block)
        watch(manifest)

    limits = start_limits(job, read_spend(job.folder), job.folder) if job.pays else None
    buckets = fix_buckets(job, blocks)
    workers = cluster.count_beside(buckets, pays=job.pays)
    order = {block.name: place for place, block in enumerate(blocks)}
    items = to_dataset(pending).map_batches(list_items, fn_args=(job, buckets), **TABLES)
    judged = items.groupby("bucket", num_partitions=min(buckets, 4 * workers)).map_groups(
        BucketActor,
        batch_format="pyarrow",
        fn_constructor_args=(job, order, limits),
        **pool_of(workers, buckets),
    )
    written = judged.groupby("block", num_partitions=min(len(pending), 4 * workers)).map_groups(
        write_block, batch_format="pyarrow", fn_args=(job, {block.name: block for block in pending})
    )
    collect(written, note)
    rowless = [block for block in pending if block.name not in noted]
    found = grade_blocks(job, rowless, found, cluster, watch=watch)
    if job.pays and not pending_blocks(job, blocks, found):
        remove(join(job.folder, PARTS_FOLDER))
    return found


def fix_buckets(job: Job, blocks: Sequence[Block]) -> int:
    """Return the number of buckets that the first start chose, so that paid verdicts stay in their bucket if input is added."""
    place = join(job.folder, PARTS_FOLDER, _BUCKETS)
    held = read_bytes(place) if job.pays else None
    if held is not None:
        return msgspec.json.decode(held, type=int)
    buckets = count_buckets(blocks)
    if job.pays:
        make_folder(join(job.folder, PARTS_FOLDER))
        with write_file(place) as stream:
            stream.write(msgspec.json.encode(buckets))
    return buckets


def name_buckets(job: Job) -> list[str]:
    """Return the names of the buckets of an earlier start; none if there was no such start."""
    held = read_bytes(join(job.folder, PARTS_FOLDER, _BUCKETS)) if job.folder and job.pays else None
    return (
        []
        if held is None
        else [f"bucket-{number:05}" for number in range(msgspec.json.decode(held, type=int))]
    )


def count_buckets(blocks: Sequence[Block]) -> int:
    """Return the number of buckets for the items, by the size of the input."""
    size = sum(block.size for block in blocks)
    return max(_FEWEST, min(_MOST, -(-size // _BUCKET_BYTES)))


def list_items(batch: Any, job: Job, buckets: int) -> Any:  # noqa: ANN401 - tables of Arrow's
    """Return the different items of blocks, each with its key, its block and its bucket."""
    columns: dict[str, list[Any]] = {"bucket": [], "key": [], "item": [], "block": []}
    for block in read_blocks(batch):
        items = {item_key(row.item): row.item for row in Scan(block, job)}
        columns["bucket"] += [int.from_bytes(key[:4], "big") % buckets for key in items]
        columns["key"] += items
        columns["item"] += [msgspec.json.encode(item) for item in items.values()]
        columns["block"] += [block.name] * len(items)
    arrow = load_arrow()
    kinds = [
        ("bucket", arrow.int64()),
        ("key", arrow.binary()),
        ("item", arrow.binary()),
        ("block", arrow.string()),
    ]
    return arrow.table(columns, schema=arrow.schema(kinds))


class BucketActor:
    """Judges the items of a bucket, each once, for all blocks that contain it."""

    def __init__(self, job: Job, order: dict[str, int], limits: Any = None) -> None:  # noqa: ANN401 - a handle of Ray's
        configure_worker()
        self._order = order
        self._grader = Grader(
            job, None if limits is None else make_leases(limits, job), notice=lambda _: None
        )

    def __call__(self, group: Any) -> Any:  # noqa: ANN401 - tables of Arrow's
        """Return the outcome for each block and item, and whether the cost belongs to this block."""
        rows = sorted(group.to_pylist(), key=lambda row: self._order[row["block"]])
        items = {row["key"]: msgspec.json.decode(row["item"], type=Item) for row in rows}
        columns: dict[str, list[Any]] = {"block": [], "key": [], "outcome": [], "pays": [], "failure": []}
        first = {row["key"]: row["block"] for row in reversed(rows)}
        try:
            known, payers = self._grader.judge_shared(f"bucket-{rows[0]['bucket']:05}", items, first)
        except KaratError as error:
            known, payers, failure = {}, first, msgspec.json.encode(Failure(str(error), error.exit_code))
        else:
            failure = None
        for row in rows:
            outcome = known.get(row["key"])
            columns["block"].append(row["block"])
            columns["key"].append(row["key"])
            columns["outcome"].append(None if outcome is None else msgspec.json.encode(outcome))
            payer = payers[row["key"]] if payers[row["key"]] in self._order else first[row["key"]]
            columns["pays"].append(row["block"] == payer)
            columns["failure"].append(failure)
        arrow = load_arrow()
        kinds = [
            ("block", arrow.string()), ("key", arrow.binary()), ("outcome", arrow.binary()),
            ("pays", arrow.bool_()), ("failure", arrow.binary()),
        ]  # fmt: skip
        return arrow.table(columns, schema=arrow.schema(kinds))


def write_block(group: Any, job: Job, blocks: dict[str, Block]) -> Any:  # noqa: ANN401 - tables of Arrow's
    """Read a block again and write its verdicts."""
    rows = group.to_pylist()
    failure = next((row["failure"] for row in rows if row["failure"] is not None), None)
    if failure is not None:
        return to_table([Result(failure=msgspec.json.decode(failure, type=Failure))])
    outcomes = {row["key"]: (msgspec.json.decode(row["outcome"], type=Outcome), row["pays"]) for row in rows}
    return to_table([Result(manifest=_write(blocks[rows[0]["block"]], job, outcomes))])


def _write(block: Block, job: Job, outcomes: dict[bytes, tuple[Outcome, bool]]) -> Manifest:
    scan, tally, seen = Scan(block, job), Tally(), set[bytes]()
    with open_verdicts(block, job, scan.fields) as verdicts:
        for row in scan:
            key = item_key(row.item)
            outcome, pays = outcomes[key]
            first = pays and key not in seen
            seen.add(key)
            spent = outcome.spent if first else NOTHING
            verdicts.write(row, outcome, spent, cached=not first)
            tally.note(row.system, outcome, spent)
    manifest = tally.close(block, scan.skipped)
    write_manifest(job.folder, manifest)
    return manifest
