"""Scores within what rules are sure of."""

import pytest

import karat
from karat.core.types import Verdict


def _grade(protocol: karat.ProtocolName, reference: str, answer: str, question: str | None = None) -> Verdict:
    outcome = karat.judge(question, reference, answer, protocol=protocol)
    assert isinstance(outcome, Verdict)
    return outcome


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("299,792,458 m/s", "2.998 × 10^6 m/s"),
        ("France beat Brazil 3-0.", "Brazil beat France 3-0."),
        ("It lowers blood sugar.", "It raises blood sugar."),
        ("$12.4 million", "$12.4 billion"),
        ("July 20, 1969", "It landed on 20 July 1968."),
    ],
)
def test_what_contradicts_the_reference_is_not_similar_and_a_wrong_point(reference: str, answer: str) -> None:
    assert _grade("equivalence", reference, answer).value <= 1
    assert _grade("keypoints", reference, answer).value == 0


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("299,792,458 m/s", "2.998 × 10^8 m/s"),
        ("1,250", "It comes to one thousand two hundred and fifty."),
        ("July 20, 1969", "It landed on 20 July 1969."),
        ("165 °F", "74 °C"),
    ],
)
def test_the_same_value_in_another_writing_is_similar_and_a_point_present(
    reference: str, answer: str
) -> None:
    assert _grade("equivalence", reference, answer).value >= 4
    assert _grade("keypoints", reference, answer).value == 5


def test_a_value_that_a_rule_moved_says_so_and_has_no_distribution() -> None:
    moved = _grade("equivalence", "France beat Brazil 3-0.", "Brazil beat France 3-0.")
    assert moved.decided_by == "rule:conflict"
    assert moved.distribution is None
    assert moved.reason == "The answer is like the reference, but it turns the roles round."
    points = _grade("keypoints", "France beat Brazil 3-0.", "Brazil beat France 3-0.").points
    assert points is not None
    assert [point.status for point in points] == ["wrong"]


def test_a_figure_in_a_part_of_a_long_reference_bounds_nothing() -> None:
    reference = "The probe was launched in 1977. It passed Jupiter two years later and left the solar system in 2012. It carries a golden record."
    answer = "Launched in 1977, it flew past Jupiter two years later, left the solar system in 2013 and carries a golden record."
    verdict = _grade("equivalence", reference, answer, "What did the probe do?")
    assert verdict.decided_by == "embedded"
