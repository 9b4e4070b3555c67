"""What is promised to be on disk is there: after kill -9, and with two processes at once."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from filling import begin, load, pending, row

from karat.store import Store

HERE = str(Path(__file__).parent)
WRITE = """
import sys
sys.path.insert(0, {here!r})
from filling import begin, load, pending, row, verdict
from karat.core.exchange import Completion
from karat.store import Store
with Store({path!r}) as store:
    run = begin(store, load(store, [row(line) for line in range({start}, {end})], {key!r}), {key!r})
    cache = store.completions_of(run)
    futures = []
    for number, item in pending(store, run):
        cache.keep_completion(item.answer.encode(), Completion(item.answer))
        futures.append((number, store.keep_outcomes(run, [(number, verdict())])))
    for number, future in futures:
        future.result()
        print(number, flush=True)
    {last}
"""


def start(path: Path, first: int, end: int, last: str = "pass") -> "subprocess.Popen[str]":
    code = WRITE.format(here=HERE, path=str(path), start=first, end=end, key=f"k{first}", last=last)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("shown", [1, 40, 700])
def test_what_was_told_to_be_kept_survives_kill_9(shown: int, tmp_path: Path) -> None:
    """Every outcome whose future was done is in the file, and so is the completion that it follows from."""
    path = tmp_path / "k.db"
    with start(path, 0, 700, "sys.stdin.read()") as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(shown)]
        process.send_signal(signal.SIGKILL)
    with closing(sqlite3.connect(path)) as connection:
        kept = {number for (number,) in connection.execute("SELECT item FROM outcomes")}
        said = {text for (text,) in connection.execute("SELECT text FROM completions")}
        answers = {text for (text,) in connection.execute(
            "SELECT i.answer FROM outcomes o JOIN items i ON i.id = o.item"
        )}  # fmt: skip
    assert set(told) <= kept
    assert answers <= said
    with Store(str(path)) as store:
        assert len(pending(store, store.find_run())) == 700 - len(kept)


def test_two_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "k.db"
    processes = [start(path, first, first + 600) for first in (0, 10_000)]
    told = [len(process.communicate(timeout=60)[0].split()) for process in processes]
    assert told == [600, 600]
    with Store(str(path)) as store:
        assert [len(pending(store, run)) for run in store.runs()] == [0, 0]
        assert [store.spent(run).calls for run in store.runs()] == [600, 600]


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    """While another process holds the lock for writing, what was committed can be read."""
    path = str(tmp_path / "k.db")
    with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        run = begin(store, load(store, [row(1)]))
        other.execute("BEGIN IMMEDIATE")
        assert len(pending(store, run)) == 1
        other.execute("ROLLBACK")
