"""Figures that are limits: what they say of the value that a reference is."""

import pytest

from karat.core.types import Item
from karat.text import apply_rules, classify_figure
from karat.text.values.compare_figures import find_limit
from karat.text.values.figures import read_figures

ASKED = "How much did they earn?"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("over 12%", "above"),
        ("more than 12%", "above"),
        ("exceeding $12 million", "above"),
        ("> 12%", "above"),
        (">$12", "above"),
        ("at least 12%", "least"),
        ("no less than 12%", "least"),
        (">= 12%", "least"),
        ("≥12%", "least"),
        ("under 12%", "below"),
        ("fewer than 12", "below"),
        ("< 12", "below"),
        ("up to 12%", "most"),
        ("no more than 12%", "most"),
        ("≤ 12", "most"),
        ("upwards of 12%", "above"),
        ("a minimum of 12%", "least"),
        ("as many as 12", "most"),
        ("approaching 12%", "nearly"),
        ("nearly 12%", "nearly"),
        ("just under 12%", "nearly"),
        ("12%", None),
        ("about 12%", None),
        ("from 10% -> 12%", None),
        ("10 + 2 => 12", None),
        ("<b>12</b>", None),
        ("The turnover: 12%", None),
    ],
)
def test_a_figure_is_the_limit_that_the_words_before_it_make_of_it(said: str, kind: str | None) -> None:
    limit = find_limit(said, read_figures(said)[-1])
    assert (limit and limit.kind) == kind


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("247.3 million", "over 247 million"),
        ("$2.18 billion", "It made more than $2.1 billion."),
        ("11.6%", "nearly 12%"),
        ("39,511", "almost 40,000"),
        ("39,511", "just under 40,000"),
        ("12.4%", "They earned at least 12% that year."),
        ("38 °C", "It was above 100 °F."),  # 37.8 °C
    ],
)
def test_a_limit_near_the_value_that_lies_within_it_rounds_it(reference: str, answer: str) -> None:
    assert classify_figure(reference, answer, ASKED) == "rounded"


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("21,013", "more than 20,000"),  # one digit, a twentieth away
        ("50%", "at least 50%"),
        ("50%", "over 50%"),
        ("11.6%", "more than 12%"),
        ("40,511", "almost 40,000"),
        ("50%", "It is not over 50%."),
    ],
)
def test_other_limits_are_no_rounding(reference: str, answer: str) -> None:
    assert classify_figure(reference, answer, ASKED) is None


@pytest.mark.parametrize(
    ("reference", "answer", "like"),
    [
        ("3.9%", "around 4%", "rounded"),
        ("71%", "roughly 70%", "rounded"),
        ("1,187", "about 1,200", "rounded"),
        ("about 1,200", "1,187", "same"),
        ("71%", "70%", "other"),
        ("71%", "roughly 60%", "other"),
        ("365", "about 360", None),
        ("about 30", "33", "other"),
        ("$12.5 million", "12.5", None),  # of a table, perhaps
        ("$12.5 million", "13.5", "other"),
    ],
)
def test_a_figure_that_is_said_to_be_rough_may_be_farther_off(
    reference: str, answer: str, like: str | None
) -> None:
    assert classify_figure(reference, answer, ASKED) == like


@pytest.mark.parametrize(
    "limit",
    [
        "upwards of",
        "in excess of",
        "a minimum of",
        "a maximum of",
        "as many as",
        "approaching",
        "short of",
        "more than",
    ],
)
def test_no_rule_takes_a_limit_for_the_number(limit: str) -> None:
    assert (
        apply_rules(Item("How many members has the club?", ("50",), f"The club has {limit} 50 members."))
        is None
    )
