"""LangSmith: results of an experiment as CSV, examples with their runs, and uploaded experiments."""

from collections.abc import Iterable
from typing import Any, Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Mapper,
    Source,
    each,
    get_object,
    get_objects,
    join_id,
    list_tags,
    list_verdicts,
    make_row,
    make_verdict,
    read_json,
    read_part,
)
from karat.rows.formats.grades import make_grade

_DOCUMENTED: Final = "documentation, 2026-11-18"
_NO_RUN: Final[dict[str, Any]] = {}


def _gather(record: Source, prefix: str) -> object:
    """The columns of a prefix as one object."""
    fields = {
        name.removeprefix(prefix): read_json(value)
        for name, value in record.items()
        if name.startswith(prefix)
    }
    return fields or None


def _read_result(record: Source, _: Head) -> Flat:
    feedback = {name: record[name] for name in record if name.startswith("feedback.")}
    return make_row(
        id=join_id(record.get("example_id"), record.get("id")),
        question=read_part(_gather(record, "inputs."), "question"),
        references=read_part(_gather(record, "reference."), "reference"),
        answer=read_part(_gather(record, "outputs."), "answer"),
        verdicts={name.removeprefix("feedback."): make_grade(value) for name, value in feedback.items()},
        tags={"row": record.get("id")} | list_tags(record, leave=feedback),
    )


def _start_examples(_: Head) -> Mapper:
    def read(record: Source) -> Iterable[Flat]:
        question = read_part(record.get("inputs"), "question")
        references = read_part(record.get("outputs"), "reference")
        for run in get_objects(record, "runs") or [_NO_RUN]:
            stats = get_object(run, "feedback_stats")
            yield make_row(
                id=join_id(record.get("id"), run.get("id")),
                question=question,
                references=references,
                answer=read_part(run.get("outputs"), "answer"),
                system=run.get("session_id"),
                verdicts={name: make_verdict(None, get_object(stats, name).get("avg")) for name in stats},
                tags={"row": run.get("id"), "example": record.get("name")}
                | list_tags(run, leave=("trace_id", "reference_example_id")),
            )

    return read


def _read_upload(record: Source, head: Head) -> Flat:
    scores = get_objects(record, "evaluation_scores")
    return make_row(
        id=record.get("row_id"),
        question=read_part(record.get("inputs"), "question"),
        references=read_part(record.get("expected_outputs"), "reference"),
        answer=read_part(record.get("actual_outputs"), "answer"),
        system=head.document.get("experiment_name"),
        verdicts=list_verdicts(scores, "key", reason="comment"),
        tags=list_tags(record, "run_metadata", leave=("row_id",)),
    )


FORMATS: Final = (
    Format(
        "langsmith", "LangSmith results", "langsmith 0.14.17",
        {"question": "inputs.*", "reference": "reference.*", "answer": "outputs.*", "id": "example_id and id"},
        lambda head: head.has("example_id")
        and all(any(name.startswith(one) for name in head.records[0]) for one in ("inputs.", "outputs.")),
        each(_read_result),
        lacks="the examples have no reference outputs",
    ),
    Format(
        "langsmith-runs", "LangSmith examples with runs", _DOCUMENTED,
        {"question": "inputs", "reference": "outputs", "answer": "runs.outputs", "id": "id and runs.id",
         "system": "runs.session_id"},
        lambda head: head.has("inputs", "outputs", "runs"),
        _start_examples,
        lacks="the examples have no runs",
    ),
    Format(
        "langsmith-upload", "LangSmith experiment", _DOCUMENTED,
        {"question": "inputs", "reference": "expected_outputs", "answer": "actual_outputs", "id": "row_id",
         "system": "experiment_name"},
        lambda head: head.has("inputs", "actual_outputs"),
        each(_read_upload),
        lists=("results",),
        lacks="the rows have no expected outputs",
    ),
    Format(
        "langsmith-examples", "LangSmith data set", _DOCUMENTED,
        {"question": "inputs", "reference": "outputs"},
        lambda head: head.has("inputs", "outputs")
        and (head.has("dataset_id") or all(one.keys() <= {"inputs", "outputs", "metadata"} for one in head.records)),
        _start_examples,
        lacks="the outputs of examples are references; export an experiment on the data set",
    ),
)  # fmt: skip
