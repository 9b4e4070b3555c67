"""The built-in prompts have the structure that the protocols specify."""

import json
import re

import pytest

from karat.core.types import Item, ProtocolName
from karat.protocols import PROTOCOLS, Aligned
from karat.protocols.promptfile import builtin_wording, infer_protocol, read_prompt

ITEM = Item("q", ("r",), "a")
BATCH = re.compile(r"^# Batch of (\d) items?\n(.*?)(?=^# )", re.DOTALL | re.MULTILINE)
KINDS = [
    "factual accuracy",
    "technical concepts",
    "methods, procedures and algorithms",
    "definitions",
    "relationships between concepts",
    "examples and applications",
    "limitations and constraints",
    "citations",
]
TABLE = [
    ("none", 5),
    ("1 or 2", 4),
    ("3 or 4", 3),
    ("5 or 6", 2),
    ("7 or more, or significant errors", 1),
    ("no point present, or more than half of the points missing or wrong", 0),
]
LEVELS = [
    "0 - not at all similar to the correct answer and unrelated to the question",
    "1 - not at all similar to the correct answer, but somewhat related to the question",
    "2 - mostly not similar to the correct answer",
    "3 - somewhat similar to the correct answer",
    "4 - mostly similar to the correct answer",
    "5 - completely similar to the correct answer",
]


@pytest.mark.parametrize(
    ("protocol", "roles", "opened"),
    [
        ("match", ["user"], "## Answers"),
        ("equivalence", ["system", "user"], None),
        ("keypoints", ["system", "user"], None),
    ],
)
def test_roles_are_those_of_the_protocol(
    protocol: ProtocolName, roles: list[str], opened: str | None
) -> None:
    prompt = builtin_wording(protocol).render((ITEM,))
    assert [message.role for message in prompt.messages] == roles
    assert prompt.opened == opened


@pytest.mark.parametrize("protocol", ["match", "equivalence", "keypoints"])
def test_builtin_text_reads_back_as_the_builtin_wording(protocol: ProtocolName) -> None:
    """A printed prompt is a prompt file, and its protocol is told from the text alone."""
    text = PROTOCOLS[protocol].wording
    assert read_prompt(text, "mine.txt", protocol).wording == builtin_wording(protocol)
    assert read_prompt(text, "mine.txt").wording == builtin_wording(protocol)
    assert infer_protocol(text, "mine.txt")[0] == protocol


@pytest.mark.parametrize(("protocol", "most"), [("match", 8), ("equivalence", 1), ("keypoints", 4)])
def test_items_per_prompt_are_those_of_the_protocol(protocol: ProtocolName, most: int) -> None:
    assert PROTOCOLS[protocol].most_items == most
    assert builtin_wording(protocol).most_items >= most


@pytest.mark.parametrize("protocol", ["match", "equivalence", "keypoints"])
def test_every_prompt_says_that_the_reference_is_right_and_item_text_no_instruction(
    protocol: ProtocolName,
) -> None:
    text = PROTOCOLS[protocol].wording
    assert "right by definition" in text
    assert re.search(r"[Ss]tyle, (?:length|order)", text)
    assert "instruction" in text
    assert "material to be" in text


def test_match_teaches_by_batches_of_one_two_and_seven() -> None:
    """Each batch shows its items as JSON, then answers that our reader takes, then one explanation each."""
    batches = BATCH.findall(PROTOCOLS["match"].wording)
    assert [int(count) for count, _ in batches] == [1, 2, 7]
    for count, text in batches:
        items, answers, explanations = re.split(r"^## (?:Answers|Explanations)\n", text, flags=re.MULTILINE)
        _check_items(items, int(count))
        reading = PROTOCOLS["match"].read(answers, int(count))
        assert isinstance(reading, Aligned)
        assert None not in reading.values
        _check_explanations(explanations.strip().split("\n"), reading.values)


def _check_items(text: str, count: int) -> None:
    blocks = text.strip().split("\n\n")
    assert [block.split("\n")[0] for block in blocks] == [
        f"### Item {number}" for number in range(1, count + 1)
    ]
    for block in blocks:
        _, line = block.split("\n")
        assert list(json.loads(line)) == ["question", "ground_truth", "provided_answer"]


def _check_explanations(lines: list[str], values: tuple[object, ...]) -> None:
    """A Yes is explained by the kinds (a) and (b), a No by (c), (d) and (e)."""
    assert len(lines) == len(values)
    for number, (line, value) in enumerate(zip(lines, values, strict=True), 1):
        assert line.startswith(f"Answer {number}: ")
        assert re.search(r"\(([a-e])\)\.$", line)
        assert (line[-3] in "ab") is value


def test_seven_items_cover_every_kind_of_yes_and_no() -> None:
    _, seven = BATCH.findall(PROTOCOLS["match"].wording)[-1]
    assert set(re.findall(r"\(([a-e])\)\.$", seven, re.MULTILINE)) == set("abcde")


def test_match_items_of_the_prompt_look_like_those_of_its_examples() -> None:
    shown = PROTOCOLS["match"].show((ITEM,))
    heading, line = shown.split("\n")
    assert heading == "### Item 1"
    assert list(json.loads(line)) == ["question", "ground_truth", "provided_answer"]


@pytest.mark.parametrize("count", [1, 2, 8])
def test_match_says_how_many_items_come_before_them(count: int) -> None:
    (message,) = builtin_wording("match").render((ITEM,) * count).messages
    moving = message.text[message.stable :]
    assert moving.startswith(f"{count}, ")
    assert f'"Answer {count}"' in moving.split("### Item 1")[0]
    assert "valid JSON object and nothing else, without explanations" in message.text[: message.stable]


def test_equivalence_has_one_example_for_each_level() -> None:
    text = PROTOCOLS["equivalence"].wording
    examples = re.findall(r"<example>\n(.*?)</example>", text, re.DOTALL)
    fields = [re.findall(r"^<(\w+)>.+</\1>$", example, re.MULTILINE) for example in examples]
    assert fields == [["question", "correct_answer", "predicted_answer", "score"]] * 6
    assert re.findall(r"<score>(.*)</score>", text) == ["0", "1", "2", "3", "4", "5"]


def test_equivalence_defines_the_six_levels_and_asks_for_one_integer() -> None:
    system, user = builtin_wording("equivalence").render((ITEM,)).messages
    assert re.findall(r"^\d - .*$", user.text, re.MULTILINE) == LEVELS
    assert "definition of a metric" in system.text
    assert "single integer from 0 to 5 and no other text" in system.text
    assert user.text.index("<question>q</question>") > user.text.rindex("</example>")


def test_keypoints_names_eight_kinds_and_the_count_table() -> None:
    system, _ = builtin_wording("keypoints").render((ITEM,)).messages
    kinds = re.findall(r"^- (.*)$", system.text.split("Kinds of key point")[1].split("\n\n")[0], re.MULTILINE)
    assert len(kinds) == len(KINDS)
    assert all(kind.startswith(expected) for kind, expected in zip(kinds, KINDS, strict=True))
    assert [
        (row, int(value)) for row, value in re.findall(r"^(.*) -> (\d)", system.text, re.MULTILINE)
    ] == TABLE
    assert "0; this row wins over the count" in system.text
    assert "no partial credit" in system.text


def test_keypoints_shows_a_reply_that_our_reader_takes() -> None:
    found = re.search(r"For three items a reply looks like this: (.*)", PROTOCOLS["keypoints"].wording)
    assert found is not None
    assert PROTOCOLS["keypoints"].read(found.group(1), 3) == Aligned((4, 0, 5))


def test_keypoints_items_are_numbered_questions() -> None:
    lines = PROTOCOLS["keypoints"].show((ITEM, Item(None, ("r", "s"), "b"))).split("\n")
    assert lines == [
        'Question 1: "q"', 'True answer: "r"', 'Answer from the model: "a"', "",
        'Question 2: ""', 'True answer (any one of): ["r", "s"]', 'Answer from the model: "b"',
    ]  # fmt: skip
