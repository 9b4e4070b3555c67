"""Braintrust: results of an evaluation, and events of an experiment."""

from collections.abc import Mapping
from typing import Any, Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_object,
    list_tags,
    make_row,
    make_verdict,
    read_part,
)


def _read_event(record: Source, _: Head) -> Flat | None:
    """The row of an evaluation's own span; the spans within it are no rows."""
    if record.get("span_parents") or record.get("is_root") is False:
        return None
    return make_row(
        id=record.get("id"),
        question=read_part(record.get("input"), "question"),
        references=read_part(record.get("expected"), "reference"),
        answer=read_part(record.get("output"), "answer"),
        verdicts=_read_scores(record),
        tags=list_tags(
            record, "metadata", leave=("input", "output", "expected", "_xact_id", "span_id", "root_span_id")
        ),
    )


def _read_scores(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: make_verdict(None, score) for name, score in get_object(record, "scores").items()}


FORMATS: Final = (
    Format(
        "braintrust-events", "Braintrust experiment", "documentation, 2026-11-18",
        {"question": "input", "reference": "expected", "answer": "output", "id": "id"},
        lambda head: head.has("root_span_id", "input", "output"),
        each(_read_event),
        lists=("events",),
        lacks="the events have no expected output",
    ),
    Format(
        "braintrust", "Braintrust results", "braintrust 0.47.0",
        {},
        lambda head: head.has("input", "output", "expected", "scores", "exc_info"),
        grades=_read_scores,
    ),
)  # fmt: skip
