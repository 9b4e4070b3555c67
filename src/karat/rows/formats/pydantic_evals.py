"""pydantic-evals: reports; a data set alone has no answers."""

from typing import Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_object,
    join_id,
    list_tags,
    make_row,
    read_part,
)


def _read_assertion(found: Source) -> dict[str, object]:
    value = found.get("value")
    return {"passed": value, "score": float(value) if isinstance(value, bool) else None}


def _read_case(record: Source, head: Head) -> Flat:
    name, first = record.get("name"), record.get("source_case_name")
    repeat = str(name).removeprefix(str(first)).strip(" []").partition("/")[0] if first else None
    assertions, scores = get_object(record, "assertions"), get_object(record, "scores")
    passed = {key: _read_assertion(get_object(assertions, key)) for key in assertions}
    scored = {key: {"passed": None, "score": get_object(scores, key).get("value")} for key in scores}
    return make_row(
        id=join_id(first or name, repeat),
        question=read_part(record.get("inputs"), "question"),
        references=read_part(record.get("expected_output"), "reference"),
        answer=read_part(record.get("output"), "answer"),
        system=head.document.get("name") if "output" in record else None,
        verdicts=passed | scored,
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
        lacks="a data set has no outputs; write the report of a run on it",
    ),
)  # fmt: skip
