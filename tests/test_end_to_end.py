"""A real model behind a real server: tests the connection, not the quality of verdicts."""

import json
from pathlib import Path
from typing import get_args

import pytest

import karat
from karat.core.types import Cause
from local_llm import MODEL_NAME

EXAMPLES = Path(__file__).parents[1] / "examples"
COMMON: karat.Options = {"attempts": 2, "max_tokens": 32, "concurrency": 1, "timeout": 300.0}


def first_rows(name: str, count: int) -> list[dict[str, object]]:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:count]]


def check_outcome(outcome: karat.Outcome, protocol: karat.ProtocolName) -> None:
    if isinstance(outcome, karat.Unjudged):
        assert outcome.cause in get_args(Cause)
        return
    assert outcome.value in ((True, False) if protocol == "match" else range(6))
    assert 0 <= outcome.score <= 1


@pytest.mark.parametrize(
    ("protocol", "each"),
    [
        ("match", 4),
        pytest.param("equivalence", 1, marks=pytest.mark.slow),
        pytest.param("keypoints", 2, marks=pytest.mark.slow),
    ],
)
def test_a_real_model_judges_every_row_or_says_why_not(
    local_llm: str, tmp_path: Path, protocol: karat.ProtocolName, each: int
) -> None:
    rows = first_rows("answers.jsonl", 4)
    judge = f"{local_llm}#{MODEL_NAME}"
    options: karat.Options = {**COMMON, "items_per_prompt": each}
    graded = karat.grade(rows, judge=judge, protocol=protocol, store=tmp_path / "karat.db", **options)
    assert len(graded) == 4
    for outcome in graded:
        check_outcome(outcome, protocol)
    spent = graded.summary.spent
    asked = [record for record in graded.records if record["calls"]]
    assert spent.calls >= len(asked) / each
    assert spent.input_tokens == sum(record["input_tokens"] for record in graded.records) > 0
    again = karat.grade(rows, judge=judge, protocol=protocol, store=tmp_path / "karat.db", **options)
    assert again.summary == graded.summary


@pytest.mark.slow
def test_a_real_model_is_held_to_a_schema_and_gives_probabilities(local_llm: str) -> None:
    rows = first_rows("answers.jsonl", 3)
    options: karat.Options = {**COMMON, "structured": True, "logprobs": True}
    graded = karat.grade(rows, judge=f"{local_llm}#{MODEL_NAME}", protocol="equivalence", **options)
    asked = [outcome for outcome in graded if outcome.spent.calls]
    assert asked
    for outcome in asked:
        assert isinstance(outcome, karat.Verdict)
        assert outcome.confidence is not None
        assert outcome.distribution is not None
        assert abs(sum(outcome.distribution) - 1) < 1e-9
