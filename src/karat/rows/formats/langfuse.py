"""Langfuse: items of experiments; items of data sets and traces are refused, as they hold one half only."""

from typing import Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_objects,
    join_id,
    list_tags,
    list_verdicts,
    make_row,
    read_json,
    read_part,
)

_MADE: Final = "documentation, 2026-11-18"


def _read_item(record: Source, _: Head) -> Flat:
    scores = get_objects(record, "scores")
    system = record.get("experimentName")
    return make_row(
        id=join_id(record.get("experimentItemId") or record.get("id"), system),
        question=read_part(read_json(record.get("input")), "question"),
        references=read_part(read_json(record.get("expectedOutput")), "reference"),
        answer=read_part(read_json(record.get("output")), "answer"),
        system=system,
        verdicts=list_verdicts(scores, "name", passed="value", score="value"),
        tags={"row": record.get("id")}
        | list_tags(
            record, "experimentItemMetadata", "metadata", leave=("input", "output", "expectedOutput")
        ),
    )


FORMATS: Final = (
    Format(
        "langfuse", "Langfuse experiment items", _MADE,
        {"question": "input", "reference": "expectedOutput", "answer": "output",
         "id": "experimentItemId and experimentName", "system": "experimentName"},
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
