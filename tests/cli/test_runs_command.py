"""`karat runs`: show, rename and delete, and names in place of numbers."""

import json
from pathlib import Path

import pytest
from command import Command

ROW = {"question": "Capital of France?", "references": ["Paris"]}


@pytest.fixture
def graded(karat: Command, folder: Path) -> Path:
    """Two runs of the same rules judge on different answers."""
    for name, answers in (("a", ["Paris", "Lyon"]), ("b", ["Paris", "paris"])):
        rows = [json.dumps({**ROW, "id": str(at), "answer": answer}) for at, answer in enumerate(answers)]
        (folder / f"{name}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
        assert karat("grade", f"{name}.jsonl", "--judge", "rules").code == 0
    return folder


def list_runs(karat: Command) -> list[tuple[int, str | None]]:
    lines = karat("runs", "--json").out.splitlines()
    return [(found["run"], found["name"]) for found in map(json.loads, lines)]


def test_show_tells_what_a_run_is(karat: Command, graded: Path) -> None:
    shown = karat("runs", "show", "2").out
    assert "rules" in shown
    assert str(graded / "b.jsonl") in shown or "b.jsonl" in shown
    found = json.loads(karat("runs", "show", "2", "--json").out)
    assert (found["run"], found["protocol"], found["summary"]["rows"]) == (2, "match", 2)
    assert found["identity"]["judge"] == "rules"


@pytest.mark.usefixtures("graded")
def test_a_name_stands_for_the_number_in_every_command(karat: Command, folder: Path) -> None:
    assert karat("runs", "rename", "1", "first").code == 0
    assert karat("runs", "rename", "2", "second").code == 0
    assert list_runs(karat) == [(1, "first"), (2, "second")]
    assert "second" in karat("runs").out
    for numbers, names in (
        (("export", "1", "-o", "1.jsonl"), ("export", "first", "-o", "2.jsonl")),
        (("compare", "1", "2"), ("compare", "first", "second")),
        (("report", "1", "2", "--markdown"), ("report", "first", "second", "--markdown")),
        (("agree", "1"), ("agree", "first")),
        (("labels", "list", "1"), ("labels", "list", "first")),
        (("runs", "show", "1"), ("runs", "show", "first")),
    ):
        one, other = karat(*numbers), karat(*names)
        assert (one.code, one.out) == (other.code, other.out), names
    assert (folder / "1.jsonl").read_bytes() == (folder / "2.jsonl").read_bytes()
    gated = karat("grade", "b.jsonl", "--judge", "rules", "--baseline", "first")
    assert gated.code == karat("grade", "b.jsonl", "--judge", "rules", "--baseline", "1").code


@pytest.mark.usefixtures("graded")
def test_a_file_comes_before_a_run_of_the_same_name(karat: Command, folder: Path) -> None:
    karat("runs", "rename", "1", "mine")
    (folder / "mine").mkdir()
    karat("export", "2", "-o", "mine/verdicts.jsonl")
    assert karat("compare", "mine", "mine/verdicts.jsonl").code in (0, 2)
    assert json.loads(karat("runs", "show", "mine", "--json").out)["run"] == 1
    assert karat("export", "mine", "-o", "out.jsonl").code == 0
    assert (folder / "out.jsonl").read_bytes().count(b"b.jsonl") == (
        folder / "mine" / "verdicts.jsonl"
    ).read_bytes().count(b"b.jsonl")


@pytest.mark.usefixtures("graded")
def test_the_answers_of_a_named_run_are_not_overwritten(karat: Command, folder: Path) -> None:
    karat("runs", "rename", "1", "first")
    before = (folder / "a.jsonl").read_bytes()
    assert "the answers of run 1" in karat.refused(2, "export", "first", "-o", "a.jsonl")
    assert (folder / "a.jsonl").read_bytes() == before


@pytest.mark.usefixtures("graded")
def test_a_deleted_run_comes_back_by_the_same_command_and_a_purged_one_is_new(karat: Command) -> None:
    assert "restores it without new calls" in karat("runs", "delete", "2").err
    assert list_runs(karat) == [(1, None)]
    karat.refused(2, "export", "2", "-o", "x.jsonl")
    assert karat("grade", "b.jsonl", "--judge", "rules", "--dry-run").code == 0
    assert list_runs(karat) == [(1, None)]
    karat("grade", "b.jsonl", "--judge", "rules")
    assert list_runs(karat) == [(1, None), (2, None)]
    assert "2 rows" in karat("runs", "delete", "2", "--purge").err
    karat("grade", "b.jsonl", "--judge", "rules")
    assert list_runs(karat) == [(1, None), (3, None)]


@pytest.mark.usefixtures("graded")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "9"), ("no run 9", "existing runs: 1, 2")),
        (("show", "none"), ("no run none",)),
        (("rename", "1", "2"), ("'2' cannot be the name of a run",)),
        (("rename", "1"), ("NAME",)),
        (("delete",), ("RUN",)),
    ],
)
def test_mistakes_are_one_line(karat: Command, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    line = karat.refused(2, "runs", *arguments)
    assert all(word in line for word in words), line
