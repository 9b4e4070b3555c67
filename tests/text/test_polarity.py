"""Yes and no, where an answer or a reference begins with the word."""

import pytest

from karat.core.types import Item
from karat.text import apply_rules
from karat.text.yes_no import asks_yes_no, compare_yes_no, read_restated_yes_no, read_yes_no

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
    assert read_yes_no(answer) is said


@pytest.mark.parametrize("answer", NEITHER)
def test_names_turns_and_other_words_say_neither(answer: str) -> None:
    assert read_yes_no(answer) is None


def test_a_question_with_a_choice_or_a_negation_is_not_one_for_yes_or_no() -> None:
    assert asks_yes_no(PROFIT)
    assert not asks_yes_no("Is it red or blue?")
    assert not asks_yes_no("Which gun needs a permit?")
    assert not asks_yes_no("Is there no life on Mars?")


def test_what_to_do_in_some_case_is_no_part_of_the_question() -> None:
    assert asks_yes_no(
        "Is it healthy, by its quick ratio? If that is not useful, state that and explain why."
    )
    assert not asks_yes_no("Is it healthy? Or is it not?")


@pytest.mark.parametrize(
    ("answer", "agreed"),
    [
        ("No, its margin has been below zero for years.", True),
        ("Costs are up by a third.\n\n**Conclusion:** No, it makes a loss and has no reserves.", True),
        ("Its sales are large. So yes, it is.", False),
        ("Yes, and there is no doubt about it.", False),
        ("No, but it was.", None),
        ("It depends.", None),
        ("So no one knows.", None),
    ],
)
def test_the_yes_or_no_to_which_an_answer_comes_is_the_references_or_not(
    answer: str, *, agreed: bool | None
) -> None:
    assert compare_yes_no(PROFIT, ("No, its margin is negative.",), answer) is agreed


def test_other_questions_and_references_have_none() -> None:
    assert compare_yes_no("Why is it not?", ("No, its margin is negative.",), "No.") is None
    assert compare_yes_no(PROFIT, ("It is not.",), "No.") is None


@pytest.mark.parametrize(
    ("reference", "answer", "accepted"),
    [("No, its margin is negative.", "No.", True), ("No, its margin is negative.", "Yes, it is; margins are large.", False), ("Yes", "No, none of it is.", False), ("Yes", "Yes, it is.", True)],
)  # fmt: skip
def test_the_other_word_is_rejected_and_the_bare_one_accepted(
    reference: str, answer: str, *, accepted: bool
) -> None:
    ruling = apply_rules(Item(PROFIT, (reference,), answer))
    assert ruling is not None
    assert ruling.accept is accepted


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        (PROFIT, "The company is profitable.", True), (PROFIT, "The company isn't profitable.", False), ("Do you need a permit to own a gun?", "You do not need a permit to own a gun.", False),
        ("Is it legal?", "It is legal.", True), ("Can penguins fly?", "Penguins cannot fly.", False), ("Is the sky green?", "The sky is not green.", False),
    ],
)  # fmt: skip
def test_the_question_as_a_statement_says_yes_and_with_a_negation_no(
    question: str, answer: str, *, said: bool
) -> None:
    assert read_restated_yes_no(question, answer) is said


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (PROFIT, "The company is hardly profitable."), (PROFIT, "It is a myth that the company is profitable."), ("Is Rome older than Athens?", "Athens is older than Rome."), (PROFIT, "The company."),
        (PROFIT, "The company is profitable, but only in Europe."), (PROFIT, "It is not that the company is not profitable."), ("Is it red or blue?", "It is red."), (PROFIT, "Profitable companies pay taxes."), ("Will it rain tomorrow?", "It may rain tomorrow."), ("Is he the owner?", "He was the owner."), ("Did Hamilton kill Burr?", "Hamilton was killed."), ("Are cats and dogs allowed?", "Cats are allowed."),
        ("Is coffee bad for you?", "Coffee is bad for you. This is a myth."), ("Must they wear helmets?", "They may wear helmets."), ("Is she taller than he is?", "He is taller than she is."), ("Is this better than that?", "That is better than this."),
    ],
)  # fmt: skip
def test_what_adds_turns_or_leaves_out_says_neither(question: str, answer: str) -> None:
    assert read_restated_yes_no(question, answer) is None


@pytest.mark.parametrize(("reference", "answer"), OPEN)
def test_what_is_said_without_the_word_or_with_reasons_is_left_open(reference: str, answer: str) -> None:
    assert apply_rules(Item(PROFIT, (reference,), answer)) is None


def test_a_reference_whose_word_is_not_read_accepts_nothing() -> None:
    assert apply_rules(Item("Is it so?", ("Yes?",), "Sydney")) is None


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Can dogs eat grapes?", "No, grapes are toxic to dogs.", "No, they cannot."), ("Can dogs eat grapes?", "No, grapes are toxic to dogs.", "No, dogs cannot eat grapes."),
        ("Does the plan cover dental?", "No, dental care is excluded.", "No, it doesn't."), ("Are whales mammals?", "Yes, they nurse their young.", "Yes, they are."),
        ("Is it capital-intensive?", "No, its ratio is 4.6%.", "No, it is not capital-intensive."),
    ],
)  # fmt: skip
def test_a_yes_or_no_with_the_question_said_again_is_the_bare_word(
    question: str, reference: str, answer: str
) -> None:
    ruling = apply_rules(Item(question, (reference,), answer))
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Is Mount Everest taller than K2?", "Yes, by 237 m.", "Yes, K2 is taller than Mount Everest."), ("Is aspirin safe in pregnancy?", "Yes, at low doses.", "Yes, it may be."),
        ("Did the company report a profit in 2022?", "No, it made a loss.", "No. It is not in the report."), ("Did sales rise from 2020 to 2021?", "Yes, by 5%.", "Yes, from 2021 to 2020."),
        ("Can penguins fly?", "Yes, some can.", "Yes, penguins cannot fly."), ("Is it true that penguins cannot fly?", "Yes, they swim.", "Yes, penguins can fly."),
        ("Did the company report a profit?", "No, it made a loss.", "No, I do not have that."),
    ],
)  # fmt: skip
def test_what_turns_the_question_round_or_says_else_is_no_bare_word(
    question: str, reference: str, answer: str
) -> None:
    assert apply_rules(Item(question, (reference,), answer)) is None


@pytest.mark.parametrize(
    ("question", "reference", "answer", "accepted"),
    [
        ("Is the Earth flat?", "No", "Nope", True),
        ("Is the Earth flat?", "No", "Not at all.", True),
        ("Is the Earth flat?", "Yes", "Of course not!", False),
        ("Can dogs eat grapes?", "Yes", "Yeah, sure.", True),
        ("Can dogs eat grapes?", "No", "Of course", False),
        ("Did the company make a profit?", "Yes", "It did.", True),
        ("Did the company make a profit?", "No", "It did.", False),
        ("Did the company make a profit?", "No", "It didn't.", True),
        ("Is gambling legal in Utah?", "No", "It is not legal.", True),
        ("Is gambling legal in Utah?", "No", "It is legal in Utah.", False),
        ("Is gambling legal in Utah?", "No", "It was not legal.", None),
        ("Is gambling legal in Utah?", "No", "It is not gambling.", None),
        ("Did it rain?", "Yes", "It did, but only a little.", None),
        ("Is it safe?", "No", "No problem, it is safe.", None),
    ],
)
def test_yes_and_no_in_other_words(
    question: str, reference: str, answer: str, *, accepted: bool | None
) -> None:
    ruling = apply_rules(Item(question, (reference,), answer))
    assert (ruling and ruling.accept) is accepted
