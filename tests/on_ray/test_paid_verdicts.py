"""What was paid for on a cluster is kept whatever happens, in one process and without Ray."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from karat.core.errors import SetupError
from karat.core.keys import item_key
from karat.judges import Plan, build_request, plan_judge
from karat.on_ray.blocks import Block
from karat.on_ray.grading import Grader
from karat.on_ray.job import Job
from karat.on_ray.opening import open_job
from karat.on_ray.scan import Scan
from provider import Call, Provider, Reply

YES = '{"Answer 1": "Yes"}'


def plan(provider: Provider, **options: object) -> Plan:
    return plan_judge(build_request(f"{provider.base_url}#m", None, options), {})


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
        opened = open_job("data", "out", plan(provider, concurrency=1), {})
        with pytest.raises(SetupError):
            work(opened.blocks[0], opened.job)
        work(opened.blocks[0], opened.job)
        assert len(provider.calls) == 31
