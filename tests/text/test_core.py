"""The phrase that answers, in references that go on to explain it."""

import pytest

from karat.core.types import Item
from karat.text import find_cores, rule_on
from karat.text.core import find_core

CORES = (
    ("Asia Pacific, with growth of 18%", "Asia Pacific"),
    ("In Mississippi, as Thomas Lanier Williams. He took the name later.", "In Mississippi"),
    ("Turbulent, since Re = 24,000 > 4,000", "Turbulent"),
    ("Exile (politics and government)", "Exile"),
    ("40 metres. The change is 20 metres each.", "40 metres"),
)
NONE = (
    "Paris, Texas",
    "Col. Tom Parker",
    "J. K. Rowling",
    "May 5, 1950",
    "The circuit is parallel, so each bulb has its own path",
    "No, string is an insulator",
    "Portugal",
    "They both involve repetition; they can both go on for ever.",
)


@pytest.mark.parametrize(("reference", "core"), CORES)
def test_a_phrase_that_is_explained_is_the_core(reference: str, core: str) -> None:
    assert find_core(reference) == core


@pytest.mark.parametrize("reference", NONE)
def test_names_dates_clauses_and_yes_or_no_have_none(reference: str) -> None:
    assert find_core(reference) is None


def test_the_core_suffices_and_the_reference_is_named() -> None:
    references = ("EMEA", "Asia Pacific, with growth of 18%")
    ruling = rule_on(Item("Which region grew the most?", references, "Asia Pacific"))
    assert ruling is not None
    assert ruling.accept
    assert ruling.reference == 1


def test_figures_that_contradict_the_explanation_take_the_core_away() -> None:
    references = ("Asia Pacific, with growth of 18%",)
    assert find_cores(references, "Asia Pacific, by 18%")
    assert not find_cores(references, "Asia Pacific, by 25%")
