"""The measured prompts of benchmarks/data keep the contract of their protocol and are long enough for prefix caches."""

import json
import re
from typing import get_args

import pytest
from load import read_prompts
from prompting.variants import find_wording, name_versions

from karat.core.types import Item, ProtocolName
from karat.judges.request import known_protocol
from karat.protocols import PROTOCOLS, Aligned
from karat.protocols.promptfile import infer_protocol, read_prompt

PROMPTS = read_prompts()
CANDIDATES = [key for key in PROMPTS if key[1] != "first"]
MATCH = [key for key in PROMPTS if key[0] == "match"]
ITEM = Item("q", ("r",), "a")
BATCH = re.compile(r"^# Batch of (\d) items?\n(.*?)(?=^# )", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("key", PROMPTS, ids="/".join)
def test_a_prompt_is_for_the_protocol_that_it_is_kept_for(key: tuple[str, str]) -> None:
    text, protocol = PROMPTS[key], known_protocol(key[0])
    assert infer_protocol(text, key[1])[0] == protocol
    assert read_prompt(text, key[1]).warnings == ()
    assert "right by definition" in text
    assert "instruction" in text
    shipped = PROTOCOLS[protocol].wording
    assert re.findall(r"^(\w+): ", text, re.MULTILINE)[0] == re.findall(r"^(\w+): ", shipped, re.MULTILINE)[0]


@pytest.mark.parametrize("key", CANDIDATES, ids="/".join)
def test_the_stable_part_fills_a_prefix_cache_and_no_more(key: tuple[str, str]) -> None:
    messages = read_prompt(PROMPTS[key], key[1], known_protocol(key[0])).wording.render((ITEM,)).messages
    assert 4500 <= sum(message.stable for message in messages) <= 7000


def test_no_two_prompts_are_the_same() -> None:
    for protocol in get_args(ProtocolName):
        assert len(name_versions(protocol)) >= sum(key[0] == protocol for key in PROMPTS)
        assert find_wording("question-first", protocol)[0] == "question-first"


@pytest.mark.parametrize("key", MATCH, ids="/".join)
def test_worked_batches_are_right_by_their_own_rules(key: tuple[str, str]) -> None:
    """Batches of one, two and seven: items as JSON, answers that our reader takes, a Yes explained by (a) or (b)."""
    batches = BATCH.findall(PROMPTS[key])
    assert [int(count) for count, _ in batches] == [1, 2, 7]
    for count, text in batches:
        items = re.findall(r"^### Item \d\n(.*)$", text, re.MULTILINE)
        assert [list(json.loads(item)) for item in items] == [
            ["question", "ground_truth", "provided_answer"]
        ] * int(count)
        reading = PROTOCOLS["match"].read(text.split("## Answers\n")[1].split("\n")[0], int(count))
        assert isinstance(reading, Aligned)
        reasons = re.findall(r"^Answer (\d): .* \(([a-e])\)\.$", text, re.MULTILINE)
        assert [int(number) for number, _ in reasons] == list(range(1, int(count) + 1))
        assert [letter in "ab" for _, letter in reasons] == list(reading.values)


def test_reasons_before_verdicts_are_read_past() -> None:
    """What the reason-first wordings ask for is a reply that the readers take."""
    said = (
        "Answer 1: The day is left open (c).\nAnswer 2: ESA is its acronym (a).\n\n## Answers\n"
        '{"Answer 1": "No", "Answer 2": "Yes"}'
    )
    assert PROTOCOLS["match"].read(said, 2) == Aligned((False, True))
    thought = "<think>Statements: yeast; gas. Made: the first. Nothing is wrong.</think>3"
    assert PROTOCOLS["equivalence"].read(thought, 1) == Aligned((3,))
    counted = "<think>\nItem one: pivot present; split missing. One of two.\n</think>\n4, 0"
    assert PROTOCOLS["keypoints"].read(counted, 2) == Aligned((4, 0))


@pytest.mark.parametrize("protocol", ["equivalence", "keypoints"])
def test_thinking_that_a_prompt_shows_is_read_as_it_asks(protocol: ProtocolName) -> None:
    text = PROMPTS[protocol, "reason-first"]
    if protocol == "equivalence":
        shown = re.findall(r"^<think>.*</think>\d$", text, re.MULTILINE)
        values = [PROTOCOLS[protocol].read(line, 1) for line in shown]
        assert values == [Aligned((level,)) for level in range(6)]
    else:
        thinking = text[text.index("<think>\n") : text.index("and the values after it")]
        listed = re.search(r"values after it would be: (.*)", text)
        assert listed
        assert PROTOCOLS[protocol].read(thinking + listed[1], 4) == Aligned((5, 4, 0, 4))
