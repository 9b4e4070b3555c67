"""What a run on a cluster would take: a few rows of its first block, judged here or rendered, and scaled up."""

import time
import zlib
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct, structs

from karat.core.types import Spent
from karat.judges import make_judge
from karat.on_ray.blockrows import BlockSource
from karat.on_ray.blocks import Block, plan_blocks
from karat.on_ray.cluster import Cluster
from karat.on_ray.grading import Grader
from karat.on_ray.opening import Opened
from karat.on_ray.places import FOLDER as MANIFESTS
from karat.on_ray.places import join, make_folder, open_file
from karat.on_ray.running import pending_blocks
from karat.rows import Row
from karat.run.prompting import prompt_with

_WARM = 50
_ROWS = 1_000
_RENDERED = 64
_BEGINNING = 1 << 18
_CHARACTERS_PER_TOKEN = 4
_SECONDS_PER_CALL = 1.0


class Forecast(Struct, frozen=True):
    """A plan in numbers; `counted` says that the rows stand in the footers of the files and were not estimated."""

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
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


class _Prompting(Struct, frozen=True):
    """Per row: calls, tokens in and tokens out."""

    calls: float = 0.0
    given: float = 0.0
    made: float = 0.0


def forecast_job(opened: Opened, cluster: Cluster) -> Forecast:
    """Say what is left to do on this cluster; LLM judges are not asked."""
    job, pending = opened.job, pending_blocks(opened.job, opened.blocks, opened.known)
    rows = _peek(opened)
    weight = sum(len(msgspec.json.encode(row.columns)) for row in rows) / max(1, len(rows))
    known = [block.rows for block in pending if block.rows is not None]
    counted = len(known) == len(pending)
    unknown = [block for block in pending if block.rows is None]
    guessed = sum(block.size * _swell(block) for block in unknown) / max(1.0, weight)
    count = sum(known) + round(guessed)
    actors = cluster.count_actors(len(pending), pays=job.pays)
    prompting = _weigh(opened, rows) if job.pays else _Prompting()
    if prompting.calls:
        request = job.plan.request
        per_second = min(request.concurrency / _SECONDS_PER_CALL, (request.rpm or 1e9) / 60)
        rate, basis = per_second / prompting.calls, f"at {_SECONDS_PER_CALL:g} s per call, within your limits"
    else:
        alone = _time(opened, rows)
        rate, basis = alone * actors, f"{alone:,.0f} per core, measured here on {len(rows):,} rows"
    spent = Spent(1, round(count * prompting.given), 0, round(count * prompting.made))
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
        calls=round(count * prompting.calls),
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost_usd=_charge(opened, spent) if prompting.calls else 0.0,
    )


def _charge(opened: Opened, spent: Spent) -> float | None:
    plan = opened.job.plan
    prices = [member.price for member in plan.members or (plan,) if member.endpoint is not None]
    costs = [None if price is None else price.charge(spent).cost_usd for price in prices]
    return None if None in costs else sum(cost / len(prices) for cost in costs if cost is not None)


def _peek(opened: Opened) -> list[Row]:
    """The first good rows of the first block that has any."""
    for block in opened.blocks:
        good = (row for row in BlockSource(block).rows(opened.job.columns) if isinstance(row, Row))
        if rows := list(islice(good, _ROWS)):
            return rows
    return []


def _swell(block: Block) -> float:
    """How many times larger a packed file is when it is unpacked, by its beginning."""
    if not block.packed:
        return 1.0
    with open_file(block.path) as stream:
        packed, unpacker = stream.read(_BEGINNING), zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        plain = unpacker.decompress(packed)
    except zlib.error:
        return 1.0
    return len(plain) / max(1, len(packed) - len(unpacker.unused_data))


def _weigh(opened: Opened, rows: list[Row]) -> _Prompting:
    """What a row takes of calls and tokens, all members of a panel together."""
    plan = opened.job.plan
    judge = make_judge(plan)
    left = [row.item for row in rows if judge.decide(row.item) is None]
    if not left or plan.wording is None:
        return _Prompting()
    prompting = prompt_with(judge, plan)
    size = prompting.size
    groups = [tuple(left[at : at + size]) for at in range(0, len(left), size)][:_RENDERED]
    characters = sum(len(message.text) for group in groups for message in plan.wording.render(group).messages)
    payers = sum(member.endpoint is not None for member in plan.members or (plan,))
    share = len(left) / len(rows) * payers * prompting.most
    given = characters / sum(len(group) for group in groups) / _CHARACTERS_PER_TOKEN
    made = 8 if plan.request.protocol == "match" else 2
    return _Prompting(share / size, share * given, share * made)


def _time(opened: Opened, rows: list[Row]) -> float:
    """Rows per second on one core, by a judge that costs nothing, once it is loaded: read, judged and written."""
    warm, timed = (rows[:_WARM], rows[_WARM:]) if len(rows) > 2 * _WARM else (rows, rows)
    with TemporaryDirectory(prefix="karat-") as folder:
        grader = Grader(structs.replace(opened.job, folder=folder, retry=False))
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
