"""The blocks of a cluster run, and the files next to its verdicts."""

import asyncio
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec import structs

from karat.cli.ray import _grade_blocks
from karat.core.errors import UsageError
from karat.core.types import Spent, Unjudged, Verdict
from karat.judges import Plan, build_request, plan_judge
from karat.ray.blocks import Block, plan_blocks
from karat.ray.cluster import Cluster
from karat.ray.files import find_files
from karat.ray.forecast import forecast_job
from karat.ray.grader import Grader
from karat.ray.job import Job, Opened, open_job
from karat.ray.output import Known, Manifest, Parts, claim_folder, open_folder, read_manifests
from karat.ray.shared_budget import Journal, Spend, read_spend
from karat.run import Range
from karat.run.verdict_tables import VerdictFiles

ENDINGS = (".jsonl", ".csv", ".parquet")
ROW = '{"question": "Who?", "reference": "Ada", "answer": "Ada"}\n'


def plan(judge: str = "rules") -> Plan:
    return plan_judge(build_request(judge, None, {}), {})


def names(blocks: list[Block]) -> list[str]:
    return [block.name for block in blocks]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    (folder / "deep").mkdir(parents=True)
    (folder / "b.jsonl").write_text(ROW * 3)
    (folder / "deep" / "a.jsonl").write_text(ROW)
    (folder / "_success").write_text("")
    (folder / ".hidden.jsonl").write_text(ROW)
    return folder


def judge_all(opened: Opened) -> dict[str, Manifest]:
    """What the actors of a cluster do, in this process."""
    grader = Grader(opened.job)
    try:
        return {block.name: grader.grade(block) for block in opened.blocks}
    finally:
        grader.close()


def test_files_of_a_folder_are_found_at_any_depth_in_the_order_of_their_names(data: Path) -> None:
    assert [file.name for file in find_files("data", ENDINGS)] == ["b.jsonl", "deep/a.jsonl"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("data/*.jsonl", [".hidden.jsonl", "b.jsonl"]),
        ("data/b.jsonl", ["b.jsonl"]),
        ("data/*/a.jsonl", ["deep/a.jsonl"]),
        ("data/**/[ab].jsonl", ["b.jsonl", "deep/a.jsonl"]),
    ],
)
def test_a_pattern_names_files_below_the_folder_before_it(data: Path, pattern: str, found: list[str]) -> None:
    assert [file.name for file in find_files(pattern, ENDINGS)] == found


def test_a_place_without_files_is_refused(data: Path) -> None:
    with pytest.raises(UsageError, match=r"data/\*\.csv: no file found"):
        find_files("data/*.csv", ENDINGS)
    with pytest.raises(UsageError, match="nowhere: no such file or folder"):
        find_files("nowhere", ENDINGS)


def test_blocks_are_row_groups_or_files_and_the_same_at_every_start(data: Path) -> None:
    rows = pa.table({"reference": ["Ada"] * 5, "answer": ["Ada"] * 5})
    pq.write_table(rows, data / "c.parquet", row_group_size=2)
    blocks = plan_blocks("data")
    assert names(blocks) == [
        "b.jsonl",
        "c.parquet-00000",
        "c.parquet-00001",
        "c.parquet-00002",
        "deep~2Fa.jsonl",
    ]
    assert [(block.first, block.rows) for block in blocks[1:4]] == [(1, 2), (3, 2), (5, 1)]
    assert plan_blocks("data") == blocks


def test_a_changed_file_is_another_block(data: Path) -> None:
    before = plan_blocks("data/b.jsonl")[0]
    (data / "b.jsonl").write_text(ROW * 4)
    assert plan_blocks("data/b.jsonl")[0].identity != before.identity


def test_rows_of_many_files_without_ids_are_called_by_file_and_line(data: Path) -> None:
    judge_all(open_job("data", "out", plan(), {}))
    assert pq.read_table("out/b.jsonl.parquet")["id"].to_pylist() == ["b.jsonl:1", "b.jsonl:2", "b.jsonl:3"]
    judge_all(open_job("data/b.jsonl", "alone", plan(), {}))
    assert pq.read_table("alone/b.jsonl.parquet")["id"].to_pylist() == ["1", "2", "3"]


def test_identical_rows_of_a_block_are_judged_once(data: Path) -> None:
    judge_all(open_job("data/b.jsonl", "out", plan(), {}))
    assert pq.read_table("out/b.jsonl.parquet")["cached"].to_pylist() == [False, True, True]


def test_finished_blocks_are_recognised_by_their_manifest(data: Path) -> None:
    first = judge_all(open_job("data", "out", plan(), {}))
    assert open_job("data", "out", plan(), {}).known == first
    stamp = Path("out/b.jsonl.parquet").stat().st_mtime_ns
    judge_all(open_job("data", "out", plan(), {}))
    assert Path("out/b.jsonl.parquet").stat().st_mtime_ns == stamp


def test_a_folder_of_another_judge_input_or_reading_is_refused(data: Path) -> None:
    judge_all(open_job("data", "out", plan(), {}))
    with pytest.raises(UsageError, match=r"another judge \(rules, match\)"):
        open_job("data", "out", plan("embedded"), {})
    with pytest.raises(UsageError, match="another input"):
        open_job("data/b.jsonl", "out", plan(), {})
    with pytest.raises(UsageError, match="with-input True, not False"):
        open_job("data", "out", plan(), {}, with_input=False)
    (data / "b.jsonl").write_text(ROW * 4)
    with pytest.raises(UsageError, match=r"b\.jsonl has changed"):
        open_job("data", "out", plan(), {})


def test_bad_rows_that_stopped_a_run_can_be_left_out_in_its_folder(data: Path) -> None:
    """The advice works; the other way round is refused, since blocks may lack rows then."""
    (data / "deep" / "a.jsonl").write_text(ROW + "no row\n")
    with pytest.raises(UsageError, match="with --on-bad-row skip"):
        judge_all(open_job("data", "out", plan(), {}))
    opened = open_job("data", "out", plan(), {}, on_bad_row="skip")
    assert list(opened.known) == ["b.jsonl"]
    assert judge_all(opened)["deep~2Fa.jsonl"].skipped == 1
    with pytest.raises(UsageError, match="on-bad-row skip, not stop"):
        open_job("data", "out", plan(), {})


@pytest.mark.parametrize("damage", [b"", b'{"judge": ', b"\xff\xfe", b"{}"])
def test_a_damaged_card_or_manifest_is_named_with_a_remedy(data: Path, damage: bytes) -> None:
    judge_all(open_job("data", "out", plan(), {}))
    Path("out/_manifests/b.jsonl.json").write_bytes(damage)
    with pytest.raises(UsageError, match=r"out/_manifests/b\.jsonl\.json is damaged: .*; remove it"):
        open_job("data", "out", plan(), {})
    Path("out/_manifests/_run.json").write_bytes(damage)
    with pytest.raises(UsageError, match=r"out/_manifests/_run\.json is damaged: .*; restore it, or choose"):
        open_job("data", "out", plan(), {})
    with pytest.raises(UsageError, match=r"out/_manifests/_run\.json is damaged: .*; restore it, or remove"):
        VerdictFiles("out")


def test_file_is_refused_as_output_folder(data: Path) -> None:
    Path("out").write_text("")
    with pytest.raises(UsageError, match="out is a file; name a folder for the verdicts"):
        open_job("data", "out", plan(), {})
    with pytest.raises(UsageError, match="out/deep: cannot be used for verdicts: "):
        open_job("data", "out/deep", plan(), {})


def test_long_names_are_cut_and_stay_different(data: Path) -> None:
    """A name that a file system takes gives one that it takes too, with all that is put behind it."""
    for last in "12":
        (data / f"{'答' * 80}{last}.jsonl").write_text(ROW)
    opened = open_job("data", "out", plan(), {})
    assert len(judge_all(opened)) == 4
    assert max(len(block.name) for block in opened.blocks) <= 180


def test_rows_keep_their_ids_when_files_are_added(data: Path) -> None:
    """The file that was alone goes on with its lines; rows of later ones are called by file and line."""
    (data / "deep" / "a.jsonl").unlink()
    judge_all(open_job("data", "out", plan(), {}))
    (data / "c.jsonl").write_text(ROW)
    opened = open_job("data", "out", plan(), {})
    Path("out/_manifests/b.jsonl.json").unlink()
    judge_all(opened)
    assert pq.read_table("out/b.jsonl.parquet")["id"].to_pylist() == ["1", "2", "3"]
    assert pq.read_table("out/c.jsonl.parquet")["id"].to_pylist() == ["c.jsonl:1"]


def test_a_folder_with_other_things_is_refused(data: Path) -> None:
    with pytest.raises(UsageError, match="which is not a verdict file of karat"):
        open_job("data", "data", plan(), {})


@pytest.mark.parametrize("answers", ["data", "data/**/*"])
def test_verdicts_in_a_subfolder_are_not_input(data: Path, answers: str) -> None:
    """A second start, and a start into another folder, find the same blocks as the first."""
    (data / "_success").unlink()
    (data / ".hidden.jsonl").unlink()
    first = judge_all(open_job(answers, "data/out", plan(), {}))
    again = open_job(answers, "data/out", plan(), {})
    assert again.known == first
    assert names(list(again.blocks)) == ["b.jsonl", "deep~2Fa.jsonl"]
    assert names(plan_blocks(answers)) == ["b.jsonl", "deep~2Fa.jsonl"]
    assert names(plan_blocks("data/out")) == ["b.jsonl.parquet-00000", "deep~7E2Fa.jsonl.parquet-00000"]


def test_verdicts_in_the_input_folder_are_not_input(data: Path) -> None:
    (data / "b.jsonl").unlink()
    (data / "_success").unlink()
    (data / ".hidden.jsonl").unlink()
    judge_all(open_job("data", "data", plan(), {}))
    for answers in ("data", "data/**/*.*"):
        again = open_job(answers, "data/../data", plan(), {})
        assert names(list(again.blocks)) == ["deep~2Fa.jsonl"]


def test_an_id_that_stands_twice_in_a_block_is_refused_with_both_lines(data: Path) -> None:
    (data / "b.jsonl").write_text('{"id": "x", "reference": "Ada", "answer": "Ada"}\n' * 2)
    with pytest.raises(UsageError, match=r"b\.jsonl:2: id 'x' is already used in line 1"):
        judge_all(open_job("data/b.jsonl", "out", plan(), {}))


def test_empty_files_are_blocks_without_rows(data: Path) -> None:
    (data / "a.jsonl").write_text("")
    found = judge_all(open_job("data", "out", plan(), {}))
    assert found["a.jsonl"].rows == 0
    assert found["b.jsonl"].rows == 3


def test_packed_and_delimited_files_are_read_like_local_ones(data: Path) -> None:
    import gzip

    (data / "c.jsonl.gz").write_bytes(gzip.compress(ROW.encode()))
    (data / "d.csv").write_text("question,reference,answer\nWho?,Ada,Bob\n")
    found = judge_all(open_job("data", "out", plan(), {}))
    assert {name: manifest.rows for name, manifest in found.items()} == {
        "b.jsonl": 3, "c.jsonl.gz": 1, "d.csv": 1, "deep~2Fa.jsonl": 1,
    }  # fmt: skip


def test_manifests_are_read_back_as_they_were_written(data: Path) -> None:
    found = judge_all(open_job("data", "out", plan(), {}))
    assert read_manifests("out") == found


def test_a_folder_is_opened_by_the_same_card_again(data: Path) -> None:
    opened = open_job("data", "out", plan(), {})
    assert opened.known == {}
    assert structs.asdict(open_job("data", "out", plan(), {}).job) == structs.asdict(opened.job)
    assert isinstance(opened.job, Job)
    assert callable(open_folder)


def test_forecast_counts_blocks_and_rates_without_calls(data: Path) -> None:
    """Free judges are measured on the first rows; calls and cost of others are estimated; nothing is written."""
    answers = [f"Bob the builder of house {number}" for number in range(300)]
    pq.write_table(pa.table({"reference": ["Ada"] * 300, "answer": answers}), data / "c.parquet")
    opened = open_job("data/c.parquet", None, plan(), {})
    found = forecast_job(opened, Cluster(2, 8))
    assert (found.blocks, found.rows, found.counted, found.actors, found.calls.most) == (1, 300, True, 1, 0)
    assert found.rows_per_second > 0
    paid = plan_judge(build_request("http://localhost:1/v1#m", None, {"price": "1/1", "rpm": 60}), {})
    asked = forecast_job(open_job("data/c.parquet", None, paid, {}), Cluster(2, 8))
    assert (asked.calls, asked.rows_per_second) == (Range(300, 300, 1500), 1.0)
    assert asked.cost_usd is not None
    assert 0 < asked.cost_usd.least < asked.cost_usd.expected < asked.cost_usd.most
    assert sorted(path.name for path in data.parent.iterdir()) == ["data"]


def test_forecast_with_a_folder_counts_the_rest_and_writes_nothing(data: Path) -> None:
    assert open_job("data", "out", plan(), {}, look=True).known == {}
    assert not Path("out").exists()
    judge_all(open_job("data", "out", plan(), {}))
    (data / "c.jsonl").write_text(ROW)
    assert forecast_job(open_job("data", "out", plan(), {}, look=True), Cluster(1, 2)).blocks == 1
    with pytest.raises(UsageError, match="another judge"):
        open_job("data", "out", plan("embedded"), {}, look=True)


def test_a_forecast_passes_over_empty_files_and_unpacks_packed_ones(data: Path) -> None:
    import gzip

    (data / "a.jsonl").write_text("")
    (data / "b.jsonl").unlink()
    (data / "deep" / "a.jsonl").unlink()
    (data / "b.jsonl.gz").write_bytes(gzip.compress(ROW.encode() * 1_000))
    found = forecast_job(open_job("data", None, plan(), {}), Cluster(1, 2))
    assert 900 < found.rows < 1_200
    assert found.bytes_per_row > 20


@pytest.mark.parametrize(
    ("cluster", "pays", "workers", "beside"),
    [
        (Cluster(1, 2), False, 2, 2),
        (Cluster(2, 2), False, 2, 1),
        (Cluster(4, 64), True, 8, 8),
        (Cluster(2, 2), True, 2, 1),
    ],
)
def test_workers_claim_at_most_half_of_a_cluster(
    cluster: Cluster, pays: bool, workers: int, beside: int
) -> None:
    """One worker per core, or two per node where they wait; one-core nodes keep some free for other steps."""
    assert cluster.count_actors(100, pays=pays) == workers
    assert cluster.count_beside(100, pays=pays) == beside
    assert cluster.count_actors(1, pays=pays) == 1


def test_a_folder_is_graded_into_by_one_process_at_a_time(data: Path) -> None:
    opened = open_job("data", "out", plan(), {})
    with (
        claim_folder(opened.job.folder),
        pytest.raises(UsageError, match="by another process"),
        claim_folder("out"),
    ):
        pass


def test_what_another_process_judged_before_the_folder_was_claimed_is_known(data: Path) -> None:
    """Nothing is left to do, so that no cluster is looked for."""
    opened = open_job("data", "out", plan(), {})
    found = judge_all(opened)
    assert _grade_blocks(opened, "127.0.0.1:1", dedupe=False) == found


def keep(parts: Parts, outcomes: Known) -> None:
    async def add() -> None:
        for key, outcome in outcomes.items():
            parts.add(key, outcome)
        parts.flush()

    asyncio.run(add())


def test_parts_are_on_disk_within_seconds_although_nothing_more_comes(tmp_path: Path) -> None:
    async def add() -> Known:
        Parts(str(tmp_path), "block").add(b"a", Unjudged("refused", "no"))
        await asyncio.sleep(2.3)
        return Parts(str(tmp_path), "block").read(retry=False)

    assert list(asyncio.run(add())) == [b"a"]


def test_parts_return_final_outcomes(tmp_path: Path) -> None:
    """Judged rows stay; `unavailable` and `over_budget` are tried again, and every cause with a retry."""
    parts = Parts(str(tmp_path), "block")
    outcomes = {
        b"a": Verdict(True, 1.0, "llm:m", spent=Spent(1, 10, 0, 1, 0.5)),
        b"b": Unjudged("over_budget", "used up"),
        b"c": Unjudged("refused", "no"),
    }
    keep(parts, outcomes)
    assert Parts(str(tmp_path), "block").read(retry=False) == {b"a": outcomes[b"a"], b"c": outcomes[b"c"]}
    again = Parts(str(tmp_path), "block")
    assert again.read(retry=True) == {b"a": outcomes[b"a"]}
    again.clear()
    assert Parts(str(tmp_path), "block").read(retry=False) == {}


def test_last_complete_line_of_the_journal_is_used(tmp_path: Path) -> None:
    """A line that a killed process left half written is passed over, and does not spoil the next."""
    (tmp_path / "_manifests").mkdir()
    assert read_spend(str(tmp_path)) == Spend()
    Journal(str(tmp_path)).write(Spend(1.5, 0.5, 3))
    with (tmp_path / "_manifests" / "_spend.jsonl").open("ab") as stream:
        stream.write(b'{"usd": 9')
    assert read_spend(str(tmp_path)).most_usd == 2.0
    Journal(str(tmp_path)).write(Spend(2.0, 0.0, 4))
    assert read_spend(str(tmp_path)) == Spend(2.0, 0.0, 4)


def test_places_with_an_address_work_like_paths(data: Path) -> None:
    """Whatever pyarrow reaches by an address is listed, read, written and gone on with in the same way."""
    import gzip

    (data / "c d%.jsonl.gz").write_bytes(gzip.compress(ROW.encode()))
    pq.write_table(
        pa.table({"reference": ["Ada"] * 5, "answer": ["Ada"] * 5}), data / "d.parquet", row_group_size=2
    )
    here = judge_all(open_job("data", "out", plan(), {}))
    address, folder = f"file://{data}", f"file://{data.parent}/there"
    assert judge_all(open_job(address, folder, plan(), {})) == here
    assert open_job(address, folder, plan(), {}).known == here
    assert pq.read_table("there/d.parquet-00001.parquet") == pq.read_table("out/d.parquet-00001.parquet")
    Journal(folder).write(Spend(1.0, 0.0, 2))
    Journal(folder).write(Spend(2.0, 0.0, 4))
    assert read_spend(folder) == Spend(2.0, 0.0, 4)
    parts = Parts(folder, "block")
    keep(parts, {b"a": Unjudged("refused", "no")})
    assert list(Parts(folder, "block").read(retry=False)) == [b"a"]
    assert [file.name for file in find_files(f"{address}/*.parquet", ENDINGS)] == ["d.parquet"]
