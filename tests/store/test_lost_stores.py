"""A store whose file is deleted or replaced during a run: the run stops, reports it, and saves the content."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import rmtree

import pytest
from filling import begin, load, pending, row, verdict
from make_released import run_karat

from karat.core.errors import StoreLostError
from karat.store import Store
from provider import Call, Provider, Reply, echo_yes


def delete_file(path: Path) -> None:
    path.unlink()


def delete_folder(path: Path) -> None:
    rmtree(path.parent)


def replace(path: Path) -> None:
    other = path.with_name("other.db")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    other.replace(path)


@pytest.mark.parametrize("lose", [delete_file, delete_folder, replace])
def test_the_next_write_finds_that_the_file_is_gone(lose: Callable[[Path], None], tmp_path: Path) -> None:
    """What was kept, that write included, is in a new file beside it, and no later write is taken for kept."""
    path = tmp_path / "here" / "k.db"
    with Store(str(path)) as store:
        run = begin(store, load(store, [row(number) for number in range(4)]))
        store.keep_outcomes(run, [(1, verdict())]).result()
        lose(path)
        for number in (2, 3):
            with pytest.raises(StoreLostError, match="deleted or replaced") as caught:
                store.keep_outcomes(run, [(number, verdict())]).result()
        assert "\n" not in str(caught.value)
    saved = Path(f"{path}.saved")
    assert str(saved) in str(caught.value)
    with Store(str(saved)) as store:
        assert [number for number, _ in pending(store, store.find_run())] == [3, 4]
    assert not Path(f"{path}.saved-2").exists()


def test_a_file_that_was_saved_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "k.db"
    Path(f"{path}.saved").write_text("kept")
    with Store(str(path)) as store:
        path.unlink()
        with pytest.raises(StoreLostError, match=r"k\.db\.saved-2"):
            load(store, [row(1)])
    assert Path(f"{path}.saved").read_text() == "kept"


def test_a_run_stops_and_writes_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdicts that were kept are in the output file; after the store is moved back nothing is paid for again."""
    monkeypatch.chdir(tmp_path)
    lines = [
        f'{{"question": "What is on picture {n}?", "reference": "boat {n}", "answer": "ship {n}"}}'
        for n in range(6)
    ]
    Path("a.jsonl").write_text("\n".join(lines))

    def answer(call: Call) -> Reply:
        if call.index == 3:
            Path("k.db").unlink()
        return echo_yes(call)

    with Provider(answer) as provider:
        command = [
            "grade",
            "a.jsonl",
            "--judge",
            f"{provider.base_url}#m",
            "--items-per-prompt",
            "1",
            "--store",
            "k.db",
        ]
        command += ["--concurrency", "1", "-o", "v.jsonl"]
        assert run_karat(command) == 3
        err = capsys.readouterr().err
        assert err.splitlines()[-1].startswith(
            "karat: the store k.db was deleted or replaced while karat was writing"
        )
        made = len(provider.calls)
        assert made < 6
        assert Path("v.jsonl").read_text().count("\n") == 4
        Path("k.db.saved").replace("k.db")
        assert run_karat(command) == 0
        assert len(provider.calls) == 6
    assert Path("v.jsonl").read_text().count("\n") == 6


def test_another_working_folder_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is that of the folder in which the store was opened."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with Store("k.db") as store:
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert load(store, [row(1)]).rows == 1
