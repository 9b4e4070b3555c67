"""Safety of runs: nothing is paid twice, and a dead endpoint stops the run."""

import json
import subprocess
import sys
import time
from pathlib import Path

from command import Command

from oracle import answer_match
from provider import Call, Provider, Reply

ROWS = [{"question": f"q{n}?", "reference": f"thing {n}", "answer": f"stuff {n}"} for n in range(60)]


def write_rows(folder: Path, count: int = len(ROWS)) -> str:
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS[:count]), encoding="utf-8")
    return "a.jsonl"


def test_two_processes_do_not_grade_the_same_run_at_once(karat: Command, folder: Path) -> None:
    def slow(call: Call) -> Reply:
        return Reply(answer_match(lambda _: True)(call), delay=0.3)

    with Provider(slow) as provider:
        arguments = ["grade", write_rows(folder), "--judge", f"{provider.base_url}#m", "--concurrency", "4"]
        program = "from karat.cli import main; main()"
        first = subprocess.Popen(
            [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        with first:
            while len(provider.calls) < 3:
                time.sleep(0.01)
            assert "another process" in karat.refused(2, *arguments)
            first.communicate(timeout=300)
        assert first.returncode == 0
        assert len(provider.calls) == len(ROWS)
    assert karat(*arguments).code == 0


def test_endpoint_that_refuses_the_first_request_stops_the_run(karat: Command, folder: Path) -> None:
    with Provider(lambda _: Reply(status=400, error={"message": "model m does not exist"})) as provider:
        line = karat.refused(3, "grade", write_rows(folder), "--judge", f"{provider.base_url}#m")
        assert "model m does not exist" in line
        assert len(provider.calls) == 1


def test_a_dry_run_needs_no_key_and_leaves_no_run(karat: Command, folder: Path) -> None:
    answers = write_rows(folder)
    ended = karat("grade", answers, "--judge", "openai:gpt-5-mini", "--dry-run")
    assert ended.code == 0
    assert ["calls", "60", "60", "300"] in [line.split() for line in ended.out.splitlines()]
    assert "there are none yet" in karat.refused(2, "export", "-o", "x.jsonl")


def test_rows_left_out_are_named_by_line(karat: Command, folder: Path) -> None:
    rows = [ROWS[0], ROWS[1] | {"reference": None}, ROWS[2] | {"answer": None}]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ended = karat("grade", "a.jsonl", "--on-bad-row", "skip", "--json")
    assert "a.jsonl:2: no reference; skipped" in ended.err
    assert "a.jsonl:3: " in ended.err
    assert json.loads(ended.out)["skipped"] == 2


def test_a_price_given_later_prices_the_calls_made_before(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        command = ("grade", write_rows(folder, 5), "--judge", f"{provider.base_url}#m")
        assert "cost unknown" in karat(*command).out
        assert "$0.0" in karat(*command, "--price", "1/1").out


def test_reason_and_remedy_of_unjudged_rows_are_shown(karat: Command, folder: Path) -> None:
    with Provider(lambda _: "I wonder") as provider:
        ended = karat("grade", write_rows(folder, 2), "--judge", f"{provider.base_url}#m", "--attempts", "1")
    assert "I wonder" in ended.out
    assert "--retry-unjudged" in ended.err


def test_runs_are_listed_as_json_too(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, 3))
    (line,) = karat("runs", "--json").out.splitlines()
    assert json.loads(line)["run"] == 1


def test_a_narrow_terminal_still_shows_the_number_of_a_run(karat: Command, folder: Path) -> None:
    from rich.console import Console

    from karat.report.terminal.tables import list_table

    table = list_table(
        ("run", "judged", "judge"), [("17", "1,234 of 5,678", "http://localhost:8000/v1#a-long-name")]
    )
    console = Console(width=40, record=True, file=(folder / "out.txt").open("w"))
    console.print(table)
    console.file.close()
    text = console.export_text()
    assert "17" in text
    assert "1,234 of 5,678" in text
    assert "long-name" in text.replace("\n", "").replace(" ", "")
