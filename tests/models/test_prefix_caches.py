"""The stable part of a prompt is marked for the prefix caches of providers, and what they charge is counted."""

import math
from typing import Any

from karat.core.flow import Ask, Completion
from karat.core.types import Item, Spent
from karat.models import Endpoint, Parameters, Price
from karat.models.endpoint import Quirks
from karat.models.wire import anthropic, openai
from karat.protocols.promptfile import builtin_wording

ITEMS = tuple(Item(f"q{n}?", (f"r{n}",), f"a{n}") for n in range(5))
WORDINGS = [builtin_wording("match"), builtin_wording("equivalence"), builtin_wording("keypoints")]


def marked(body: dict[str, Any]) -> list[str]:
    turns = [body.get("system", ""), *(turn["content"] for turn in body["messages"])]
    blocks = [block for content in turns if isinstance(content, list) for block in content]
    return [block["text"] for block in blocks if "cache_control" in block]


def test_anthropic_stable_part_is_marked_for_the_cache() -> None:
    endpoint = Endpoint("anthropic", "https://api.anthropic.com/v1", "claude-x")
    for wording in WORDINGS:
        bodies = [
            anthropic.encode(Ask(wording.render((item,))), endpoint, Parameters(), Quirks()).body
            for item in ITEMS
        ]
        parts = {tuple(marked(body)) for body in bodies}
        assert len(parts) == 1
        (part,) = parts
        assert len(part) in (1, 2)
        assert sum(map(len, part)) > 2500


def test_no_text_is_lost_or_changed_by_marking() -> None:
    endpoint = Endpoint("anthropic", "https://api.anthropic.com/v1", "claude-x")
    for wording in WORDINGS:
        prompt = wording.render(ITEMS[:1])
        body = anthropic.encode(Ask(prompt), endpoint, Parameters(), Quirks(continues=True)).body
        for turn, message in zip(
            body["messages"], [m for m in prompt.messages if m.role == "user"], strict=False
        ):
            content = turn["content"]
            text = content if isinstance(content, str) else "".join(block["text"] for block in content)
            assert text == message.text


def test_openai_gets_one_cache_key_for_all_prompts_of_a_judge() -> None:
    endpoint = Endpoint("openai", "https://api.openai.com/v1", "gpt-x")
    keys = [
        {
            openai.encode(Ask(wording.render((item,))), endpoint, Parameters(), Quirks()).body[
                "prompt_cache_key"
            ]
            for item in ITEMS
        }
        for wording in WORDINGS
    ]
    assert [len(found) for found in keys] == [1, 1, 1]
    assert len(set.union(*keys)) == 3


def test_other_endpoints_get_no_cache_key() -> None:
    endpoint = Endpoint("compatible", "http://localhost:8000/v1", "m")
    body = openai.encode(Ask(WORDINGS[0].render(ITEMS[:1])), endpoint, Parameters(), Quirks()).body
    assert "prompt_cache_key" not in body


def test_cache_reads_are_cheaper_and_writes_more_expensive() -> None:
    price = Price(input=4.0, output=10.0, cached=0.4)
    spent = Spent(calls=1, input_tokens=1000, cached_tokens=600, output_tokens=10)
    plain = price.charge(spent).cost_usd
    writing = price.charge(spent, written_tokens=200).cost_usd
    assert plain is not None
    assert writing is not None
    assert math.isclose(plain, (400 * 4 + 600 * 0.4 + 10 * 10) / 1e6)
    assert math.isclose(writing - plain, 200 * 4 * 0.25 / 1e6)


def test_what_was_written_is_read_from_the_reply() -> None:
    body = b'{"content": [{"type": "text", "text": "4"}], "usage": {"input_tokens": 5, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 7, "output_tokens": 1}}'
    assert anthropic.decode(body) == Completion(
        "4", spent=Spent(1, input_tokens=112, cached_tokens=7, output_tokens=1), written_tokens=100
    )
