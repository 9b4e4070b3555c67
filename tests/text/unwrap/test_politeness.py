"""Politeness, labels and markup around an answer are removed."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from example_lines import Line, check_lines
from karat.text import set_full_stop, strip_politeness
from text_checks import verdict

EXAMPLES = Path(__file__).with_name("politeness.jsonl")


def without_politeness(line: Line) -> str:
    return strip_politeness(line["question"], line["answer"])


def test_politeness_around_an_answer_is_removed_and_all_else_stays() -> None:
    check_lines(EXAMPLES, without_politeness=without_politeness, verdict=verdict)


@given(st.text(max_size=80), st.text(max_size=80))
def test_removing_politeness_leaves_something(question: str, answer: str) -> None:
    assert bool(strip_politeness(question, answer).strip()) == bool(answer.strip())


def test_a_sentence_that_completes_the_question_stays() -> None:
    answer = "The story was written by Mark Twain."
    assert strip_politeness("the story was written by", answer) == answer


def test_a_minus_sign_after_the_question_is_kept() -> None:
    assert strip_politeness("What is 3 - 8?", "What is 3 - 8? -5") == "-5"


@given(st.text(max_size=80))
def test_a_final_full_stop_does_not_matter(answer: str) -> None:
    bare = answer.strip().rstrip(". ")
    if bare:
        assert set_full_stop(bare) == set_full_stop(f"{bare}.") == set_full_stop(f" {bare}. ")
        assert set_full_stop(set_full_stop(bare)) == set_full_stop(bare)
