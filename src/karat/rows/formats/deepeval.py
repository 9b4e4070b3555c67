"""DeepEval: test runs, and test cases or goldens as JSON, JSONL or CSV."""

from typing import Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_objects,
    list_tags,
    list_verdicts,
    make_row,
    read_part,
)


def _read_case(record: Source, _: Head) -> Flat:
    metrics = get_objects(record, "metricsData")
    return make_row(
        id=record.get("name"),
        question=read_part(record.get("input"), "question"),
        references=record.get("expectedOutput"),
        answer=record.get("actualOutput"),
        verdicts=list_verdicts(metrics, "name", passed="success", reason="reason", error="error"),
        tags=list_tags(
            record, "additionalMetadata", leave=("input", "actualOutput", "expectedOutput", "name")
        ),
    )


FORMATS: Final = (
    Format(
        "deepeval", "DeepEval test run", "deepeval 4.3.1",
        {"question": "input", "reference": "expectedOutput", "answer": "actualOutput", "id": "name"},
        lambda head: head.some("actualOutput") and head.has("input") and head.some("metricsData"),
        each(_read_case),
        lists=("testCases", "testRunData.testCases"),
        lacks="the test cases have no expected output",
    ),
    Format(
        "deepeval-cases", "DeepEval test cases", "deepeval 4.3.1",
        {"question": "input", "reference": "expected_output", "answer": "actual_output"},
        lambda head: head.has("input", "actual_output", "expected_output", "retrieval_context"),
        lacks="goldens have no answers; run the model on them, and save the test cases",
    ),
)  # fmt: skip
