"""A killed or interrupted command resumes where it stopped."""

import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from running import write_rows

from provider import Apart, apart

ROWS, SIZE = 400, 4
# Started in the background, a shell has its children ignore interrupts; a user at a terminal does not.
MAIN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from karat.cli import main; main()"


def start(path: Path, provider: Apart, store: Path, out: Path) -> "subprocess.Popen[str]":
    judge = f"{provider.base_url}#m"
    options = ["--items-per-prompt", str(SIZE), "--concurrency", "4", "--store", str(store), "-o", str(out)]
    command = [sys.executable, "-c", MAIN, "grade", str(path), "--judge", judge, *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KARAT")}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def finish(process: "subprocess.Popen[str]") -> tuple[int, str]:
    with process:
        _, error = process.communicate(timeout=240)
        return process.returncode, error


def read_out(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text().splitlines()]


def committed(store: Path) -> int:
    """How many outcomes are in the file."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store)) as connection:
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'outcomes'").fetchone()
        return connection.execute("SELECT COUNT(*) FROM outcomes").fetchone()[0] if there else 0


def wait_for_calls(provider: Apart, process: "subprocess.Popen[str]", count: int) -> None:
    while provider.count() < count:
        assert process.poll() is None, "the run was over before it could be stopped"
        time.sleep(0.005)


@pytest.mark.parametrize(("kills", "rows"), [(3, 400), pytest.param(20, 1600, marks=pytest.mark.slow)])
def test_kill_9_loses_nothing_and_repeats_only_calls_in_flight(kills: int, rows: int, tmp_path: Path) -> None:
    """Rows, order and values are those of an undisturbed run; only calls without a stored outcome are repeated."""
    path = write_rows(tmp_path / "answers.jsonl", range(rows))
    whole = math.ceil(rows / SIZE)
    with apart("length", delay=0.02) as provider:
        code, error = finish(start(path, provider, tmp_path / "calm.db", tmp_path / "calm.jsonl"))
        assert code == 0, error
        assert provider.count() == whole
    with apart("length", delay=0.02) as provider:
        store, out = tmp_path / "killed.db", tmp_path / "killed.jsonl"
        before = 0
        for _ in range(kills):
            process = start(path, provider, store, out)
            with process:
                wait_for_calls(provider, process, before + random.randint(1, whole // (kills + 1)))
                process.kill()
            before = provider.count()
            assert committed(store) <= before * SIZE
            assert not out.exists()
        code, error = finish(start(path, provider, store, out))
        assert code == 0, error
        assert provider.count() <= whole + 4 * kills
    calm, killed = read_out(tmp_path / "calm.jsonl"), read_out(out)
    assert [row["id"] for row in killed] == [f"r{number}" for number in range(rows)]
    for field in ("id", "status", "value", "score", "decided_by", "cause"):
        assert [row[field] for row in killed] == [row[field] for row in calm]


@pytest.mark.parametrize("calls", [0, 20])
def test_interrupt_is_one_line_and_the_run_can_be_resumed(calls: int, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "answers.jsonl", range(ROWS))
    with apart("length", delay=0.03) as provider:
        store, out = tmp_path / "k.db", tmp_path / "out.jsonl"
        process = start(path, provider, store, out)
        wait_for_calls(provider, process, max(1, calls))
        process.send_signal(signal.SIGINT)
        code, error = finish(process)
        assert code == 130
        assert len([line for line in error.splitlines() if "interrupted" in line]) == 1
        assert "Traceback" not in error
        assert not out.exists()
        assert committed(store) >= SIZE * (calls - 4)
        code, error = finish(start(path, provider, store, out))
        assert code == 0, error
        assert provider.count() <= math.ceil(ROWS / SIZE) + 4
    assert [row["id"] for row in read_out(out)] == [f"r{number}" for number in range(ROWS)]
