"""Yes and no, where an answer or a reference begins with the word."""

import pytest

from karat.core.types import Item
from karat.text import rule_on
from karat.text.polarity import asks_polar, tell_polarity

PROFIT = "Is the company profitable?"
NEITHER = (
    "No question about it.", "No company is more profitable.", "No Time to Die was the last one.", "True Grit was a western.", "True, sales are large, but it is not.",
    "No, wait: yes, it is.", "No. 5 is.", "It is.", "Maybe.",
)  # fmt: skip
OPEN = (
    ("Yes", "The company is profitable and has no debt."),
    ("Yes", "There is no question that the company is profitable."),
    ("No", "The idea that the company is profitable has been debunked."),
    ("No", "Only a part of the company is profitable."),
    ("Yes, by 5.1%.", "Yes, since its debts are small."),
)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Yes.", True),
        ("No", False),
        ("No, none of it is.", False),
        ("FALSE", False),
    ],
)
def test_the_first_word_says_it(answer: str, *, said: bool) -> None:
    assert tell_polarity(answer) is said


@pytest.mark.parametrize("answer", NEITHER)
def test_names_turns_and_other_words_say_neither(answer: str) -> None:
    assert tell_polarity(answer) is None


def test_a_question_with_a_choice_or_a_negation_is_not_one_for_yes_or_no() -> None:
    assert asks_polar(PROFIT)
    assert not asks_polar("Is it red or blue?")
    assert not asks_polar("Which gun needs a permit?")
    assert not asks_polar("Is there no life on Mars?")


@pytest.mark.parametrize(
    ("reference", "answer", "accepted"),
    [("No, its margin is negative.", "No.", True), ("No, its margin is negative.", "Yes, it is; margins are large.", False), ("Yes", "No, none of it is.", False), ("Yes", "Yes, it is.", True)],
)  # fmt: skip
def test_the_other_word_is_rejected_and_the_bare_one_accepted(
    reference: str, answer: str, *, accepted: bool
) -> None:
    ruling = rule_on(Item(PROFIT, (reference,), answer))
    assert ruling is not None
    assert ruling.accept is accepted


@pytest.mark.parametrize(("reference", "answer"), OPEN)
def test_what_is_said_without_the_word_or_with_reasons_is_left_open(reference: str, answer: str) -> None:
    assert rule_on(Item(PROFIT, (reference,), answer)) is None


def test_a_reference_whose_word_is_not_read_accepts_nothing() -> None:
    assert rule_on(Item("Is it so?", ("Yes?",), "Sydney")) is None
