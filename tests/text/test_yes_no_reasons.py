"""Yes and no with reasons."""

import pytest

from karat.core.types import Item
from karat.text import find_agreed_reference, find_figured_reference

SAME = (
    ("Did inventories grow faster than sales?", "Yes, inventories grew by 22.7% while sales rose by 4.8%.", "Yes, inventories rose by 23% versus 5% for sales."),
    ("Can a husband and wife be arrested for the same crime?", "Yes, a husband and wife can be arrested for the same crime.", "Yes, if they are both guilty."),
)  # fmt: skip
OTHER = (
    ("Did the company relocate? State the city.", "Yes, to Austin", "Yes, to Dallas"),
    ("Is there a brother, and who is he?", "Yes, John", "Yes, Peter"),
    ("Does the company have a CFO?", "Yes, Jane Doe has been CFO since 2015.", "Yes, Bob Ray has been CFO since 2019."),
    ("Has Brazil won the cup?", "Yes, five times.", "Yes, twice; others say seven times."),
    ("Is Pluto a planet?", "No, it was reclassified in 2006.", "No, it was reclassified in 1996."),
    ("Does it cure a cold?", "No, studies show only a slight effect.", "No, and yet it does in most people."),
    ("Is a tomato a fruit?", "Yes, botanically it is a berry.", "Yes, people say so. Botanically it is not one. So no."),
    ("Did margins improve?", "Yes, margins rose from 3% to 5% last year.", "No, they went from 3% to 5%."),
)  # fmt: skip
FIGURED = (
    ("Has it been profitable?", "No. Net losses were $212 million and $187 million.", "It has been in the red throughout, with $(212)M and $(187)M."),
    ("Did it meet the limit?", "No. The deflection is 23.4 mm, exceeding the limit of 20 mm.", "With 23.4 mm against 20 mm the beam fails the check."),
)  # fmt: skip
NOT_FIGURED = (
    ("Is the ratio healthy?", "No, the ratio is 0.8 and below the norm.", "The ratio is 0.8, which is healthy."),
    ("Did margins improve?", "Yes, margins rose from 3% to 5% last year.", "Margins fell from 5% to 3%."),
    ("Did margins improve?", "Yes, margins rose from 3% to 5% last year.", "No, they went from 3% to 5%."),
)  # fmt: skip


@pytest.mark.parametrize(("question", "reference", "answer"), SAME)
def test_the_same_yes_or_no_agrees_whatever_the_reasons(question: str, reference: str, answer: str) -> None:
    assert find_agreed_reference(Item(question, (reference,), answer)) == 0


@pytest.mark.parametrize(("question", "reference", "answer"), OTHER)
def test_questions_for_more_and_answers_that_turn_round_do_not_agree(
    question: str, reference: str, answer: str
) -> None:
    assert find_agreed_reference(Item(question, (reference,), answer)) is None


@pytest.mark.parametrize(("question", "reference", "answer"), FIGURED)
def test_the_figures_of_a_yes_or_no_are_found_without_the_word(
    question: str, reference: str, answer: str
) -> None:
    assert find_figured_reference(Item(question, (reference,), answer)) == 0


@pytest.mark.parametrize(("question", "reference", "answer"), NOT_FIGURED)
def test_figures_that_come_to_the_opposite_are_not_found(question: str, reference: str, answer: str) -> None:
    assert find_figured_reference(Item(question, (reference,), answer)) is None
