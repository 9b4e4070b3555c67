"""Odd input: it neither takes long nor changes a verdict."""

import pytest

from karat.core.types import Item
from karat.embedded.decide import decide_by_rules
from karat.text import apply_rules, strip_politeness, unwrap_answer
from karat.text.rules import find_objection

FRANCE = "What is the capital of France?"


def decide(question: str, references: tuple[str, ...], answer: str) -> bool | None:
    verdict = decide_by_rules(Item(question, references, answer), "match")
    return None if verdict is None else bool(verdict.value)


@pytest.mark.parametrize(
    "answer",
    [
        "((((((1/9)^64)^64)^64)^64)^64)^64",
        "*" * 4000 + " answer the answer is x. " + "Paris " * 45,
        "</details>" + "<details think>" * 13_000,
        "\n\u2003" * 4000,
        "a" * 7900 + " b c d e f a1",
        "," * 19_990 + ")",
    ],
    ids=["powers of a fraction", "stars", "folded blocks", "wide blanks", "one long word", "commas"],
)
def test_costly_input_is_never_accepted(answer: str) -> None:
    assert decide(FRANCE, ("Paris",), answer) in {None, False}


@pytest.mark.parametrize("blanks", [1, 2, 10, 960, 5000])
def test_spaces_change_no_verdict(blanks: int) -> None:
    assert (
        decide(FRANCE, ("Paris",), f"The capital of France is Paris{' ' * blanks}, or perhaps Lyon") is None
    )
    assert decide("What was revenue?", ("$1.24 billion",), f"$1,240{' ' * blanks}million") is True


def test_mustnt_is_a_negation() -> None:
    asked = "Must drivers stop at red lights?"
    assert decide(asked, ("Yes",), "Drivers mustn't stop at red lights.") is False
    assert decide(asked, ("No",), "Drivers mustn't stop at red lights.") is True


def test_letters_that_are_longer_in_lower_case_shift_no_position() -> None:
    assert (
        unwrap_answer(Item("Capital?", ("Ankara",), "<think>İstanbul? İzmir?</think>Ankara")).answer
        == "Ankara"
    )
    assert strip_politeness("İstanbul nerede?", "İstanbul nerede? Türkiye") == "Türkiye"


@pytest.mark.parametrize("blank", ["\u200b", "\u3164", "\u115f", "\u1160", "\uffa0"])
def test_invisible_letters_are_an_empty_answer(blank: str) -> None:
    assert decide(FRANCE, ("Paris",), blank) is False


def test_the_order_of_references_that_overlap_changes_nothing() -> None:
    answer = "New York City or Boston"
    found = {
        apply_rules(Item("Which city?", references, answer))
        for references in (("New York", "York City"), ("York City", "New York"))
    }
    assert len(found) == 1
    objections = {
        find_objection(Item("Which city?", references, answer))
        for references in (("New York", "York City"), ("York City", "New York"))
    }
    assert len(objections) == 1


def test_a_field_may_have_a_name_of_two_words() -> None:
    said = "[[ ## short_answer ## ]]\nParis\n\n[[ ## completed ## ]]"
    assert unwrap_answer(Item(FRANCE, ("Paris",), said)).answer == "Paris"
