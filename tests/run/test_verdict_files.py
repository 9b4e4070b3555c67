"""Verdict files, and folders of them, used like runs."""

import json
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.cli import main
from karat.core.errors import UsageError
from karat.run.verdict_files import load_verdicts
from karat.run.verdict_tables import VerdictFiles
from karat.store import Store

ANSWERS = Path(__file__).parents[2] / "examples" / "answers.jsonl"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KARAT_STORE", raising=False)
    return tmp_path


def run_karat(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


def read_report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """A report in JSON, without what tells the run itself apart."""
    capsys.readouterr()
    assert run_karat("report", "--json", *arguments) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    return {name: part for name, part in run.items() if name != "facts"}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_report_on_a_verdict_file_says_what_the_run_says(
    place: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    assert run_karat("grade", str(ANSWERS), "--judge", "rules", "-o", f"verdicts.{ending}") == 0
    assert read_report(capsys, f"verdicts.{ending}") == read_report(capsys)


def test_a_folder_is_read_file_by_file_in_the_order_of_their_names(place: Path) -> None:
    Path("verdicts").mkdir()
    lines = ANSWERS.read_text().splitlines()
    for name, part in (("b", lines[10:]), ("a", lines[:10])):
        Path(f"{name}.jsonl").write_text("\n".join(part) + "\n")
        run_karat("grade", f"{name}.jsonl", "--judge", "rules", "-o", f"verdicts/{name}.jsonl")
    assert [judged.row.id for judged in VerdictFiles("verdicts")] == [
        json.loads(line)["id"] for line in lines
    ]


def test_agreement_and_comparison_take_verdict_files(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for judge in ("rules", "embedded"):
        run_karat("grade", str(ANSWERS), "--judge", judge, "-o", f"{judge}.csv")
    assert run_karat("agree", "rules.csv") == 0
    assert run_karat("compare", "rules.csv", "embedded.csv") == 0
    assert run_karat("compare", "rules.csv", "--by", "system") == 0
    assert run_karat("export", "rules.csv", "-o", "again.jsonl") == 0
    assert len(Path("again.jsonl").read_text().splitlines()) == 40


def test_the_library_takes_them_as_well(place: Path) -> None:
    run_karat("grade", str(ANSWERS), "--judge", "rules", "-o", "verdicts.csv")
    with_run = karat.agree(store=".karat/karat.db")
    assert karat.agree("verdicts.csv") == with_run
    assert karat.compare(Path("verdicts.csv"), by="system") == karat.compare(
        by="system", store=".karat/karat.db"
    )
    assert karat.write_report("verdicts.csv").runs[0].summary.rows == 40


def test_costs_are_those_of_the_rows(place: Path) -> None:
    """What rows cost is the run's, also where identical rows have verdicts of their own."""
    row = {
        "id": "a", "protocol": "match", "status": "judged", "value": True, "score": 1.0, "confidence": None,
        "decided_by": "llm:m", "matched_reference": 0, "reason": None, "points": None, "cause": None, "judge": "x#m",
        "cached": False, "calls": 2, "input_tokens": 10, "output_tokens": 3, "cost_usd": 0.5,
        "question": "Who?", "reference": "Ada", "answer": "Ada",
    }  # fmt: skip
    rows = [row, {**row, "id": "b", "value": False, "score": 0.0}]
    Path("verdicts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    with Store(None) as store:
        run = load_verdicts(store, "verdicts.jsonl")
        spent = store.spent(run)
        assert (spent.calls, spent.input_tokens, spent.cost_usd) == (4, 20, 1.0)
        assert [one.outcome.value for one in store.graded(run)] == [True, True]  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess] - judged


def test_other_files_are_refused_as_verdict_files(place: Path) -> None:
    with pytest.raises(UsageError, match="no such verdict file or folder"):
        VerdictFiles("nowhere")
    with pytest.raises(UsageError, match="not a verdict file: it has no column 'protocol'"):
        VerdictFiles(str(ANSWERS))
    run_karat("grade", str(ANSWERS), "--judge", "rules", "--no-input", "-o", "bare.jsonl")
    with pytest.raises(UsageError, match="--no-input left them out"):
        VerdictFiles("bare.jsonl")


def test_runs_and_verdict_files_are_not_mixed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_karat("grade", str(ANSWERS), "--judge", "rules", "-o", "verdicts.csv")
    assert run_karat("compare", "1", "verdicts.csv") == 2
    assert "runs can be compared only with runs" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_text_that_looks_like_something_else_stays_text(place: Path, ending: str) -> None:
    """Answers that are JSON, numbers, lists or nothing come back as they were, also out of nested columns."""
    texts = ['{"a": 1}', "[1, 2]", "3.50", "null", "true", '"quoted"', "{", "007"]
    rows = [
        {"item": {"input": "Q?", "ideal": text}, "sample": {"output_text": text}, "note": text}
        for text in texts
    ]
    Path("answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run_karat("grade", "answers.jsonl", "--judge", "rules", "-o", f"verdicts.{ending}") == 0
    assert run_karat("export", f"verdicts.{ending}", "-o", "again.jsonl") == 0
    found = [json.loads(line) for line in Path("again.jsonl").read_text().splitlines()]
    assert [row["item"]["ideal"] for row in found] == texts
    assert [row["sample"]["output_text"] for row in found] == texts
    assert [row["note"] for row in found] == texts


def grade_and_read(rows: list[dict[str, Any]], ending: str) -> VerdictFiles:
    Path("answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run_karat("grade", "answers.jsonl", "--judge", "rules", "-o", f"verdicts.{ending}") == 0
    return VerdictFiles(f"verdicts.{ending}")


LOOKALIKES: list[Any] = ["[]", "[1, 2]", '["a"]', "[null]", "{}", "true", "12", "1e3", "[", "Ada"]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet"])
@pytest.mark.parametrize("others", [[], [["Ada", "Bob"], ["[]"], 5, 2.5, True, 2**70]])
def test_references_survive_a_round_trip(place: Path, ending: str, others: list[Any]) -> None:
    """Text that looks like a list is one reference and a list is many, also where one column holds both."""
    rows = [{"reference": one, "answer": "Ada", "note": one} for one in (*LOOKALIKES, *others)]
    found = [judged.row for judged in grade_and_read(rows, ending)]
    assert [row.columns["note"] for row in found] == [row["note"] for row in rows]
    assert [row.item.references for row in found] == [
        tuple(one) if isinstance(one, list) else (one if isinstance(one, str) else json.dumps(one),)
        for one in (row["reference"] for row in rows)
    ]


@pytest.mark.parametrize("ending", ["csv", "tsv.gz"])
def test_a_table_of_text_that_was_written_is_read(place: Path, ending: str) -> None:
    """A cell that reads as a list is one, as in the input, unless it would leave the row without a reference."""
    rows = [{"reference": text, "answer": "Ada"} for text in LOOKALIKES]
    found = [judged.row.item.references for judged in grade_and_read(rows, ending)]
    assert found[:4] == [("[]",), ("[1, 2]",), ("a",), ("[null]",)]
    assert found[4:] == [(text,) for text in LOOKALIKES[4:]]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_prefixed_columns_get_their_own_names_back(place: Path, ending: str) -> None:
    own = {"value": "a", "input_value": "b", "input_input_value": "c", "input_tokens": "d", "tokens": "e"}
    (judged,) = grade_and_read([{"reference": "Ada", "answer": "Ada", **own}], ending)
    assert {name: judged.row.columns.get(name) for name in own} == own
    assert set(judged.row.columns) == {"id", "reference", "answer", *own}


def test_folder_with_verdicts_and_input_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("z.jsonl").write_text('{"question": "q", "reference": "r", "answer": "r"}\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["grade", "z.jsonl", "--judge", "rules", "-o", "a.jsonl"])
    with pytest.raises(SystemExit) as left:
        main(["report", ".", "--json"])
    assert left.value.code == 2
    assert "keep other files out of a folder of verdicts" in capsys.readouterr().err
