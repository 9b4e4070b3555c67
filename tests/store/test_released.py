"""Stores of released versions: the current version reads everything in them, and pays for nothing again."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from make_released import LLM, RELEASED, describe, run_karat, write_rows

from karat.store import Store

DUMPS = sorted(RELEASED.glob("*.sql"), key=lambda path: path.stem)


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def released(request: pytest.FixtureRequest) -> Path:
    """The dump of a store."""
    return request.param


@pytest.fixture
def folder(released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with that store and the file that it is about."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KARAT_STORE", raising=False)
    (tmp_path / ".karat").mkdir()
    restore(released, tmp_path / ".karat/karat.db")
    write_rows(tmp_path)
    return tmp_path


def restore(dump: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text())


def contents(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables, by the names of their columns."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]  # noqa: S608 - karat's own
            for table in tables
        }


def test_every_row_of_every_table_is_kept(folder: Path, released: Path) -> None:
    before = contents(folder / ".karat/karat.db")
    assert all(before[table] for table in ("outcomes", "completions", "labels", "planned", "waves", "losses"))
    with Store(".karat/karat.db") as store:
        assert len(store.runs()) == len(before["runs"])
    after = contents(folder / ".karat/karat.db")
    for table, rows in before.items():
        left = [{name: row[name] for name in rows[0]} for row in after[table]] if rows else []
        assert [row for row in rows if row not in left] == [], table


def test_commands_print_the_same_as_when_released(folder: Path, released: Path) -> None:
    """Later versions may add fields; those that were there have the same contents."""
    then, now = json.loads(released.with_suffix(".json").read_text()), describe(folder)
    assert now["verdicts"].keys() == then["verdicts"].keys()
    for run, records in then["verdicts"].items():
        assert [
            keep(found, record) for found, record in zip(now["verdicts"][run], records, strict=True)
        ] == records
    assert [keep(found, record) for found, record in zip(now["labels"], then["labels"], strict=True)] == then[
        "labels"
    ]


def keep(found: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in record}


def test_nothing_is_paid_for_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No server listens at the address of the judges: a call would leave a row unavailable, or a loss.

    A panel with the member `rules` is another judge once the rules have changed, so it is left out.
    """
    Store(".karat/karat.db").__exit__()  # takes the steps that this version has added
    before = contents(folder / ".karat/karat.db")
    for arguments in LLM:
        if not any(word.endswith(",rules") for word in arguments):
            assert run_karat(["grade", *arguments]) < 2, capsys.readouterr()
    after = contents(folder / ".karat/karat.db")
    for table in ("completions", "losses", "provider_batches", "outcomes", "items"):
        assert after[table] == before[table]


def test_unfinished_provider_batch_is_recognised(folder: Path) -> None:
    with Store(".karat/karat.db") as store:
        out = {run.judge: store.batches_of(run).unfinished() for run in store.runs()}
    ((judge, entries),) = [(judge, entries) for judge, entries in out.items() if entries]
    assert judge.endswith("#m-stuck")
    assert [entry.provider_id for entry in entries] == ["batch_0"]
    assert len(entries[0].keys) == 9  # of eleven items a rule decides one, and one call goes ahead
