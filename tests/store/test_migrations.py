"""The schema of the database and its migrations."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest
from filling import begin, load, pending, row

from karat.core.errors import KaratError, SetupError, UsageError
from karat.store import Store, migrations


def steps(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone():
            return []
        return [name for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name")]


def shape(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]


def test_every_migration_runs_in_an_empty_database(tmp_path: Path) -> None:
    """The folder is made where it is missing, and opening again changes nothing."""
    path = tmp_path / "new" / "k.db"
    Store(str(path)).__exit__()
    before = shape(path)
    Store(str(path)).__exit__()
    assert steps(path) == [name for name, _ in migrations.MIGRATIONS]
    assert shape(path) == before


def test_step_names_are_numbered_and_different() -> None:
    names = [name for name, _ in migrations.MIGRATIONS]
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


@pytest.mark.parametrize("taken", range(len(migrations.MIGRATIONS)))
def test_older_database_is_migrated(taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From every earlier version the steps that are missing are taken, and what is inside stays."""
    path = tmp_path / "k.db"
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:taken])
        Store(str(path)).__exit__()
    assert len(steps(path)) == taken
    Store(str(path)).__exit__()
    assert len(steps(path)) == len(migrations.MIGRATIONS)


def test_later_migration_keeps_existing_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "k.db")
    with Store(path) as store:
        run = begin(store, load(store, [row(1), row(2)]))
    later = (*migrations.MIGRATIONS, ("9999_later", "ALTER TABLE runs ADD COLUMN note TEXT"))
    monkeypatch.setattr(migrations, "MIGRATIONS", later)
    with Store(path) as store:
        assert len(pending(store, run)) == 2
    assert steps(Path(path))[-1] == "9999_later"


def test_labels_of_an_older_store_stay_in_use_in_all_files_that_hold_their_items(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before there were uses, a label counted in every file with its item. What is loaded later gets none of them."""
    path = str(tmp_path / "k.db")
    before = [step for step in migrations.MIGRATIONS if step[0] < "0007"]
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", tuple(before))
        with Store(path) as store:
            datasets = [
                load(store, [row(1), row(2)], "a"), load(store, [row(5, 2), row(6, 9), row(7, 2)], "b"),
                load(store, [row(1, 8)], "c"),
            ]  # fmt: skip
            runs = [begin(store, dataset) for dataset in datasets]
    with closing(sqlite3.connect(path)) as connection, connection:
        for item, value, replaced in ((1, 1.0, None), (2, 0.0, 5.0), (2, 1.0, None)):
            values = (item, "anna", value, "yes/no", "l.csv:2", 4.0, replaced)
            connection.execute("INSERT INTO labels VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", values)
    with Store(path) as store:
        used = [[[one.value for one in mark.labels] for mark in store.scored_rows(run)] for run in runs]
        assert used == [[[1.0], [1.0]], [[1.0], [], [1.0]], [[]]]
        assert [len(store.labels_of(dataset).history()) for dataset in datasets] == [3, 2, 0]
        assert all(mark.known_from == () for run in runs for mark in store.scored_rows(run))
        later = begin(store, load(store, [row(1), row(2)], "d"))
        assert [mark.labels for mark in store.scored_rows(later)] == [(), ()]
    assert steps(Path(path)) == [name for name, _ in migrations.MIGRATIONS]


def test_failed_migration_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.db"
    Store(str(path)).__exit__()
    before = shape(path)
    broken = (*migrations.MIGRATIONS, ("9999_broken", "CREATE TABLE half (a); CREATE TABLE half (a)"))
    monkeypatch.setattr(migrations, "MIGRATIONS", broken)
    with pytest.raises(UsageError, match="already exists"):
        Store(str(path))
    assert shape(path) == before


def test_a_newer_database_is_refused_untouched(tmp_path: Path) -> None:
    """Also one in which an old step is missing: nothing is added to it."""
    path = tmp_path / "k.db"
    Store(str(path)).__exit__()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM migrations WHERE name > '0001_foundation'")
        connection.execute("UPDATE migrations SET name = '9999_future'")
    before = shape(path)
    with pytest.raises(SetupError, match="newer version of karat") as caught:
        Store(str(path))
    assert "\n" not in str(caught.value)
    assert shape(path) == before
    assert steps(path) == ["9999_future"]


def test_paths_that_are_not_stores_are_one_line(tmp_path: Path) -> None:
    """A text file, a folder, a path below a file, and a place where nobody may write."""
    text = tmp_path / "notes.txt"
    text.write_text("not a database, " * 100)
    for place in (text, tmp_path, text / "k.db", Path("/proc/karat/k.db")):
        with pytest.raises(KaratError, match="cannot open the store") as caught:
            Store(str(place))
        assert isinstance(caught.value, UsageError)
        assert "\n" not in str(caught.value)
    assert text.read_text().startswith("not a database")


def test_a_process_that_is_about_to_write_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "k.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("VACUUM")  # a file without tables, not in WAL mode yet
    other.execute("BEGIN IMMEDIATE")
    release = Timer(0.3, other.rollback)
    release.start()
    with Store(str(path)) as store:
        assert list(store.runs()) == []
    release.join()
    other.close()


def test_many_processes_may_create_one_store_at_once(tmp_path: Path) -> None:
    code = f"from karat.store import Store\nwith Store({str(tmp_path / 'k.db')!r}) as s: s.runs()"
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(6)]
    assert [process.wait(timeout=300) for process in processes] == [0] * 6
