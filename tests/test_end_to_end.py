"""A real model behind a real server: the plumbing is tested, not its opinions."""

import json
from pathlib import Path
from typing import get_args

import pytest

import karat
from karat.core.types import Cause
from local_llm import MODEL_NAME

EXAMPLES = Path(__file__).parents[1] / "examples"
COMMON: karat.Options = {"attempts": 2, "max_tokens": 48, "concurrency": 1, "timeout": 300.0}


def first_rows(name: str, count: int) -> list[dict[str, object]]:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:count]]


@pytest.mark.xdist_group("local-llm")
@pytest.mark.parametrize(("protocol", "each"), [("match", 4), ("equivalence", 1), ("keypoints", 2)])
def test_a_real_model_judges_every_row_or_says_why_not(
    local_llm: str, tmp_path: Path, protocol: karat.ProtocolName, each: int
) -> None:
    rows = first_rows("answers.jsonl", 12)
    judge = f"{local_llm}#{MODEL_NAME}"
    store = tmp_path / "karat.db"
    graded = karat.grade(rows, judge=judge, protocol=protocol, items_per_prompt=each, store=store, **COMMON)
    assert len(graded) == 12
    for outcome in graded:
        match outcome:
            case karat.Verdict(value=value, score=score):
                assert value in ((True, False) if protocol == "match" else range(6))
                assert 0 <= score <= 1
            case karat.Unjudged(cause=cause):
                assert cause in get_args(Cause)
    spent = graded.summary.spent
    asked = [record for record in graded.records if record["calls"]]
    assert spent.calls >= len(asked) / each
    assert spent.input_tokens == sum(record["input_tokens"] for record in graded.records) > 0
    again = karat.grade(rows, judge=judge, protocol=protocol, items_per_prompt=each, store=store, **COMMON)
    assert again.summary == graded.summary


@pytest.mark.xdist_group("local-llm")
def test_a_real_model_is_held_to_a_schema_and_gives_probabilities(local_llm: str) -> None:
    rows = first_rows("answers.jsonl", 3)
    graded = karat.grade(
        rows,
        judge=f"{local_llm}#{MODEL_NAME}",
        protocol="equivalence",
        structured=True,
        logprobs=True,
        **COMMON,
    )
    asked = [outcome for outcome in graded if outcome.spent.calls]
    assert asked
    for outcome in asked:
        assert isinstance(outcome, karat.Verdict)
        assert outcome.confidence is not None
        assert outcome.distribution is not None
        assert abs(sum(outcome.distribution) - 1) < 1e-9
