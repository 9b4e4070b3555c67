"""ragas: data sets and results, with the columns of version 0.2 on and with the old ones."""

from typing import Final

from karat.rows.formats.core import Format

FORMATS: Final = (
    Format(
        "ragas", "ragas", "ragas 0.4.3",
        {"question": "user_input", "reference": "reference", "answer": "response"},
        lambda head: head.has("user_input", "response", "reference"),
    ),
    Format(
        "ragas-old", "ragas, old columns", "ragas 0.1.21",
        {"question": "question", "reference": "ground_truth or ground_truths", "answer": "answer"},
        lambda head: head.has("question", "answer", "contexts")
        and (head.has("ground_truth") or head.has("ground_truths")),
    ),
)  # fmt: skip
