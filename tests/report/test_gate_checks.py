"""Gates: passed and missed limits on rows of known truth."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from marking import mark

from karat.core.scored_row import Cluster, ScoredRow
from karat.report.figures.gates import check_baseline, check_lower, check_share, show_gap
from karat.report.figures.summary import Share, estimate_share
from karat.stats import Estimate, Undefined, wilson


def share(correct: int, judged: int, rows: int) -> Share:
    return Share(rows, judged, correct, wilson(correct, judged), None, None)


def make_run(values: Sequence[int | None], each: int = 1) -> list[ScoredRow]:
    """Rows with these values, `each` of a question."""
    return [mark(at, value, question=at // each) for at, value in enumerate(values)]


def test_an_unjudged_row_counts_as_wrong_in_the_share() -> None:
    """Of the judged rows 8 of 8 are correct; of all rows 8 of 10."""
    assert check_share(0.8, share(8, 8, 10)).passed
    missed = check_share(0.81, share(8, 8, 10))
    assert (missed.passed, missed.value) == (False, 0.8)
    assert missed.line == snapshot(
        "--fail-under 0.81 missed by 1.0 point: 80.0 % correct (8 of all 10 rows; 2 unjudged count as wrong)"
    )


@given(st.integers(1, 300).flatmap(lambda rows: st.tuples(st.integers(0, rows), st.just(rows))))
def test_a_share_that_is_the_limit_passes(counts: tuple[int, int]) -> None:
    correct, rows = counts
    assert check_share(correct / rows, share(correct, rows, rows)).passed
    assert not check_share(correct / rows + 1e-9, share(correct, rows, rows)).passed


def test_gap_is_never_shown_as_zero() -> None:
    assert show_gap(0.05) == "5.0 points"
    assert show_gap(0.01) == "1.0 point"
    assert show_gap(0.00012) == "0.01 points"


def test_the_lower_end_is_that_of_the_clustered_interval_of_all_rows() -> None:
    """Twenty questions of five rows each, all right or all wrong: as little is known as of twenty rows."""
    counts = share(80, 100, 100)
    together = estimate_share(80, 100, [Cluster(None, 5, 5, 16), Cluster(None, 5, 0, 4)])
    alone = estimate_share(80, 100, [])
    assert isinstance(together, Estimate)
    assert isinstance(alone, Estimate)
    assert check_lower(0.7, counts, alone).passed
    missed = check_lower(0.7, counts, together)
    assert not missed.passed
    assert missed.value == together.low < 0.6
    assert missed.line == snapshot(
        "--fail-under-lower 0.7 missed by 13.8 points: the lower end of the 95 % interval of the share correct is 56.2 % (80.0 % of all 100 rows)"
    )


def test_without_an_interval_the_lower_end_is_missed() -> None:
    gate = check_lower(0.1, share(2, 2, 2), Undefined("all rows belong to one cluster"))
    assert (gate.passed, gate.value) == (False, None)
    assert "--cluster COLUMN" in gate.line


def test_a_loss_is_missed_with_its_difference_interval_and_p() -> None:
    """Of 100 questions 20 are right only before and 5 only now: P(X <= 5) of 25 tosses is 0.00204."""
    before = make_run([1] * 20 + [0] * 5 + [1] * 75)
    now = make_run([0] * 20 + [1] * 5 + [1] * 75)
    gate = check_baseline("run 1 (old.jsonl)", before, now, 1)
    assert not gate.passed
    assert gate.value is not None
    assert round(gate.value, 5) == 0.00204
    assert gate.line == snapshot(
        "--baseline missed: 15.0 points below run 1 (old.jsonl) [90 % interval −22.7 to −6.7] on 100 common questions, p = 0.00204, below 0.05"
    )
    facts = msgspec.to_builtins(gate)
    assert facts["difference"]["value"] == -0.15


def test_passing_gate_reports_the_detectable_loss() -> None:
    before = make_run([1] * 7 + [0] * 5 + [1] * 88)
    now = make_run([0] * 7 + [1] * 5 + [1] * 88)
    assert check_baseline("run 1", before, now, 1).line == snapshot(
        "--baseline passed: 2.0 points below run 1 [90 % interval −8.0 to +4.1] on 100 common questions, p = 0.387; the test detects a loss of about 12.1 points with 80 % power"
    )
    few = check_baseline("run 1", make_run([1, 1, 1]), make_run([0, 0, 0]), 1)
    assert few.passed
    assert few.line.endswith(
        "p = 0.125; with so few questions, the test cannot detect any loss with 80 % power"
    )


def test_of_questions_with_several_rows_the_loss_is_a_bound() -> None:
    run = make_run([1, 0] * 40, each=2)
    assert "points with at least 80 % power" in check_baseline("b", run, run, 1).line


def test_the_same_answers_are_no_loss() -> None:
    run = make_run([1, 0] * 20)
    gate = check_baseline("run 1", run, run, 1, same_answers=True)
    assert (gate.passed, gate.value) == (True, 1)
    assert (
        gate.line
        == "--baseline passed: no difference, because the answers are the same as those of run 1 on 40 common questions"
    )
    lost = check_baseline("run 1", run, make_run([0] * 40), 1, same_answers=True)
    assert not lost.passed
    assert lost.line.endswith("below 0.05; the answers are the same, only verdicts differ")


def test_rows_that_are_paired_by_a_column_are_counted_by_it() -> None:
    before, now = make_run([1] * 4), make_run([1] * 3)
    line = check_baseline("b", before, now, 1, cluster="id").line
    assert "on 3 common values of 'id', p = 1; with so few values of 'id'" in line
    assert line.endswith("; 1 value of 'id' of the baseline left out (not in this run)")
    assert "question" not in line


def test_the_level_moves_the_test() -> None:
    """Five of five questions lost: p is 1/32."""
    before, now = make_run([1] * 5 + [0] * 20), make_run([0] * 25)
    assert not check_baseline("b", before, now, 1, 0.05).passed
    gate = check_baseline("b", before, now, 1, 0.01)
    assert (gate.passed, gate.limit, gate.value) == (True, 0.01, pytest.approx(1 / 32))
    assert "[98 % interval" in gate.line


def test_unjudged_rows_count_as_wrong_on_both_sides() -> None:
    """A provider that fails on 20 rows loses them, and one that failed on the baseline gives nothing away silently."""
    every = make_run([1] * 40)
    failed = make_run([1] * 20 + [None] * 20)
    assert not check_baseline("b", every, failed, 1).passed
    gate = check_baseline("b", failed, failed, 1)
    assert gate.passed
    assert "unjudged rows count as wrong: 20 here, 20 in the baseline" in gate.line
    assert not check_baseline("b", every, make_run([None] * 40), 0).passed


def test_rows_are_paired_by_question_whatever_their_order() -> None:
    before = [mark(at, int(at < 30), question=at) for at in range(40)]
    now = [mark(at, int(39 - at < 30), question=39 - at) for at in range(40)]
    gate = check_baseline("b", before, now, 1)
    assert gate.difference is not None
    assert getattr(gate.difference, "value", None) == 0
    assert gate.value == 1


def test_questions_of_one_side_only_are_left_out_and_told() -> None:
    before = make_run([1] * 50)
    now = [mark(at, 1, question=at + 10) for at in range(50)]
    line = check_baseline("b", before, now, 1).line
    assert "on 40 common questions" in line
    assert "10 questions of the baseline left out" in line


def test_answers_of_one_question_are_clustered() -> None:
    """Six questions of ten answers each: as 60 rows the loss would be beyond doubt, as six questions it is not."""
    before = make_run([1] * 60, each=10)
    now = make_run([0] * 10 + [1] * 50, each=10)
    assert check_baseline("b", before, now, 1).passed
    assert not check_baseline("b", make_run([1] * 60), make_run([0] * 10 + [1] * 50), 1).passed


def test_on_a_scale_the_limit_decides_what_is_correct() -> None:
    before = [mark(at, 4, top=5) for at in range(40)]
    now = [mark(at, 3, top=5) for at in range(40)]
    assert not check_baseline("b", before, now, 4).passed
    assert check_baseline("b", before, now, 3).passed


def test_between_equal_systems_the_gate_is_missed_in_about_one_of_twenty() -> None:
    random = np.random.default_rng(11)
    missed = [0, 0]
    for at, each in enumerate((1, 2)):
        for _ in range(600):
            right = np.repeat(random.uniform(0.3, 1, 120), each)
            sides = [make_run((random.random(120 * each) < right).astype(int).tolist(), each) for _ in "ab"]
            missed[at] += not check_baseline("b", sides[0], sides[1], 1).passed
    assert 0.015 <= missed[0] / 600 <= 0.065, missed
    assert 0.03 <= missed[1] / 600 <= 0.08, missed
