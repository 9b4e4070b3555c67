"""MLflow: evaluation tables, and the results and traces of `mlflow.genai.evaluate`."""

import ast
from collections.abc import Mapping
from typing import Any, Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_object,
    get_objects,
    list_tags,
    make_row,
    read_json,
    read_part,
)
from karat.rows.formats.grades import find_label, make_grade

_MADE: Final = "mlflow 3.17.2"
_BY_PEOPLE: Final = "HUMAN"
_LONGEST: Final = 100_000
_EXPECTED: Final = ("expected_response", "expected_output", "expected_answer", "ground_truth", "answer")


def _read_printed(value: object) -> object:
    """A value that JSON or Python printed into a text; any other as it is."""
    read = read_json(value)
    if isinstance(read, str) and read[:1] == "{" and len(read) <= _LONGEST:
        try:
            return ast.literal_eval(read)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return read
    return read


def _read_result(record: Source, _: Head) -> Flat:
    values = {name.removesuffix("/value"): value for name, value in record.items() if name.endswith("/value")}
    expected = next((values[name] for name in _EXPECTED if name in values), None)
    return make_row(
        id=record.get("trace_id"),
        question=read_part(_read_printed(record.get("request")), "question"),
        references=read_part(_read_printed(expected), "reference"),
        answer=read_part(_read_printed(record.get("response")), "answer"),
        verdicts={name: make_grade(value) for name, value in values.items() if name not in _EXPECTED},
        tags=list_tags(record, leave=("trace", "request", "response", "spans", "assessments", "trace_metadata", "tags",
                                      *(name for name in record if name.endswith("/value")))),
    )  # fmt: skip


def _read_trace(record: Source, _: Head) -> Flat:
    info = get_object(record, "info")
    spans = get_objects(get_object(record, "data"), "spans")
    root = next((one for one in spans if not one.get("parent_span_id")), info)
    attributes = get_object(root, "attributes")
    assessments = [
        one for one in get_objects(info, "assessments") if isinstance(one.get("assessment_name"), str)
    ]
    expected = {
        one["assessment_name"]: get_object(one, "expectation").get("value")
        for one in assessments
        if "expectation" in one
    }
    given = {
        one["assessment_name"]: one
        for one in assessments
        if "feedback" in one and isinstance(one["assessment_name"], str)
    }
    grades = {name: _read_assessment(one) for name, one in given.items()}
    people = {
        name for name, one in given.items() if get_object(one, "source").get("source_type") == _BY_PEOPLE
    }
    label = find_label({name: grades[name] for name in people})
    return make_row(
        id=info.get("trace_id"),
        question=read_part(
            read_json(attributes.get("mlflow.spanInputs", info.get("request_preview"))), "question"
        ),
        references=read_part(
            next((expected[name] for name in _EXPECTED if name in expected), None), "reference"
        ),
        answer=read_part(
            read_json(attributes.get("mlflow.spanOutputs", info.get("response_preview"))), "answer"
        ),
        verdicts=grades,
        tags={"label": label} | list_tags(info, leave=("trace_id", "request_preview", "response_preview")),
    )


def _read_assessment(assessment: Source) -> dict[str, Any]:
    feedback = get_object(assessment, "feedback")
    return make_grade(
        feedback.get("value"),
        reason=assessment.get("rationale"),
        error=get_object(feedback, "error").get("error_message"),
    )


def _read_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    """The grades of an evaluation table: `NAME/score`, or `NAME/VERSION/score`."""
    found = {name.removesuffix("/score"): value for name, value in row.items() if name.endswith("/score")}
    return {name: make_grade(value, reason=row.get(f"{name}/justification")) for name, value in found.items()}


FORMATS: Final = (
    Format(
        "mlflow", "MLflow genai results", _MADE,
        {"question": "request", "reference": "expected_response/value", "answer": "response", "id": "trace_id"},
        lambda head: head.has("trace_id", "request", "response"),
        each(_read_result),
        lacks="the results have no expected_response",
    ),
    Format(
        "mlflow-traces", "MLflow genai traces", _MADE,
        {"question": "mlflow.spanInputs", "reference": "expected_response", "answer": "mlflow.spanOutputs",
         "id": "info.trace_id", "label": "assessments by people"},
        lambda head: head.has("info.trace_id", "data.spans"),
        each(_read_trace),
        lacks="the traces have no expectation called expected_response",
    ),
    Format(
        "mlflow-table", "MLflow evaluation table", _MADE,
        {},
        lambda head: "columns" in head.document and any("/" in name for name in head.records[0]),
        grades=_read_columns,
        lists=("data",),
    ),
)  # fmt: skip
