"""Specificity: less than the reference is not enough, unless the question asks for no more."""

from pathlib import Path

import karat
from example_lines import Line, check_lines
from karat.core.types import Item, Verdict
from karat.text import apply_rules, find_head_phrases
from karat.text.specificity import find_head_phrase
from text_checks import has_objection, judged, objection, other_number, within_period

EXAMPLES = Path(__file__).parent / "data" / "specificity.jsonl"


def head(line: Line) -> str | None:
    return find_head_phrase(line["reference"])


def other_item(line: Line) -> bool:
    return objection(line) == "an item of its list differs"


def test_an_answer_must_be_as_specific_as_the_reference() -> None:
    check_lines(
        EXAMPLES,
        objection=objection,
        objects=has_objection,
        other_item=other_item,
        other_number=other_number,
        within=within_period,
        head=head,
        judged=judged,
    )


def test_a_rounded_figure_of_one_reference_is_accepted_whatever_another_says() -> None:
    outcome = karat.judge("How much did the film make?", ["$2.18 billion", "$2.187 billion"], "$2.19 billion")
    assert isinstance(outcome, Verdict)
    assert outcome.value is True


def test_degrees_in_the_tens_are_no_decade() -> None:
    assert not within_period({"question": "How fast was he?", "reference": "in the 90s", "answer": "1995"})


def test_a_longer_name_than_the_head_phrase_is_not_sure() -> None:
    assert apply_rules(Item("What film?", ("Alien, which Ridley Scott directed in 1979",), "Alien 3")) is None


def test_a_question_for_two_things_has_no_head_phrase() -> None:
    references = ("Brutus, because he feared tyranny",)
    assert find_head_phrases("Who did it?", references, "Brutus")
    assert not find_head_phrases("Who did it and why?", references, "Brutus")


def test_figures_that_contradict_the_explanation_leave_no_head_phrase() -> None:
    references = ("Asia Pacific, which grew by 18%",)
    assert find_head_phrases("Which region?", references, "Asia Pacific, by 18%")
    assert not find_head_phrases("Which region?", references, "Asia Pacific, by 25%")


def test_a_long_run_of_white_space_is_passed_quickly() -> None:
    assert find_head_phrase(f"Bob{' ' * 200_000}, which is long") is None
