"""Paid verdicts of a cluster run are kept after errors, tested in one process without Ray."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from msgspec import structs

from karat import Options
from karat.core.errors import SetupError
from karat.core.keys import item_key
from karat.core.types import total
from karat.judges import Plan, build_request, plan_judge
from karat.models import Patience
from karat.ray.blocks import Block
from karat.ray.cluster import Cluster
from karat.ray.dedupe import BucketActor, fix_buckets, list_items, write_block
from karat.ray.forecast import forecast_job
from karat.ray.grader import Grader
from karat.ray.job import Job, Opened, Scan, open_job
from karat.ray.output import read_manifests
from karat.ray.run import pending_blocks
from provider import Call, Provider, Reply

YES = '{"Answer 1": "Yes"}'


def plan(provider: Provider, options: Options) -> Plan:
    """A judge that tries a failed call once more, and soon."""
    request = build_request(f"{provider.base_url}#m", None, options)
    return plan_judge(structs.replace(request, patience=Patience(attempts=2, wait=0.01)), {})


def write_rows(path: Path, numbers: Iterable[int]) -> None:
    """Rows that no rule is sure about, so that a model has to be asked."""
    rows = (
        {
            "id": f"r{number}",
            "question": f"What do you see in picture {number}?",
            "reference": f"a boat with {number} red sails",
            "answer": f"something that floats past buoy {number * 7 + 1}",
        }
        for number in numbers
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def grade_alone(block: Block, job: Job) -> None:
    grader = Grader(job, notice=lambda _: None)
    try:
        grader.grade(block)
    finally:
        grader.close()


def judge_items(block: Block, job: Job) -> None:
    grader = Grader(job, notice=lambda _: None)
    try:
        grader.judge("bucket", {item_key(row.item): row.item for row in Scan(block, job)})
    finally:
        grader.close()


@pytest.mark.parametrize("work", [grade_alone, judge_items])
def test_verdicts_before_an_error_are_not_paid_for_again(
    data: Path, work: Callable[[Block, Job], None]
) -> None:
    """An endpoint that closes its door ends a block, and the next start asks only for the rest."""
    write_rows(data / "a.jsonl", range(30))

    def close_the_door(call: Call) -> Reply:
        return Reply("", status=401) if call.index == 20 else Reply(YES)

    with Provider(close_the_door) as provider:
        opened = open_job("data", "out", plan(provider, {"concurrency": 1}), {})
        with pytest.raises(SetupError):
            work(opened.blocks[0], opened.job)
        work(opened.blocks[0], opened.job)
        assert len(provider.calls) == 31


def grade_once_here(opened: Opened) -> None:
    """What the tasks of a cluster do with --dedupe, in this process."""
    pending = pending_blocks(opened.job, opened.blocks, opened.known)
    batch = pa.table({"block": [msgspec.json.encode(block) for block in pending]})
    items = list_items(batch, opened.job, 1)
    actor = BucketActor(opened.job, {block.name: place for place, block in enumerate(opened.blocks)})
    judged = actor(items).to_pylist()
    actor._grader.close()
    for block in pending:
        group = pa.Table.from_pylist([row for row in judged if row["block"] == block.name])
        write_block(group, opened.job, {block.name: block})


def test_dedupe_counts_a_cost_once_across_starts(data: Path) -> None:
    """A block that is tried again does not pay for what a finished block has paid."""
    write_rows(data / "a.jsonl", range(6))
    write_rows(data / "b.jsonl", range(3, 9))

    def fail_once(call: Call) -> Reply:
        failed = "picture 8?" in call.prompt and not (data / "mended").exists()
        return Reply("", status=500) if failed else Reply(YES)

    with Provider(fail_once) as provider:
        judge = plan(provider, {})
        grade_once_here(open_job("data/*.jsonl", "out", judge, {}, dedupe=True))
        (data / "mended").touch()
        grade_once_here(open_job("data/*.jsonl", "out", judge, {}, dedupe=True))
        assert sum("picture 8?" not in call.prompt for call in provider.calls) == 8
    assert {name: found.spent.calls for name, found in read_manifests("out").items()} == {
        "a.jsonl": 6, "b.jsonl": 3,
    }  # fmt: skip


def test_added_input_moves_no_item_to_another_bucket(data: Path) -> None:
    write_rows(data / "a.jsonl", range(3))
    with Provider(lambda _: YES) as provider:
        opened = open_job("data", "out", plan(provider, {}), {}, dedupe=True)
    (block,) = opened.blocks
    assert fix_buckets(opened.job, [block]) == 8
    assert fix_buckets(opened.job, [block, structs.replace(block, size=1 << 40)]) == 8


@pytest.mark.parametrize(
    "options",
    [
        {"items_per_prompt": 1},
        {"items_per_prompt": 4},
        {"items_per_prompt": 4, "permute": 3},
        {"items_per_prompt": 4, "structured": True},
    ],
)
def test_forecast_matches_the_cost_of_the_blocks(data: Path, options: Options) -> None:
    """Calls and tokens are near, and the bounds hold; asked again halfway, what was paid for is left out."""
    write_rows(data / "a.jsonl", [*range(100, 160), *range(100, 110)])
    write_rows(data / "b.jsonl", range(200, 260))

    def answer(call: Call) -> str:
        form = call.body.get("response_format")
        last = call.prompt.rsplit("# Your batch", 1)[1]
        keys = form["json_schema"]["schema"]["required"] if form else []
        keys = keys or [f"Answer {number}" for number in range(1, last.count("### Item") + 1)]
        return json.dumps(dict.fromkeys(keys, "Yes"))

    with Provider(answer, count=lambda text: len(re.findall(r"\w+|[^\s\w]+| (?=\d)", text))) as provider:
        opened = open_job("data", "out", plan(provider, {**options, "price": "1/4"}), {"id": ""})
        before = forecast_job(opened, Cluster(1, 2))
        assert provider.calls == []
        grade_alone(opened.blocks[0], opened.job)
        opened = structs.replace(opened, known=read_manifests("out"))
        halfway = forecast_job(opened, Cluster(1, 2))
        grade_alone(opened.blocks[1], opened.job)
    manifests = read_manifests("out").values()
    spent = total(manifest.spent for manifest in manifests)
    assert before.calls.expected == pytest.approx(len(provider.calls), rel=0.15)
    assert before.input_tokens.expected == pytest.approx(spent.input_tokens, rel=0.15)
    assert before.output_tokens.expected == pytest.approx(spent.output_tokens, rel=0.15)
    assert before.cost_usd is not None
    assert before.cost_usd.expected == pytest.approx(spent.cost_usd, rel=0.15)
    assert before.cost_usd.least < (spent.cost_usd or 0.0) < before.cost_usd.most
    assert halfway.calls.expected == pytest.approx(len(provider.calls) / 2, rel=0.15)


def test_a_forecast_leaves_out_what_an_unfinished_block_paid_for(data: Path) -> None:
    """Rows that found nobody are asked again; those that were judged are not."""
    write_rows(data / "a.jsonl", range(100, 140))
    with Provider(lambda call: YES if call.index < 25 else Reply(status=500)) as provider:
        options: Options = {"items_per_prompt": 1, "concurrency": 1}
        asked = plan(provider, options)
        asked = structs.replace(asked, request=structs.replace(asked.request, patience=Patience(attempts=1)))
        opened = open_job("data", "out", asked, {})
        grade_alone(opened.blocks[0], opened.job)
        opened = structs.replace(opened, known=read_manifests("out"))
        found = forecast_job(opened, Cluster(1, 2))
    assert found.calls.expected == pytest.approx(
        40 - 25, abs=3
    )  # rows of a JSONL file are guessed by its size
