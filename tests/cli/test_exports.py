"""The exports of other tools on the command line: their graders are judges like any other."""

import csv
import json
import shlex
from pathlib import Path

import pytest
from command import Command

FIXTURES = Path(__file__).parents[1] / "rows" / "formats"
EXPORT = FIXTURES / "documented" / "openai-evals-api" / "export.json"
EXACT, KEY = "export.json#Exact match", "export.json#Agrees with the key"
ORACLE = json.loads(EXPORT.with_name("export.json.expected.json").read_text())["rows"]


@pytest.fixture
def export(folder: Path) -> str:
    """The export of an eval with two runs and two graders, in the working directory."""
    (folder / "export.json").write_bytes(EXPORT.read_bytes())
    return "export.json"


def count_passes(grader: str) -> int:
    return sum(grade["passed"] for row in ORACLE for name, grade in row["verdicts"].items() if grader in name)


def test_the_judge_of_karat_is_compared_with_a_grader(karat: Command, export: str) -> None:
    assert karat("grade", export, "-o", "karat.jsonl").code == 0
    facts = json.loads(karat("compare", "karat.jsonl", EXACT, "--json").out)
    assert facts["kind"] == "judges"
    assert [one["name"] for one in facts["judges"]] == ["embedded", "openai-evals: Exact match"]
    ours = {row["id"]: row["value"] for row in map(json.loads, Path("karat.jsonl").read_text().splitlines())}
    theirs = {
        row["answer"]: grade["passed"]
        for row in ORACLE
        for name, grade in row["verdicts"].items()
        if "Exact" in name
    }
    assert facts["examples"]
    for one in facts["examples"]:
        assert one["values"] == [ours[one["id"]], theirs[one["answer"]]]
        assert one["values"][0] != one["values"][1]
    shown = " ".join(karat("compare", "karat.jsonl", EXACT).out.split())
    assert "they agree on" in shown
    assert "they differ for example on" in shown


def test_two_graders_of_a_file_are_compared(karat: Command, export: str) -> None:
    facts = json.loads(karat("compare", EXACT, KEY, "--json").out)
    table = facts["overall"]["table"]
    assert sum(table[1]) == count_passes("Exact match")
    assert table[0][1] + table[1][1] == count_passes("Agrees")
    assert sum(map(sum, table)) == len(ORACLE)


def test_the_systems_of_an_export_are_compared(karat: Command, export: str) -> None:
    facts = json.loads(karat("compare", EXACT, "--by", "system", "--json").out)
    assert facts["kind"] == "comparison"
    assert [side["name"] for side in facts["sides"]] == ["model-a", "model-b"]


def test_a_report_says_what_the_grader_said_and_invents_no_cost(karat: Command, export: str) -> None:
    run = json.loads(karat("report", EXACT, "--json").out)["runs"][0]["summary"]
    assert (run["rows"], run["judged"]) == (10, 10)
    assert run["values"] == {"Yes": count_passes("Exact match"), "No": 10 - count_passes("Exact match")}
    assert run["spent"]["cost_usd"] is None
    assert run["decided_by"] == {"openai-evals: Exact match": 10}
    assert "cost unknown" in karat("report", EXACT, "--markdown").out
    assert karat("report", EXACT, KEY).code == 0
    assert "openai-evals: Exact match" in Path("karat-report.html").read_text(encoding="utf-8")


def test_an_export_is_written_as_a_verdict_file(karat: Command, export: str) -> None:
    assert karat("export", KEY, "-o", "key.jsonl").code == 0
    rows = [json.loads(line) for line in Path("key.jsonl").read_text().splitlines()]
    assert sum(row["value"] for row in rows) == count_passes("Agrees")
    assert {(row["confidence"], row["cost_usd"], row["input_tokens"]) for row in rows} == {(None, None, None)}
    facts = json.loads(karat("compare", "key.jsonl", EXACT, "--json").out)
    assert (
        facts["overall"]["table"]
        == json.loads(karat("compare", KEY, EXACT, "--json").out)["overall"]["table"]
    )


def test_several_graders_are_offered_as_arguments_that_work(karat: Command, export: str) -> None:
    for given in (export, "export.json#nobody"):
        offered = karat.refused(2, "report", given).partition("choose one: ")[2]
        names = shlex.split(offered)
        assert names == [EXACT, KEY]
        for name in names:
            assert karat("report", name, "--markdown").code == 0


def test_an_export_is_not_written_over(karat: Command, export: str) -> None:
    before = Path(export).read_bytes()
    assert "would overwrite export.json" in karat.refused(2, "export", EXACT, "-o", "./export.json")
    assert "would overwrite" in karat.refused(2, "report", EXACT, "-o", "export.json")
    assert Path(export).read_bytes() == before


def test_agreement_needs_labels_and_the_message_says_how_to_get_them(karat: Command, export: str) -> None:
    line = karat.refused(2, "agree", EXACT)
    (command,) = line.split("`")[1::2]
    assert karat(*shlex.split(command)[1:]).code == 0
    with Path("labels-1.csv").open(encoding="utf-8-sig", newline="") as planned:
        assert len(list(csv.DictReader(planned))) == len(ORACLE)


def test_labels_of_people_are_kept_for_a_grader(karat: Command, export: str) -> None:
    """The rows are labelled as the other grader says, so the agreement is that of both."""
    assert karat("labels", "plan", EXACT, "-o", "plan.csv").code == 0
    karat("export", KEY, "-o", "key.jsonl")
    said = {row["id"]: row["value"] for row in map(json.loads, Path("key.jsonl").read_text().splitlines())}
    Path("labels.jsonl").write_text(
        "".join(json.dumps({"id": name, "label": value}) + "\n" for name, value in said.items())
    )
    assert karat("labels", "add", EXACT, "labels.jsonl", "--author", "ann").code == 0
    agreement = json.loads(karat("agree", "1", "--json").out)
    table = json.loads(karat("compare", EXACT, KEY, "--json").out)["overall"]["table"]
    cells = agreement["cells"]
    assert [len(cells[name]) for name in ("judge Yes, people No", "judge No, people Yes")] == [
        table[1][0],
        table[0][1],
    ]
    assert karat("labels", "list", EXACT).code == 0
    assert karat("labels", "need", EXACT, "--width", "0.5").code == 0
    assert karat("compare", "1", "--by", "system").code == 0


def test_labels_are_not_kept_for_a_verdict_file_of_karat(karat: Command, export: str) -> None:
    karat("grade", export, "--judge", "rules", "-o", "karat.jsonl")
    assert "name its run by the number" in karat.refused(2, "labels", "plan", "karat.jsonl")


def test_labels_that_people_gave_in_the_tool_are_used(karat: Command, folder: Path) -> None:
    items = [
        {
            "id": f"o{n}", "experimentItemId": f"i{n}", "experimentName": "m", "input": f"{n}?", "output": f"{n}",
            "expectedOutput": f"{n}",
            "scores": [
                {"name": "check", "source": "EVAL", "dataType": "BOOLEAN", "value": n % 2},
                {"name": "correctness", "source": "ANNOTATION", "dataType": "BOOLEAN", "value": int(n < 6)},
            ],
        }
        for n in range(12)
    ]  # fmt: skip
    (folder / "items.json").write_text(json.dumps({"data": items}))
    facts = json.loads(karat("agree", "items.json#check", "--json").out)
    assert facts["rows"] == 12
    assert len(facts["cells"]["judge Yes, people No"]) == 3
    assert "12 labels" in karat("grade", "items.json", "--judge", "rules").err


def test_a_label_far_down_is_found(karat: Command, folder: Path) -> None:
    said = {"name": "correctness", "source": "ANNOTATION", "dataType": "BOOLEAN", "value": 1}
    item = {"experimentName": "m", "output": "Ada", "expectedOutput": "Ada"}
    items = [
        {
            **item,
            "id": f"o{n}",
            "experimentItemId": f"i{n}",
            "input": f"{n}?",
            "scores": [said] if n == 99 else [],
        }
        for n in range(100)
    ]
    (folder / "items.json").write_text(json.dumps({"data": items}))
    assert "1 label" in karat("grade", "items.json", "--judge", "rules").err


def test_an_audit_takes_its_rows_from_an_export(karat: Command, export: str) -> None:
    ended = karat("audit", "--items", export, "--export", "probes.jsonl")
    assert ended.code == 0, ended.err
    assert "OpenAI Evals" in ended.err
    questions = {row["question"] for row in ORACLE}
    probes = [json.loads(line) for line in Path("probes.jsonl").read_text().splitlines()]
    assert {probe["question"] for probe in probes} <= questions


def test_the_verdicts_of_a_data_set_are_read_by_its_columns(karat: Command, folder: Path) -> None:
    source = FIXTURES / "datasets" / "financebench.jsonl"
    assert karat("grade", str(source), "--judge", "rules", "-o", "karat.jsonl").code == 0
    assert karat("report", "karat.jsonl", "--markdown").code == 0


def test_what_is_no_export_is_refused(karat: Command, folder: Path) -> None:
    (folder / "plain.jsonl").write_text('{"question": "Who?", "reference": "Ada", "answer": "Ada"}\n')
    assert "no verdict file" in karat.refused(2, "report", "plain.jsonl")
    assert "no such verdict file" in karat.refused(2, "report", "nowhere.json#grader")


def test_a_baseline_can_be_an_export(karat: Command, export: str) -> None:
    ended = karat("grade", export, "--judge", "rules", "--baseline", EXACT)
    assert ended.code in (0, 1), ended.err
    assert "Traceback" not in ended.err
