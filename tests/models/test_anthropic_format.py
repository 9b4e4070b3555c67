"""Anthropic's messages, against the format as it is documented."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.flow import Ask, Completion, Message, Prompt
from karat.core.types import UNCOUNTED, Spent
from karat.models import Endpoint, Parameters
from karat.models.endpoint import Quirks
from karat.models.wire.anthropic import decode, encode
from karat.models.wire.common import Unreadable

ENDPOINT = Endpoint("anthropic", "https://api.anthropic.com/v1", "claude-x")
TURNS = (Message("system", "Be strict."), Message("user", "Same?"))
USER = {"role": "user", "content": "Same?"}
SCHEMA = {"type": "object", "properties": {}}


def test_plain_request() -> None:
    """The system turn stands outside the messages, and the output limit is always there."""
    call = encode(Ask(Prompt(TURNS), room=2), ENDPOINT, Parameters(max_tokens=50), Quirks())
    assert call.path == "/messages"
    assert call.body == {
        "model": "claude-x",
        "max_tokens": 100,
        "system": "Be strict.",
        "messages": [USER],
        "temperature": 0.0,
    }
    assert call.sent == {"temperature"}


def test_no_system_turn_means_no_system_field() -> None:
    call = encode(Ask(Prompt(TURNS[1:])), ENDPOINT, Parameters(temperature=None), Quirks())
    assert call.body == {"model": "claude-x", "max_tokens": 1024, "messages": [USER]}


def test_unsupported_parameters_are_never_sent() -> None:
    """Seeds and token probabilities have no field here; effort and schema stand in `output_config`."""
    asked = Parameters(temperature=None, seed=1, logprobs=True, reasoning_effort="low")
    call = encode(Ask(Prompt(TURNS[1:], schema=SCHEMA)), ENDPOINT, asked, Quirks())
    assert call.body == {
        "model": "claude-x",
        "max_tokens": 1024,
        "messages": [USER],
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
    }
    assert call.sent == {"reasoning_effort", "structured"}


def test_refused_parameters_are_left_out() -> None:
    refused = frozenset({"temperature", "reasoning_effort", "structured"})
    asked = Parameters(reasoning_effort="low")
    call = encode(Ask(Prompt(TURNS[1:], schema=SCHEMA)), ENDPOINT, asked, Quirks(refused=refused))
    assert call.body == {"model": "claude-x", "max_tokens": 1024, "messages": [USER]}
    assert call.sent == frozenset()


def test_opened_turn_is_the_last_message_without_trailing_space() -> None:
    """The API refuses a last assistant message that ends in white space."""
    ask = Ask(Prompt(TURNS, opened="## Answers\n"))
    call = encode(ask, ENDPOINT, Parameters(), Quirks(continues=True))
    assert call.body["messages"] == [USER, {"role": "assistant", "content": "## Answers"}]
    assert "prefill" in call.sent


def test_opened_turn_is_folded_for_models_that_refuse_it() -> None:
    call = encode(Ask(Prompt(TURNS, opened="## Answers\n")), ENDPOINT, Parameters(), Quirks())
    assert call.body["messages"] == [{"role": "user", "content": "Same?\n\n## Answers\n"}]
    assert "prefill" not in call.sent


def _reply(**fields: Any) -> bytes:
    reply = {
        "id": "msg_013Zva2CMHLNnjNjJJKqJ2EF",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [{"type": "text", "text": "Yes", "citations": None}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": 2000,
            "output_tokens": 3,
            "service_tier": "standard",
        },
    }
    return json.dumps(reply | fields).encode()


SPENT = Spent(calls=1, input_tokens=2110, cached_tokens=2000, output_tokens=3)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Completion("Yes", spent=SPENT, written_tokens=100)),
        ({"stop_reason": "max_tokens"}, Completion("Yes", "length", spent=SPENT, written_tokens=100)),
        (
            {"stop_reason": "refusal", "content": []},
            Completion("", "refusal", spent=SPENT, written_tokens=100),
        ),
        ({"stop_reason": "stop_sequence"}, Completion("Yes", spent=SPENT, written_tokens=100)),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": "Hm", "signature": "s"},
                    {"type": "text", "text": "Y"},
                    {"type": "text", "text": "es"},
                ]
            },
            Completion("Yes", spent=SPENT, written_tokens=100),
        ),
        ({"usage": None}, Completion("Yes", spent=UNCOUNTED)),
        ({"usage": {}}, Completion("Yes", spent=UNCOUNTED)),
    ],
)
def test_documented_replies(fields: dict[str, Any], expected: Completion) -> None:
    """Text blocks are joined, thinking is dropped, and tokens from and for the cache are input tokens too."""
    assert decode(_reply(**fields)) == expected


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"null",
        b"{}",
        b'{"type": "error", "error": {}}',
        b'{"content": "Yes"}',
        b'{"x": ' + b"[" * 100_000,
    ],
)
def test_anything_else_is_unreadable(body: bytes) -> None:
    with pytest.raises(Unreadable):
        decode(body)


@given(st.binary(max_size=200))
def test_no_body_raises_anything_but_unreadable(body: bytes) -> None:
    with contextlib.suppress(Unreadable):
        assert isinstance(decode(body), Completion)
