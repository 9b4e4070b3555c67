"""Limits, ranges and scores: figures that are compared with what they allow."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

import karat
from example_lines import Line, check_lines
from karat.core.types import Verdict
from karat.text.values.compare_figures import (
    contradicts_figures,
    find_limit,
    find_same_pair,
    gives_other_pair,
    read_pair,
)
from karat.text.values.figures import read_figures
from text_checks import figure_class, verdict

EXAMPLES = Path(__file__).with_name("compare_figures.jsonl")


def limit(line: Line) -> str | None:
    found = find_limit(line["text"], read_figures(line["text"])[-1])
    return found and found.kind


def pair(line: Line) -> tuple[str, str, str] | None:
    found = read_pair(line["text"])
    return found and (str(found[0].value), str(found[1].value), found[1].kind)


def pair_given(line: Line) -> str | None:
    """Say whether the answer gives the pair of the reference, another one or none."""
    same = find_same_pair((line["reference"],), line["answer"]) == 0
    other = gives_other_pair((line["reference"],), line["answer"])
    assert not (same and other)
    return "same" if same else "other" if other else None


def test_limits_ranges_and_scores_are_read_and_compared() -> None:
    check_lines(EXAMPLES, limit=limit, pair=pair, pair_given=pair_given, like=figure_class, verdict=verdict)


@given(some.integers(1, 400), some.integers(1, 400), some.integers(1, 400), some.integers(1, 400))
def test_scores_are_the_same_only_where_both_figures_are(one: int, other: int, first: int, last: int) -> None:
    found = find_same_pair((f"{one}-{other}",), f"It ended {first} to {last}.")
    assert (found == 0) == ((one, other) == (first, last))


def test_references_that_say_more_than_the_pair_leave_it_undecided() -> None:
    assert gives_other_pair(("34-28", "Patriots 34, Falcons 28"), "It ended 31-28.")
    assert not gives_other_pair(("34-28", "31-28 at the end of regular time"), "It ended 31-28.")
    assert find_same_pair(("Patriots", "34-28"), "34 to 28") == 1


def test_the_embedded_judge_accepts_a_range_in_another_form_and_no_other_range() -> None:
    said = [
        "Q2 revenue of $315 million, plus or minus $5 million",
        "Q2 revenue of $330 million to $340 million",
    ]
    question = "What revenue range did management guide to for the second quarter?"
    right, wrong = karat.grade([(question, "$310 million to $320 million", answer) for answer in said])
    assert isinstance(right, Verdict)
    assert right.value
    assert isinstance(wrong, Verdict)
    assert not wrong.value


def test_another_figure_of_the_same_kind_contradicts_a_missing_one() -> None:
    reference = "Yes, it improved from 4.1% to 6.8%."
    assert contradicts_figures(reference, "Yes, to 8.6% from 4.1%.")
    assert not contradicts_figures(reference, "Yes, from 4.1% to 6.8%.")
    assert not contradicts_figures(reference, "Yes, it did.")
