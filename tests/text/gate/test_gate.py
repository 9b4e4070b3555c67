"""The gate: answers that say nothing are rejected before any other rule looks at them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import bounded_effort
from example_lines import Line, check_lines, read_lines
from karat.core.types import Item
from karat.text import check_gate
from karat.text.gate.gate import has_own_content
from text_checks import gate_ruling, verdict

EXAMPLES = Path(__file__).with_name("gate.jsonl")
QUESTION = "What is the capital of France?"
MASTER_KEYS = [line["answer"] for line in read_lines(EXAMPLES, "a master key of judges")]


def name(answer: str, *references: str, question: str | None = QUESTION) -> str | None:
    return gate_ruling({"question": question, "references": references or ("Paris",), "answer": answer})


def own_content(line: Line) -> bool:
    return has_own_content(line["question"], line["answer"])


def test_the_gate_rejects_what_says_nothing_and_passes_what_may_answer() -> None:
    check_lines(EXAMPLES, gate=gate_ruling, verdict=verdict, own_content=own_content)


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40) | st.none())
def test_the_gate_never_raises_and_never_rejects_a_reference(
    answer: str, reference: str, question: str | None
) -> None:
    check_gate(Item(question, (reference,), answer))
    assert check_gate(Item(question, (reference, answer), answer)) is None


@settings(deadline=None)
@given(
    st.sampled_from(MASTER_KEYS),
    st.text(st.sampled_from("\u200b\u200d\u202e\ufe0f\u00ad\U000e0041"), max_size=5),
    st.integers(0, 9),
)
def test_invisible_characters_do_not_open_the_gate(key: str, hidden: str, place: int) -> None:
    assert name(key[:place] + hidden + key[place:]) == name(key)


@pytest.mark.parametrize(
    "text",
    ["a" * 10**6, " " * 10**6, "." * 10**6, "I don't know " * 80_000, "let's " * 160_000, "解" * 10**6],
)
def test_a_megabyte_takes_little_effort(text: str) -> None:
    with bounded_effort():
        check_gate(Item(QUESTION, ("Paris",), text))


def test_a_sign_is_no_answer_unless_a_reference_names_it() -> None:
    assert name(".", "Au", question="What is the chemical symbol of gold?") == "punctuation"
    assert name(":", "Yes", question="Is it so?") == "punctuation"
    assert name("+", "Yes", question="Is it so?") is None
    assert name(",", "a comma", question="What divides a list?") is None


def test_a_reference_inside_another_word_does_not_open_the_gate() -> None:
    question = "Did Einstein win a Nobel Prize for it?"
    assert name(question, "No", question=question) == "echo"


def test_a_reference_before_a_colon_passes() -> None:
    assert check_gate(Item("Who wrote it?", ("Mark Twain",), "Mark Twain:")) is None
