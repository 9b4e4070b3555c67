"""Outcomes reported as stored are on disk: after kill -9, and with two processes at once."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from filling import begin, load, pending, row, verdict

from karat.core.flow import Completion
from karat.store import Store

HERE = str(Path(__file__).parent)
WRITE = """
import sys
sys.path.insert(0, {here!r})
from filling import begin, load, pending, row, verdict
from karat.core.flow import Completion
from karat.core.flow import Completion
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
def test_reported_outcomes_survive_kill_9(shown: int, tmp_path: Path) -> None:
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
    told = [len(process.communicate(timeout=300)[0].split()) for process in processes]
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


@pytest.mark.parametrize("checkpoint", [1_000, 3])
def test_files_contain_all_reported_outcomes_at_any_time(checkpoint: int, tmp_path: Path) -> None:
    """A power cut leaves the files as they were at the last sync, with any part of what came after it, or rubbish."""
    path, images = tmp_path / "k.db", list[tuple[set[int], list[tuple[str, bytes]]]]()
    told = set[int]()
    with Store(str(path)) as store:
        run = begin(store, load(store, [row(line) for line in range(6)]))
        cache = store.completions_of(run)
        store._database._connection.execute(f"PRAGMA wal_autocheckpoint={checkpoint}")
        assert store._database._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        for number, item in pending(store, run):
            synced = Path(f"{path}-wal").stat().st_size
            cache.keep_completion(item.answer.encode(), Completion(item.answer))
            kept = store.keep_outcomes(run, [(number, verdict())])
            # In the middle of a transaction, after the other writes of it.
            store._database.write(lambda _: images.append((set(told), copy_files(path)))).result()
            kept.result()
            told.add(number)
            images.append((set(told), copy_files(path)))
            name, wal = copy_files(path)[1]
            if len(wal) > synced:  # SQLite has not begun the journal anew meanwhile
                for cut in (synced + 1, (synced + len(wal)) // 2, len(wal) - 1):
                    torn = [(name, wal[:cut]), (name, wal[:cut] + b"\xa5" * (len(wal) - cut))]
                    images.extend((told - {number}, [copy_files(path)[0], journal]) for journal in torn)
    for place, (promised, files) in enumerate(images):
        check_image(tmp_path / str(place), promised, files)


def copy_files(path: Path) -> list[tuple[str, bytes]]:
    return [(f"k.db{ending}", Path(f"{path}{ending}").read_bytes()) for ending in ("", "-wal")]


def check_image(folder: Path, promised: set[int], files: list[tuple[str, bytes]]) -> None:
    """What was promised is there, with the completion that it follows from, and the rest is still to be done."""
    folder.mkdir()
    for name, content in files:
        (folder / name).write_bytes(content)
    with Store(str(folder / "k.db")) as store:
        run = store.find_run()
        kept = {graded.position + 1 for graded in store.graded(run) if graded.outcome is not None}
        assert promised <= kept
        assert {number for number, _ in pending(store, run)} == set(range(1, 7)) - kept
        cache = store.completions_of(run)
        assert all(cache.find_completion(f"a{number - 1}".encode()) for number in kept)
    with closing(sqlite3.connect(folder / "k.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
