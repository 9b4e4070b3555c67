"""An exacter reference is not overruled by a looser one, and a figure in another unit is another figure."""

import pytest

import karat
from karat.core.types import Item, Unjudged, Verdict
from karat.text import find_objection, gives_other_number

DEATH = "When did Canada abolish the death penalty?"
RUN = "How many miles is the Great Aloha Run?"


@pytest.mark.parametrize(
    ("question", "references", "answer"),
    [
        (DEATH, ("July 14, 1976", "1976", "1998"), "1998"),
        (DEATH, ("July 14, 1976", "1976"), "14 July 1976"),
        (DEATH, ("1976", "July 14, 1976"), "7/14/1976"),
        (DEATH, ("1976", "1998"), "July 1998"),
        (RUN, ("8.15 miles", "8.15"), "8.15"),
        (RUN, ("8.15 miles", "13.1 km"), "13.1 kilometres"),
        ("Who owns the team?", ("360,760 stockholders", "stockholders"), "its stockholders"),
    ],
)
def test_what_no_fuller_reference_contradicts_is_not(
    question: str, references: tuple[str, ...], answer: str
) -> None:
    assert find_objection(Item(question, references, answer)) is None


@pytest.mark.parametrize(
    ("references", "answer"),
    [
        (("$12.6 billion", "14 billion US dollars"), "€12.6 billion"),
        (("1500 metres", "1500 distance"), "1500 kilometres"),
        (("13.5%",), "13.5 per mille"),
        (("$150 million production budget", "$150 million"), "$150 billion production budget"),
        (("1995 Toyota Supra", "2002 Mitsubishi Lancer"), "It is 1996 Toyota Supra."),
        (("Louis XIV", "the Sun King"), "Louis XIII"),
    ],
)
def test_another_number_is_seen_beside_other_references(references: tuple[str, ...], answer: str) -> None:
    assert gives_other_number(references, 0, answer, "What was it?")
    outcome = karat.judge("What was it?", list(references), answer)
    assert isinstance(outcome, Unjudged) or not outcome.value


@pytest.mark.parametrize(
    ("references", "answer"),
    [
        (("5 pounds",), "5 lbs"),
        (("$2.18 billion", "$2.187 billion"), "$2.19 billion"),
        (("1.5 km",), "1500 metres"),
        (("Season 6",), "season six"),
        (("100 °C",), "212 °F"),
        (("1995 Toyota Supra",), "a Toyota Supra of 1995"),
    ],
)
def test_the_same_number_is_no_other_number(references: tuple[str, ...], answer: str) -> None:
    assert not gives_other_number(references, 0, answer, "What was it?")


def test_a_rounded_figure_of_one_reference_is_accepted_whatever_another_says() -> None:
    outcome = karat.judge("How much did the film make?", ["$2.18 billion", "$2.187 billion"], "$2.19 billion")
    assert isinstance(outcome, Verdict)
    assert outcome.value is True
