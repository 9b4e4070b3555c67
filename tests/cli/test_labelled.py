"""`karat grade`, `agree`, `compare` and `labels` with human labels: from files to numbers."""

import csv
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Command

ANSWERS = (
    "{n}",
    "",
    "rather a lot, they say",
)  # the rules accept the first, reject the second and leave the third open


def write_rows(folder: Path, count: int = 60, name: str = "a.jsonl", **more: Any) -> str:
    """Every third row is accepted, every third rejected; two systems, three topics, a label for each row that knows one."""
    rows = [
        {
            "id": f"r{n}",
            "question": f"How many are {n // 2} dozens of dozens?",
            "reference": str(144 * (n // 2 + 1)),
            "answer": ANSWERS[n % 3].format(n=144 * (n // 2 + 1)),
            "system": ("atlas", "birch")[n % 2],
            "topic": f"t{n // 2 % 3}",
        }
        | more
        for n in range(count)
    ]
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


def change_answer(folder: Path, name: str, row: str) -> str:
    """The file with another answer in one row, so that it can be compared with the answers as they were."""
    rows = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    changed = [{**one, "answer": "something else"} if one["id"] == row else one for one in rows]
    (folder / name).write_text("".join(json.dumps(one) + "\n" for one in changed), encoding="utf-8")
    return name


def write_labels(
    folder: Path, rows: dict[str, object], name: str = "labels.csv", author: str = "anna"
) -> str:
    lines = [["id", "label", "author"], *([row, label, author] for row, label in rows.items())]
    with (folder / name).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(lines)
    return name


def test_raw_and_corrected_shares_are_shown_together(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {f"r{n}": "no" if n % 4 else "yes" for n in range(0, 60, 2)})
    ended = karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    assert ended.code == 0, ended.err
    assert "labels.csv: 30 labels by 'anna', on the scale yes/no" in ended.err
    lines = [line.split("  ")[0] for line in ended.out.splitlines()]
    for name in ("as judged", "corrected by labels", "by labels alone"):
        assert name in lines
    assert "assume that the labelled rows are like the others" in " ".join(ended.out.split())
    facts = json.loads(karat("grade", "a.jsonl", "--judge", "rules", "--json").out)
    assert facts["correction"]["labelled"] == 30
    assert facts["correction"]["share"]["labels_alone"]["value"] == 0.5


def test_the_label_column_is_read_without_being_asked(karat: Command, folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / write_rows(folder)).read_text().splitlines()]
    labelled = [row | {"label": n % 3 == 0} for n, row in enumerate(rows)]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labelled))
    ended = karat("grade", "a.jsonl", "--judge", "rules", "--json")
    assert "a.jsonl: 60 labels by 'label', on the scale yes/no" in ended.err
    correction = json.loads(ended.out)["correction"]
    assert correction["selection"] == "all"
    assert correction["share"]["labels_alone"]["value"] == pytest.approx(1 / 3)
    without = karat(
        "grade", "a.jsonl", "--judge", "rules", "--columns", "label=", "--store", "other.db", "--json"
    )
    assert json.loads(without.out)["correction"] is None


def test_bad_labels_stop_before_anything_is_graded(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {"r1": 1, "nobody": 0})
    line = karat.refused(2, "grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    assert "labels.csv:3: a.jsonl has no row with the id 'nobody'" in line
    assert "there are none yet" in karat.refused(2, "agree")
    (folder / "b.jsonl").write_text('{"reference": "x", "answer": "x", "label": "entailment"}\n')
    line = karat.refused(2, "grade", "b.jsonl", "--judge", "rules")
    assert "b.jsonl:1: label 'entailment' is not true/false" in line
    assert "--columns label=" in line
    assert karat("grade", "b.jsonl", "--judge", "rules", "--columns", "label=").code == 0
    assert karat("grade", "b.jsonl", "--judge", "rules", "--on-bad-row", "skip").code == 0


def test_custom_label_scale(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {"r0": 2, "r1": 1, "r2": 0})
    ended = karat(
        "grade", write_rows(folder), "--judge", "rules", "--labels", labels, "--label-scale", "0-2", "--json"
    )
    assert "on the scale 0-2" in ended.err
    assert json.loads(ended.out)["correction"]["share"]["labels_alone"]["value"] == pytest.approx(1 / 3)
    assert "LOW-HIGH" in karat.refused(2, "grade", "a.jsonl", "--judge", "rules", "--label-scale", "five")


def test_intervals_are_clustered_by_question_or_by_a_column(karat: Command, folder: Path) -> None:
    """Two answers to each question; by topic there are three clusters."""
    command = ("grade", write_rows(folder), "--judge", "rules", "--json")
    clusters = [
        json.loads(karat(*command, *more).out)["share"]["estimate"]["clusters"]
        for more in ((), ("--cluster", "topic"), ("--cluster", "id"))
    ]
    assert clusters == [30, 3, None]
    assert "no column 'colour' in a.jsonl" in karat.refused(2, *command, "--cluster", "colour")


def test_agreement_is_shown_with_examples_of_what_differs(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {f"r{n}": n % 3 == 0 and n != 3 for n in range(20)})
    karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    ended = karat("agree", "--examples", "1")
    assert ended.code == 0, ended.err
    assert "14 rows judged and labelled, by 1 person" in ended.out
    assert "left out: 6 labelled rows without a verdict" in ended.out
    assert "judge Yes, people No: 1 row, examples" in ended.out
    assert "r3" in ended.out
    facts = json.loads(karat("agree", "1", "--json").out)
    assert facts["table"] == [[7, 1], [0, 6]]
    cells = {"judge Yes, people No": ["r3"], "judge No, people Yes": [], "people evenly split": []}
    assert facts["cells"] == cells
    assert facts["statistics"]["agreement"]["value"] == pytest.approx(13 / 14)
    assert "NaN" not in karat("agree", "--json").out


def test_agreement_names_the_column_by_which_it_is_clustered(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {f"r{n}": n % 3 == 0 for n in range(40)})
    karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    assert "intervals clustered by 20 questions" in karat("agree").out
    assert "intervals clustered by 3 values of 'topic'" in karat("agree", "--cluster", "topic").out
    assert json.loads(karat("agree", "--cluster", "topic", "--json").out)["cluster"] == "topic"


def test_several_people(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder), "--judge", "rules")
    for author, every in (("anna", 3), ("ben", 3), ("cleo", 4)):
        path = write_labels(folder, {f"r{n}": n % every == 0 for n in range(45)}, f"{author}.csv", author)
        assert karat("labels", "add", "1", path).code == 0
    ended = karat("agree")
    assert "anna ~ ben" in ended.out
    assert "Krippendorff's alpha of all annotators" in ended.out
    assert "alternative-annotator test" in ended.out


def test_without_labels_agree_says_how_to_get_them(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder), "--judge", "rules")
    line = karat.refused(2, "agree")
    assert "run 1 has no labels" in line
    assert "karat labels plan 1" in line


def test_a_plan_is_drawn_filled_in_and_given_back(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, 120), "--judge", "rules")
    ended = karat("labels", "plan", "--n", "30")
    assert ended.code == 0, ended.err
    assert "30 rows written to labels-1.csv" in ended.err
    assert "unjudged" in ended.out
    with (folder / "labels-1.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    write_labels(folder, {row["id"]: int(row["id"][1:]) % 3 == 0 for row in rows}, "filled.csv")
    assert karat("labels", "add", "1", "filled.csv").code == 0
    again = karat("grade", "a.jsonl", "--judge", "rules", "--json")
    correction = json.loads(again.out)["correction"]
    assert (correction["selection"], correction["labelled"]) == ("planned", 30)
    assert "drawn by `karat labels plan`" in karat("grade", "a.jsonl", "--judge", "rules").out
    assert "exists and may contain labels" in karat.refused(2, "labels", "plan", "--n", "5")
    assert karat("labels", "plan", "--n", "5", "-o", "more.csv").code == 0
    assert "5 rows written to open.csv" in karat("labels", "plan", "--again", "-o", "open.csv").err


def test_planned_labels_have_the_same_weights_under_any_file_name(karat: Command, folder: Path) -> None:
    """By another path, as a copy, packed, with other columns; a file is not compared with its copy."""
    karat("grade", write_rows(folder, 120), "--judge", "rules")
    karat("labels", "plan", "--n", "30", "-o", "p.csv")
    with (folder / "p.csv").open(encoding="utf-8-sig", newline="") as stream:
        names = [row["id"] for row in csv.DictReader(stream)]
    karat("labels", "add", "1", write_labels(folder, {name: int(name[1:]) % 3 == 0 for name in names}))
    (folder / "copy.jsonl").write_bytes((folder / "a.jsonl").read_bytes())
    (folder / "a.jsonl.gz").write_bytes(gzip.compress((folder / "a.jsonl").read_bytes()))
    found = [
        json.loads(karat("grade", *command, "--known-labels", "--judge", "rules", "--json").out)
        for command in (["a.jsonl"], ["copy.jsonl"], ["a.jsonl.gz"], ["a.jsonl", "--columns", "system=id"])
    ]
    assert {one["correction"]["selection"] for one in found} == {"planned"}
    values = [one["correction"]["share"]["corrected"]["value"] for one in found]
    assert values == pytest.approx([values[0]] * 4)
    assert "have the same answers" in karat.refused(2, "compare", "1", "2")
    agreements = [json.loads(karat("agree", run, "--json").out)["statistics"] for run in ("1", "2")]
    assert agreements[0] == agreements[1]


def test_planned_labels_do_not_cover_added_rows(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, 120), "--judge", "rules")
    karat("labels", "plan", "--n", "30", "-o", "p.csv")
    with (folder / "p.csv").open(encoding="utf-8-sig", newline="") as stream:
        names = [row["id"] for row in csv.DictReader(stream)]
    karat("labels", "add", "1", write_labels(folder, {name: int(name[1:]) % 3 == 0 for name in names}))
    write_rows(folder, 121, "b.jsonl")
    why = "1 of these 121 rows is not among those from which the labelled rows were drawn"
    ended = karat("grade", "b.jsonl", "--judge", "rules", "--known-labels")
    assert f"– not defined: {why}" in ended.out
    assert "drawn by `karat labels plan` for another run" in ended.out
    assert "assume that the labelled rows" not in ended.out
    assert "b.jsonl contains all answers of a.jsonl" in karat.refused(2, "compare", "1", "2")
    assert "represent all rows of the run except 1 row from which the plan did not draw" in " ".join(
        karat("agree", "2").out.split()
    )
    unlabelled = next(f"r{n}" for n in range(120) if f"r{n}" not in names)
    karat("grade", change_answer(folder, "b.jsonl", unlabelled), "--judge", "rules", "--known-labels")
    assert why.replace("1 of", "2 of").replace(" is ", " are ") in karat("compare", "1", "3").out


def test_labels_are_used_in_the_file_that_they_were_given_for(karat: Command, folder: Path) -> None:
    """Another file with the same rows is offered them once, and shows none of them anywhere."""
    labels = write_labels(folder, {f"r{n}": n % 2 for n in range(40)})
    karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    ended = karat("grade", write_rows(folder, name="b.jsonl", topic="x"), "--judge", "rules")
    offer = "40 of the 60 rows have no label here, but other files have labels for identical rows ('a.jsonl'); --known-labels uses them"
    assert ended.err.count("--known-labels") == 1
    assert offer in ended.err
    assert "label" not in ended.out.partition("next:")[0]
    assert "run 2 has no labels" in karat.refused(2, "agree", "2")
    (run,) = json.loads(karat("report", "2", "--json").out)["runs"]
    assert (run["summary"]["correction"], run["agreement"]) == (None, None)
    assert run["summary"]["headline"] == "raw"
    karat("grade", change_answer(folder, "b.jsonl", "r50"), "--judge", "rules")
    compared = json.loads(karat("compare", "1", "3", "--json").out)
    assert [side["corrected"] is None for side in compared["sides"]] == [False, True]
    assert compared["pairs"][0]["corrected"] is None
    assert json.loads(karat("labels", "need", "2", "--width", "0.3", "--json").out)["labelled"] == 0
    karat("labels", "list", "2", "-o", "none.jsonl")
    assert (folder / "none.jsonl").read_text() == ""


def test_known_labels_are_used_on_request_and_every_output_says_where_they_come_from(
    karat: Command, folder: Path
) -> None:
    labels = write_labels(folder, {f"r{n}": n % 2 for n in range(40)})
    karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    write_rows(folder, name="b.jsonl", topic="x")
    ended = karat("grade", change_answer(folder, "b.jsonl", "r50"), "--judge", "rules", "--known-labels")
    assert "b.jsonl: 40 labels given for other files ('a.jsonl') used" in ended.err
    told = "40 of 40 labelled rows have labels from other files: 'a.jsonl'"
    for command in (("agree", "2"), ("report", "2", "--markdown"), ("compare", "1", "2")):
        assert told in karat(*command).out, command
    assert told in ended.out
    again = karat("grade", "b.jsonl", "--judge", "rules", "--json")
    assert "--known-labels" not in again.err
    correction = json.loads(again.out)["correction"]
    assert (correction["labelled"], correction["known"], correction["known_from"]) == (40, 40, ["a.jsonl"])
    assert json.loads(karat("agree", "2", "--json").out)["known_from"] == ["a.jsonl"]
    assert json.loads(karat("labels", "need", "2", "--width", "0.3", "--json").out)["labelled"] == 40
    karat("report", "2")
    page = (folder / "karat-report.html").read_text(encoding="utf-8")
    assert "40 of 40 labelled rows have labels from other files" in page
    karat("labels", "list", "2", "-o", "all.jsonl")
    assert len((folder / "all.jsonl").read_text().splitlines()) == 40
    ended = karat(
        "grade", write_rows(folder, 2, name="c.jsonl", reference="x"), "--judge", "rules", "--known-labels"
    )
    assert "c.jsonl: no labels given for other files used" in ended.err


def test_a_dry_run_only_says_which_known_labels_would_be_used(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {f"r{n}": n % 2 for n in range(40)})
    karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    grade = ("grade", write_rows(folder, name="b.jsonl", topic="x"), "--judge", "rules")
    would = "b.jsonl: 40 labels given for other files ('a.jsonl') would be used"
    assert would in karat(*grade, "--known-labels", "--dry-run").err
    assert json.loads(karat(*grade, "--json").out)["correction"] is None
    karat(*grade, "--known-labels")
    assert would in karat(*grade, "--known-labels", "--dry-run").err
    ended = karat(*grade, "--no-known-labels", "--dry-run")
    assert "b.jsonl: 40 labels given for other files would no longer be used" in ended.err
    assert json.loads(karat(*grade, "--json").out)["correction"]["known"] == 40


def test_known_labels_are_taken_out_of_use_on_request(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {f"r{n}": n % 2 for n in range(40)})
    karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    grade = ("grade", write_rows(folder, name="b.jsonl", topic="x"), "--judge", "rules", "--json")
    before = json.loads(karat(*grade).out)
    karat(*grade, "--known-labels")
    ended = karat(*grade, "--no-known-labels")
    assert "b.jsonl: 40 labels given for other files no longer used" in ended.err
    assert json.loads(ended.out) == before
    assert "--known-labels uses them" in karat(*grade).err
    assert "b.jsonl: no labels given for other files were in use" in karat(*grade, "--no-known-labels").err
    assert (
        json.loads(karat("grade", "a.jsonl", "--judge", "rules", "--json").out)["correction"]["labelled"]
        == 40
    )


def test_files_that_disagree_are_named_with_the_number_of_rows(karat: Command, folder: Path) -> None:
    """The label column has the same author in every file, so that of the file taken in last counts."""
    for name, label in (("a.jsonl", True), ("b.jsonl", False)):
        karat("grade", write_rows(folder, 3, name=name, label=label), "--judge", "rules")
    grade = ("grade", write_rows(folder, 3, name="c.jsonl"), "--judge", "rules")
    told = "; on 3 rows the files disagree: each author's latest label counts"
    assert f"--known-labels uses them{told}" in karat(*grade).err
    assert (
        f"c.jsonl: 3 labels given for other files ('b.jsonl') used{told}"
        in karat(*grade, "--known-labels").err
    )
    karat("labels", "list", "-o", "all.jsonl")
    assert [json.loads(line)["label"] for line in (folder / "all.jsonl").read_text().splitlines()] == [
        0,
        0,
        0,
    ]


def test_column_labels_do_not_count_as_drawn_by_another_files_plan(karat: Command, folder: Path) -> None:
    """Half of the rows are right; the plan of a copy has 30 labels, the file itself 25 of right rows only."""
    karat("grade", write_rows(folder), "--judge", "rules")
    karat("labels", "plan", "--n", "30", "-o", "p.csv")
    with (folder / "p.csv").open(encoding="utf-8-sig", newline="") as stream:
        names = [row["id"] for row in csv.DictReader(stream)]
    karat("labels", "add", "1", write_labels(folder, {name: int(name[1:]) % 2 == 0 for name in names}))
    rows = [json.loads(line) for line in (folder / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    labelled = [row | ({"label": True} if n % 2 == 0 and n < 50 else {}) for n, row in enumerate(rows)]
    (folder / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labelled), encoding="utf-8")
    shared = json.loads(karat("grade", "b.jsonl", "--judge", "rules", "--json").out)
    alone = json.loads(karat("grade", "b.jsonl", "--judge", "rules", "--json", "--store", "own.db").out)
    assert shared["correction"] == alone["correction"]
    assert (shared["correction"]["selection"], shared["headline"]) == ("convenience", alone["headline"])


def test_labels_of_rows_beyond_the_limit_are_skipped(karat: Command, folder: Path) -> None:
    labels = write_labels(folder, {f"r{n}": n % 2 for n in range(12)})
    ended = karat("grade", write_rows(folder), "--judge", "rules", "--limit", "5", "--labels", labels)
    assert ended.code == 0, ended.err
    assert "labels.csv: 7 labels of rows beyond --limit skipped" in ended.err
    assert "labels.csv: 5 labels by 'anna'" in ended.err
    line = karat.refused(2, "labels", "add", "1", labels)
    assert "labels.csv:7: a.jsonl has no row with the id 'r5' among the 5 rows that were read" in line
    labels = write_labels(folder, {"r1": 1, "nobody": 0})
    line = karat.refused(2, "grade", "a.jsonl", "--judge", "rules", "--limit", "5", "--labels", labels)
    assert "labels.csv:3: a.jsonl has no row with the id 'nobody'" in line


def test_fully_labelled_runs_show_the_share_of_the_labels_in_all_commands(
    karat: Command, folder: Path
) -> None:
    labels = write_labels(folder, {f"r{n}": n % 4 > 0 for n in range(60)})
    ended = karat("grade", write_rows(folder), "--judge", "rules", "--labels", labels)
    assert "every row is labelled, so the share comes from the labels themselves" in ended.out
    assert "corrected by labels" not in ended.out
    said = next(line for line in ended.out.splitlines() if line.startswith("by labels alone"))
    number = said.removeprefix("by labels alone").partition("]")[0].strip() + "]"
    facts = json.loads(karat("report", "--json").out)["runs"][0]["summary"]["correction"]["share"]
    assert facts["corrected"] == facts["labels_alone"]
    write_rows(folder, name="b.jsonl", topic="x")
    karat("grade", change_answer(folder, "b.jsonl", "r50"), "--judge", "rules", "--known-labels")
    assert number in karat("compare", "1", "2").out


def test_labels_need_for_a_width(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, 600), "--judge", "rules")
    ended = karat("labels", "need", "--width", "0.2")
    assert "an interval of 20 points needs about" in ended.out
    assert "karat labels plan 1 --n 30" in ended.out
    labels = write_labels(folder, {f"r{n}": n % 3 == 0 for n in range(60)})
    karat("labels", "add", "1", labels)
    facts = json.loads(karat("labels", "need", "--width", "0.2", "--json").out)
    assert facts["known"] is True
    assert facts["labels"] < facts["alone"]
    assert "the 60 labels so far give an interval of" in karat("labels", "need", "--width", "0.2").out
    assert "--width must be between 0 and 1" in karat.refused(2, "labels", "need", "--width", "4")


def test_labels_are_listed_with_their_history(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder), "--judge", "rules")
    karat("labels", "add", "1", write_labels(folder, {"r0": 1, "r1": 0}))
    ended = karat("labels", "add", "1", write_labels(folder, {"r0": 0, "r1": 0}))
    assert "1 already imported; 1 earlier ones by the same author replaced" in ended.err
    assert karat("labels", "list", "--history", "-o", "all.jsonl").code == 0
    rows = [json.loads(line) for line in (folder / "all.jsonl").read_text().splitlines()]
    assert [(row["id"], row["label"], row["replaced"] is None) for row in rows] == [
        ("r0", 1.0, False),
        ("r0", 0.0, True),
        ("r1", 0.0, True),
    ]
    assert "anna" in karat("labels", "list").out


def test_systems_are_compared_by_question(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder), "--judge", "rules")
    ended = karat("compare", "--by", "system")
    assert "birch − atlas" in ended.out
    assert "atlas better by 100.0 points [" in ended.out
    facts = json.loads(karat("compare", "1", "--by", "system", "--json").out)
    assert (facts["kind"], facts["runs"]) == ("comparison", [1])
    assert facts["pairs"][0]["paired_by"] == "question"


def test_tags_are_compared_as_slices(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder), "--judge", "rules")
    facts = json.loads(karat("compare", "--by", "topic", "--json").out)
    assert facts["kind"] == "slices"
    assert [one["name"] for one in facts["slices"]] == ["t0", "t1", "t2"]
    assert sum(one["rows"] for one in facts["slices"]) == 60
    assert "hold at once" in karat("compare", "--by", "topic").out


def test_two_runs_are_compared(karat: Command, folder: Path) -> None:
    """Other answers to the same questions, and other rows of the same name for a second judge."""
    karat("grade", write_rows(folder), "--judge", "rules")
    karat("grade", write_rows(folder, name="b.jsonl", answer="144"), "--judge", "rules")
    ended = karat("compare", "1", "2")
    assert "a.jsonl" in ended.out
    assert "b.jsonl − a.jsonl" in ended.out
    pairs = json.loads(karat("compare", "1", "2", "--by", "topic", "--json").out)["pairs"]
    assert [pair["group"] for pair in pairs] == [None, "t0", "t1", "t2"]


def test_the_numbers_are_the_same_in_every_process(karat: Command, folder: Path) -> None:
    """Exactly equal for any PYTHONHASHSEED."""
    labels = write_labels(folder, {f"r{n}": n % 3 == 0 for n in range(40)})
    karat("grade", write_rows(folder, 120), "--judge", "rules", "--labels", labels)
    code = "from karat.cli import main; main()"
    for command in (["compare", "--by", "system", "--json"], ["agree", "--json"]):
        said = {
            subprocess.run(
                [sys.executable, "-c", code, *command],
                env=os.environ | {"PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert len(said) == 1


def test_text_from_data_is_not_interpreted(karat: Command, folder: Path) -> None:
    """Brackets, colons, escapes and marks that turn text around, in names, ids, authors and answers."""
    bad = "[/][red]:smile:\x1b[31m\u202e"
    rows = [
        {"id": f"{bad}{n}", "question": f"{bad}{n // 2}", "reference": str(n), "answer": str(n), "system": f"{bad}{n % 2}"}
        for n in range(8)
    ]  # fmt: skip
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    labels = [{"id": row["id"], "label": 0, "author": bad} for row in rows]
    (folder / "l.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    karat("grade", "a.jsonl", "--judge", "rules", "--labels", "l.jsonl")
    for command in (("agree",), ("compare", "--by", "system"), ("labels", "list")):
        ended = karat(*command)
        assert ended.code == 0, ended.err
        assert "[/][red]:smile:" in ended.out, command
        assert "\x1b" not in ended.out
        assert "\u202e" not in ended.out


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("compare",), "compare needs two runs, or one run and --by COLUMN"),
        (("compare", "1", "1"), "run 1 cannot be compared with itself"),
        (("compare", "1", "9"), "no run 9 in"),
        (("compare", "--by", "colour"), "--by: no column 'colour' in a.jsonl; the columns are"),
        (("compare", "--by", "id"), "--by id: 120 different values are too many to compare"),
        (("compare", "--by", "system", "--points", "0"), "--points must be more than 0"),
        (("compare", "--by", "system", "--points", "nan"), "--points must be more than 0"),
        (("agree", "--pass", "6"), "--pass must be between 0 and 5"),
        (("agree", "--examples", "-1"), "--examples"),
        (("labels", "add", "1", "nowhere.csv"), "nowhere.csv: no such file"),
        (("labels", "plan", "--n", "0"), "--n must be at least 1"),
        (("labels", "plan", "-o", "x.xlsx"), "x.xlsx: unknown ending"),
        (("labels", "need"), "--width"),
    ],
)
def test_a_mistake_is_one_line(
    karat: Command, folder: Path, command: tuple[str, ...], complaint: str
) -> None:
    karat("grade", write_rows(folder, 120), "--judge", "rules")
    assert complaint in karat.refused(2, *command)


def test_runs_of_different_protocols_are_not_compared(karat: Command, folder: Path) -> None:
    from oracle import PERFECT
    from provider import Provider

    with Provider(PERFECT["keypoints"](lambda _: 4)) as provider:
        karat("grade", write_rows(folder, 4), "--judge", "rules")
        karat("grade", "a.jsonl", "--judge", f"{provider.base_url}#m", "--protocol", "keypoints")
    assert "one run uses the protocol match and the other keypoints" in karat.refused(2, "compare", "1", "2")
