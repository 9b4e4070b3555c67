"""Yes and no with reasons."""

import pytest

from karat.core.types import Item
from karat.text import find_agreed_reference

REASONS = (
    ("Did inventories grow faster than sales?", "Yes, inventories grew by 22.7% while sales rose by 4.8%.", "Yes, inventories rose by 23% versus 5% for sales."),
    ("Can a husband and wife be arrested for the same crime?", "Yes, a husband and wife can be arrested for the same crime.", "Yes, if they are both guilty."),
    ("Has it been profitable?", "No. Net losses were $212 million and $187 million.", "It has been in the red throughout, with $(212)M and $(187)M."),
    ("Did it meet the limit?", "No. The deflection is 23.4 mm, exceeding the limit of 20 mm.", "With 23.4 mm against 20 mm the beam fails the check."),
)  # fmt: skip
NONE = (
    # something else is asked for
    ("Did the company relocate? State the city.", "Yes, to Austin", "Yes, to Dallas"),
    ("Is there a brother, and who is he?", "Yes, John", "Yes, Peter"),
    ("Does the company have a CFO?", "Yes, Jane Doe has been CFO since 2015.", "Yes, Bob Ray has been CFO since 2019."),
    ("Has Brazil won the cup?", "Yes, five times.", "Yes, twice; others say seven times."),
    ("Are there moons of Mars?", "Yes, two moons.", "Yes, there are seven of them."),
    ("Is Pluto a planet?", "No, it was reclassified in 2006.", "No, it was reclassified in 1996."),
    # taken back
    ("Is it capital intensive?", "No, its assets are small.", "No, no, of course it is capital intensive."),
    ("Does it cure a cold?", "No, studies show only a slight effect.", "No, and yet it does in most people."),
    ("Is he allergic?", "Yes, he had a rash.", "Yes, he is not allergic."),
    ("Is a tomato a fruit?", "Yes, botanically it is a berry.", "Yes, people say so. Botanically it is not one. So no."),
    # the same figures for the opposite
    ("Is the company profitable?", "Yes, its net income was $5 million in 2020.", "It lost $5 million in 2020."),
    ("Is the ratio healthy?", "No, the ratio is 0.8 and below the norm.", "The ratio is 0.8, which is healthy."),
    ("Did margins improve?", "Yes, margins rose from 3% to 5% last year.", "Margins fell from 5% to 3%."),
    ("Did margins improve?", "Yes, margins rose from 3% to 5% last year.", "No, they went from 3% to 5%."),
)  # fmt: skip


@pytest.mark.parametrize(("question", "reference", "answer"), REASONS)
def test_the_same_yes_or_no_is_found_with_other_reasons_and_without_the_word(
    question: str, reference: str, answer: str
) -> None:
    assert find_agreed_reference(Item(question, (reference,), answer)) is not None


@pytest.mark.parametrize(("question", "reference", "answer"), NONE)
def test_other_contents_and_what_is_taken_back_are_none(question: str, reference: str, answer: str) -> None:
    assert find_agreed_reference(Item(question, (reference,), answer)) is None
