"""Files of other tools on a cluster: the same rows and ids as on one machine."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_blocks import judge_all, plan

from karat.cli import main
from karat.core.errors import UsageError
from karat.core.types import Item
from karat.ray.blocks import BlockSource, plan_blocks
from karat.ray.job import Opened, open_job
from karat.rows import Row, open_sources
from karat.run.verdict_tables import VerdictFiles

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray

FIXTURES = Path(__file__).parents[1] / "rows" / "formats"
Found = tuple[str, Item, str | None]


def is_readable(path: Path) -> bool:
    oracle = json.loads(path.read_text())
    file = path.with_name(path.name.removesuffix(".expected.json"))
    return file.is_file() and not (oracle.get("refused") or oracle.get("may_refuse"))


READABLE = sorted(
    str(path.relative_to(FIXTURES)).removesuffix(".expected.json")
    for path in FIXTURES.rglob("*.expected.json")
    if "tricky" not in path.parts and is_readable(path)
)
GROUPED = (
    "documented/openai-evals-api/output_items_two_runs.jsonl", "documented/openai-evals-api/rows.jsonl",
    "lm-eval/samples_short_answers.jsonl", "ragas/results.jsonl", "datasets/squad.jsonl",
)  # fmt: skip
"""Lines that keep their form as columns of Parquet."""


def read_here(path: str) -> list[Found]:
    with open_sources([path]) as source:
        rows = source.rows(source.find_columns({}))
        return [(row.id, row.item, row.system) for row in rows if isinstance(row, Row)]


def open_on_ray(path: str, output: Path, **more: Any) -> Opened:
    return open_job(path, str(output), plan(), {}, on_bad_row="skip", **more)


def read_there(opened: Opened) -> list[Found]:
    found = [row for block in opened.blocks for row in opened.job.open_block(block).rows(opened.job.columns)]
    return [(row.id, row.item, row.system) for row in found if isinstance(row, Row)]


@pytest.mark.parametrize("name", READABLE)
def test_a_file_gives_the_rows_that_it_gives_on_one_machine(tmp_path: Path, name: str) -> None:
    path = str(FIXTURES / name)
    assert read_there(open_on_ray(path, tmp_path / "verdicts")) == read_here(path)


@pytest.mark.parametrize("name", GROUPED)
def test_the_row_groups_of_a_parquet_file_give_its_rows(tmp_path: Path, name: str) -> None:
    records = [json.loads(line) for line in (FIXTURES / name).read_text().splitlines()]
    place = tmp_path / "export.parquet"
    pq.write_table(pa.Table.from_pylist(records), place, row_group_size=2)
    opened = open_on_ray(str(place), tmp_path / "verdicts")
    assert len(opened.blocks) > 1
    assert read_there(opened) == read_here(str(place))
    assert [item for _, item, _ in read_there(opened)] == [
        item for _, item, _ in read_here(str(FIXTURES / name))
    ]


def test_verdicts_bear_the_ids_and_columns_of_the_rows(tmp_path: Path) -> None:
    path = str(FIXTURES / "documented" / "openai-evals-api" / "export.json")
    opened = open_on_ray(path, tmp_path / "verdicts")
    judge_all(opened)
    written = [judged.row for judged in VerdictFiles(str(tmp_path / "verdicts"))]
    assert [(row.id, row.item, row.system) for row in written] == read_here(path)
    assert all(row.columns["verdicts"] for row in written)


def test_what_is_read_is_said_with_the_name_of_the_format(tmp_path: Path) -> None:
    said = list[str]()
    path = str(FIXTURES / "inspect-ai" / "log.eval")
    open_on_ray(path, tmp_path / "verdicts", notice=said.append)
    assert "Inspect log: question from input" in said[0]


def test_a_folder_is_read_as_the_format_of_its_first_file(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    for name in ("a", "b"):
        source = FIXTURES / "documented" / "openai-evals-api" / "output_items_page.json"
        (folder / f"{name}.json").write_bytes(source.read_bytes())
    (folder / "c.jsonl").write_text('{"question": "Who?", "reference": "Ada", "answer": "Ada"}\n')
    opened = open_on_ray(str(folder), tmp_path / "verdicts")
    assert len(read_there(opened)) == 10
    opened = open_job(str(folder), str(tmp_path / "stopped"), plan(), {})
    with pytest.raises(UsageError, match=r"c\.jsonl:1: no "):
        judge_all(opened)


def test_a_block_without_rows_has_none(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    (block,) = plan_blocks(str(tmp_path / "empty.jsonl"))
    opened = open_on_ray(str(FIXTURES / "inspect-ai" / "samples.jsonl"), tmp_path / "verdicts")
    source = BlockSource(block, format=opened.job.format)
    assert list(source.rows(opened.job.columns)) == []


def test_a_format_is_graded_on_a_cluster(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(FIXTURES / "promptfoo" / "assertions.json")
    with pytest.raises(SystemExit) as left:
        main(["grade", path, "--judge", "rules", "--on", "ray", "-o", "verdicts/"])
    assert not left.value.code
    here = tmp_path / "here.jsonl"
    with pytest.raises(SystemExit):
        main(["grade", path, "--judge", "rules", "-o", str(here)])
    local = [json.loads(line) for line in here.read_text().splitlines()]
    there = [(judged.row.id, getattr(judged.outcome, "value", None)) for judged in VerdictFiles("verdicts")]
    assert there == [(row["id"], row["value"]) for row in local]
