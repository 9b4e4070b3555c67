"""`karat report`: a page, JSON or markdown about the runs that are named."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import Command

ROWS = [
    {"id": "a", "question": "2+2?", "reference": "4", "answer": "4", "system": "x", "topic": "sums", "label": True},
    {"id": "b", "question": "2+2?", "reference": "4", "answer": "5", "system": "y", "topic": "sums", "label": False},
    {"id": "c", "question": "Capital?", "reference": "Paris", "answer": "Paris", "system": "x", "topic": "towns"},
    {"id": "d", "question": "Capital?", "reference": "Paris", "answer": "the sea", "system": "y", "topic": "towns"},
]  # fmt: skip


@pytest.fixture
def graded(folder: Path, karat: Command) -> Command:
    write(folder / "rows.jsonl", ROWS)
    assert karat("grade", "rows.jsonl").code == 0
    return karat


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_path_of_the_page_is_printed(folder: Path, graded: Command) -> None:
    assert graded("report").out == "karat-report.html\n"
    assert graded("report", "-o", "other.html").out == "other.html\n"
    for name in ("karat-report.html", "other.html"):
        page = (folder / name).read_text(encoding="utf-8")
        assert page.startswith("<!doctype html>")
        assert page.endswith("</html>\n")
        assert "Content-Security-Policy" in page
        assert not {"http://", "https://"} & set(page.replace("http://www.w3.org", "").split('"'))


def test_json_and_markdown_print_and_write_nothing(folder: Path, graded: Command) -> None:
    before = sorted(folder.iterdir())
    found = json.loads(graded("report", "--json").out)
    text = graded("report", "--markdown").out
    assert sorted(folder.iterdir()) == before
    (run,) = found["runs"]
    assert run["facts"]["judge"] == "embedded"
    assert run["summary"]["rows"] == 4
    assert run["agreement"]["rows"] == 2
    assert [slices["column"] for slices in run["slices"]] == ["topic"]
    assert found["comparison"] is None
    share = run["summary"]["share"]["estimate"]
    assert f"**{100 * share['value']:.1f} % [{100 * share['low']:.1f}, {100 * share['high']:.1f}]**" in text


def test_page_and_printed_figures_can_be_combined(folder: Path, graded: Command) -> None:
    json.loads(graded("report", "--json", "-o", "page.html").out)
    assert (folder / "page.html").exists()


def test_several_runs_are_compared(folder: Path, graded: Command) -> None:
    write(folder / "more.jsonl", [{**row, "answer": "Paris"} for row in ROWS])
    assert graded("grade", "more.jsonl").code == 0
    found = json.loads(graded("report", "1", "2", "1", "--json").out)
    assert [run["facts"]["run"] for run in found["runs"]] == [1, 2]
    (pair,) = found["comparison"]["pairs"]
    assert (pair["a"], pair["b"]) == ("run 1", "run 2")
    assert [run["facts"]["run"] for run in json.loads(graded("report", "--json").out)["runs"]] == [2]


def test_names_from_data_are_escaped_in_markdown(folder: Path, karat: Command) -> None:
    bad = "x | y <b> [z](https://example.org) @everyone `code` *bold*\nnext"
    rows = [{**row, "system": bad if row["system"] == "x" else "y", "topic": bad} for row in ROWS]
    write(folder / "rows.jsonl", rows)
    karat("grade", "rows.jsonl")
    text = karat("report", "--markdown").out
    assert "<b>" not in text
    assert "](" not in text
    assert "@everyone" not in text
    assert "x \\| y &lt;b> [z]\\(https" in text
    (line,) = [line for line in text.splitlines() if line.startswith("| x ")]
    assert line.replace("\\|", "").count("|") == 5


def test_by_selects_a_tag(graded: Command) -> None:
    (run,) = json.loads(graded("report", "--json", "--by", "system, topic").out)["runs"]
    assert [slices["column"] for slices in run["slices"]] == ["system", "topic"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--json", "--markdown"), "leave one out"),
        (("-o", "page.pdf"), "ends in .html"),
        (("-o", "nowhere/page.html"), "does not exist"),
        (("-o", ".karat/karat.db"), "would overwrite .karat/karat.db"),
        (("--pass", "9"), "--pass must be between 0 and 5"),
        (("--items", "0"), "--items must be at least 1"),
        (("--by", "colour"), "no column"),
        (("--cluster", "colour"), "no column"),
        (("7",), "no run 7"),
    ],
)
def test_user_errors_are_one_line(graded: Command, arguments: tuple[str, ...], said: str) -> None:
    assert said in graded.refused(2, "report", *arguments)


def test_without_a_store_there_is_nothing_to_report(karat: Command) -> None:
    assert "no store exists" in karat.refused(2, "report")


def test_failed_write_keeps_the_old_page(
    folder: Path, graded: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "page.html").write_text("old")
    monkeypatch.setattr("karat.report.page.write.write_page", _fail)
    with pytest.raises(RuntimeError):
        graded("report", "-o", "page.html")
    assert (folder / "page.html").read_text() == "old"
    assert [path.name for path in folder.iterdir() if path.name.startswith(".karat-")] == []


def test_rows_of_one_question_have_a_share_and_no_interval(folder: Path, karat: Command) -> None:
    one = {"question": "Capital of France?", "reference": "Paris"}
    write(
        folder / "rows.jsonl", [{**one, "id": "a", "answer": "Paris"}, {**one, "id": "b", "answer": "Rome"}]
    )
    said = karat("grade", "rows.jsonl").out
    assert "correct 50.0 % of 2 judged" in said
    assert "no row is judged" not in said
    assert "**50.0 %, no interval: all rows belong to one cluster" in karat("report", "--markdown").out
    assert "50.0 %" in karat("runs").out
    karat("report")
    page = (folder / "karat-report.html").read_text(encoding="utf-8")
    assert "<b>50.0<small>%</small></b>" in page
    assert "--cluster COLUMN" in page
    assert "correct 50.0 % [" in " ".join(karat("grade", "rows.jsonl", "--cluster", "id").out.split())


def _fail(*_: object) -> list[str]:
    raise RuntimeError("no more room")
