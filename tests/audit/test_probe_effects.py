"""Which effects count as failures, for Yes/No and on a scale."""

import pytest

from karat.audit.probe import Effect
from karat.audit.rates import Result, compare
from karat.core.types import Outcome, Unjudged, Verdict

UNDECIDED = Unjudged("undecided")
LOST = Unjudged("over_budget")
UNREAD = Unjudged("unparseable")


def judged(value: bool | int | None) -> Outcome | None:
    return None if value is None else Verdict(value, float(value), "llm:m")


@pytest.mark.parametrize(
    ("effect", "base", "got", "result"),
    [
        ("must_fail", None, False, "held"), ("must_fail", None, True, "failed"),
        ("must_fail", None, 1, "held"), ("must_fail", None, 2, "failed"), ("must_fail", None, 0, "held"),
        ("must_not_rise", False, False, "held"), ("must_not_rise", False, True, "failed"), ("must_not_rise", True, True, "no_base"),
        ("must_not_rise", 2, 2, "held"), ("must_not_rise", 2, 3, "failed"), ("must_not_rise", 2, 0, "held"), ("must_not_rise", 5, 5, "no_base"),
        ("must_fall", True, False, "held"), ("must_fall", True, True, "failed"), ("must_fall", False, False, "no_base"),
        ("must_fall", 5, 4, "held"), ("must_fall", 5, 5, "failed"), ("must_fall", 1, 0, "held"), ("must_fall", 0, 0, "no_base"),
        ("must_not_move", True, True, "held"), ("must_not_move", True, False, "failed"), ("must_not_move", False, True, "failed"),
        ("must_not_move", 5, 4, "held"), ("must_not_move", 5, 3, "failed"), ("must_not_move", 1, 3, "failed"), ("must_not_move", 0, 1, "held"),
    ],
)  # fmt: skip
def test_effects(effect: Effect, base: bool | int | None, got: bool | int, result: Result) -> None:
    assert compare(effect, judged(base), judged(got)) == result


@pytest.mark.parametrize("effect", ["must_fail", "must_not_rise", "must_fall", "must_not_move"])
def test_no_verdict_is_counted_apart_and_never_a_failure(effect: Effect) -> None:
    base = judged(effect != "must_not_rise")
    assert compare(effect, base, UNDECIDED) == "no_verdict"
    assert compare(effect, base, UNREAD) == "no_verdict"


@pytest.mark.parametrize("effect", ["must_fall", "must_not_move"])
def test_base_without_a_verdict_gives_no_base(effect: Effect) -> None:
    assert compare(effect, UNDECIDED, judged(True)) == "no_base"


@pytest.mark.parametrize("effect", ["must_fail", "must_not_rise", "must_fall", "must_not_move"])
@pytest.mark.parametrize("base", [UNDECIDED, UNREAD])
def test_neither_a_base_nor_a_probe_with_a_verdict_is_no_verdict(effect: Effect, base: Outcome) -> None:
    assert compare(effect, base, UNDECIDED) == "no_verdict"


def test_undecided_wrong_answer_raised_to_yes_is_a_success() -> None:
    assert compare("must_not_rise", UNDECIDED, judged(True)) == "failed"
    assert compare("must_not_rise", UNDECIDED, judged(False)) == "held"
    assert compare("must_not_rise", UNREAD, judged(True)) == "no_base"


@pytest.mark.parametrize("effect", ["must_fail", "must_not_rise", "must_fall", "must_not_move"])
def test_untried_probes_have_no_result(effect: Effect) -> None:
    assert compare(effect, judged(True), None) == "not_tried"
    assert compare(effect, judged(True), LOST) == "not_tried"
    assert compare(effect, LOST, judged(True)) == "not_tried"
