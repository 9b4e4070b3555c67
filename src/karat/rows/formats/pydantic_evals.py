"""pydantic-evals: reports; a data set alone has no answers."""

from typing import Any, Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_object,
    get_objects,
    join_id,
    list_tags,
    list_verdicts,
    make_row,
    read_part,
)
from karat.rows.formats.grades import make_grade


def _read_grade(found: Source) -> dict[str, Any]:
    return make_grade(found.get("value"), reason=found.get("reason"))


def _read_case(record: Source, head: Head) -> Flat:
    name, first = record.get("name"), record.get("source_case_name")
    repeat = str(name).removeprefix(str(first)).strip(" []").partition("/")[0] if first else None
    assertions, scores = get_object(record, "assertions"), get_object(record, "scores")
    passed = {key: _read_grade(get_object(assertions, key)) for key in assertions}
    scored = {key: _read_grade(get_object(scores, key)) for key in scores}
    failed = list_verdicts(get_objects(record, "evaluator_failures"), "name", error="error_message")
    return make_row(
        id=join_id(first or name, repeat),
        question=read_part(record.get("inputs"), "question"),
        references=read_part(record.get("expected_output"), "reference"),
        answer=read_part(record.get("output"), "answer"),
        system=head.document.get("name") if "output" in record else None,
        verdicts=failed | passed | scored,
        tags=list_tags(
            record,
            "metadata",
            "attributes",
            "labels",
            leave=("inputs", "output", "expected_output", "trace_id", "span_id"),
        ),
    )


FORMATS: Final = (
    Format(
        "pydantic-evals", "pydantic-evals report", "pydantic-evals 2.62.0",
        {"question": "inputs", "reference": "expected_output", "answer": "output", "id": "name",
         "system": "the report's name"},
        lambda head: head.place == ("cases",) and head.has("inputs", "expected_output"),
        each(_read_case),
        lists=("cases",),
        lacks="a data set has no outputs; save the report of a run on it",
    ),
)  # fmt: skip
