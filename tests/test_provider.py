import http.client
import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPMessage
from typing import Any
from urllib.parse import urlsplit

import pytest

from provider import Call, Provider, Reply, answer_object, apart, read_items, scripted

HELLO = {"model": "m", "messages": [{"role": "user", "content": "Hello, is anybody there?"}]}
BATCH = {
    "messages": [
        {
            "role": "user",
            "content": '### Item 1\n{"a": 1}\n### Item 2\n{"a": 2}\n\n### Item 1\n{"b": 1}\n### Item 2\n{"c"}',
        },
        {"role": "assistant", "content": "### Answers\n"},
    ]
}


def _ask(url: str, body: Any = None, *, timeout: float = 120) -> tuple[int, HTTPMessage, bytes]:
    parts = urlsplit(url)
    with closing(http.client.HTTPConnection(parts.netloc, timeout=timeout)) as connection:
        payload = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request("GET" if body is None else "POST", parts.path, payload)
        response = connection.getresponse()
        return response.status, response.headers, response.read()


def _json(url: str, body: Any = None) -> Any:
    return json.loads(_ask(url, body)[2])


def test_openai_format() -> None:
    """A chat completion has the text, the reason it ended, and tokens counted at four characters each."""
    with Provider(lambda _: Reply("x" * 40, finish="length", cached=3)) as provider:
        reply = _json(f"{provider.base_url}/chat/completions", HELLO)
    assert reply["choices"][0]["message"] == {"role": "assistant", "content": "x" * 40, "refusal": None}
    assert reply["choices"][0]["finish_reason"] == "length"
    assert reply["usage"] == {
        "prompt_tokens": 6,
        "completion_tokens": 10,
        "total_tokens": 16,
        "prompt_tokens_details": {"cached_tokens": 3},
    }


def test_anthropic_format() -> None:
    """A message has text parts, Anthropic's own word for the end, and cached tokens counted apart."""
    body = {**HELLO, "system": [{"type": "text", "text": "Be kind."}], "max_tokens": 9}
    with Provider(lambda call: Reply(call.prompt, finish="length", cached=3)) as provider:
        reply = _json(f"{provider.base_url}/messages", body)
    assert reply["content"] == [{"type": "text", "text": "Be kind.\n\nHello, is anybody there?"}]
    assert reply["stop_reason"] == "max_tokens"
    assert reply["usage"]["input_tokens"] == 5
    assert reply["usage"]["cache_read_input_tokens"] == 3


@pytest.mark.parametrize(
    ("path", "where", "said"),
    [
        ("chat/completions", lambda reply: reply["choices"][0]["message"]["refusal"], "I will not"),
        ("messages", lambda reply: reply["stop_reason"], "refusal"),
    ],
)
def test_refusal_in_both_formats(path: str, where: Any, said: str) -> None:
    """A refusal stands where each format has it."""
    with Provider(lambda _: Reply(refusal="I will not")) as provider:
        assert where(_json(f"{provider.base_url}/{path}", HELLO)) == said


def test_logprobs_only_when_asked() -> None:
    """Scripted logprobs are sent to a request that asks for them, and to no other."""
    yes = [{"token": "Yes", "logprob": -0.1, "top_logprobs": [{"token": "No", "logprob": -2.4}]}]
    with Provider(lambda _: Reply("Yes", logprobs=yes)) as provider:
        url = f"{provider.base_url}/chat/completions"
        plain, asked = _json(url, HELLO), _json(url, {**HELLO, "logprobs": True})
    assert plain["choices"][0]["logprobs"] is None
    assert asked["choices"][0]["logprobs"]["content"] == yes


def test_error_status_headers_and_body() -> None:
    """An error has the status, headers and error object of the script, in the format of its path."""
    wait = Reply(
        status=429, headers={"retry-after": "2"}, error={"type": "rate_limit_error", "message": "slow"}
    )
    with Provider(lambda _: wait) as provider:
        status, headers, openai = _ask(f"{provider.base_url}/chat/completions", HELLO)
        anthropic = _json(f"{provider.base_url}/messages", HELLO)
    assert (status, headers["retry-after"]) == (429, "2")
    assert json.loads(openai) == {"error": wait.error}
    assert anthropic == {"type": "error", "error": wait.error}


def test_raw_body_is_sent_as_it_is() -> None:
    """A page of HTML from a proxy can stand where JSON should."""
    with Provider(lambda _: Reply(status=502, raw=b"<html>Bad gateway</html>")) as provider:
        status, headers, body = _ask(f"{provider.base_url}/chat/completions", HELLO)
    assert (status, headers["content-type"], body) == (502, "text/html", b"<html>Bad gateway</html>")


def test_dropped_connection_is_a_call_without_an_answer() -> None:
    """A dropped call is counted, and the next one is served."""
    with Provider(scripted([Reply(drop=True), "after all"])) as provider:
        url = f"{provider.base_url}/chat/completions"
        with pytest.raises(ConnectionError):
            _ask(url, HELLO)
        assert _json(url, HELLO)["choices"][0]["message"]["content"] == "after all"
        assert len(provider.calls) == 2


def test_hanging_call_does_not_hold_up_the_end() -> None:
    """A client runs into its own time limit, and the provider closes although the call never ends."""
    with Provider(lambda _: Reply(hang=True)) as provider, pytest.raises(TimeoutError):
        _ask(f"{provider.base_url}/chat/completions", HELLO, timeout=0.2)


def test_delayed_calls_overlap() -> None:
    """A call that is held up holds up no other: all four end only once the last of them has come."""
    all_there = threading.Event()

    def hold(call: Call) -> Reply:
        if call.index == 3:
            all_there.set()
        return Reply("late", until=all_there)

    with Provider(hold) as provider, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: _ask(f"{provider.base_url}/chat/completions", HELLO), range(4)))
        assert len(provider.calls) == 4


def test_calls_are_kept_in_order() -> None:
    """Every POST is counted and kept with its headers, a GET is not, and the last scripted reply repeats."""
    with Provider(scripted(["a", "b"]), owned_by="vllm") as provider:
        url = f"{provider.base_url}/chat/completions"
        said = [_json(url, HELLO)["choices"][0]["message"]["content"] for _ in range(3)]
        assert _json(f"{provider.base_url}/models")["data"][0]["owned_by"] == "vllm"
        assert _json(f"{provider.url}/calls") == 3
        assert _json(f"{provider.url}/log") == [HELLO, HELLO, HELLO]
        calls = provider.calls
    assert said == ["a", "b", "b"]
    assert [call.index for call in calls] == [0, 1, 2]
    assert calls[0].headers["content-length"] == str(len(json.dumps(HELLO)))


def test_body_that_is_no_json_is_refused() -> None:
    """A body that cannot be read is a counted 400."""
    with Provider(scripted(["never said"])) as provider:
        assert _ask(f"{provider.base_url}/messages", b"{")[0] == 400
        assert len(provider.calls) == 1


def test_mistake_in_the_script_fails_the_test() -> None:
    """An exception in the script is a 500 for the client and is raised when the block ends."""

    def broken(call: Call) -> Reply:
        raise LookupError(call.path)

    with pytest.raises(LookupError), Provider(broken) as provider:
        assert _ask(f"{provider.base_url}/messages", HELLO)[0] == 500


def test_port_in_use_is_reported() -> None:
    """A provider that cannot bind its port does not start."""
    with Provider(scripted(["a"])) as provider, pytest.raises(OSError, match="address already in use"):
        Provider(scripted(["b"]), port=provider.port).__enter__()


def test_items_are_those_after_the_worked_examples() -> None:
    """The items of a batch are what follows the last heading numbered 1 in the last user message."""
    assert read_items(BATCH) == ['{"b": 1}', '{"c"}']
    assert read_items(HELLO) == []


def test_process_outlives_a_killed_client() -> None:
    """The provider in its own process keeps the count when a client is killed in the middle of a call."""
    with apart("echo-yes", delay=30) as provider:
        code = f"import sys, urllib.request as u; u.urlopen({provider.base_url + '/chat/completions'!r}, b'{{\"a\": 1}}')"
        with subprocess.Popen([sys.executable, "-c", code]) as client:
            while provider.count() == 0:
                time.sleep(0.02)
            client.kill()
        assert provider.count() == 1
        assert provider.log() == [{"a": 1}]


def test_built_in_behaviours() -> None:
    """`echo-yes` says Yes to each item; `length` gives an item the same verdict in every batch."""
    with apart("echo-yes") as yes, apart("length") as parity:
        said = [
            _json(f"{p.base_url}/chat/completions", BATCH)["choices"][0]["message"]["content"]
            for p in (yes, parity)
        ]
    even = [sum(line.encode()) % 2 == 0 for line in ('{"b": 1}', '{"c"}')]
    assert said == ['{"Answer 1": "Yes", "Answer 2": "Yes"}', answer_object(even)]
