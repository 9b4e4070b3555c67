"""The wordings that are waiting to be measured keep the contract of their protocol and are long enough for prefix caches."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from prompting.variants import FOLDER, find_wording, name_versions

from karat.core.types import Item, ProtocolName
from karat.judges import read_prompt_file
from karat.judges.request import known_protocol
from karat.protocols import PROTOCOLS, Aligned
from karat.protocols.promptfile import infer_protocol

FILES = sorted(FOLDER.rglob("*.txt"))
CANDIDATES = [path for path in FILES if path.stem != "first"]
MATCH = [path for path in FILES if path.parent.name == "match"]
ITEM = Item("q", ("r",), "a")
BATCH = re.compile(r"^# Batch of (\d) items?\n(.*?)(?=^# )", re.DOTALL | re.MULTILINE)


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def protocol_of(path: Path) -> ProtocolName:
    return known_protocol(path.parent.name)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_is_for_the_protocol_whose_folder_it_is_in(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = read_prompt_file(path)
    assert infer_protocol(text, path.name)[0] == protocol_of(path)
    assert found.warnings == ()
    assert "right by definition" in text
    assert "instruction" in text
    shipped = PROTOCOLS[protocol_of(path)].wording
    assert re.findall(r"^(\w+): ", text, re.MULTILINE)[0] == re.findall(r"^(\w+): ", shipped, re.MULTILINE)[0]


@pytest.mark.parametrize("path", CANDIDATES, ids=name)
def test_the_part_that_never_changes_fills_a_prefix_cache_and_no_more(path: Path) -> None:
    messages = read_prompt_file(path, protocol_of(path)).wording.render((ITEM,)).messages
    assert 4500 <= sum(message.stable for message in messages) <= 7000


def test_no_two_files_say_the_same() -> None:
    for protocol in get_args(ProtocolName):
        assert len(name_versions(protocol)) >= len(list((FOLDER / protocol).glob("*.txt")))
        assert find_wording("question-first", protocol)[0] == "question-first"


@pytest.mark.parametrize("path", MATCH, ids=name)
def test_worked_batches_are_right_by_their_own_rules(path: Path) -> None:
    """Batches of one, two and seven: items as JSON, answers that our reader takes, a Yes explained by (a) or (b)."""
    batches = BATCH.findall(path.read_text(encoding="utf-8"))
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
    text = (FOLDER / protocol / "reason-first.txt").read_text(encoding="utf-8")
    if protocol == "equivalence":
        shown = re.findall(r"^<think>.*</think>\d$", text, re.MULTILINE)
        values = [PROTOCOLS[protocol].read(line, 1) for line in shown]
        assert values == [Aligned((level,)) for level in range(6)]
    else:
        thinking = text[text.index("<think>\n") : text.index("and the values after it")]
        listed = re.search(r"values after it would be: (.*)", text)
        assert listed
        assert PROTOCOLS[protocol].read(thinking + listed[1], 4) == Aligned((5, 4, 0, 4))
