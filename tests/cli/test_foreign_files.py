"""`karat grade` on files of other tools, several files, and references that stand apart."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from command import Command

from karat.core.keys import hash_content
from karat.rows import Columns, open_source
from karat.store import Store

FIXTURES = Path(__file__).parents[1] / "rows" / "formats"


def copy(folder: Path, *names: str) -> list[str]:
    for name in names:
        shutil.copy(FIXTURES / name, folder / Path(name).name)
    return [Path(name).name for name in names]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "promptfoo/variables.json",
            ("promptfoo results: 10 rows; question from vars.question, reference from vars.reference, "
            "answer from response.output, id from testIdx, system from provider"),
        ),
        (
            "promptfoo/assertions.jsonl",
            ("promptfoo results: 10 rows; question from vars.question, reference from testCase.assert, "
            "answer from response.output, id from testIdx, system from provider"),
        ),
        (
            "inspect-ai/log.eval",
            ("Inspect log: 10 rows; question from input, reference from target, answer from output.completion, "
            "id from id and epoch, system from output.model"),
        ),
        (
            "lm-eval/samples_sums.jsonl",
            ("lm-evaluation-harness samples: 6 rows; question from doc.problem, reference from target, "
            "answer from filtered_resps, id from doc_id and filter"),
        ),
        ("ragas/results.csv", "ragas: 5 rows; question=user_input, reference=reference, answer=response"),
        ("containers/book.xlsx", "6 rows; question=question, reference=reference, answer=answer, id=id, system=system"),
        (
            "datasets/hf_rows.jsonl",
            "5 rows; reference=references, answer=prediction; no question",
        ),
        (
            "datasets/gsm8k.jsonl",
            "GSM8K with predictions: 5 rows; question from question, reference from answer, after ####, answer from answer",
        ),
    ],
)  # fmt: skip
def test_what_was_recognised_is_said_in_one_line(karat: Command, folder: Path, name: str, told: str) -> None:
    (file,) = copy(folder, name)
    ended = karat("grade", file, "--judge", "rules")
    assert ended.err.splitlines() == [f"karat: {file}: {told}"]
    assert ended.code == 0


def test_the_same_command_again_finds_its_run(karat: Command, folder: Path) -> None:
    (file,) = copy(folder, "promptfoo/variables.json")
    first = karat("grade", file, "--judge", "rules")
    assert karat("grade", file, "--judge", "rules").out == first.out
    assert len(karat("runs").out.splitlines()) == 2


def test_another_format_of_the_same_bytes_is_another_input(karat: Command, folder: Path) -> None:
    (file,) = copy(folder, "datasets/gsm8k.jsonl")
    assert karat("grade", file, "--judge", "rules").code == 0
    chosen = ("--format", "table")
    assert "1 row" not in karat("grade", file, "--judge", "rules", *chosen).out
    assert len(karat("runs").out.splitlines()) == 3


def test_verdicts_name_the_file_of_each_row(karat: Command, folder: Path) -> None:
    shutil.copytree(FIXTURES / "containers" / "folder", folder / "in")
    ended = karat("grade", "in", "--judge", "rules", "-o", "v.csv")
    assert ended.code == 0
    with (folder / "v.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["id"], row["file"]) for row in rows][3:5] == [
        ("first.jsonl/gap", "first.jsonl"), ("second.jsonl/wien", "second.jsonl")
    ]  # fmt: skip
    assert karat("grade", "in/*.jsonl", "--judge", "rules").err.startswith("karat: in/*.jsonl: 6 rows; ")


def test_files_without_rows_are_left_out_of_a_folder_and_named(karat: Command, folder: Path) -> None:
    shutil.copytree(FIXTURES / "documented" / "openai-evals-api" / "export_folder", folder / "in")
    lines = karat("grade", "in", "--judge", "rules").err.splitlines()
    assert [line.partition(": ")[2].partition(".json")[0] for line in lines[:2]] == [
        "skipped: in/eval", "skipped: in/runs"
    ]  # fmt: skip
    assert lines[2].startswith("karat: in: OpenAI Evals output items: 10 rows; ")


def test_a_bad_row_of_several_files_is_named_by_its_own_file(karat: Command, folder: Path) -> None:
    (folder / "a.jsonl").write_text('{"reference": "R", "answer": "A"}\n')
    (folder / "b.jsonl").write_text('{"reference": "R", "answer": "A"}\n{"reference": "R"}\n')
    assert karat.refused(2, "grade", "a.jsonl", "b.jsonl").startswith(
        "karat: b.jsonl:2: no answer (missing); "
    )
    skipped = karat("grade", "a.jsonl", "b.jsonl", "--on-bad-row", "skip", "--judge", "rules")
    assert "b.jsonl:2: no answer (missing); skipped" in skipped.err
    assert "a.jsonl b.jsonl: 2 rows (1 bad row skipped)" in skipped.err


def test_references_may_stand_in_another_file(karat: Command, folder: Path) -> None:
    copy(folder, "datasets/squad_official/dev.json", "datasets/squad_official/predictions.json")
    ended = karat("grade", "predictions.json", "--references", "dev.json", "--on", "id", "--judge", "rules")
    assert (
        "predictions.json: SQuAD: 5 rows; question=question, reference=references, answer=answer, id=id"
        in ended.err
    )
    assert ended.code == 0


@pytest.mark.parametrize(
    ("answers", "references", "complaint"),
    [
        ({"id": "b", "answer": "A"}, [{"id": "a", "reference": "R"}], "a.jsonl:1: no id 'b' in r.jsonl"),
        (
            {"id": "a", "answer": "A"},
            [{"id": "a", "reference": "R"}, {"id": "a", "reference": "S"}],
            "r.jsonl:2: id 'a' stands already in line 1; make them unique",
        ),
        ({"qid": "a", "answer": "A"}, [{"id": "a", "reference": "R"}], "a.jsonl:1: --on id: no such column"),
        ({"id": "a", "answer": "A"}, [{"id": "a", "text": "R"}], "r.jsonl: no column is the reference"),
        ({"id": "a", "text": "A"}, [{"id": "a", "gold": "R"}], "a.jsonl: no column is the answer"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_file_and_line(
    karat: Command, folder: Path, answers: dict[str, str], references: list[dict[str, str]], complaint: str
) -> None:
    (folder / "a.jsonl").write_text(json.dumps(answers) + "\n")
    (folder / "r.jsonl").write_text("".join(json.dumps(one) + "\n" for one in references))
    told = karat.refused(2, "grade", "a.jsonl", "--references", "r.jsonl", "--on", "id")
    assert told.startswith(f"karat: {complaint}")


def test_a_reference_may_be_called_answer_where_it_stands_apart(karat: Command, folder: Path) -> None:
    (folder / "a.jsonl").write_text('{"question_id": 7, "answer": "Rome"}\n')
    (folder / "r.csv").write_text("id,question,answer\n7,Where?,Rome\n")
    ended = karat(
        "grade", "a.jsonl", "--references", "r.csv", "--on", "question_id=id", "--judge", "rules", "-o", "v.jsonl"
    )  # fmt: skip
    assert ended.code == 0
    row = json.loads((folder / "v.jsonl").read_text())
    assert (row["id"], row["value"], row["question"], row["references"]) == ("7", True, "Where?", "Rome")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--on", "id"), "--on id: here or ray, or a column together with --references FILE"),
        (("--format", "nothing"), "--format knows no 'nothing'"),
        (("--references", "a.jsonl", "--on", "ray"), "--references does not go with --on ray"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    karat: Command, folder: Path, options: tuple[str, ...], complaint: str
) -> None:
    (folder / "a.jsonl").write_text('{"reference": "R", "answer": "A"}\n')
    assert complaint in karat.refused(2, "grade", "a.jsonl", *options)


def test_no_file_is_refused_and_so_are_patterns_and_folders_without_any(karat: Command, folder: Path) -> None:
    (folder / "empty").mkdir()
    assert "no file matches" in karat.refused(2, "grade", "*.jsonl")
    assert "no file in it ends in" in karat.refused(2, "grade", "empty")
    assert "standard input cannot be read together with files" in karat.refused(2, "grade", "-", "a.jsonl")


def test_an_output_is_not_written_over_a_file_of_the_folder_that_is_read(
    karat: Command, folder: Path
) -> None:
    shutil.copytree(FIXTURES / "containers" / "folder", folder / "in")
    assert "would overwrite" in karat.refused(2, "grade", "in", "-o", "in/first.jsonl")
    assert "would overwrite" in karat.refused(2, "grade", "in/*.jsonl", "-o", "in/first.jsonl")


def test_formats_are_listed_with_what_they_were_tested_with(karat: Command) -> None:
    listed = json.loads(karat("formats", "--json").out)
    assert {one["name"] for one in listed} >= {
        "inspect",
        "promptfoo",
        "lm-eval",
        "deepeval",
        "ragas",
        "openai-evals",
    }
    assert all(one["title"] and one["tested_with"] for one in listed)
    assert "table" in karat("formats").out


GRADED = [
    (str(path.relative_to(FIXTURES)).removesuffix(".expected.json"), json.loads(path.read_text()))
    for path in sorted(FIXTURES.rglob("*.expected.json"))
    if path.parent.name != "tricky"
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count"),
    [(name, oracle["rows"]) for name, oracle in GRADED if not {"refused", "may_refuse"} & oracle.keys()],
)
def test_every_fixture_is_graded_in_one_command(
    karat: Command, name: str, count: list[dict[str, object]]
) -> None:
    whole = [row for row in count if row["references"]]
    ended = karat("grade", str(FIXTURES / name), "--judge", "rules", "--on-bad-row", "skip", "--json")
    assert json.loads(ended.out)["rows"] == len(whole)


def test_references_without_an_answer_are_counted(karat: Command, folder: Path) -> None:
    (folder / "a.jsonl").write_text('{"id": 1, "answer": "A"}\n')
    (folder / "r.jsonl").write_text('{"id": 1, "reference": "R"}\n{"id": 2, "reference": "S"}\n')
    ended = karat("grade", "a.jsonl", "--references", "r.jsonl", "--judge", "rules")
    assert "karat: r.jsonl: 1 reference without an answer" in ended.err


PLAIN = Columns("reference", "answer", "question", "id", "system")
ROWS = '{"id": "a", "question": "Q", "reference": "R", "answer": "A", "system": "s"}\n'


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("a.jsonl", ROWS, PLAIN),
        ("a.json", ROWS * 1, PLAIN),
        ("a.csv", "id,question,reference,answer,system\na,Q,R,A,s\n", PLAIN),
        (
            "a.jsonl",
            '{"item": {"input": "Q", "gold": "R"}, "output": "A"}\n',
            Columns("item.gold", "output", "item.input"),
        ),
        (
            "a.jsonl",
            '{"question": "Q", "answer": "A", "contexts": ["C"], "ground_truth": "R"}\n',
            Columns("ground_truth", "answer", "question"),
        ),
    ],
)
def test_a_plain_file_is_known_by_the_same_key_as_in_earlier_versions(
    karat: Command, folder: Path, name: str, content: str, columns: Columns
) -> None:
    (folder / name).write_text(content)
    assert karat("grade", name, "--judge", "rules").code == 0
    with open_source(name) as source, Store(".karat/karat.db") as store:
        assert store.find_dataset(hash_content([2, source.digest(), name, columns, "stop", None])) is not None
