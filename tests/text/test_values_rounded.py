"""Quantities to more places or with their sign in words: accepted, or left open, and never a sure conflict."""

import pytest

from karat.core.types import Item
from karat.text import apply_rules


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("42.2 km", "42.195 km"),
        ("42.2 km", "It is 42.195 kilometres long."),
        ("12.5%", "12.47%"),
        ("1,234.6", "1,234.56"),
    ],
)
def test_more_places_of_the_same_value_are_the_value(reference: str, answer: str) -> None:
    ruling = apply_rules(Item("How much is it?", (reference,), answer))
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("42.195 km", "42.2 km"),
        ("42.2 km", "over 42.195 km"),
        ("2.5", "2"),
        ("12", "12.4"),
        ("1998", "2000"),
        ("12.5%", "12.5 million"),
        ("3.14159", "3.14 or 3.2"),
        ("12.5%", "not 12.47%"),
    ],
)
def test_what_is_coarser_bound_or_of_another_kind_is_not_accepted(reference: str, answer: str) -> None:
    ruling = apply_rules(Item("How much is it?", (reference,), answer))
    assert ruling is None or not ruling.accept


@pytest.mark.parametrize("answer", ["a decrease of 3.2", "it fell by 3.2", "3.2 lower"])
def test_a_sign_may_stand_in_words(answer: str) -> None:
    assert apply_rules(Item("What was the difference?", ("-3.2",), answer)) is None
