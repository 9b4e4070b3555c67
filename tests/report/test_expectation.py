"""The expected accuracy of verdicts, and the number of unsure ones."""

import math

from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.embedded import UNSURE, read_confidence
from karat.report.figures.confidence import Expectation, describe_expectation, describe_remedies, find_ranges

ROWS = [
    ("Who wrote Emma?", "Jane Austen", "Jane Austen"),
    ("How did the talks end?", "They fell through.", "Both sides walked away with no deal."),
    ("When did the Titanic sink?", "15 April 1912", "on 15 April 1912"),
    (
        "Why is the sky blue?",
        "Short waves are scattered more.",
        "The air spreads blue light in all directions.",
    ),
]


@given(st.floats(0, 1), st.lists(st.floats(-1, 1), min_size=1))
def test_a_range_reaches_from_the_worst_group_to_the_best_and_stays_a_share(
    expected: float, misses: list[float]
) -> None:
    [found] = find_ranges(expected, {"sets": misses, "files": []})
    assert (found.kind, found.groups) == ("sets", len(misses))
    assert 0 <= found.low <= found.high <= 1
    for miss in misses:
        assert found.low <= min(max(expected + miss, 0), 1) <= found.high


def test_the_expected_accuracy_is_the_mean_confidence_of_the_verdicts() -> None:
    graded = karat.grade(ROWS)
    found = graded.summary.expectation
    sure = [one.confidence for one in graded if isinstance(one, karat.Verdict) and one.confidence is not None]
    assert found is not None
    assert found.verdicts == len(sure) > 2
    assert math.isclose(found.accuracy, sum(sure) / len(sure))
    assert found.unsure == sum(one < UNSURE for one in sure)
    kinds = [group.kind for group in read_confidence().left_out]
    assert [each.groups for each in found.ranges] == [kinds.count("human"), kinds.count("written")]


def test_runs_with_abstain_have_no_range() -> None:
    found = karat.grade(ROWS, abstain=0.6).summary.expectation
    assert found is not None
    assert found.ranges == ()
    assert found.accuracy >= 0.6


def test_no_expectation_for_unmeasured_judges_and_protocols() -> None:
    assert karat.grade(ROWS, judge="rules").summary.expectation is None
    assert karat.grade(ROWS, protocol="equivalence").summary.expectation is None


def test_remedies_are_shown_only_with_unsure_verdicts() -> None:
    some, none = (Expectation(10, 0.8, (), unsure, 0.7) for unsure in (3, 0))
    told = describe_remedies(some)
    assert told is not None
    assert all(word in told for word in ("--abstain 0.7", "--judge", "karat labels plan"))
    assert describe_remedies(none) is None
    assert "3 of 10 have a confidence below 0.7" in describe_expectation(some)
