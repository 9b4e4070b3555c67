"""The phrase that answers, in references that go on to explain it."""

import pytest

from karat.core.types import Item
from karat.text import apply_rules, find_head_phrases
from karat.text.specificity import find_head_phrase

CORES = (
    ("Turbulent, since Re = 24,000 > 4,000", "Turbulent"),
    ("In Mississippi, as Thomas Lanier Williams. He took the name later.", "In Mississippi"),
    ("Asia Pacific, which grew by 18%", "Asia Pacific"),
    ("Nairobi Errata: it has another airport now", "Nairobi"),
    ("Chin (accept also throat or neck)", "Chin"),
)
SECOND = ("Corporate. Its net revenue was -$473 million.", "Corporate")
NONE = (
    "Paris, Texas", "Col. Tom Parker", "May 5, 1950", "The circuit is parallel, since each bulb has its own path", "No, since string is an insulator", "Portugal",
    "John Lennon, with Paul McCartney", "France; Germany and Spain", "Birmingham (in Alabama)", "Fever. Also dry cough.", "Users accept the license terms", "Arsenal, AS Monaco and others", "Blur, Who Made Who, Oasis", "9 (in the evening)",
)  # fmt: skip


@pytest.mark.parametrize(("reference", "core"), [*CORES, SECOND])
def test_a_phrase_that_is_explained_is_the_core(reference: str, core: str) -> None:
    assert find_head_phrase(reference) == core


@pytest.mark.parametrize("reference", NONE)
def test_names_lists_places_clauses_and_yes_or_no_have_none(reference: str) -> None:
    assert find_head_phrase(reference) is None


def test_a_fuller_answer_than_the_core_is_not_sure() -> None:
    assert apply_rules(Item("What film?", ("Alien, which Ridley Scott directed in 1979",), "Alien 3")) is None


def test_a_question_for_more_than_one_thing_takes_the_core_away() -> None:
    references = ("Brutus, because he feared tyranny",)
    assert find_head_phrases("Who did it?", references, "Brutus")
    assert not find_head_phrases("Who did it and why?", references, "Brutus")


def test_figures_that_contradict_the_explanation_take_the_core_away() -> None:
    references = ("Asia Pacific, which grew by 18%",)
    assert find_head_phrases("Which region?", references, "Asia Pacific, by 18%")
    assert not find_head_phrases("Which region?", references, "Asia Pacific, by 25%")


def test_a_long_run_of_white_space_is_passed_quickly() -> None:
    assert find_head_phrase(f"Bob{' ' * 200_000}, which is long") is None
