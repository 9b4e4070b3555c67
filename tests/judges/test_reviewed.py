"""Answers that reviewers wrote against the rules of versions 12 and 13: no right one is rejected, no wrong one accepted.

Those that no state of the judge got right are not among them.
"""

import json
from pathlib import Path

import karat

ROWS = Path(__file__).with_name("reviewed.jsonl")


def test_right_answers_are_not_rejected_nor_wrong_ones_accepted() -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    found = karat.grade([(row["question"], row["reference"], row["answer"]) for row in rows])
    turned = [
        (row["question"], row["reference"], row["answer"], outcome.reason)
        for row, outcome in zip(rows, found, strict=True)
        if isinstance(outcome, karat.Verdict) and bool(outcome.value) is not row["right"]
    ]
    assert turned == []
