"""ragas: data sets and results, with the columns of version 0.2 on and with the old ones."""

from collections.abc import Mapping
from typing import Any, Final

from karat.rows.formats.core import Format
from karat.rows.formats.grades import make_grade
from karat.rows.names import find_role


def _read_metrics(row: Mapping[str, Any]) -> dict[str, Any]:
    """Metrics are the columns of numbers from 0 to 1 that are no part of a row."""
    grades = {name: make_grade(value) for name, value in row.items() if find_role(name) is None}
    return {
        name: grade
        for name, grade in grades.items()
        if grade["score"] is not None and 0 <= grade["score"] <= 1
    }


FORMATS: Final = (
    Format(
        "ragas", "ragas", "ragas 0.4.3",
        {"question": "user_input", "reference": "reference", "answer": "response"},
        lambda head: head.has("user_input", "response", "reference"),
        grades=_read_metrics,
    ),
    Format(
        "ragas-old", "ragas, old columns", "ragas 0.1.21",
        {"question": "question", "reference": "ground_truth or ground_truths", "answer": "answer"},
        lambda head: head.has("question", "answer", "contexts")
        and (head.has("ground_truth") or head.has("ground_truths")),
        grades=_read_metrics,
    ),
)  # fmt: skip
