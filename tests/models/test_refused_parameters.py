"""Parameters that an endpoint refuses."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.models.endpoint import Quirks, learn
from karat.models.wire.common import find_complaint

ALL = frozenset({"temperature", "seed", "reasoning_effort", "logprobs", "structured", "prefill"})


@pytest.mark.parametrize(
    ("complaint", "name"),
    [
        ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
        ("Unrecognized request argument supplied: seed", "seed"),
        ("reasoning_effort is not supported with this model", "reasoning_effort"),
        ("This model does not support logprobs", "logprobs"),
        ("Invalid parameter: 'response_format' of type 'json_schema' is not supported", "structured"),
        ("This model does not support assistant message prefill.", "prefill"),
    ],
)
def test_the_named_parameter_is_dropped_once(complaint: str, name: str) -> None:
    learnt = learn(Quirks(continues=True), ALL, complaint)
    assert learnt is not None
    assert learnt[0].refused == {name}
    assert learn(learnt[0], ALL - {name}, complaint) is None


def test_parameters_that_were_not_sent_are_not_dropped() -> None:
    assert learn(Quirks(), frozenset(), "temperature is wrong, seed too, and prefill") is None


def test_the_output_limit_is_renamed_once_in_either_direction() -> None:
    complaint = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    there = learn(Quirks(), frozenset(), complaint)
    assert there is not None
    assert there[0].limit_name == "max_completion_tokens"
    assert learn(there[0], frozenset(), complaint) is None
    back = learn(Quirks(limit_name="max_completion_tokens"), frozenset(), "unknown: max_completion_tokens")
    assert back is not None
    assert back[0].limit_name == "max_tokens"


def test_a_folded_turn_is_not_continued_again() -> None:
    learnt = learn(Quirks(continues=True), ALL, "The conversation must end with a user message.")
    assert learnt is not None
    assert not learnt[0].continues


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "bad\nthing", "param": "seed", "code": None}}, "bad thing seed"),
        ({"error": "no such model"}, "no such model"),
        ({"detail": [{"msg": "field required"}]}, "[{'msg': 'field required'}]"),
        ({"message": "x" * 900}, "x" * 500),
        ({}, ""),
    ],
)
def test_complaints_are_the_endpoints_own_words_on_one_line(body: object, said: str) -> None:
    assert find_complaint(json.dumps(body).encode()) == said


@given(st.binary(max_size=300))
def test_any_body_has_a_complaint_of_one_short_line(body: bytes) -> None:
    said = find_complaint(body)
    assert len(said) <= 500
    assert len(said.splitlines()) <= 1


def test_deeply_nested_bodies_are_handled() -> None:
    assert find_complaint(b"[" * 100_000).startswith("[[[")
