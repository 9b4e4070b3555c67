"""Rulers, wars and whatever else is told by a Roman number."""

import pytest

import karat
from karat.text import respell
from karat.text.names import has_other_regnal_number


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("James I", "King James the First", "King James I"),
        ("Henry VIII of England", "It was Henry the 8th.", "It was Henry VIII."),
        ("John XXIII", "Pope John the twenty-third", "Pope John XXIII"),
        ("James I", "James the Second", "James the Second"),
        ("James I", "Charles the First", "Charles the First"),
    ],
)
def test_a_place_is_written_as_the_reference_writes_it(reference: str, answer: str, read: str) -> None:
    assert respell(reference, answer) == read


@pytest.mark.parametrize(
    ("reference", "answer", "other"),
    [
        ("Henry VIII", "That would be Henry VII, the founder of the dynasty.", True),
        ("World War II", "It was in World War I.", True),
        ("Henry VIII", "Henry the Seventh", True),
        ("World War II", "World War I led to World War II.", False),
        ("Henry VIII", "Henry I think it was, the one with the wives", False),
        ("Henry VIII", "Henry the Eighth", False),
        ("Henry VIII", "Richard III", False),
        ("Super Bowl LII", "Super Bowl LI", True),
        ("Henry VIII", "She was Henry VIII's second wife; Henry VII was his father.", False),
        ("Between World War I and World War II", "In the interwar period, before World War II", False),
        ("James I", "King James VI of Scotland", False),
        ("James I", "James VI and I", False),
        ("Type II diabetes", "Type 2 diabetes, as opposed to Type I", False),
        ("Rocky IV", "the fourth Rocky film, after Rocky III", False),
    ],
)
def test_another_number_is_another_one(reference: str, answer: str, *, other: bool) -> None:
    assert has_other_regnal_number(reference, answer) is other


def test_the_judge_does_not_accept_another_ruler() -> None:
    answer = "That would be Henry VII, the founder of the Tudor dynasty."
    assert not getattr(karat.judge("Which king had six wives?", "Henry VIII", answer), "value", None)
    right = karat.judge("Which king had six wives?", "Henry VIII", "King Henry the Eighth")
    assert getattr(right, "value", None) is True
