"""A damaged store, or another file: one line with the name and the remedy, never a traceback."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from make_released import RELEASED, run_karat

from karat.core.errors import SetupError
from karat.store import Store

DAMAGE = [
    ("rows", "columns", b"{"),
    ("rows", "columns", b"[1]"),
    ("rows", "dataset", 77),
    ("items", "refs", "["),
    ("items", "refs", "[]"),
    ("items", "refs", '"one"'),
    ("datasets", "fields", "{"),
    ("judges", "identity", "[]"),
    ("judges", "protocol", "guess"),
    ("runs", "started", 1e308),
    ("outcomes", "cause", "bored"),
    ("outcomes", "value", 77),
    ("outcomes", "confidence", -1.0),
    ("outcomes", "votes", "x"),
    ("outcomes", "distribution", '["a"]'),
    ("outcomes", "points", "x"),
    ("outcomes", "replies", "{}"),
    ("labels", "created", -1.0),
]
READ = [
    ("runs", "--json"),
    ("export", "1", "-o", "v.jsonl"),
    ("report", "1", "-o", "r.html"),
    ("labels", "list", "1"),
]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store as version 0.1.0 made it."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect(tmp_path / "k.db")) as connection:
        connection.executescript((RELEASED / "0.1.0.sql").read_text())
    return tmp_path / "k.db"


def read(path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[int, str]]:
    """The exit codes and complaints of commands that read."""
    for command in READ:
        capsys.readouterr()
        code = run_karat([*command, "--store", path.name])
        yield code, capsys.readouterr().err


@pytest.mark.parametrize(("table", "column", "value"), DAMAGE)
def test_damaged_value_is_reported_in_one_line(
    table: str, column: str, value: object, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command that comes across it ends with exit code 3, and at least one does."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))  # noqa: S608 - the names above
    told = [(code, err) for code, err in read(path, capsys) if code]
    assert told
    for code, err in told:
        assert code == 3
        assert err.splitlines()[-1].startswith("karat: the store k.db is damaged (")
        assert err.endswith("restore it from a copy, or choose another with --store\n")


def test_damaged_pages_are_reported_in_one_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The header is whole, so that SQLite takes the file for a database."""
    Store(str(path)).__exit__()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    for code, err in read(path, capsys):
        assert code == 3
        assert err.count("\n") == 1
        assert "the store k.db is damaged (database disk image is malformed)" in err


def test_damaged_round_or_reply_is_reported(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE waves SET groups = '[['")
        (key,) = connection.execute("SELECT key FROM completions LIMIT 1").fetchone()
        connection.execute("UPDATE completions SET tokens = x'5b'")
    with Store(str(path)) as store:
        stuck = next(run for run in store.runs() if store.batches_of(run).unfinished())
        with pytest.raises(SetupError, match="is damaged"):
            store.batches_of(stuck).find_round()
        with pytest.raises(SetupError, match="is damaged"):
            store.completions_of(stuck).find_completion(key)


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE notes (text)",
        "CREATE TABLE migrations (id INTEGER, migration TEXT, batch INTEGER)",
        "CREATE TABLE items (id INTEGER); CREATE TABLE runs (id INTEGER)",
        "PRAGMA application_id = 252006674",
    ],
)
def test_the_database_of_another_program_is_refused_untouched(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text('{"question": "q", "reference": "r", "answer": "a"}\n')
    with closing(sqlite3.connect("other.db")) as connection:
        connection.executescript(script + "; VACUUM")
    before = Path("other.db").read_bytes()
    for command in (("grade", "a.jsonl", "--judge", "rules"), ("runs",)):
        assert run_karat([*command, "--store", "other.db"]) == 2
        assert capsys.readouterr().err == (
            "karat: other.db is a database of another program; choose another path with --store\n"
        )
    assert Path("other.db").read_bytes() == before
    assert sorted(found.name for found in tmp_path.iterdir()) == ["a.jsonl", "other.db"]


def test_store_has_an_application_id(path: Path, tmp_path: Path) -> None:
    """By its header, so that its tables may change: a new store, and one that had no such mark yet."""
    for place in (tmp_path / "new.db", path):
        Store(str(place)).__exit__()
        with closing(sqlite3.connect(place)) as connection:
            assert connection.execute("PRAGMA application_id").fetchone() == (0x6B617261,)
