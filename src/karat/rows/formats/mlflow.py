"""MLflow: evaluation tables, and the results and traces of `mlflow.genai.evaluate`."""

import ast
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

_MADE: Final = "mlflow 3.17.2"
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
        verdicts={name: _read_verdict(value) for name, value in values.items() if name not in _EXPECTED},
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
        verdicts={
            one["assessment_name"]: _read_verdict(get_object(one, "feedback").get("value"))
            for one in assessments
            if "feedback" in one
        },
        tags=list_tags(info, leave=("trace_id", "request_preview", "response_preview")),
    )


def _read_verdict(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    truth = value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).casefold())
    number = float(value) if isinstance(value, int | float) else None if truth is None else float(truth)
    return {"passed": truth, "score": number}


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
         "id": "info.trace_id"},
        lambda head: head.has("info.trace_id", "data.spans"),
        each(_read_trace),
        lacks="the traces have no expectation called expected_response",
    ),
    Format(
        "mlflow-table", "MLflow evaluation table", _MADE,
        {},
        lambda head: "columns" in head.document and any("/" in name for name in head.records[0]),
        lists=("data",),
    ),
)  # fmt: skip
