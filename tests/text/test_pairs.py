"""Ranges and scores: two figures that are one answer."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

import karat
from karat.core.types import Verdict
from karat.text.values.compare_figures import find_same_pair, gives_other_pair, read_pair


@pytest.mark.parametrize(
    ("text", "first", "last", "kind"),
    [
        ("7.35-7.45", "7.35", "7.45", ""),
        ("10 to 14 days", "10", "14", "time"),
        ("between 60 and 100 bpm", "60", "100", ""),
        ("$310 million to $320 million", "310000000", "320000000", "usd"),
        ("$2.9–3.1 billion", "2900000000", "3100000000", "usd"),
        ("5-10%", "5", "10", "percent"),
        ("20 to 25 °C", "20", "25", "temperature"),
        ("315 ± 5 million", "310000000", "320000000", ""),
        ("34-28", "34", "28", ""),
    ],
)
def test_a_text_that_is_a_range_or_a_score_is_read(text: str, first: str, last: str, kind: str) -> None:
    pair = read_pair(text)
    assert pair is not None
    assert (pair.first.value, pair.last.value, pair.last.kind) == (Fraction(first), Fraction(last), kind)


@pytest.mark.parametrize(
    "text",
    [
        "1914-1918",
        "Patriots 34, Falcons 28",
        "3-3 (3-2 on penalties)",
        "60 and 100",
        "12",
        "2020-03-01",
        "Paris",
    ],
)
def test_periods_dates_and_single_figures_are_none(text: str) -> None:
    assert read_pair(text) is None


@pytest.mark.parametrize(
    ("reference", "answer", "told"),
    [
        ("7.35-7.45", "The normal range is 7.35 to 7.45.", "same"),
        ("7.35-7.45", "about 7.40, give or take 0.05", "same"),
        ("7.35-7.45", "It is 7.25 to 7.35.", "other"),
        ("$310 million to $320 million", "$315 million, plus or minus $5 million", "same"),
        ("34-28", "They won 34 to 28.", "same"),
        ("34-28", "They won 31–28.", "other"),
        ("34-28", "They lost 28-34.", None),
        ("34-28", "They were 0-21 down and won 34-28.", None),
        ("10 to 14 days", "About a fortnight.", None),
        ("10 to 14 days", "10 to 14 weeks", "other"),
    ],
)
def test_an_answer_gives_the_pair_another_or_none(reference: str, answer: str, told: str | None) -> None:
    assert (find_same_pair((reference,), answer) == 0) is (told == "same")
    assert gives_other_pair((reference,), answer) is (told == "other")


@given(some.integers(1, 400), some.integers(1, 400), some.integers(1, 400), some.integers(1, 400))
def test_scores_are_the_same_only_where_both_figures_are(one: int, other: int, first: int, last: int) -> None:
    found = find_same_pair((f"{one}-{other}",), f"It ended {first} to {last}.")
    assert (found == 0) == ((one, other) == (first, last))


def test_references_that_say_more_than_the_pair_leave_it_open() -> None:
    assert gives_other_pair(("34-28", "Patriots 34, Falcons 28"), "It ended 31-28.")
    assert not gives_other_pair(("34-28", "31-28 at the end of regular time"), "It ended 31-28.")
    assert find_same_pair(("Patriots", "34-28"), "34 to 28") == 1


def test_the_embedded_judge_takes_the_range_in_another_writing_and_no_other() -> None:
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
