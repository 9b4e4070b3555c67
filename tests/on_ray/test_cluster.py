"""Grading on a real cluster of two nodes: the same verdicts as locally, despite lost nodes, within one budget."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec import structs

from docs import blocks, run_block, run_commands
from karat.cli import main
from karat.judges import Plan, plan_judge
from karat.judges.build import Request
from karat.models import Patience
from karat.ray.shared_budget import read_spend
from provider import Call, Provider, Reply

pytestmark = pytest.mark.filterwarnings("ignore")

START = "from karat.cli import main; main()"
NAMES = ("Ada Lovelace", "Marie Curie", "Alan Turing", "Grace Hopper", "Emmy Noether")


def mixed_rows(count: int) -> Iterator[dict[str, Any]]:
    """Equal, wrong, empty, evasive and reworded answers, several references, and repeats of the row before."""
    for number in range(count):
        at = number - 1 if number % 10 == 9 else number
        name, other = NAMES[at % 5], NAMES[(at + 1 + at % 3) % 5]
        answers = (
            name,
            f"I think it was {name}.",
            "",
            "I do not know.",
            other,
            f"{name} or {other}",
            name.upper(),
        )
        yield {
            "id": f"r{number}",
            "question": f"Who opened hall {at}?",
            "references": [name, f"{name} (hall {at})"],
            "answer": answers[at % 7],
            "system": f"s{at % 2}",
        }


def open_rows(numbers: range) -> Iterator[dict[str, Any]]:
    """Rows that no rule is sure about, so that a model has to be asked."""
    for number in numbers:
        yield {
            "id": f"r{number}",
            "question": f"What do you see in picture {number}?",
            "reference": f"a boat with {number} red sails",
            "answer": f"something that floats past buoy {number * 7 + 1}",
        }


def write_lines(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def say_yes(_: Call) -> str:
    return '{"Answer 1": "Yes"}'


def karat(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


def read_verdicts(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted(folder.glob("*.parquet")) for row in pq.read_table(file).to_pylist()]


def manifests(folder: Path) -> list[Path]:
    return [file for file in (folder / "_manifests").glob("*.json") if not file.name.startswith("_")]


def wait_for(there: Callable[[], bool], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KARAT_STORE", raising=False)
    (tmp_path / "data").mkdir()
    return tmp_path


def test_same_verdicts_as_the_local_run(cluster: Any, place: Path) -> None:
    """Every field of 600 mixed rows is what the local run writes, whichever actor judged its row group."""
    pq.write_table(pa.Table.from_pylist(list(mixed_rows(600))), "data/rows.parquet", row_group_size=60)
    assert karat("grade", "data/rows.parquet", "-o", "local.parquet") == 0
    assert karat("grade", "data/rows.parquet", "--on", "ray", "-o", "verdicts") == 0
    assert len(manifests(place / "verdicts")) == 10
    assert read_verdicts(place / "verdicts") == pq.read_table("local.parquet").to_pylist()


def test_a_share_below_its_limit_fails(cluster: Any, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seven of ten answers are right, two wrong, and one the rules leave open; it counts as wrong."""
    answers = ["1912"] * 7 + [""] * 2 + ["rather long ago, they say"]
    rows = ({"question": f"When {at}?", "reference": "1912", "answer": one} for at, one in enumerate(answers))
    write_lines(place / "data" / "a.jsonl", rows)
    command = ("grade", "data", "--on", "ray", "--judge", "rules", "-o", "verdicts", "--fail-under")
    assert karat(*command, "0.7") == 0
    capsys.readouterr()
    assert karat(*command, "0.75", "--json") == 1
    streams = capsys.readouterr()
    (gate,) = json.loads(streams.out)["gates"]
    assert (gate["name"], gate["value"], gate["passed"]) == ("--fail-under", 0.7, False)
    assert "karat: --fail-under 0.75 missed by 5.0 points: 70.0 % correct" in streams.err


def hold_after(count: int, event: threading.Event) -> Callable[[Call], Reply]:
    """Answer so many calls at once, and the others only after the event."""
    return lambda call: Reply('{"Answer 1": "Yes"}', until=None if call.index < count else event)


@pytest.mark.slow
def test_verdicts_survive_a_lost_node(cluster: Any, place: Path) -> None:
    """A node that is killed in the middle costs nothing but time: every row is there once."""
    for number in range(8):
        write_lines(place / "data" / f"{number}.jsonl", open_rows(range(number * 3, number * 3 + 3)))
    lost = threading.Event()
    # Blocks of three rows, at most four at a time: with nine answers one of them is done.
    with Provider(hold_after(9, lost)) as provider, ThreadPoolExecutor(1) as pool:
        losing = pool.submit(lose_a_node, cluster, place / "verdicts", lost)
        try:
            code = karat(*grade_with(provider))
        finally:
            losing.result()
            cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
    assert code == 0
    assert sorted(row["id"] for row in read_verdicts(place / "verdicts")) == sorted(
        f"r{n}" for n in range(24)
    )


def lose_a_node(cluster: Any, folder: Path, lost: threading.Event) -> None:
    """Kill the second node while some blocks are done and the others wait for answers."""
    try:
        wait_for(lambda: len(manifests(folder)) >= 1)
        (node,) = cluster.worker_nodes
        cluster.remove_node(node, allow_graceful=False)
    finally:
        lost.set()


@pytest.mark.slow
def test_second_start_resumes_after_a_killed_driver(cluster: Any, place: Path) -> None:
    """Finished blocks are not touched again, each row is there once, and only calls under way are paid for twice."""
    for number in range(8):
        write_lines(place / "data" / f"{number}.jsonl", open_rows(range(number * 5, number * 5 + 5)))
    killed = threading.Event()
    # Blocks of five rows, at most four at a time: with 17 answers one of them is done.
    with Provider(hold_after(17, killed)) as provider:
        command = grade_with(provider, "--concurrency", "4")
        driver = subprocess.Popen(
            [sys.executable, "-c", START, *command, "--address", cluster.address],
            env={**os.environ, "KARAT_API_KEY": ""},
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_for(lambda: len(manifests(place / "verdicts")) >= 1)
        finally:
            driver.kill()
            driver.wait()
            killed.set()
        wait_for(lambda: is_still(provider))
        before = {file.name: file.stat().st_mtime_ns for file in manifests(place / "verdicts")}
        assert 1 <= len(before) < 8
        assert karat(*command) == 0
        calls = len(provider.calls)
    after = {file.name: file.stat().st_mtime_ns for file in manifests(place / "verdicts")}
    assert len(after) == 8
    assert {name: after[name] for name in before} == before
    assert sorted(row["id"] for row in read_verdicts(place / "verdicts")) == sorted(
        f"r{n}" for n in range(40)
    )
    assert calls <= 40 + 4 * 5  # of four actors, what stood in no part file yet
    # Who dies between its manifest and the removal of its parts leaves them behind, and nobody reads them.
    left = {file.parent.name for file in (place / "verdicts" / "_parts").rglob("*.json")}
    assert left <= {name.removesuffix(".json") for name in before}


def grade_with(provider: Provider, *options: str) -> list[str]:
    """The command that grades the rows of data with this provider's model."""
    judge = f"{provider.base_url}#m"
    return ["grade", "data", "--on", "ray", "--judge", judge, "-o", "verdicts", *options]


def is_still(provider: Provider) -> bool:
    """Whether the actors of a killed driver have stopped calling."""
    calls = len(provider.calls)
    time.sleep(1)
    return len(provider.calls) == calls


@pytest.mark.slow
def test_budget_holds_across_actors(cluster: Any, place: Path) -> None:
    """All actors together stay below the ceiling; a larger one pays for the rest, and for no row twice."""
    for number in range(8):
        write_lines(place / "data" / f"{number}.jsonl", open_rows(range(number * 15, number * 15 + 15)))
    with Provider(say_yes) as provider:
        command = grade_with(provider, "--price", "1/1", "--max-tokens", "64")
        assert karat(*command, "--budget", "0.06") == 4
        spent = sum(row["cost_usd"] for row in read_verdicts(place / "verdicts"))
        assert 0.03 < spent <= 0.06
        assert 0 < len(provider.calls) < 120
        assert read_spend(str(place / "verdicts")).usd == pytest.approx(spent)
        assert karat(*command, "--budget", "1") == 0
        assert len(provider.calls) == 120
    rows = read_verdicts(place / "verdicts")
    assert {row["status"] for row in rows} == {"judged"}
    assert read_spend(str(place / "verdicts")).usd == pytest.approx(sum(row["cost_usd"] for row in rows))


def test_dedupe_judges_identical_rows_of_all_blocks_once(cluster: Any, place: Path) -> None:
    """With --dedupe one call is made for all rows that are alike, and one row tells its cost."""
    for number in range(3):
        write_lines(place / "data" / f"{number}.jsonl", open_rows(range(20)))
    with Provider(say_yes) as provider:
        judge = f"{provider.base_url}#m"
        assert karat("grade", "data", "--on", "ray", "--judge", judge, "-o", "verdicts", "--dedupe") == 0
        assert len(provider.calls) == 20
    rows = read_verdicts(place / "verdicts")
    assert len(rows) == 60
    assert [row["cached"] for row in rows] == [False] * 20 + [True] * 40
    assert sum(row["calls"] for row in rows) == 20


@pytest.mark.slow
def test_dedupe_pays_once_for_blocks_that_end_with_unavailable_rows(
    cluster: Any, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of which a row found nobody there is not judged a second time beside its buckets; empty ones are done."""
    write_lines(place / "data" / "a.jsonl", open_rows(range(6)))
    write_lines(place / "data" / "b.jsonl", open_rows(range(6, 12)))
    (place / "data" / "c.jsonl").write_text("")

    def fail_at_the_third(call: Call) -> Reply:
        return Reply("", status=500) if "picture 3?" in call.prompt else Reply('{"Answer 1": "Yes"}')

    def plan_hastily(request: Request, *given: Any, **named: Any) -> Plan:
        return plan_judge(structs.replace(request, patience=Patience(attempts=2, wait=0.01)), *given, **named)

    monkeypatch.setattr("karat.cli.commands.grade.plan_judge", plan_hastily)
    with Provider(fail_at_the_third) as provider:
        command = grade_with(provider)
        command += ["--dedupe", "--attempts", "1"]
        karat(*command)
        assert sum("picture 3?" not in call.prompt for call in provider.calls) == 11
    assert len(manifests(place / "verdicts")) == 3
    assert sum(row["calls"] for row in read_verdicts(place / "verdicts")) == 11


def test_bad_rows_stop_before_any_call(cluster: Any, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A bad row in the last file is told by file and line, and nobody was asked."""
    write_lines(place / "data" / "a.jsonl", open_rows(range(5)))
    (place / "data" / "b.jsonl").write_text('{"reference": "a"}\n')
    with Provider(say_yes) as provider:
        command = grade_with(provider)
        assert karat(*command) == 2
        assert "b.jsonl:1: no answer (missing)" in capfd.readouterr().err
        assert not provider.calls
        assert (
            karat("grade", "data", "--on", "ray", "--judge", "rules", "-o", "skipped", "--on-bad-row", "skip")
            == 0
        )
    assert len(read_verdicts(place / "skipped")) == 5


def test_dataset_of_a_pipeline_is_graded(cluster: Any) -> None:
    """karat.ray.grade adds the fixed fields before the columns that the rows came with."""
    import ray

    import karat.ray

    rows = [
        {"q": f"Hall {n}?", "reference": "Ada", "answer": "Ada" if n % 2 else "", "reason": "r"}
        for n in range(10)
    ]
    graded = karat.ray.grade(ray.data.from_items(rows), judge="rules", columns={"question": "q"}).take_all()
    assert Counter(row["value"] for row in graded) == {True: 5, False: 5}
    assert list(graded[0])[-4:] == ["q", "reference", "answer", "input_reason"]


def test_example_grades_the_output_of_a_pipeline(cluster: Any, place: Path) -> None:
    """examples/ray_pipeline.py asks a model and grades what it says."""
    example = Path(__file__).parents[2] / "examples" / "ray_pipeline.py"
    with Provider(lambda _: "Paris") as provider:
        done = subprocess.run(
            [sys.executable, example, "--endpoint", provider.base_url, "--address", cluster.address],
            env=dict(os.environ), capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "correct" in done.stdout


@pytest.mark.parametrize("text", blocks("console", on_ray=True))
def test_every_command_about_ray_in_the_docs_works(text: str, cluster: Any, docs_place: Provider) -> None:
    run_commands(text, docs_place)


@pytest.mark.parametrize("text", blocks("python", on_ray=True))
def test_every_python_block_about_ray_in_the_docs_runs(text: str, cluster: Any, docs_place: Provider) -> None:
    run_block(text, docs_place)
