"""Inspect: `.eval` archives, JSON logs and samples as JSONL."""

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
    make_row,
    read_part,
)
from karat.rows.formats.grades import make_grade

_GRADES: Final = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}


def _read_sample(record: Source, head: Head) -> Flat:
    output = get_object(record, "output")
    epoch = record.get("epoch")
    scores = get_object(record, "scores")
    return make_row(
        id=join_id(record.get("id"), f"epoch-{epoch}" if isinstance(epoch, int) and epoch > 1 else None),
        question=read_part(record.get("input"), "question"),
        references=record.get("target"),
        answer=_read_completion(output),
        system=output.get("model") or get_object(head.document, "eval").get("model"),
        verdicts={name: _read_score(get_object(scores, name)) for name in scores},
        tags={"sample": record.get("id")}
        | list_tags(record, "metadata", leave=("uuid", "input", "target", "completed_at")),
    )


def _read_completion(output: dict[str, Any]) -> object:
    if output.get("completion") is not None:
        return output["completion"]
    choices = get_objects(output, "choices")
    return read_part(get_object(choices[0], "message").get("content"), "answer") if choices else None


def _read_score(score: dict[str, Any]) -> dict[str, Any]:
    value = score.get("value")
    grade = _GRADES.get(value, value) if isinstance(value, str) else value
    return make_grade(grade, reason=score.get("explanation"))


FORMATS: Final = (
    Format(
        "inspect", "Inspect log", "inspect-ai 0.3.285",
        {"question": "input", "reference": "target", "answer": "output.completion", "id": "id and epoch",
         "system": "output.model"},
        lambda head: head.has("id", "epoch", "input", "target"),
        each(_read_sample),
        lists=("samples",),
        lacks="the samples of this log were not written, or have no target",
    ),
)  # fmt: skip
