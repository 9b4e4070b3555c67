"""Scores within the bounds that rules set."""

from pathlib import Path

import karat
from example_lines import Line, check_lines
from karat.core.types import Verdict

EXAMPLES = Path(__file__).with_name("score_bounds.jsonl")


def _grade(protocol: karat.ProtocolName, reference: str, answer: str, question: str | None = None) -> Verdict:
    outcome = karat.judge(question, reference, answer, protocol=protocol)
    assert isinstance(outcome, Verdict)
    return outcome


def equivalence(line: Line) -> object:
    return _grade("equivalence", line["reference"], line["answer"]).value


def keypoints(line: Line) -> object:
    return _grade("keypoints", line["reference"], line["answer"]).value


def test_a_contradiction_has_a_low_score_and_the_same_value_in_another_form_a_high_one() -> None:
    check_lines(EXAMPLES, equivalence=equivalence, keypoints=keypoints)


def test_a_bounded_value_names_the_rule_and_has_no_distribution() -> None:
    moved = _grade("equivalence", "France beat Brazil 3-0.", "Brazil beat France 3-0.")
    assert moved.decided_by == "rule:conflict"
    assert moved.distribution is None
    assert moved.reason == "The answer is like the reference, but it swaps the roles."
    points = _grade("keypoints", "France beat Brazil 3-0.", "Brazil beat France 3-0.").points
    assert points is not None
    assert [point.status for point in points] == ["wrong"]


def test_a_figure_in_one_part_of_a_long_reference_sets_no_bound() -> None:
    reference = "The probe was launched in 1977. It passed Jupiter two years later and left the solar system in 2012. It carries a golden record."
    answer = "Launched in 1977, it flew past Jupiter two years later, left the solar system in 2013 and carries a golden record."
    verdict = _grade("equivalence", reference, answer, "What did the probe do?")
    assert verdict.decided_by == "embedded"
