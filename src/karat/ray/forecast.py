"""Forecast a run on a cluster: judge or simulate a few rows of its first block here, and scale up."""

import asyncio
import time
import zlib
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct, structs

from karat.core.keys import item_key
from karat.core.types import Item
from karat.judges import Plan
from karat.ray.blocks import Block, plan_blocks
from karat.ray.cluster import Cluster
from karat.ray.dedupe import name_buckets
from karat.ray.files import FOLDER as MANIFESTS
from karat.ray.files import join, make_folder, open_file
from karat.ray.grader import Grader
from karat.ray.job import Opened
from karat.ray.output import Parts
from karat.ray.run import pending_blocks
from karat.rows import Row
from karat.rows.formats import TABLE
from karat.run import Range, Takes
from karat.run.forecast import Rehearsed
from karat.run.local import judge_pieces

_WARM = 50
_ROWS = 1_000
_BEGINNING = 1 << 18
_SECONDS_PER_CALL = 1.0


class Forecast(Struct, frozen=True):
    """The forecast; `counted` is true if the number of rows comes from the files' footers and is not an estimate."""

    blocks: int
    rows: int
    counted: bool
    bytes_per_row: int
    nodes: int
    cores: int
    actors: int
    rows_per_second: float
    basis: str
    seconds: float
    calls: Range
    input_tokens: Range
    output_tokens: Range
    cost_usd: Range | None

    @property
    def takes(self) -> Takes:
        """The four ranges."""
        return Takes(self.calls, self.input_tokens, self.output_tokens, self.cost_usd)


def forecast_job(opened: Opened, cluster: Cluster) -> Forecast:
    """Return the forecast of the remaining work on this cluster; LLM judges are not called."""
    job, pending = opened.job, pending_blocks(opened.job, opened.blocks, opened.known)
    rows = _read_first_rows(opened)
    weight = sum(len(msgspec.json.encode(row.columns)) for row in rows) / max(1, len(rows))
    known = [block.rows for block in pending if block.rows is not None]
    counted = len(known) == len(pending)
    unknown = [block for block in pending if block.rows is None]
    guessed = sum(block.size * _unpacked_ratio(block) for block in unknown) / max(1.0, weight)
    count = sum(known) + round(guessed)
    actors = cluster.count_actors(len(pending), pays=job.pays)
    takes = _forecast_calls(opened, pending, rows, count) if job.pays else Takes()
    if job.pays:  # not measured, because that would make calls
        request = job.plan.request
        per_second = min(request.concurrency / _SECONDS_PER_CALL, (request.rpm or 1e9) / 60)
        rate = per_second * count / max(1, takes.calls.expected)
        basis = f"at {_SECONDS_PER_CALL:g} s per call, within your limits"
    else:
        alone = _measure_speed(opened, rows)
        rate, basis = alone * actors, f"{alone:,.0f} per core, measured here on {len(rows):,} rows"
    return Forecast(
        blocks=len(pending),
        rows=count,
        counted=counted,
        bytes_per_row=round(weight),
        nodes=cluster.nodes,
        cores=cluster.cores,
        actors=actors,
        rows_per_second=rate,
        basis=basis,
        seconds=count / rate if rate else 0.0,
        calls=takes.calls,
        input_tokens=takes.input_tokens,
        output_tokens=takes.output_tokens,
        cost_usd=takes.cost_usd,
    )


def _read_first_rows(opened: Opened) -> list[Row]:
    """Return the first good rows of the first block that has any."""
    for block in opened.blocks:
        good = (row for row in opened.job.open_block(block).rows(opened.job.columns) if isinstance(row, Row))
        if rows := list(islice(good, _ROWS)):
            return rows
    return []


def _unpacked_ratio(block: Block) -> float:
    """Return how many times larger a file is when decompressed, measured on its beginning."""
    if not block.packed:
        return 1.0
    with open_file(block.path) as stream:
        packed, unpacker = stream.read(_BEGINNING), zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        plain = unpacker.decompress(packed)
    except zlib.error:
        return 1.0
    return len(plain) / max(1, len(packed) - len(unpacker.unused_data))


async def _rehearse(plan: Plan, items: list[Item]) -> tuple[int, Takes]:
    """Return how many of the items need a call, and their calls, tokens and cost."""
    rehearsed = Rehearsed(plan, plan.group, remembers=False)  # workers store no replies
    await judge_pieces(
        [list(enumerate(items))], rehearsed.judge, rehearsed.keep, seed=plan.fingerprint, size=rehearsed.size
    )
    return len(items) - rehearsed.decided, rehearsed.count()


def _forecast_calls(opened: Opened, pending: list[Block], rows: list[Row], count: int) -> Takes:
    """Scale up the totals of the first rows; identical ones are judged once, and paid verdicts are not paid again."""
    different = {item_key(row.item): row.item for row in rows}
    if not different:
        return Takes()
    job = opened.job
    asked, takes = asyncio.run(_rehearse(job.plan, list(different.values())))
    begun = [*(block.name for block in pending), *name_buckets(job)]
    paid = sum(len(Parts(job.folder, name).read(retry=job.retry)) for name in begun)
    times = count / len(rows)
    left = max(0.0, times - paid / asked) if asked else 0.0
    return takes.scale(left, left * len(rows) / len(different))


def _measure_speed(opened: Opened, rows: list[Row]) -> float:
    """Return rows per second on one core by a local judge that is loaded: read, judged and written."""
    warm, timed = (rows[:_WARM], rows[_WARM:]) if len(rows) > 2 * _WARM else (rows, rows)
    with TemporaryDirectory(prefix="karat-") as folder:
        grader = Grader(structs.replace(opened.job, folder=folder, retry=False, format=TABLE))
        try:
            make_folder(join(folder, MANIFESTS))
            grader.grade(_write(folder, "warm", warm))
            block = _write(folder, "timed", timed)
            began = time.process_time()
            grader.grade(block)
            return len(timed) / max(1e-9, time.process_time() - began)
        finally:
            grader.close()


def _write(folder: str, name: str, rows: list[Row]) -> Block:
    path = Path(folder) / f"{name}.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(row.columns) + b"\n" for row in rows))
    return plan_blocks(str(path))[0]
