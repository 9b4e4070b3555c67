"""Files that the pages of the docs grade: fixtures of the readers, under the names that the pages give them."""

import shutil
from pathlib import Path
from typing import Final

FIXTURES: Final = Path(__file__).parent / "rows" / "formats"
FILES: Final = {
    "log.eval": "inspect-ai/log.eval",
    "promptfoo.json": "promptfoo/assertions.json",
    "promptfoo.csv": "promptfoo/variables.csv",
    "promptfoo_asserts.csv": "promptfoo/assertions.csv",
    "promptfoo_tests.csv": "promptfoo/tests_with_outputs.csv",
    "promptfoo_tests_only.csv": "promptfoo/tests.csv",
    "samples_task.jsonl": "lm-eval/samples_sums.jsonl",
    "deepeval_run.json": "deepeval/run.json",
    "test_cases.json": "deepeval/test_cases.json",
    "goldens.json": "deepeval/goldens.json",
    "ragas.csv": "ragas/results.csv",
    "ragas_old.csv": "ragas-old/results.csv",
    "output_items.jsonl": "documented/openai-evals-api/output_items_two_runs.jsonl",
    "dashboard.jsonl": "documented/openai-evals-api/dashboard_items.jsonl",
    "evals_rows.jsonl": "documented/openai-evals-api/rows.jsonl",
    "export.json": "documented/openai-evals-api/export.json",
    "runs.json": "documented/openai-evals-api/runs.json",
    "eval.json": "documented/openai-evals-api/export_folder/eval.json",
    "events.jsonl": "openai-evals/events_match.jsonl",
    "events_graded.jsonl": "openai-evals/events_graded.jsonl",
    "experiment_items.json": "documented/langfuse/experiment_items.json",
    "dataset_items.json": "documented/langfuse/dataset_items.json",
    "traces.csv": "documented/langfuse/traces.csv",
    "langsmith.csv": "langsmith/results.csv",
    "examples_with_runs.json": "documented/langsmith/examples_with_runs.json",
    "uploaded_experiment.json": "documented/langsmith/uploaded_experiment.json",
    "dataset_examples.jsonl": "documented/langsmith/dataset_examples.jsonl",
    "braintrust.jsonl": "braintrust/results.jsonl",
    "experiment_events.jsonl": "documented/braintrust/experiment_events.jsonl",
    "genai_results.csv": "mlflow/genai_results.csv",
    "genai_traces.jsonl": "mlflow/genai_traces.jsonl",
    "eval_results_table.json": "mlflow/static/eval_results_table.json",
    "scenario_state.json": "helm/scenario_state.json",
    "display_predictions.json": "helm/run/display_predictions.json",
    "instances.json": "helm/run/instances.json",
    "pydantic_report.json": "pydantic-evals/report.json",
    "pydantic_dataset.json": "pydantic-evals/dataset.json",
    "squad.jsonl": "datasets/squad.jsonl",
    "dev.json": "datasets/squad_official/dev.json",
    "predictions.json": "datasets/squad_official/predictions.json",
    "nq_open.jsonl": "datasets/nq_open.jsonl",
    "triviaqa.jsonl": "datasets/triviaqa.jsonl",
    "hotpotqa.jsonl": "datasets/hotpotqa.jsonl",
    "gsm8k.jsonl": "datasets/gsm8k.jsonl",
    "simpleqa.csv": "datasets/simpleqa.csv",
    "truthfulqa.csv": "datasets/truthfulqa.csv",
    "financebench.jsonl": "datasets/financebench.jsonl",
    "financebench_results.jsonl": "datasets/financebench_results.jsonl",
    "metric_rows.jsonl": "datasets/hf_rows.jsonl",
    "lines.jsonl": "containers/lines.jsonl",
    "array.json": "containers/array.json",
    "object.json": "containers/object_with_list.json",
    "semicolon.csv": "containers/mark_semicolon.csv",
    "tab.tsv": "containers/tab.tsv",
    "book.xlsx": "containers/book.xlsx",
    "columns.parquet": "containers/columns.parquet",
    "lines.jsonl.gz": "containers/lines.jsonl.gz",
    "lines.jsonl.zst": "containers/lines.jsonl.zst",
    "results": "containers/folder",
    "runs.jsonl": "tricky/answers_of_two_runs.jsonl",
    "both.csv": "tricky/output_and_response.csv",
    "spelled.csv": "tricky/spaces_and_capitals.csv",
}


def copy_files(folder: Path) -> None:
    """Copy all of them into a folder."""
    for name, fixture in FILES.items():
        source = FIXTURES / fixture
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copyfile(source, folder / name)
