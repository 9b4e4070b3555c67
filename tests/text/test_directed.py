"""Rises and falls in other words."""

import pytest

from karat.text import compare_direction

ASKED = "Did accounts receivable increase or decrease over the year?"


@pytest.mark.parametrize(
    ("references", "answer", "agrees"),
    [
        (("decrease", "decreased"), "Accounts receivable fell by $18.2 million.", True),
        (("decrease",), "Accounts receivable rose by $18.2 million.", False),
        (("increased",), "It grew.", True),
        (("increased",), "It did not grow.", None),
        (("increased",), "It rose at first and then fell.", None),
        (("increase", "decrease"), "It rose.", None),
        (("increased due to prices",), "It rose.", None),
        (("stable",), "It rose.", None),
        (("decrease",), "Accounts payable fell.", None),  # of something else
        (("decrease",), "It got smaller as sales increased.", None),
    ],
)
def test_the_way_is_told(references: tuple[str, ...], answer: str, *, agrees: bool | None) -> None:
    assert compare_direction(references, answer, ASKED) is agrees


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Which Pixar film won?", "Up", "It grew on me."),
        ("What is autumn called in America?", "Fall", "Lower"),
        ("What happened to unemployment?", "Fall", "Fewer people had jobs."),
    ],
)
def test_where_no_way_is_asked_for_none_is_told(question: str, reference: str, answer: str) -> None:
    assert compare_direction((reference,), answer, question) is None
