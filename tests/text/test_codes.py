"""Codes that differ in one sign, and comparisons the wrong way round."""

import pytest

import karat
from karat.core.types import Item
from karat.text import has_other_code
from karat.text.objections import find_objection


@pytest.mark.parametrize(
    ("reference", "answer", "other"),
    [
        ("2.4.0", "It is supported from 2.0.4 onwards.", True),
        ("v2.4.1", "2.4.1", False),
        ("v2.4.1", "It came with 2.4.2.", True),
        ("10.0.0.1", "10.0.0.2", True),
        ("help@example.com", "support@example.com", True),
        ("help@example.com", "Write to help@example.com, not to support@example.com.", False),
        ("2.4.0", "the second one", False),
        ("1.5", "1.6", False),  # a number, which is looked at elsewhere
        ("Q3 2022", "Q2 2022", True),
        ("Q3 2022", "the third quarter of 2022", False),
        ("Q3 2022", "Q3 FY22", False),
        ("FY2021", "FY21", False),
    ],
)
def test_a_code_is_another_where_one_sign_differs(reference: str, answer: str, *, other: bool) -> None:
    assert has_other_code(reference, answer, "Which one is it?") is other
    if other:
        found = karat.judge("Which one is it?", reference, answer)
        assert not (isinstance(found, karat.Verdict) and found.value)


def test_codes_of_the_question_do_not_count() -> None:
    assert not has_other_code("2.4.0", "The one after 2.3.9", "What came after 2.3.9?")


def test_codes_that_the_question_offers_count_where_the_answer_is_nothing_else() -> None:
    question = "Which year had the higher margin, FY2020 or FY2021?"
    assert has_other_code("FY2021", "FY2020", question)
    assert not has_other_code("FY2021", "It was higher in the later one than in FY2020.", question)


SPAIN = "Which country has more inhabitants, Spain or Poland?"


@pytest.mark.parametrize(
    ("question", "answer", "contested"),
    [
        (SPAIN, "Poland has more inhabitants than Spain.", True),
        (SPAIN, "Spain has more inhabitants than Poland.", False),
        (SPAIN, "Poland has fewer inhabitants than Spain.", False),
        ("Which country is smaller, Spain or France?", "France is larger than Spain.", False),
        ("Which country is smaller, Spain or France?", "France is smaller than Spain.", True),
    ],
)
def test_what_has_less_is_not_what_has_more(question: str, answer: str, *, contested: bool) -> None:
    assert (find_objection(Item(question, ("Spain",), answer)) is not None) is contested
