"""OpenAI's chat completions, against the format as it is documented."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.flow import Ask, Completion, Message, Prompt, Token
from karat.core.types import UNCOUNTED, Spent
from karat.models import Endpoint, Parameters
from karat.models.endpoint import Quirks
from karat.models.wire import anthropic
from karat.models.wire.common import Unreadable
from karat.models.wire.openai import decode, encode

ENDPOINT = Endpoint("compatible", "http://host/v1", "some-model")
TURNS = (Message("system", "Be strict."), Message("user", "Same?"))
PLAIN = Ask(Prompt(TURNS))
OPENED = Ask(Prompt(TURNS, opened="## Answers\n"))
SCHEMA = {"type": "object", "properties": {"Answer 1": {"type": "string"}}}
EVERYTHING = Parameters(temperature=0.5, seed=7, max_tokens=64, reasoning_effort="low", logprobs=True)
SENT = [{"role": "system", "content": "Be strict."}, {"role": "user", "content": "Same?"}]


def test_plain_request() -> None:
    """A request has the model, the turns, the output limit and the temperature, and nothing that was not asked for."""
    call = encode(PLAIN, ENDPOINT, Parameters(), Quirks())
    assert call.path == "/chat/completions"
    assert call.body == {"model": "some-model", "messages": SENT, "max_tokens": 1024, "temperature": 0.0}
    assert call.sent == {"temperature"}


def test_every_parameter_has_its_documented_field() -> None:
    ask = Ask(Prompt(TURNS, schema=SCHEMA), room=4)
    call = encode(ask, ENDPOINT, EVERYTHING, Quirks(limit_name="max_completion_tokens"))
    assert call.body == {
        "model": "some-model",
        "messages": SENT,
        "max_completion_tokens": 256,
        "temperature": 0.5,
        "seed": 7,
        "reasoning_effort": "low",
        "logprobs": True,
        "top_logprobs": 20,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdicts", "strict": True, "schema": SCHEMA},
        },
    }
    assert call.sent == {"temperature", "seed", "reasoning_effort", "logprobs", "structured"}


def test_refused_parameters_are_left_out() -> None:
    refused = frozenset({"temperature", "seed", "reasoning_effort", "logprobs", "structured"})
    call = encode(Ask(Prompt(TURNS, schema=SCHEMA)), ENDPOINT, EVERYTHING, Quirks(refused=refused))
    assert call.body == {"model": "some-model", "messages": SENT, "max_tokens": 64}
    assert call.sent == frozenset()


def test_prefill_is_sent_as_the_last_message_if_supported() -> None:
    call = encode(OPENED, ENDPOINT, Parameters(temperature=None), Quirks(continues=True))
    assert call.body == {
        "model": "some-model",
        "messages": [*SENT, {"role": "assistant", "content": "## Answers\n"}],
        "max_tokens": 1024,
        "continue_final_message": True,
        "add_generation_prompt": False,
    }
    assert call.sent == {"prefill"}


def test_opened_turn_is_folded_into_the_last_message_for_others() -> None:
    call = encode(OPENED, ENDPOINT, Parameters(temperature=None), Quirks())
    assert call.body == {
        "model": "some-model",
        "messages": [SENT[0], {"role": "user", "content": "Same?\n\n## Answers\n"}],
        "max_tokens": 1024,
    }


def _reply(message: dict[str, Any], **choice: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-4.1-2025-04-14",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "annotations": [], **message},
                "logprobs": None,
                "finish_reason": "stop",
                **choice,
            }
        ],
        "usage": {
            "prompt_tokens": 19,
            "completion_tokens": 10,
            "total_tokens": 29,
            "prompt_tokens_details": {"cached_tokens": 8, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default",
    }


SPENT = Spent(calls=1, input_tokens=19, cached_tokens=8, output_tokens=10)


def _decode(reply: dict[str, Any]) -> Completion:
    return decode(json.dumps(reply).encode())


@pytest.mark.parametrize(
    ("message", "choice", "expected"),
    [
        ({"content": "Yes", "refusal": None}, {}, Completion("Yes", spent=SPENT)),
        ({"content": "Yes"}, {"finish_reason": "length"}, Completion("Yes", "length", spent=SPENT)),
        ({"content": "Yes"}, {"finish_reason": None}, Completion("Yes", spent=SPENT)),
        ({"content": None}, {}, Completion("", spent=SPENT)),
        ({}, {}, Completion("", spent=SPENT)),
        ({"content": None, "refusal": "I can't."}, {}, Completion("I can't.", "refusal", spent=SPENT)),
        ({"content": "Ye"}, {"finish_reason": "content_filter"}, Completion("Ye", "refusal", spent=SPENT)),
        (
            {"content": [{"type": "text", "text": "Ye"}, {"type": "text", "text": "s"}, {"type": "image"}]},
            {},
            Completion("Yes", spent=SPENT),
        ),
    ],
)
def test_documented_replies(message: dict[str, Any], choice: dict[str, Any], expected: Completion) -> None:
    """Text, parts, nothing, refusals, filters and cut replies are told apart."""
    assert _decode(_reply(message, **choice)) == expected


def test_log_probabilities_come_with_their_alternatives() -> None:
    tops = [{"token": "Yes", "logprob": -0.1, "bytes": [89]}, {"token": "No", "logprob": -2.5, "bytes": [78]}]
    content = [
        {"token": "Yes", "logprob": -0.1, "bytes": [89], "top_logprobs": tops},
        {"token": ".", "logprob": 0.5, "top_logprobs": []},
    ]
    reply = _decode(_reply({"content": "Yes."}, logprobs={"content": content, "refusal": None}))
    assert reply.tokens == (Token("Yes", {"Yes": -0.1, "No": -2.5}), Token(".", {".": 0.0}))


NO_COUNTS = [
    "null", "{}", "[]", "7", '"many"', '{"IN": null, "OUT": 2}', '{"IN": 3}', '{"IN": -1, "OUT": 2}', '{"IN": 3, "OUT": -2}',
    '{"IN": "3", "OUT": "2"}', '{"IN": 1e999, "OUT": 2}', '{"IN": 2.5, "OUT": 2}', '{"IN": 3, "OUT": true}',
    '{"IN": 0, "OUT": 2}', '{"IN": 3, "OUT": 0}', '{"IN": 3, "OUT": 1%s}' % ("0" * 30),
]  # fmt: skip


@pytest.mark.parametrize("usage", NO_COUNTS)
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_reply_without_a_possible_count_is_read_and_its_tokens_are_unknown(kind: str, usage: str) -> None:
    """Missing, of another type, negative, endless, or nothing at all for a prompt or a text: never 0."""
    if kind == "openai":
        names, reply, read = ("prompt_tokens", "completion_tokens"), _reply({"content": "x"}), decode
    else:
        names = ("input_tokens", "output_tokens")
        reply, read = {"content": [{"type": "text", "text": "x"}]}, anthropic.decode
    told = usage.replace("IN", names[0]).replace("OUT", names[1])
    body = json.dumps({**reply, "usage": "USAGE"}).replace('"USAGE"', told).encode()
    assert read(body) == Completion("x", spent=UNCOUNTED)


def test_more_cached_tokens_than_tokens_are_ignored() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 9}}
    spent = _decode({**_reply({"content": "x"}), "usage": usage}).spent
    assert spent == Spent(1, 5, 5, 2)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (rb"a\ud800b", "a\ufffdb"),
        (rb"\udc00\ud83d\ude00\uD83D", "\ufffd\U0001f600\ufffd"),
        (rb"a\\ud800\ud800", "a\\ud800\ufffd"),
        (b"a\xffb", "a\ufffdb"),
        (b"a\xed\xa0\x80b", "a\ufffd\ufffd\ufffdb"),
    ],
)
def test_halves_of_surrogates_and_broken_bytes_are_replaced(said: bytes, text: str) -> None:
    assert decode(b'{"choices": [{"message": {"content": "%s"}}]}' % said).text == text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>login</html>",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"error": {"message": "overloaded"}}',
        b'{"x": ' + b"[" * 100_000,
    ],
)
def test_anything_else_is_unreadable(body: bytes) -> None:
    with pytest.raises(Unreadable):
        decode(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["choices", "message", "content", "usage", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_body_raises_anything_but_unreadable(body: bytes) -> None:
    with contextlib.suppress(Unreadable):
        assert isinstance(decode(body), Completion)
