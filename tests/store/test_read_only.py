"""A store in a read-only folder can be read; if that is impossible, one line gives the remedy."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from filling import begin, load, pending, row, verdict
from make_released import RELEASED

from absence import absent
from karat.core.errors import UsageError
from karat.store import Store, opening

COPY = "copy it to a writable folder, and name the copy with --store"
RUN = """
import json, sys
from karat.cli.app import run
for command in json.loads(sys.argv[1]):
    sys.stderr.write(f"exit {run(command)}\\n")
"""
# The folder is mounted read-only for this process and its children alone.
MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" || exit 99; exec "$@"'
UNMOUNTABLE = 99
OTHER_USER = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]  # only the superuser may mount


def run_mounted(folder: Path, *commands: list[str]) -> list[str]:
    """Run karat with a folder mounted read-only: what it complains of, and its exit codes."""
    karat = [sys.executable, "-c", RUN, json.dumps(commands)]
    try:
        ended = subprocess.run(
            ["unshare", *OTHER_USER, "--mount", "sh", "-c", MOUNT, str(folder), *karat],
            capture_output=True, text=True, check=False, timeout=300, cwd=folder.parent,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
    except FileNotFoundError:
        absent("read-only mount", "mount", "there is no unshare")
    if ended.returncode == UNMOUNTABLE or ended.stderr.startswith("unshare"):
        absent("read-only mount", "mount", ended.stderr.strip())
    return ended.stderr.splitlines()


def forbid_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the store find that it may not write; to the superuser the system does not say so by itself."""
    monkeypatch.setattr(opening.os, "access", lambda *_: False)


def restore(path: Path) -> None:
    """A store as version 0.1.0 made it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((RELEASED / "0.1.0.sql").read_text())


def fill(path: Path) -> None:
    with Store(str(path)) as store:
        run = begin(store, load(store, [row(number) for number in range(3)]))
        for number, _ in pending(store, run)[:2]:
            store.keep_outcomes(run, [(number, verdict())]).result()


def copy(path: Path, target: Path, endings: Sequence[str]) -> Path:
    """The files of a store that is in use, as a copy or a crash leaves them."""
    target.mkdir()
    for ending in endings:
        (target / f"k.db{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    return target / "k.db"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_commands_that_read_work_on_a_read_only_mount(tmp_path: Path) -> None:
    path = tmp_path / "held" / "k.db"
    path.parent.mkdir()
    restore(path)
    Store(str(path)).__exit__()
    reading = [
        ["runs", "--json"], ["export", "1", "-o", "v.jsonl"], ["report", "1", "--json"], ["agree", "1"],
        ["compare", "1", "4"], ["labels", "list", "1"], ["labels", "need", "1", "--width", "0.1"],
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_text('{"question": "q", "reference": "r", "answer": "a"}\n')
    (tmp_path / "labels.csv").write_text("id,label\nr1,No\n")
    writing = [["grade", "a.jsonl", "--judge", "rules"], ["labels", "add", "1", "labels.csv"]]
    said = run_mounted(path.parent, *([*command, "--store", "held/k.db"] for command in (*reading, *writing)))
    assert [line for line in said if line.startswith("exit")] == ["exit 0"] * 7 + ["exit 2"] * 2
    refusals = [line for line in said if "read-only" in line]
    assert refusals == [f"karat: the store held/k.db is in a read-only folder; {COPY}"] * 2
    assert (tmp_path / "v.jsonl").read_text().count("\n") == 13


def test_read_only_store_is_read_without_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "k.db")
    before = files(tmp_path)
    forbid_writing(monkeypatch)
    with Store(str(tmp_path / "k.db")) as store:
        run = store.find_run()
        assert [graded.outcome is None for graded in store.graded(run)] == [False, False, True]
        assert files(tmp_path) == before
        with pytest.raises(UsageError, match=COPY):
            store.finish_run(run)
        with pytest.raises(UsageError, match=COPY):
            store.keep_outcomes(run, [(3, verdict())]).result(timeout=300)
    assert files(tmp_path) == before


def test_verdicts_that_are_in_the_journal_only_are_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process has the store open, so that SQLite finds what it needs beside it."""
    path = tmp_path / "k.db"
    with Store(str(path)) as other:
        run = begin(other, load(other, [row(1), row(2)]))
        other.keep_outcomes(run, [(1, verdict())]).result()
        assert Path(f"{path}-wal").stat().st_size
        forbid_writing(monkeypatch)
        with Store(str(path)) as store:
            assert len(pending(store, store.find_run())) == 1


def test_unreadable_journal_is_reported(tmp_path: Path) -> None:
    """Reading only the main file would silently miss verdicts."""
    path = tmp_path / "k.db"
    with Store(str(path)) as other:
        run = begin(other, load(other, [row(1), row(2)]))
        other.keep_outcomes(run, [(1, verdict())]).result()
        copied = copy(path, tmp_path / "held", ("", "-wal"))
    complaint, code = run_mounted(copied.parent, ["runs", "--store", "held/k.db"])
    assert code == "exit 2"
    assert complaint == (
        "karat: cannot open the store held/k.db: its latest verdicts are in held/k.db-wal, which SQLite cannot read in a"
        " read-only folder; copy both files to a writable folder, and name the copy with --store"
    )


def test_older_read_only_store_suggests_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.db"
    restore(path)
    before = files(tmp_path)
    with monkeypatch.context() as patch:
        forbid_writing(patch)
        with pytest.raises(UsageError) as caught:
            Store(str(path))
    assert str(caught.value) == (
        f"the store {path} was written by an older version of karat and cannot be upgraded in a read-only folder; {COPY}"
    )
    assert files(tmp_path) == before
    with Store(str(path)) as store:
        assert len(store.runs()) == 7
