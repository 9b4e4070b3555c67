"""Langfuse: items of experiments; items of data sets and traces are refused, as they hold one half only."""

from typing import Any, Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_objects,
    join_id,
    list_tags,
    make_row,
    make_verdict,
    read_json,
    read_part,
)
from karat.rows.formats.grades import find_label

_BY_PEOPLE: Final = "ANNOTATION"
_MADE: Final = "documentation, 2026-11-18"


def _read_item(record: Source, _: Head) -> Flat:
    scores = {one["name"]: one for one in get_objects(record, "scores") if isinstance(one.get("name"), str)}
    grades = {name: _read_score(score) for name, score in scores.items()}
    label = find_label(
        {name: grades[name] for name, score in scores.items() if score.get("source") == _BY_PEOPLE}
    )
    system = record.get("experimentName")
    return make_row(
        id=join_id(record.get("experimentItemId") or record.get("id"), system),
        question=read_part(read_json(record.get("input")), "question"),
        references=read_part(read_json(record.get("expectedOutput")), "reference"),
        answer=read_part(read_json(record.get("output")), "answer"),
        system=system,
        verdicts=grades,
        tags={"row": record.get("id"), "label": label}
        | list_tags(
            record, "experimentItemMetadata", "metadata", leave=("input", "output", "expectedOutput")
        ),
    )


def _read_score(score: Source) -> dict[str, Any]:
    value, truth = score.get("value"), score.get("dataType") == "BOOLEAN"
    passed = value if isinstance(value, bool) else value == 1 if truth and value in (0, 1) else None
    return make_verdict(passed, value, reason=score.get("comment"))


FORMATS: Final = (
    Format(
        "langfuse", "Langfuse experiment items", _MADE,
        {"question": "input", "reference": "expectedOutput", "answer": "output",
         "id": "experimentItemId and experimentName", "system": "experimentName", "label": "scores by people"},
        lambda head: head.has("experimentItemId", "input", "output"),
        each(_read_item),
        lists=("data",),
        lacks="the items have no expected output",
    ),
    Format(
        "langfuse-items", "Langfuse data set items", _MADE,
        {"question": "input", "reference": "expectedOutput", "answer": "output"},
        lambda head: head.has("datasetId", "expectedOutput"),
        each(_read_item),
        lacks="items of a data set have no outputs; export the items of an experiment on it",
    ),
    Format(
        "langfuse-traces", "Langfuse traces", _MADE,
        {"question": "input", "answer": "output"},
        lambda head: head.has("projectId", "input", "output", "observationCount"),
        each(_read_item),
        lacks="traces carry no expected outputs; export the items of an experiment",
    ),
)  # fmt: skip
