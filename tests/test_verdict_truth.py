"""An outcome has no truth value of its own, and a mistake in a call is answered with its remedy."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

import karat
from karat.core.types import PASSING

RIGHT = ("Who wrote Hamlet?", "William Shakespeare", "William Shakespeare")
UNKNOWN: Any = ("Who wrote Hamlet?", "William Shakespeare", "The Bard")
MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "a verdict as a condition": (
        lambda: "right" if karat.judge(*RIGHT) else "wrong",  # pyright: ignore[reportGeneralTypeIssues]
        snapshot(
            "an outcome is neither true nor false; write `if outcome.correct:` (`outcome.correct is None` if unjudged)"
        ),
    ),
    "a missing verdict as a condition": (
        lambda: not karat.judge(*UNKNOWN, judge="rules"),  # pyright: ignore[reportGeneralTypeIssues]
        snapshot(
            "an outcome is neither true nor false; write `if outcome.correct:` (`outcome.correct is None` if unjudged)"
        ),
    ),
    "an argument left out": (
        lambda: karat.judge("William Shakespeare", "Shakespeare"),  # pyright: ignore[reportCallIssue]
        snapshot("missing a required argument: 'answer'; call karat.judge(question, reference, answer, …)"),
    ),
    "an option with a typing error": (
        lambda: karat.judge(*RIGHT, jugde="rules"),  # pyright: ignore[reportCallIssue]
        snapshot("unknown option 'jugde'; do you mean 'judge'?"),
    ),
    "an answer that is None": (
        lambda: karat.judge("Who wrote Hamlet?", "William Shakespeare", None),  # pyright: ignore[reportArgumentType]
        snapshot(
            "item 1: the answer must be text, not NoneType; give an empty text where there is no answer"
        ),
    ),
    "a path instead of rows": (
        lambda: karat.grade("answers.jsonl"),  # pyright: ignore[reportCallIssue, reportArgumentType]
        snapshot(
            "items must be a list of rows, not a single row or a path; use `karat grade FILE` to grade a file"
        ),
    ),
    "one row instead of a list": (
        lambda: karat.grade({"question": "q", "reference": "r", "answer": "a"}),  # pyright: ignore[reportCallIssue, reportArgumentType]
        snapshot(
            "items must be a list of rows, not a single row or a path; use `karat grade FILE` to grade a file"
        ),
    ),
    "a pair instead of a triple": (
        lambda: karat.grade([("q", "r")]),  # pyright: ignore[reportCallIssue, reportArgumentType]
        snapshot(
            "item 1 must be a tuple (question, reference or references, answer), a mapping or a karat.Item"
        ),
    ),
    "columns without common names": (
        lambda: karat.grade([{"q": "x", "gold": "y", "mine": "z"}]),
        snapshot(
            "item 1: no column is the answer; the columns are 'q', 'gold', 'mine'; name the columns, as in columns={'reference': NAME, 'answer': NAME}"
        ),
    ),
    "a model without its provider": (
        lambda: karat.judge(*RIGHT, judge="gpt-5-mini"),
        snapshot(
            "unknown judge 'gpt-5-mini'; the judges are embedded, rules, http://host:port/v1#MODEL or PROVIDER:MODEL (such as openai:MODEL) with openai, anthropic, gemini, azure, bedrock, vertex, mistral, groq, together, fireworks, deepseek, openrouter, xai, ollama, lmstudio, vllm"
        ),
    ),
    "an unknown protocol": (
        lambda: karat.judge(*RIGHT, protocol="exact"),  # pyright: ignore[reportArgumentType]
        snapshot("protocol must be 'match', 'equivalence', 'keypoints' or None, not 'exact'"),
    ),
    "an attribute that grades lack": (
        lambda: karat.grade([RIGHT]).accuracy,  # pyright: ignore[reportAttributeAccessIssue]
        snapshot(
            "a Grades has no attribute 'accuracy'; it has summary, records, outcomes, items, skipped, to_pandas(), to_polars()"
        ),
    ),
    "an attribute that a verdict lacks": (
        lambda: karat.judge(*RIGHT).verdict,  # pyright: ignore[reportAttributeAccessIssue]
        snapshot(
            "a Verdict has no attribute 'verdict'; it has value, correct, score, confidence, decided_by, reason, cause, matched_reference, points, spent"
        ),
    ),
    "a column of grades": (
        lambda: karat.grade([RIGHT])["value"],  # pyright: ignore[reportCallIssue, reportArgumentType]
        snapshot(
            "grades are numbered from 0, not named: write grades[0] for an outcome, or [record['value'] for record in grades.records]"
        ),
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_a_usage_error_with_the_remedy(name: str) -> None:
    wrong, message = MISTAKES[name]
    with pytest.raises(karat.UsageError) as told:
        wrong()
    assert str(told.value) == message


def test_awaiting_grades_is_refused() -> None:
    grades: Any = karat.grade([RIGHT])
    with pytest.raises(karat.UsageError, match=r"await karat\.agrade"):
        grades.__await__()


@given(st.booleans())
def test_a_yes_is_correct_and_a_no_is_not(value: bool) -> None:
    assert karat.Verdict(value, float(value), "label").correct is value


@given(st.integers(0, 5))
def test_a_level_is_correct_from_the_pass_mark_on(level: int) -> None:
    assert karat.Verdict(level, level / 5, "label").correct is (level >= PASSING)


def test_an_unjudged_outcome_has_the_attributes_of_a_verdict() -> None:
    unjudged, verdict = karat.Unjudged("undecided"), karat.Verdict(True, 1.0, "label")
    for name in {name for name in dir(verdict) if not name.startswith("_")}:
        assert hasattr(unjudged, name), name
    for name in ("value", "score", "correct", "confidence", "decided_by", "matched_reference", "points"):
        assert getattr(unjudged, name) is None
    assert verdict.cause is None


@pytest.mark.parametrize("outcome", [karat.Unjudged("undecided"), karat.Verdict(False, 0.0, "label")])
def test_outcomes_are_copied_pickled_and_asked_for_attributes_as_usual(outcome: karat.Outcome) -> None:
    assert pickle.loads(pickle.dumps(outcome)) == copy.deepcopy(outcome) == outcome  # noqa: S301 - made here
    assert not hasattr(outcome, "accuracy")
    assert getattr(outcome, "_repr_html_", None) is None
