"""Politeness, labels and markdown around an answer are stripped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import apply_rules, set_full_stop, strip_politeness

QUESTION = "Who wrote the story?"


@pytest.mark.parametrize(
    "answer",
    [
        "Good question! Mark Twain.", "Thank you for asking! Mark Twain. I hope that this helps.", "Sure, happy to help. Mark Twain.", "Who wrote the story? Mark Twain.",
        "You ask: Who wrote the story?\nMark Twain.", "Question: Who wrote the story?\nAnswer: Mark Twain.", "**Mark Twain**", "> Mark Twain", "# Mark Twain", "“Mark Twain”",
        "Hello! Mark Twain. Have a nice day!", "Of course. Mark Twain. Please ask again at any time.", "**Answer:** Mark Twain",
        "Glad you asked. Mark Twain. Cheers!", "Hi there, Mark Twain.", "Mark Twain. Anything else I can do for you?", "Q: Who wrote the story? A: Mark Twain", "<b>Mark Twain</b>",
        "(Mark Twain)", "1. Mark Twain", "## Answer\n\nMark Twain", "“Who wrote the story?” – Mark Twain.", "Regarding your question “Who wrote the story?”: Mark Twain",
    ],
)  # fmt: skip
def test_dress_is_taken_off(answer: str) -> None:
    assert strip_politeness(QUESTION, answer).rstrip(".") == "Mark Twain"


@pytest.mark.parametrize(
    "answer",
    [
        "Thank you!", "Good question!", QUESTION, "Hello", 'The story "Jim Smiley" by "Mark Twain"', "a * b", "It's 'Twain'.",
        "It is asked which U.S. state he loved.",
    ],
)  # fmt: skip
def test_what_is_no_dress_or_all_there_is_stays(answer: str) -> None:
    assert strip_politeness(QUESTION, answer) == answer


@given(st.text(max_size=80), st.text(max_size=80))
def test_something_is_left(question: str, answer: str) -> None:
    assert bool(strip_politeness(question, answer).strip()) == bool(answer.strip())


@pytest.mark.parametrize(
    "answer", ["Good question! No, it needs a medium.", "You ask: Can sound cross a vacuum?\nNo, it cannot."]
)
def test_yes_and_no_are_found_under_politeness(answer: str) -> None:
    ruling = apply_rules(Item("Can sound cross a vacuum?", ("No",), answer))
    assert ruling is not None
    assert ruling.accept


def test_a_sentence_that_ends_the_question_says_nothing_twice() -> None:
    answer = "The story was written by Mark Twain."
    assert strip_politeness("the story was written by", answer) == answer


def test_a_sign_behind_the_question_is_kept() -> None:
    assert strip_politeness("What is 3 - 8?", "What is 3 - 8? -5") == "-5"


@given(st.text(max_size=80))
def test_whether_a_full_stop_was_set_does_not_matter(answer: str) -> None:
    bare = answer.strip().rstrip(". ")
    if bare:
        assert set_full_stop(bare) == set_full_stop(f"{bare}.") == set_full_stop(f" {bare}. ")
        assert set_full_stop(set_full_stop(bare)) == set_full_stop(bare)
