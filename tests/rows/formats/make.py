"""Makes the result files of peers that lie beside this script, each with its expected rows.

    python make.py --work DIR [PEER ...]

Each peer is installed in an environment of its own in DIR (never in the repository) and grades or
answers the same few questions with a model that only says what ROWS tells it to. Two cores and half an
hour are enough for all; an environment that is there is used again. What a peer writes is kept as it
is, but for paths of this machine, which are made relative; user names are set to "someone" beforehand.
"""

# The peers are not installed where this file is checked; each function imports its own.
# pyright: reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
# pyright: reportUntypedBaseClass=false, reportUntypedFunctionDecorator=false, reportOptionalMemberAccess=false

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
Row = dict[str, Any]

# Two answers each: of the first and the second epoch, or of the first and the second system.
ROWS: Final[Sequence[Row]] = (
    {
        "id": "rhine",
        "question": "Which river flows through Cologne?",
        "references": ["The Rhine"],
        "answers": ["The Rhine.", "The Elbe"],
    },
    {
        "id": "spiders",
        "question": "How many legs do three spiders have together?",
        "references": ["24"],
        "answers": ["24", "Twenty-four legs, eight for each"],
    },
    {
        "id": "potassium",
        "question": "What is the chemical symbol of potassium?",
        "references": ["K"],
        "answers": ["", 'K, from "kalium"'],
    },
    {
        "id": "gap",
        "question": 'What does the sign "Mind the gap" warn of?',
        "references": ["The space between train and platform"],
        "answers": ['It says:\n"Watch the space between the train and the platform."', "A low ceiling"],
    },
    {
        "id": "wien",
        "question": "Wie heißt die Hauptstadt von Österreich?",
        "references": ["Wien", "Vienna"],
        "answers": ["Wien 🎡", "Vienne, où coule le Danube"],
    },
)

SYSTEMS: Final = ("model-a", "model-b")


def expected(
    row: Row,
    answer: int | str = 0,
    *,
    system: str | None = None,
    references: int = 1,
    named: bool = True,
    **more: Any,
) -> Row:
    """One row as it must be read: the first so many references and the answer of that number, or that text."""
    text = row["answers"][answer] if isinstance(answer, int) else answer
    return {
        "id": row["id"] if named else None,
        "question": row["question"],
        "references": row["references"][:references],
        "answer": text,
        "system": system,
        **more,
    }


def write_expected(
    path: Path, name: str, produced_by: str, rows: Sequence[Row], *, count: int, **more: Any
) -> None:
    """Write what must be read from a fixture beside it; the count is the peer's own."""
    whole = {"format": name, "produced_by": produced_by, "count": count, **more, "rows": rows}
    beside = path.with_name(path.name + ".expected.json")
    beside.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def version(package: str) -> str:
    """The name and the version of an installed package."""
    from importlib.metadata import version as installed

    return f"{package} {installed(package)}"


def find_row(question: str) -> Row:
    return next(row for row in ROWS if row["question"] == question)


def dump_lines(path: Path, rows: Sequence[object]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def inspect(out: Path) -> None:
    """Inspect: one log as archive (of today, and deflated) and as JSON, and its samples as lines; two epochs.

    Archives of today are compressed with Zstandard, which Python reads in zip files only from 3.14 on.

    `mockllm` counts tokens with a table that it wants to download; here it counts words. The events of
    each sample, nine tenths of the file, are left out by Inspect's own reader and writer.
    """
    from zipfile import ZIP_DEFLATED, ZipFile

    import tiktoken
    from inspect_ai import Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log, read_eval_log_samples, write_eval_log
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    class Words:
        def encode(self, text: str, **_: Any) -> list[str]:
            return text.split()

    tiktoken.get_encoding = lambda _: Words()
    said: dict[str, int] = {}

    def say(messages: Any, *_: Any) -> Any:
        question = messages[-1].text
        said[question] = said.get(question, 0) + 1
        return ModelOutput.from_content("mockllm/model", find_row(question)["answers"][said[question] - 1])

    def ask(row: Row) -> Any:
        if row["id"] != "gap":
            return row["question"]
        return [ChatMessageSystem(content="Answer briefly."), ChatMessageUser(content=row["question"])]

    samples = [
        Sample(
            id=row["id"],
            input=ask(row),
            target=row["references"] if row["references"][1:] else row["references"][0],
        )
        for row in ROWS
    ]
    task = Task(dataset=samples, solver=generate(), scorer=match(), name="general_knowledge")
    (done,) = run(
        task,
        model=get_model("mockllm/model", custom_outputs=say),
        epochs=2,
        log_dir="logs",
        display="none",
        max_samples=1,
    )
    log = read_eval_log(done.location)
    for sample in log.samples or []:
        sample.events, sample.events_data = [], None
    write_eval_log(log, str(out / "log.eval"), format="eval")
    write_eval_log(log, str(out / "log.json"), format="json")
    with ZipFile(out / "log.eval") as today, ZipFile(out / "log_deflated.eval", "w", ZIP_DEFLATED) as earlier:
        for entry in today.namelist():
            earlier.writestr(entry, today.read(entry))
    dumped = [
        sample.model_dump(mode="json", exclude_none=True)
        for sample in read_eval_log_samples(str(out / "log.eval"))
    ]
    dump_lines(out / "samples.jsonl", dumped)
    model = "mockllm/model"
    kinds = {
        "log.eval": "archive",
        "log_deflated.eval": "archive",
        "log.json": "JSON log",
        "samples.jsonl": "samples",
    }
    for name, kind in kinds.items():
        order = dumped if name == "samples.jsonl" else read_eval_log(str(out / name)).model_dump()["samples"]
        rows = [
            expected(
                next(row for row in ROWS if row["id"] == sample["id"]),
                sample["epoch"] - 1,
                system=model,
                references=2,
                epoch=sample["epoch"],
            )
            for sample in order
        ]
        by = version("inspect-ai") + (", packed anew by this script" if "deflated" in name else "")
        write_expected(out / name, f"Inspect {kind}", by, rows, count=log.results.completed_samples)


def pydantic_evals(out: Path) -> None:
    """pydantic-evals: a data set as YAML and JSON, and reports of plain texts, of fields and of repeats."""
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import EqualsExpected
    from pydantic_evals.reporting import EvaluationReportAdapter

    by = version("pydantic-evals")
    Texts = Dataset[str, str, dict[str, str]]  # noqa: N806 (a type)
    Fields = Dataset[dict[str, str], dict[str, str], None]  # noqa: N806
    texts = Texts(
        name="general_knowledge",
        cases=[
            Case(
                name=row["id"],
                inputs=row["question"],
                expected_output=row["references"][0],
                metadata={"kind": "short"},
            )
            for row in ROWS
        ],
        evaluators=[EqualsExpected()],
    )
    fields = Fields(
        name="general_knowledge",
        cases=[
            Case(
                name=row["id"],
                inputs={"question": row["question"]},
                expected_output={"answer": row["references"][0]},
            )
            for row in ROWS
        ],
    )
    for name in ("dataset.yaml", "dataset.json"):
        texts.to_file(out / name, schema_path=None)
        rows = [{**expected(row), "answer": None} for row in ROWS]
        why = "a data set with no answers"
        write_expected(
            out / name, "pydantic-evals data set", by, rows, count=len(texts.cases), refused=True, why=why
        )
    said: dict[str, int] = {}

    def model_a(question: str) -> str:
        return find_row(question)["answers"][0]

    def model_b(inputs: dict[str, str]) -> dict[str, str]:
        return {"answer": find_row(inputs["question"])["answers"][1]}

    def by_turns(question: str) -> str:
        said[question] = said.get(question, 0) + 1
        return find_row(question)["answers"][said[question] - 1]

    def keep(name: str, report: Any, rows: Sequence[Row]) -> None:
        (out / name).write_bytes(EvaluationReportAdapter.dump_json(report, indent=1) + b"\n")
        write_expected(out / name, "pydantic-evals report", by, rows, count=len(report.cases))

    quiet = {"progress": False, "max_concurrency": 1}
    keep(
        "report.json",
        texts.evaluate_sync(model_a, **quiet),
        [expected(row, system="model_a") for row in ROWS],
    )
    report = fields.evaluate_sync(model_b, **quiet)
    keep("report_of_fields.json", report, [expected(row, 1, system="model_b") for row in ROWS])
    rows = [
        {**expected(row, turn, system="by_turns"), "row": f"{row['id']} [{turn + 1}/2]"}
        for row in ROWS
        for turn in range(2)
    ]
    keep("report_with_repeats.json", texts.evaluate_sync(by_turns, repeat=2, **quiet), rows)


def deepeval(out: Path) -> None:
    """DeepEval: test cases and goldens as it saves them, and the files of its latest test run."""
    from deepeval import evaluate
    from deepeval.dataset import EvaluationDataset, Golden
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase

    class SameText(BaseMetric):
        async_mode = False
        threshold = 0.5

        def measure(self, test_case: Any, *_: Any, **__: Any) -> float:
            self.score = float(test_case.actual_output == test_case.expected_output)
            self.success, self.reason = self.score >= self.threshold, "compared"
            return self.score

        async def a_measure(self, test_case: Any, *_: Any, **__: Any) -> float:
            return self.measure(test_case)

        def is_successful(self) -> bool:
            return self.success

        @property
        def __name__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
            return "Same text"

    by = version("deepeval")
    cases = [
        LLMTestCase(
            name=row["id"],
            input=row["question"],
            actual_output=row["answers"][0],
            expected_output=row["references"][0],
            retrieval_context=[f"A page about {row['id']}.", "Another page."],
        )
        for row in ROWS
    ]
    tested = EvaluationDataset()
    for case in cases:
        tested.add_test_case(case)
    unnamed = [expected(row, named=False) for row in ROWS]
    for kind in ("json", "csv", "jsonl"):
        tested.save_as(kind, str(out), file_name="test_cases", include_test_cases=True)
        write_expected(
            out / f"test_cases.{kind}", "DeepEval test cases", by, unnamed, count=len(tested.test_cases)
        )
    bare = EvaluationDataset(
        goldens=[Golden(input=row["question"], expected_output=row["references"][0]) for row in ROWS]
    )
    bare.save_as("json", str(out), file_name="goldens")
    rows = [{**row, "answer": None} for row in unnamed]
    why = "goldens with no actual output"
    write_expected(
        out / "goldens.json", "DeepEval goldens", by, rows, count=len(bare.goldens), refused=True, why=why
    )
    result = evaluate(cases, [SameText()])
    named = [expected(row) for row in ROWS]
    for source, name in (
        (".latest_test_run.json", "latest_test_run.json"),
        (".latest_run_full.json", "run.json"),
    ):
        (out / name).write_bytes((Path(".deepeval") / source).read_bytes())
        write_expected(out / name, "DeepEval test run", by, named, count=len(result.test_results))


def ragas(out: Path) -> None:
    """Ragas with its columns of today: a data set as lines and CSV, and the table of results.

    0.4.3 imports a module that langchain-community dropped in 0.4.2, hence the pin.
    """
    from ragas import EvaluationDataset, evaluate
    from ragas.metrics import ExactMatch

    by = version("ragas")
    data = EvaluationDataset.from_list(
        [
            {
                "user_input": row["question"],
                "retrieved_contexts": [f"A page about {row['id']}.", "Another page."],
                "response": row["answers"][0],
                "reference": row["references"][0],
            }
            for row in ROWS
        ]
    )
    data.to_jsonl(str(out / "dataset.jsonl"))
    data.to_csv(str(out / "dataset.csv"))
    table = evaluate(data, metrics=[ExactMatch()], show_progress=False).to_pandas()
    table.to_csv(out / "results.csv", index=False)
    table.to_json(out / "results.jsonl", orient="records", lines=True, force_ascii=False)
    for name in ("dataset.jsonl", "dataset.csv", "results.csv", "results.jsonl"):
        count = len(data) if name.startswith("dataset") else len(table)
        write_expected(out / name, "ragas", by, [expected(row, named=False) for row in ROWS], count=count)


def ragas_old(out: Path) -> None:
    """Ragas with its columns of before 0.2: one ground truth, several ground truths, and the table of results."""
    from datasets import Dataset
    from ragas import evaluate
    from ragas.metrics.base import EvaluationMode, Metric

    class SameText(Metric):
        name = "same_text"
        evaluation_mode = EvaluationMode.qcg

        def init(self, run_config: Any) -> None:
            pass

        async def _ascore(self, row: Any, callbacks: Any, is_async: bool = True) -> float:  # noqa: FBT002
            return float(row["answer"] == row["ground_truth"])

    by = version("ragas")
    rows = [
        {
            "question": row["question"],
            "answer": row["answers"][0],
            "contexts": [f"A page about {row['id']}.", "Another page."],
            "ground_truth": row["references"][0],
        }
        for row in ROWS
    ]
    several = [
        {
            **{key: value for key, value in row.items() if key != "ground_truth"},
            "ground_truths": source["references"],
        }
        for row, source in zip(rows, ROWS, strict=True)
    ]
    one = Dataset.from_list(rows)
    one.to_json(out / "dataset.jsonl", force_ascii=False)
    one.to_csv(out / "dataset.csv", index=False)
    Dataset.from_list(several).to_json(out / "ground_truths.jsonl", force_ascii=False)
    table = evaluate(one, metrics=[SameText()]).to_pandas()
    table.to_csv(out / "results.csv", index=False)
    for name in ("dataset.jsonl", "dataset.csv", "ground_truths.jsonl", "results.csv"):
        known = [expected(row, named=False, references=2 if "truths" in name else 1) for row in ROWS]
        made = by if name == "results.csv" else f"this script with {version('datasets')}, for {by}"
        write_expected(out / name, "ragas, old columns", made, known, count=len(table))


def mlflow(out: Path) -> None:
    """MLflow: evaluation tables (a static table and a model that answers), and results and traces of genai."""
    import mlflow as peer
    import pandas as pd
    from mlflow.genai.scorers import scorer
    from mlflow.metrics import MetricValue, make_metric

    by = version("mlflow")
    peer.set_tracking_uri("sqlite:///runs.db")
    peer.set_experiment("general_knowledge")

    def compare(predictions: Any, targets: Any) -> Any:
        return MetricValue(scores=[float(a == b) for a, b in zip(predictions, targets, strict=True)])

    same = make_metric(eval_fn=compare, greater_is_better=True, name="same_text")
    table = pd.DataFrame(
        [
            {
                "inputs": row["question"],
                "ground_truth": row["references"][0],
                "predictions": row["answers"][0],
            }
            for row in ROWS
        ]
    )

    def answer(asked: Any) -> list[str]:
        return [find_row(question)["answers"][1] for question in asked["inputs"]]

    runs = {
        "static": {"data": table, "predictions": "predictions"},
        "model": {"model": answer, "data": table[["inputs", "ground_truth"]]},
    }
    for number, (name, options) in enumerate(runs.items()):
        with peer.start_run() as run:
            result = peer.models.evaluate(targets="ground_truth", extra_metrics=[same], **options)
        artefact = Path(peer.artifacts.download_artifacts(f"runs:/{run.info.run_id}/eval_results_table.json"))
        path = out / name / "eval_results_table.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(artefact.read_bytes())
        rows = [expected(row, number, named=False) for row in ROWS]
        count = len(result.tables["eval_results_table"])
        write_expected(path, "MLflow evaluation table", by, rows, count=count)

    @scorer
    def same_text(outputs: Any, expectations: Any) -> bool:
        return outputs == expectations["expected_response"]

    result = peer.genai.evaluate(
        data=[
            {
                "inputs": {"question": row["question"]},
                "outputs": row["answers"][0],
                "expectations": {"expected_response": row["references"][0]},
            }
            for row in ROWS
        ],
        scorers=[same_text],
    )
    found = result.result_df
    found.to_csv(out / "genai_results.csv", index=False)
    found.to_json(out / "genai_results.jsonl", orient="records", lines=True, force_ascii=False)
    traces = peer.search_traces(run_id=result.run_id, return_type="list")
    (out / "genai_traces.jsonl").write_text(
        "".join(trace.to_json() + "\n" for trace in traces), encoding="utf-8"
    )
    orders = {
        "genai_results.csv": [
            (at, asked) for at, asked in zip(found["trace_id"], found["request"], strict=True)
        ],
        "genai_traces.jsonl": [(trace.info.trace_id, json.loads(trace.data.request)) for trace in traces],
    }
    orders["genai_results.jsonl"] = orders["genai_results.csv"]
    for name, order in orders.items():
        rows = [{**expected(find_row(asked["question"])), "id": at} for at, asked in order]
        kind = "MLflow genai " + re.split(r"[_.]", name)[1]
        more = (
            {"note": "`request` is a dictionary as Python prints it, in a text"}
            if name.endswith("csv")
            else {}
        )
        write_expected(out / name, kind, by, rows, count=len(order), **more)


def lm_eval(out: Path) -> None:
    """lm-evaluation-harness with `--log_samples`: one target, several, two filters of one reply, and choices."""
    import yaml
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    sums = [
        (
            "Mia has 3 bags of 4 apples and eats 2. How many are left?",
            "10",
            "3 x 4 = 12, and 12 - 2 = 10. #### 10",
        ),
        ("A train takes 45 minutes for one way. How many there and back?", "90", "It takes 90 minutes"),
        ("Half of 50 is what?", "25", "I would rather not say."),
    ]
    choices = [
        ("Which of these is a mammal?", ["trout", "bat", "wren"], 1),
        ("Which of these is a colour?", ["red", "seven"], 0),
        ("Which of these is a planet?", ["the Moon", "Io", "Mars"], 2),
    ]

    class Says(LM):
        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            said = {row["question"]: row["answers"][0] for row in ROWS}
            said.update((question, reply) for question, _, reply in sums)
            return [next(said[key] for key in said if key in request.args[0]) for request in requests]

        def loglikelihood(self, requests: Any, **_: Any) -> list[tuple[float, bool]]:
            return [(-float(len(request.args[1])), False) for request in requests]  # the shortest choice

        def loglikelihood_rolling(self, requests: Any, **_: Any) -> list[float]:
            raise NotImplementedError

    data = {
        "questions": [
            {
                "id": row["id"],
                "question": row["question"],
                "answer": row["references"][0],
                "aliases": row["references"],
            }
            for row in ROWS
        ],
        "sums": [{"problem": question, "solution": target} for question, target, _ in sums],
        "choices": [
            {"question": question, "choices": texts, "gold": gold} for question, texts, gold in choices
        ],
    }
    for name, docs in data.items():
        dump_lines(Path(f"{name}.jsonl"), docs)

    def split(name: str) -> Row:
        return {
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": f"{name}.jsonl"}},
            "test_split": "test",
        }

    generated = {
        "output_type": "generate_until",
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "generation_kwargs": {"until": ["\n\n"]},
        "metadata": {"version": 1.0},
    }
    asked = {"doc_to_text": "Question: {{question}}\nAnswer:"}
    found = [{"function": "regex", "regex_pattern": "#### (\\d+)"}, {"function": "take_first"}]
    last = [{"function": "regex", "group_select": -1, "regex_pattern": "(\\d+)"}, {"function": "take_first"}]
    tasks = {
        "short_answers": {**split("questions"), **generated, **asked, "doc_to_target": "{{answer}}"},
        "several_answers": {**split("questions"), **generated, **asked, "doc_to_target": "aliases"},
        "sums": {
            **split("sums"),
            **generated,
            "doc_to_text": "{{problem}}",
            "doc_to_target": "{{solution}}",
            "filter_list": [
                {"name": "strict-match", "filter": found},
                {"name": "flexible-extract", "filter": last},
            ],
        },
        "choices": {
            **split("choices"),
            **asked,
            "output_type": "multiple_choice",
            "doc_to_choice": "choices",
            "doc_to_target": "gold",
            "metric_list": [{"metric": "acc"}],
            "metadata": {"version": 1.0},
        },
    }
    Path("tasks").mkdir(exist_ok=True)
    for name, task in tasks.items():
        Path(f"tasks/{name}.yaml").write_text(yaml.safe_dump({"task": name, **task}), encoding="utf-8")
    tracker = EvaluationTracker(output_path="results")
    manager = TaskManager(include_path="tasks", include_defaults=False)
    results = simple_evaluate(
        model=Says(), tasks=list(tasks), task_manager=manager, log_samples=True, evaluation_tracker=tracker
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name, lines in samples.items():
        tracker.save_results_samples(task_name=name, samples=lines)

    def keyed(row: Row, number: int, **more: Any) -> Row:
        return {**row, "id": number, **more}

    rows: dict[str, list[Row]] = {
        "short_answers": [keyed(expected(row), number) for number, row in enumerate(ROWS)],
        "several_answers": [keyed(expected(row, references=2), number) for number, row in enumerate(ROWS)],
        "sums": [
            {
                "id": number,
                "question": question,
                "references": [target],
                "answer": {"strict-match": strict, "flexible-extract": flexible}[name],
                "system": None,
                "filter": name,
            }
            for name in ("strict-match", "flexible-extract")
            for number, ((question, target, _), strict, flexible) in enumerate(
                zip(sums, ("10", "[invalid]", "[invalid]"), ("10", "90", "[invalid]"), strict=True)
            )
        ],
        "choices": [
            {
                "id": number,
                "question": question,
                "references": [texts[gold]],
                "answer": min(texts, key=len),
                "system": None,
            }
            for number, (question, texts, gold) in enumerate(choices)
        ],
    }
    notes = {
        "several_answers": {"note": "the target is the list as Python prints it, in a text"},
        "sums": {
            "note": "each document stands twice, once for each filter; the answer is what the filter leaves"
        },
        "choices": {
            "may_refuse": True,
            "note": "the answer is the choice with the greatest likelihood; the target is the number of a choice",
        },
    }
    for path in sorted(Path("results").rglob("samples_*.jsonl")):
        name = re.sub(r"samples_|_\d{4}-.*", "", path.name)
        copy = out / f"samples_{name}.jsonl"
        copy.write_bytes(path.read_bytes())
        kind = "lm-evaluation-harness samples"
        count = results["n-samples"][name]["effective"]
        write_expected(copy, kind, version("lm_eval"), rows[name], count=count, **notes.get(name, {}))


PROVIDER: Final = """
const answers = require('./answers.json');
module.exports = class {
  constructor(options) { this.options = options; }
  id() { return this.options.id; }
  async callApi(prompt, context) {
    return { output: answers[context.vars.question][this.options.config.which] };
  }
};
"""


def expect_promptfoo(out: Path, name: str, by: str, count: int) -> None:
    """Keep the three files of one promptfoo run; rows stand in the order in which they were done."""
    several = 2 if name == "assertions" else 1
    rows: dict[tuple[int, int], Row] = {
        (test, number): {
            **expected(row, number, system=system, references=several),
            "id": test,
            "description": row["id"],
        }
        for test, row in enumerate(ROWS)
        for number, system in enumerate(SYSTEMS)
    }
    for file in (f"{name}.json", f"{name}.jsonl", f"{name}.csv"):
        text = Path(file).read_text(encoding="utf-8")
        (out / file).write_bytes(Path(file).read_bytes())
        if file.endswith("csv"):
            more: Row = {
                "note": "one column of answers for each provider; columns of grades bear the same names"
            }
            kept = [{**row, "id": None} for row in rows.values()]
        else:
            more = {}
            found = json.loads(text)["results"]["results"] if file.endswith("json") else text.splitlines()
            found = [json.loads(line) if isinstance(line, str) else line for line in found]
            kept = [rows[line["testIdx"], line["promptIdx"]] for line in found]
        if file == "assertions.csv":
            more = {"refused": True, "why": "the CSV holds no references: they stood in assertions"}
            kept = [{**row, "references": None} for row in kept]
        write_expected(out / file, "promptfoo results", by, kept, count=count, **more)


def promptfoo(out: Path) -> None:
    """promptfoo: results of two providers, with the reference as a variable or only in assertions; tests as CSV."""
    import csv

    program = os.environ["PEER"] + "/node_modules/.bin/promptfoo"
    package = json.loads(
        Path(os.environ["PEER"], "node_modules/promptfoo/package.json").read_text(encoding="utf-8")
    )
    by = f"promptfoo {package['version']}"
    Path("provider.js").write_text(PROVIDER, encoding="utf-8")
    Path("answers.json").write_text(
        json.dumps({row["question"]: row["answers"] for row in ROWS}), encoding="utf-8"
    )
    providers = [
        {"id": "file://provider.js", "label": label, "config": {"which": number}}
        for number, label in enumerate(SYSTEMS)
    ]

    def wanted(row: Row) -> list[str]:
        several = row["references"][1:]
        return [
            f"contains-any: {', '.join(row['references'])}" if several else f"equals: {row['references'][0]}"
        ]

    with (out / "tests.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["question", "__expected", "__description"])
        table.writerows([row["question"], *wanted(row), row["id"]] for row in ROWS)
    with (out / "tests_with_outputs.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["question", "output", "__expected1", "__expected2"])
        for row in ROWS:
            reference = row["references"][0]
            table.writerow(
                [row["question"], row["answers"][0], f"factuality: {reference}", f"similar(0.8): {reference}"]
            )
    tests = [
        {
            "description": row["id"],
            "vars": {"question": row["question"], "reference": row["references"][0]},
            "assert": [{"type": "icontains", "value": "{{reference}}"}],
        }
        for row in ROWS
    ]
    ask = {"prompts": ["Answer briefly: {{question}}"], "providers": providers}
    Path("tests.csv").write_bytes((out / "tests.csv").read_bytes())
    both = {
        "variables": {"description": "References as variables", **ask, "tests": tests},
        "assertions": {"description": "References in assertions", **ask, "tests": "file://tests.csv"},
    }
    for name, config in both.items():
        Path(f"{name}.config.json").write_text(json.dumps(config), encoding="utf-8")
        files = [f"{name}.{kind}" for kind in ("json", "jsonl", "csv")]
        command = [
            program,
            "eval",
            "-c",
            f"{name}.config.json",
            "-j",
            "1",
            "--no-cache",
            "--no-table",
            "--no-progress-bar",
        ]
        done = subprocess.run([*command, "-o", *files], check=False)
        if done.returncode not in {0, 100}:  # 100: some tests failed, as they should
            raise SystemExit(done.returncode)
        stats = json.loads(Path(f"{name}.json").read_text(encoding="utf-8"))["results"]["stats"]
        count = stats["successes"] + stats["failures"] + stats["errors"]
        expect_promptfoo(out, name, by, count)
    bare = [{**expected(row, named=False, references=2), "id": row["id"], "answer": None} for row in ROWS]
    why = "tests with no outputs"
    write_expected(
        out / "tests.csv",
        "promptfoo tests",
        f"this script, run by {by}",
        bare,
        count=len(ROWS),
        refused=True,
        why=why,
    )
    full = [expected(row, named=False) for row in ROWS]
    write_expected(
        out / "tests_with_outputs.csv",
        "promptfoo tests",
        f"this script, accepted by {by}",
        full,
        count=len(ROWS),
    )
    check = {
        "prompts": ["{{output}}"],
        "providers": ["echo"],
        "tests": f"file://{out / 'tests_with_outputs.csv'}",
    }
    Path("echo.json").write_text(json.dumps(check), encoding="utf-8")
    subprocess.run([program, "validate", "-c", "echo.json"], check=True)


def langsmith(out: Path) -> None:
    """LangSmith: the table of an experiment that its SDK runs without uploading."""
    import uuid
    from datetime import UTC, datetime

    from langsmith import evaluate, schemas

    day = datetime(2026, 1, 2, tzinfo=UTC)
    examples = [
        schemas.Example(
            id=uuid.uuid5(uuid.NAMESPACE_URL, row["id"]),
            dataset_id=uuid.uuid5(uuid.NAMESPACE_URL, "data set"),
            inputs={"question": row["question"]},
            outputs={"answer": row["references"][0]},
            created_at=day,
        )
        for row in ROWS
    ]

    def answer(inputs: dict[str, str]) -> dict[str, str]:
        return {"answer": find_row(inputs["question"])["answers"][0]}

    def same_text(outputs: Row, reference_outputs: Row) -> bool:
        return outputs["answer"] == reference_outputs["answer"]

    results = evaluate(
        answer,
        data=examples,
        evaluators=[same_text],
        experiment_prefix="model-a",
        upload_results=False,
        max_concurrency=0,
    )
    table = results.to_pandas()
    table.to_csv(out / "results.csv", index=False)
    rows = [
        {**expected(row), "id": str(example.id), "row": str(run)}
        for row, example, run in zip(ROWS, examples, table["id"], strict=True)
    ]
    write_expected(out / "results.csv", "LangSmith experiment", version("langsmith"), rows, count=len(table))


def braintrust(out: Path) -> None:
    """Braintrust: the results of an experiment that its SDK runs without sending logs."""
    from braintrust import Eval

    def same_text(output: str, expected: str, **_: Any) -> float:
        return float(output == expected)

    data = [{"input": row["question"], "expected": row["references"][0], "tags": ["short"]} for row in ROWS]
    done = Eval(
        "general_knowledge",
        data=data,
        task=lambda question: find_row(question)["answers"][0],
        scores=[same_text],
        experiment_name="model-a",
        no_send_logs=True,
    )
    dump_lines(out / "results.jsonl", [result.as_dict() for result in done.results])
    rows = [expected(find_row(result.input), named=False) for result in done.results]
    write_expected(
        out / "results.jsonl", "Braintrust results", version("braintrust"), rows, count=len(done.results)
    )


def openai_evals(out: Path) -> None:
    """openai/evals: event logs of a match, of a wider match (includes) and of a model-graded eval.

    Installed without its sixty requirements, most of which are for evals of other kinds; Snowflake, which
    its recorder imports and a local log never calls, is stood in for. A completion function records its own sampling.
    """
    import sys as system
    import types

    snowflake, connector = types.ModuleType("snowflake"), types.ModuleType("snowflake.connector")
    connector.SnowflakeConnection = object  # pyright: ignore[reportAttributeAccessIssue]
    system.modules.update({"snowflake": snowflake, "snowflake.connector": connector})
    from evals.base import RunSpec
    from evals.elsuite.basic.includes import Includes
    from evals.elsuite.basic.match import Match
    from evals.elsuite.modelgraded import classify_utils
    from evals.elsuite.modelgraded.classify import ModelBasedClassify
    from evals.record import LocalRecorder, record_sampling
    from evals.registry import Registry

    class Said:
        def __init__(self, text: str) -> None:
            self.text = text

        def get_completions(self) -> list[str]:
            return [self.text]

    class Says:
        def __call__(self, prompt: Any, **_: Any) -> Said:
            text = prompt if isinstance(prompt, str) else prompt[-1]["content"]
            graded = "Do Key and Given agree?" in text
            said = "Both name the same thing.\n(Y)" if graded else find_row(text)["answers"][0]
            record_sampling(prompt=prompt, sampled=said, model="model-a")
            return Said(said)

    def ask(row: Row) -> list[Row]:
        return [
            {"role": "system", "content": "Answer briefly."},
            {"role": "user", "content": row["question"]},
        ]

    ideal = [row["references"] if row["references"][1:] else row["references"][0] for row in ROWS]
    dump_lines(
        Path("match.jsonl"), [{"input": ask(row), "ideal": it} for row, it in zip(ROWS, ideal, strict=True)]
    )
    dump_lines(
        Path("graded.jsonl"),
        [{"input": ask(row), "ideal": row["references"][0]} for row in ROWS if row["answers"][0]],
    )
    classify_utils.ANSWER_PROMPTS["cot_classify"] = "Say why first."  # no prompt of theirs is kept here
    Path("registry/modelgraded").mkdir(parents=True, exist_ok=True)
    own = {
        "prompt": "Q: {input}\nKey: {ideal}\nGiven: {completion}\nDo Key and Given agree? End with (Y) or (N).",
        "choice_strings": ["Y", "N"],
        "choice_scores": {"Y": 1.0, "N": 0.0},
        "input_outputs": {"input": "completion"},
    }
    Path("registry/modelgraded/agrees.yaml").write_text(json.dumps({"agrees": own}), encoding="utf-8")
    kinds: dict[str, tuple[Any, Row]] = {
        "match": (Match, {"samples_jsonl": str(Path("match.jsonl").resolve())}),
        "includes": (Includes, {"samples_jsonl": str(Path("match.jsonl").resolve())}),
        "graded": (
            ModelBasedClassify,
            {
                "samples_jsonl": str(Path("graded.jsonl").resolve()),
                "modelgraded_spec": "agrees",
                "eval_type": "cot_classify",
            },
        ),
    }
    for name, (kind, options) in kinds.items():
        spec = RunSpec(
            completion_fns=["model-a"],
            eval_name=f"general-knowledge.{name}.v0",
            base_eval="general-knowledge",
            split=name,
            run_config={"completion_fns": ["model-a"], "seed": 1, "max_samples": None},
            created_by="",
            run_id=f"26010212000{len(name)}ABCD",
            created_at="2026-01-02 12:00:00.000000",
        )
        path = out / f"events_{name}.jsonl"
        recorder = LocalRecorder(str(path), run_spec=spec)
        evaluation = kind(
            completion_fns=[Says()],
            eval_registry_path=Path(),
            registry=Registry([Path("registry")]),
            name=spec.eval_name,
            **options,
        )
        report = evaluation.run(recorder)
        recorder.record_final_report(report)
        recorder.flush_events()
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        wanted = "metrics" if name == "graded" else "match"
        order = [line["sample_id"] for line in lines if line.get("type") == wanted]
        rows: list[Row] = []
        for sample in order:
            source = [row for row in ROWS if name != "graded" or row["answers"][0]][
                int(sample.rsplit(".", 1)[1])
            ]
            rows.append({**expected(source, system="model-a", references=2), "id": sample})
        more: Row = {}
        if name == "graded":
            rows = [{**row, "references": None, "verdict": "Y"} for row in rows]
            more = {
                "refused": True,
                "why": "the reference stands only within the prompt to the grading model",
            }
        by = "openai/evals, " + version("evals")
        write_expected(path, "OpenAI Evals event log", by, rows, count=len(order), **more)


def helm(out: Path) -> None:
    """HELM: the state of a scenario, and what its web pages read (instances and predictions apart).

    HELM's own classes and writers, filled here: a run of its own wants a scenario's data from the network, and
    half of its requirements (PyTorch among them) are for models and perturbations, so they are stood in for.
    """
    import dataclasses
    import sys as system
    from types import SimpleNamespace
    from unittest.mock import MagicMock

    import nltk
    import scipy.stats

    assert nltk.__name__, scipy.stats.__name__  # these two look at what is installed, so they come first
    system.modules.update(spacy=MagicMock(), transformers=MagicMock())
    from helm.benchmark.adaptation.adapter_spec import AdapterSpec
    from helm.benchmark.adaptation.request_state import RequestState
    from helm.benchmark.adaptation.scenario_state import ScenarioState
    from helm.benchmark.presentation.run_display import write_run_display_json
    from helm.benchmark.run_spec import RunSpec
    from helm.benchmark.scenarios.scenario import (
        CORRECT_TAG,
        Input,
        Instance,
        Output,
        Reference,
        ScenarioSpec,
    )
    from helm.common.general import asdict_without_nones
    from helm.common.request import GeneratedOutput, Request, RequestResult

    model = "simple/model-a"
    adapter = AdapterSpec(
        method="generation",
        input_prefix="Question: ",
        output_prefix="Answer: ",
        max_train_instances=0,
        num_outputs=1,
        model=model,
        model_deployment=model,
        temperature=0.0,
        max_tokens=50,
    )
    states: list[Any] = []
    for row in ROWS:
        right = [Reference(Output(text=text), tags=[CORRECT_TAG]) for text in row["references"]]
        wrong = [Reference(Output(text="Graz"), tags=[])] if row["id"] == "wien" else []
        instance = Instance(
            Input(text=row["question"]), references=[*wrong, *right], split="test", id=row["id"]
        )
        asked = Request(model=model, model_deployment=model, prompt=f"Question: {row['question']}\nAnswer:")
        said = [GeneratedOutput(text=row["answers"][0], logprob=0.0, tokens=[])]
        states.append(
            RequestState(
                instance=instance,
                reference_index=None,
                request_mode=None,
                train_trial_index=0,
                output_mapping=None,
                request=dataclasses.replace(asked, temperature=0.0, max_tokens=50),
                result=RequestResult(success=True, embedding=[], completions=said, cached=False),
                num_train_instances=0,
                prompt_truncated=False,
            )
        )
    spec = RunSpec(
        name="general_knowledge:model=simple_model-a",
        scenario_spec=ScenarioSpec(class_name="general_knowledge.Scenario"),
        adapter_spec=adapter,
        metric_specs=[],
        groups=["general_knowledge"],
    )
    run = out / "run"
    run.mkdir(exist_ok=True)

    def keep(path: Path, value: object) -> None:
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")

    keep(run / "scenario_state.json", asdict_without_nones(ScenarioState(adapter, states)))
    keep(run / "run_spec.json", asdict_without_nones(spec))
    keep(run / "per_instance_stats.json", [])
    schema = SimpleNamespace(metric_groups=[], run_groups=[])
    write_run_display_json(str(run), spec, schema, skip_completed=False)
    (run / "scenario_state.json").replace(out / "scenario_state.json")
    for name in ("display_requests.json", "per_instance_stats.json"):
        (run / name).unlink()
    by = version("crfm-helm") + ", its classes and writers filled by this script"
    rows = [expected(row, system=model, references=2) for row in ROWS]
    write_expected(out / "scenario_state.json", "HELM scenario state", by, rows, count=len(states))
    more = {
        "joined": "display_predictions.json and instances.json, on instance_id and id",
        "may_refuse": True,
    }
    write_expected(run, "HELM run folder", by, rows, count=len(states), **more)
    alone = [{**row, "question": None, "references": None, "system": None} for row in rows]
    why = "predictions alone: questions and references stand in instances.json"
    path = out / "display_predictions.json"
    path.write_bytes((run / path.name).read_bytes())
    write_expected(path, "HELM predictions", by, alone, count=len(states), refused=True, why=why)


def containers(out: Path) -> None:
    """The same six rows in every container."""
    import csv
    import gzip
    import io

    import openpyxl
    import pyarrow as pa
    import pyarrow.parquet as pq
    import zstandard

    rows: list[Row] = [
        {
            "id": row["id"],
            "question": row["question"],
            "reference": row["references"][0],
            "answer": row["answers"][0],
            "system": "model-a",
        }
        for row in ROWS
    ]
    primes = {
        "id": "primes",
        "question": "Name the first three primes; in order, please.",
        "system": "model-a",
    }
    rows.append({**primes, "reference": "2, 3, 5", "answer": "2; 3;\t5"})
    numeric = [{**row, "answer": 24} if row["id"] == "spiders" else row for row in rows]
    known: list[Row] = [
        {
            "id": row["id"],
            "question": row["question"],
            "references": [row["reference"]],
            "answer": row["answer"],
            "system": row["system"],
        }
        for row in rows
    ]

    def table(delimiter: str, end: str = "\n", mark: str = "") -> bytes:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=end)
        writer.writeheader()
        writer.writerows(rows)
        return (mark + text.getvalue()).encode()

    def pretty(value: object) -> bytes:
        return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()

    def lines(some: Sequence[Row]) -> bytes:
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in some).encode()

    about = {"name": "general knowledge", "made": {"by": "hand", "tags": ["short", "mixed"]}}
    files = {
        "array.json": pretty(numeric),
        "array_on_one_line.json": json.dumps(numeric).encode(),
        "object_with_list.json": pretty({**about, "data": numeric, "total": len(rows)}),
        "lines.jsonl": lines(numeric),
        "lines_without_last_newline.jsonl": lines(numeric).rstrip(b"\n"),
        "comma.csv": table(","),
        "tab.tsv": table("\t"),
        "semicolon.csv": table(";"),
        "mark.csv": table(",", "\r\n", "\ufeff"),
        "mark_semicolon.csv": table(";", "\r\n", "\ufeff"),
        "lines.jsonl.gz": gzip.compress(lines(numeric), mtime=0),
        "lines.jsonl.zst": zstandard.compress(lines(numeric)),
        "comma.csv.gz": gzip.compress(table(","), mtime=0),
    }
    for name, content in files.items():
        (out / name).write_bytes(content)
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(rows[0]))
    for row in numeric:
        sheet.append([row[key] for key in rows[0]])
    book.save(out / "book.xlsx")
    pq.write_table(pa.Table.from_pylist(rows), out / "columns.parquet")
    folder = out / "folder"
    folder.mkdir(exist_ok=True)
    (folder / "first.jsonl").write_bytes(lines(numeric[:4]))
    (folder / "second.jsonl").write_bytes(lines(numeric[4:]))
    for name in [*files, "book.xlsx", "columns.parquet"]:
        kind = name.partition(".")[2]
        write_expected(out / name, f"plain {kind}", "this script", known, count=len(rows))
    parted = [{**row, "file": "first.jsonl" if n < 4 else "second.jsonl"} for n, row in enumerate(known)]
    write_expected(folder, "plain folder", "this script", parted, count=len(rows))


# What is installed for each: pinned to what wrote the files that are committed.
OLD_LANGCHAIN: Final = (
    "langchain<0.3",
    "langchain-community<0.3",
    "langchain-core<0.3",
    "langchain-openai<0.2",
)
PEERS: Final[dict[str, tuple[Callable[[Path], None], Sequence[str]]]] = {
    "inspect-ai": (inspect, ["inspect-ai==0.3.285"]),
    "pydantic-evals": (pydantic_evals, ["pydantic-evals==2.62.0"]),
    "deepeval": (deepeval, ["deepeval==4.3.1"]),
    "ragas": (ragas, ["ragas==0.4.3", "langchain-community==0.4.1"]),
    "ragas-old": (ragas_old, ["ragas==0.1.21", "pyarrow<20", "datasets<4", *OLD_LANGCHAIN]),
    "mlflow": (mlflow, ["mlflow==3.17.2"]),
    "lm-eval": (lm_eval, ["lm-eval==0.4.13", "torch==2.13.0"]),
    "promptfoo": (promptfoo, ["npm", "promptfoo@0.121.20"]),
    "langsmith": (langsmith, ["langsmith==0.14.17", "pandas"]),
    "braintrust": (braintrust, ["braintrust==0.47.0"]),
    "openai-evals": (
        openai_evals,
        [
            "--no-deps evals==3.0.1.post1",
            "backoff",
            "blobfile",
            "lz4",
            "numpy",
            "openai",
            "pydantic",
            "pyyaml",
            "requests",
            "tiktoken",
            "tqdm",
            "zstandard",
        ],
    ),
    "helm": (
        helm,
        [
            "--no-deps crfm-helm==0.5.16",
            "bottle",
            "cattrs~=22.2",
            "colorlog",
            "dacite~=1.6",
            "filelock",
            "mako",
            "nltk",
            "numpy<3",
            "pandas~=2.0",
            "pillow",
            "pyhocon",
            "pyyaml",
            "requests",
            "retrying",
            "rouge-score",
            "scikit-learn",
            "scipy",
            "sqlitedict",
            "tqdm",
            "ubelt",
            "zstandard",
        ],
    ),
    "containers": (containers, ["openpyxl", "pyarrow", "zstandard"]),
}
# Nothing is sent anywhere, and no name of this machine's user is written.
QUIET: Final = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DO_NOT_TRACK": "true",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_API_KEY": "none",
    "LANGSMITH_ENDPOINT": "http://127.0.0.1:1",
    "LANGSMITH_TRACING": "false",
    "LOGNAME": "someone",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "OPENAI_API_KEY": "none",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "RAGAS_DO_NOT_TRACK": "true",
    "USER": "someone",
}


def install(place: Path, wanted: Sequence[str]) -> Path:
    """The Python that runs a peer's function; the peer is installed unless it is there."""
    npm = wanted[0] == "npm"
    python = Path(sys.executable) if npm else place / "bin" / "python"
    if not (place / "ok").exists():
        place.mkdir(parents=True, exist_ok=True)
        if npm:
            subprocess.run(["npm", "install", "--no-audit", "--no-fund", *wanted[1:]], cwd=place, check=True)
        else:
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
            pip = [python, "-m", "pip", "install", "-q"]
            for alone in [text for text in wanted if text.startswith("--no-deps")]:
                subprocess.run([*pip, *alone.split()], check=True)
            subprocess.run([*pip, *(text for text in wanted if not text.startswith("--no-deps"))], check=True)
        (place / "ok").touch()
    return python


def scrub(folder: Path, private: Sequence[Path]) -> None:
    """Take the places of this machine out of what was written; archives hold none, which is checked."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        content = path.read_bytes()
        for place in private:
            for slash in ("/", "\\/", "\\\\/"):
                content = content.replace(f"{place}/".replace("/", slash).encode(), b"")
        path.write_bytes(content)


def main() -> None:
    """Make the files of the peers that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--work", type=Path, required=True, help="where peers are installed, outside the repository"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("peers", nargs="*", metavar="PEER", help=", ".join(PEERS))
    options = parser.parse_args()
    work: Path = options.work.resolve()
    for name in options.peers or list(PEERS):
        make, wanted = PEERS[name]
        out = HERE / name
        if options.inside:
            make(out)
            continue
        out.mkdir(exist_ok=True)
        python = install(work / name, wanted)
        run = work / "runs" / name
        subprocess.run(["rm", "-rf", run], check=True)
        run.mkdir(parents=True)
        quiet = {
            **os.environ,
            **QUIET,
            "PEER": str(work / name),
            "HOME": str(run),
            "PROMPTFOO_CONFIG_DIR": str(run),
        }
        subprocess.run(
            [python, "-P", __file__, "--work", work, "--inside", name], cwd=run, env=quiet, check=True
        )
        scrub(out, [run, work, HERE.parents[2], Path.home()])
        sys.stdout.write(f"{name}: {sum(1 for _ in out.rglob('*.expected.json'))} fixtures\n")


if __name__ == "__main__":
    main()
