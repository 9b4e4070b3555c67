"""Verdicts that files of other tools carry: what they say, and by which grader."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from karat.core.errors import UsageError
from karat.core.types import Unjudged, Verdict
from karat.labels import import_column
from karat.run.exported_verdicts import ExportedVerdicts
from karat.run.verdict_files import load_verdicts, open_verdicts
from karat.store import Run, Store

FIXTURES = Path(__file__).parents[1] / "rows" / "formats"
EVALS = "documented/openai-evals-api"
EXACT = "Exact match"
SAME_TEXT = (
    "braintrust/results.jsonl",
    "documented/braintrust/experiment_events.json",
    "documented/braintrust/experiment_events.jsonl",
    "documented/langfuse/experiment_items.json",
    "documented/langfuse/experiment_items_of_fields.json",
    "documented/langsmith/examples_with_runs.json",
    "documented/langsmith/uploaded_experiment.json",
    "deepeval/latest_test_run.json",
    "deepeval/run.json",
    "langsmith/results.csv",
    "lm-eval/samples_several_answers.jsonl",
    "lm-eval/samples_short_answers.jsonl",
    "mlflow/genai_results.csv",
    "mlflow/genai_results.jsonl",
    "mlflow/genai_traces.jsonl",
    "mlflow/model/eval_results_table.json",
    "mlflow/static/eval_results_table.json",
    "pydantic-evals/report.json",
    "pydantic-evals/report_with_repeats.json",
    "ragas/results.csv",
    "ragas/results.jsonl",
    "ragas-old/results.csv",
)
"""Files whose only grader compares the answer with the references, letter by letter."""
NOT_GRADED = (
    "datasets/squad.jsonl", "documented/openai-evals-api/rows.jsonl", "helm/scenario_state.json", "ragas/dataset.csv",
    "promptfoo/tests_with_outputs.csv", "pydantic-evals/report_of_fields.json",
)  # fmt: skip


def read_oracle(name: str) -> dict[str, Any]:
    return json.loads((FIXTURES / f"{name}.expected.json").read_text())


GRADED = sorted(
    str(path.relative_to(FIXTURES)).removesuffix(".expected.json")
    for path in FIXTURES.rglob("*.expected.json")
    if any("verdicts" in row for row in json.loads(path.read_text()).get("rows") or ())
)


def read_values(path: str) -> list[bool | None]:
    return [
        judged.outcome.value == 1 if isinstance(judged.outcome, Verdict) else None
        for judged in open_verdicts(path)
    ]


def write_items(folder: Path, *grades: dict[str, Any], name: str = "export.jsonl") -> str:
    """Output items of OpenAI Evals, one for each grade of one grader."""
    place = folder / name
    lines = [
        {
            "object": "eval.run.output_item",
            "id": f"item-{number}",
            "run_id": "run-1",
            "datasource_item_id": number,
            "datasource_item": {"question": f"What is {number}?", "reference": str(number)},
            "results": [{"name": "grader", **grade}] if grade else [],
            "sample": {"output": [{"role": "assistant", "content": str(number)}], "model": "m"},
        }
        for number, grade in enumerate(grades)
    ]
    place.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(place)


def write_langfuse(folder: Path, *scores: dict[str, Any]) -> str:
    place = folder / "items.json"
    item = {"experimentName": "m", "input": "Who?", "output": "Ada", "expectedOutput": "Ada"}
    rows = [
        {**item, "id": f"o{number}", "experimentItemId": f"i{number}", "scores": [score]}
        for number, score in enumerate(scores)
    ]
    place.write_text(json.dumps({"data": rows}))
    return str(place)


@pytest.mark.parametrize("name", GRADED)
def test_each_grader_of_a_fixture_gives_the_verdicts_that_were_put_in(name: str) -> None:
    rows = read_oracle(name)["rows"]
    for grader in rows[0]["verdicts"]:
        found = read_values(f"{FIXTURES / name}#{grader}")
        assert found == [row["verdicts"][grader]["passed"] for row in rows]


@pytest.mark.parametrize("name", SAME_TEXT)
def test_a_grader_that_compares_texts_says_which_answers_are_a_reference(name: str) -> None:
    values = list(open_verdicts(str(FIXTURES / name)))
    assert len(values) == len(read_oracle(name)["rows"])
    for judged in values:
        assert isinstance(judged.outcome, Verdict)
        item = judged.row.item
        assert judged.outcome.value == (item.answer in item.references), item


def test_an_inspect_log_has_the_accuracy_that_inspect_counted() -> None:
    log = json.loads((FIXTURES / "inspect-ai" / "log.json").read_text())
    accuracy = log["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    for name in ("log.json", "log.eval", "log_deflated.eval", "samples.jsonl"):
        values = read_values(str(FIXTURES / "inspect-ai" / name))
        assert values.count(True) / len(values) == accuracy


@pytest.mark.parametrize("stem", ["assertions", "variables"])
def test_promptfoo_results_have_the_counts_of_promptfoo(stem: str) -> None:
    place = FIXTURES / "promptfoo" / f"{stem}.json"
    stats = json.loads(place.read_text())["results"]["stats"]
    values = read_values(str(place))
    assert (values.count(True), values.count(False)) == (stats["successes"], stats["failures"])


def test_a_promptfoo_table_has_the_status_beside_each_output() -> None:
    place = FIXTURES / "promptfoo" / "variables.csv"
    with place.open(encoding="utf-8", newline="") as stream:
        header, *lines = csv.reader(stream)
    status = [place for place, name in enumerate(header) if name == "Status"]
    assert read_values(str(place)) == [line[at] == "PASS" for line in lines for at in status]


def test_event_logs_have_the_verdicts_of_their_match_events() -> None:
    for name in ("events_match", "events_includes"):
        place = FIXTURES / "openai-evals" / f"{name}.jsonl"
        events = [json.loads(line) for line in place.read_text().splitlines()]
        said = [event["data"]["correct"] for event in events if event.get("type") == "match"]
        assert read_values(str(place)) == said


@pytest.mark.parametrize("name", NOT_GRADED)
def test_a_file_without_grades_is_refused_with_the_command_that_grades_it(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_verdicts(str(FIXTURES / name))
    message = str(caught.value)
    assert "no row carries a grade" in message
    assert f"`karat grade {FIXTURES / name}" in message


def test_a_folder_of_output_items_is_one_file() -> None:
    folder = FIXTURES / EVALS / "export_folder"
    rows = read_oracle(f"{EVALS}/export_folder")["rows"]
    said = [row["verdicts"] for row in rows]
    grader = next(iter(said[0]))
    assert sorted(map(str, read_values(f"{folder}#{EXACT}"))) == sorted(
        str(one[grader]["passed"]) for one in said
    )


def test_several_graders_are_listed_as_they_are_typed() -> None:
    place = FIXTURES / EVALS / "output_items_page.json"
    for given in (str(place), f"{place}#nobody", f"{place}#"):
        with pytest.raises(UsageError) as caught:
            open_verdicts(given)
        message = str(caught.value)
        assert f"'{place}#Exact match' '{place}#Agrees with the key'" in message
        assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "asked", ["Exact match", "exact_match", "Exact match-2e318d8b-9b2d-54a0-a920-ec53a4b2188e"]
)
def test_a_grader_is_found_by_its_name_in_any_spelling(asked: str) -> None:
    found = open_verdicts(f"{FIXTURES / EVALS / 'output_items_page.json'}#{asked}")
    assert found.card.judge == "openai-evals: Exact match"


def test_a_file_whose_name_has_the_mark_is_read_as_a_file(tmp_path: Path) -> None:
    path = write_items(tmp_path, {"passed": True}, name="run#1.jsonl")
    assert read_values(path) == [True]
    assert read_values(f"{path}#grader") == [True]


def test_dashboard_and_output_items_are_of_one_judge() -> None:
    judges = {
        open_verdicts(f"{FIXTURES / EVALS / name}#{EXACT}").card.judge
        for name in ("dashboard_items.jsonl", "output_items_page.json", "export.json")
    }
    assert judges == {"openai-evals: Exact match"}


def test_a_score_alone_is_a_verdict_only_where_it_is_zero_or_one(tmp_path: Path) -> None:
    assert read_values(write_items(tmp_path, {"score": 1.0}, {"score": 0}, {"score": None})) == [
        True,
        False,
        None,
    ]
    path = write_items(tmp_path, {"score": 1}, {"score": 0.4})
    with pytest.raises(UsageError, match=r"0\.4 by 'grader' is neither right nor wrong") as caught:
        read_values(path)
    assert f"'{path}#grader>=0.5'" in str(caught.value)


@pytest.mark.parametrize(("least", "said"), [("0.4", [True, True, False]), (".5", [True, False, False])])
def test_a_score_becomes_a_verdict_from_a_limit_on(tmp_path: Path, least: str, said: list[bool]) -> None:
    path = write_items(tmp_path, {"score": 1}, {"score": 0.4, "passed": False}, {"score": 0.1})
    found = open_verdicts(f"{path}#grader>={least}")
    assert read_values(f"{path}#grader>={least}") == said
    assert found.card.judge == f"openai-evals: grader>={float(least):g}"


def test_a_row_without_a_grade_is_unjudged(tmp_path: Path) -> None:
    _, missing = open_verdicts(write_items(tmp_path, {"passed": True}, {}))
    assert isinstance(missing.outcome, Unjudged)
    assert missing.outcome.cause == "undecided"


def test_a_grade_that_failed_is_unjudged_with_its_error(tmp_path: Path) -> None:
    run = json.loads((FIXTURES / "deepeval" / "run.json").read_text())
    run["testCases"][1]["metricsData"][0] |= {"error": "the judge timed out", "score": None}
    place = tmp_path / "run.json"
    place.write_text(json.dumps(run))
    failed = list(open_verdicts(str(place)))[1].outcome
    assert isinstance(failed, Unjudged)
    assert (failed.cause, failed.reason) == ("unparseable", "the judge timed out")


def test_an_assertion_of_promptfoo_that_could_not_be_tested_is_no_failure(tmp_path: Path) -> None:
    line = json.loads((FIXTURES / "promptfoo" / "assertions.jsonl").read_text().splitlines()[0])
    place = tmp_path / "results.jsonl"
    place.write_text(json.dumps({**line, "failureReason": 2, "error": "no such grader"}) + "\n")
    (found,) = open_verdicts(str(place))
    assert isinstance(found.outcome, Unjudged)
    assert found.outcome.reason == "no such grader"


def test_costs_and_confidences_are_not_known(tmp_path: Path) -> None:
    with Store(None) as store:
        run = load_verdicts(store, write_items(tmp_path, {"passed": True}, {"passed": False}))
        spent = store.spent(run)
        assert (spent.input_tokens, spent.output_tokens, spent.cost_usd) == (None, None, None)
        for one in store.graded(run):
            assert isinstance(one.outcome, Verdict)
            assert one.outcome.confidence is None
            assert one.outcome.spent.cost_usd is None
            assert one.outcome.decided_by == run.judge == "openai-evals: grader"


def test_the_cost_of_a_repeated_row_is_not_known_either(tmp_path: Path) -> None:
    path = Path(write_items(tmp_path, {"passed": True}))
    line = path.read_text()
    path.write_text(line + line.replace("run-1", "run-2"))
    with Store(None) as store:
        run = load_verdicts(store, str(path))
        assert [one.outcome and one.outcome.spent.cost_usd for one in store.graded(run)] == [None, None]


def test_files_with_other_verdicts_are_of_other_judges_and_do_not_mix(tmp_path: Path) -> None:
    def read(store: Store, run: Run) -> list[object]:
        return [one.outcome.value for one in store.graded(run) if isinstance(one.outcome, Verdict)]

    with Store(None) as store:
        yes = load_verdicts(store, write_items(tmp_path, {"passed": True}, name="yes.jsonl"))
        no = load_verdicts(store, write_items(tmp_path, {"passed": False}, name="no.jsonl"))
        again = load_verdicts(store, write_items(tmp_path, {"passed": True}, name="yes.jsonl"))
        changed = load_verdicts(store, write_items(tmp_path, {"passed": False}, name="yes.jsonl"))
        assert (read(store, yes), read(store, no), read(store, changed)) == ([True], [False], [False])
        assert yes.fingerprint == again.fingerprint
        assert len({yes.fingerprint, no.fingerprint}) == 2


def test_rows_that_cannot_be_read_are_left_out_and_counted(tmp_path: Path) -> None:
    path = write_items(tmp_path, {"passed": True}, {"passed": False})
    first, second = Path(path).read_text().splitlines()
    broken = json.loads(second)
    broken["sample"] = {"output": [], "error": "no answer"}
    Path(path).write_text(f"{first}\n{json.dumps(broken)}\n")
    with Store(None) as store:
        run = load_verdicts(store, path)
        assert (run.dataset.rows, run.dataset.skipped) == (1, 1)


@pytest.mark.parametrize(
    ("score", "label"),
    [
        ({"name": "correctness", "source": "ANNOTATION", "dataType": "BOOLEAN", "value": 1}, "yes"),
        ({"name": "correctness", "source": "API", "dataType": "BOOLEAN", "value": 1}, None),
        ({"name": "helpful", "source": "ANNOTATION", "dataType": "BOOLEAN", "value": 1}, None),
        ({"name": "correctness", "source": "ANNOTATION", "dataType": "NUMERIC", "value": 0.3}, None),
    ],
)
def test_a_grade_is_a_label_only_where_a_person_spoke_of_correctness(
    tmp_path: Path, score: dict[str, Any], label: str | None
) -> None:
    (found,) = open_verdicts(
        write_langfuse(tmp_path, score) + ("#correctness>=0.5" if score["value"] == 0.3 else "")
    )
    assert found.row.columns.get("label") == (None if label is None else True)


def test_the_thumbs_of_promptfoo_are_labels(tmp_path: Path) -> None:
    line = json.loads((FIXTURES / "promptfoo" / "assertions.jsonl").read_text().splitlines()[0])
    part = {"pass": True, "score": 1, "reason": "Manual result", "assertion": {"type": "human"}}
    line["gradingResult"]["componentResults"].append(part)
    place = tmp_path / "results.jsonl"
    place.write_text(json.dumps(line) + "\n")
    with Store(None) as store:
        run = load_verdicts(store, str(place))
        taken = import_column(store, run.dataset)
        assert taken is not None
        assert taken.labels == 1


def test_assessments_of_mlflow_by_people_are_labels(tmp_path: Path) -> None:
    trace = json.loads((FIXTURES / "mlflow" / "genai_traces.jsonl").read_text().splitlines()[0])
    trace["info"]["assessments"].append(
        {"assessment_name": "correctness", "source": {"source_type": "HUMAN"}, "feedback": {"value": "yes"}}
    )
    place = tmp_path / "traces.jsonl"
    place.write_text(json.dumps(trace) + "\n")
    (found,) = open_verdicts(f"{place}#correctness")
    assert isinstance(found.outcome, Verdict)
    assert found.outcome.value is True
    assert found.row.columns["label"] is True


def test_a_verdict_file_of_karat_has_no_graders(tmp_path: Path) -> None:
    import karat
    from karat.cli import main

    path = write_items(tmp_path, {"passed": True})
    place = tmp_path / "karat.jsonl"
    with pytest.raises(SystemExit):
        main(["grade", path, "--judge", "rules", "-o", str(place), "--store", str(tmp_path / "s.db")])
    assert not isinstance(open_verdicts(str(place)), ExportedVerdicts)
    with pytest.raises(karat.UsageError, match="has one judge"):
        open_verdicts(f"{place}#grader")
