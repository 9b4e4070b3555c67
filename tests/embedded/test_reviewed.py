"""Answers that reviewers wrote against the rules of versions 12 and 13: no right one is rejected, no wrong one accepted.

Those that no state of the judge got right are not among them, nor those that only a rule without measured use got right. Where the network is nearly even, processors differ in
the last places of its figures and so in the verdict: such rows say nothing.
"""

import json
from pathlib import Path

import karat
from karat.core.types import Item
from karat.embedded.decide import decide_match, prepare_item

ROWS = Path(__file__).with_name("reviewed.jsonl")


def test_right_answers_are_not_rejected_nor_wrong_ones_accepted() -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    found = karat.grade([(row["question"], row["reference"], row["answer"]) for row in rows])
    turned = [
        (row["question"], row["reference"], row["answer"], outcome.reason)
        for row, outcome in zip(rows, found, strict=True)
        if isinstance(outcome, karat.Verdict)
        and bool(outcome.value) is not row["right"]
        and not _is_nearly_even(row, outcome)
    ]
    assert turned == []


def _is_nearly_even(row: dict[str, str], verdict: karat.Verdict) -> bool:
    """Whether the network decided, with a probability that another processor may put on the other side."""
    reading = decide_match(prepare_item(Item(row["question"], (row["reference"],), row["answer"])))[1].reading
    assert reading is not None
    return verdict.decided_by == "embedded" and abs(reading.probability - 0.5) < 0.02
