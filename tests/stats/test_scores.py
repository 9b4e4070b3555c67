"""Correlations against scipy, and errors of scores computed by hand."""

from typing import Any

import numpy as np
import pytest
from closeness import close, estimated, not_defined, stats
from hypothesis import given
from hypothesis import strategies as st

from karat.stats.scores import by_band, kendall, mean_absolute_error, pearson, spearman

rows_of_scores = st.lists(
    st.tuples(st.integers(0, 5), st.floats(0, 5) | st.integers(0, 5)), min_size=3, max_size=40
)
ORACLES = {
    pearson: lambda x, y: stats.pearsonr(x, y).statistic,
    spearman: lambda x, y: stats.spearmanr(x, y).statistic,
    kendall: lambda x, y: stats.kendalltau(x, y).statistic,
}


@pytest.mark.parametrize("statistic", ORACLES)
@given(rows=rows_of_scores)
def test_correlations_are_the_oracles(statistic: Any, rows: list[tuple[int, float]]) -> None:
    human, judge = np.array(rows, dtype=float).T
    if np.ptp(human) == 0:
        assert not_defined(statistic(human, judge)) == "the human gives every row the same score"
    elif np.ptp(judge) == 0:
        assert not_defined(statistic(human, judge)) == "the judge gives every row the same score"
    elif np.ptp(judge) > 1e-3:
        assert close(estimated(statistic(human, judge)).value, ORACLES[statistic](human, judge), 1e-8)


@pytest.mark.parametrize("statistic", ORACLES)
def test_the_standard_error_is_near_that_of_leaving_out_one_row_at_a_time(statistic: Any) -> None:
    """How each row moves a correlation, against the jackknife, which computes it anew without the row."""
    random = np.random.default_rng(2)
    human = random.integers(0, 6, 400)
    judge = np.clip(human + random.normal(0, 1.2, 400).round(), 0, 5)
    value = estimated(statistic(human, judge))
    left = [ORACLES[statistic](np.delete(human, row), np.delete(judge, row)) for row in range(400)]
    error = np.sqrt(np.var(left) * 399)
    half = np.arctanh(value.high) - np.arctanh(value.value)
    assert close(half * (1 - value.value**2) / stats.t.ppf(0.975, 399), float(error), 0.02)


@pytest.mark.parametrize("statistic", ORACLES)
def test_intervals_cover_on_scores_of_two_kinds_mostly(statistic: Any) -> None:
    """Scores that are mostly 0 or 5, as real ones are, where the textbook interval (normal scores) is much too narrow."""
    random = np.random.default_rng(4)

    def draw(rows: int) -> tuple[np.ndarray, np.ndarray]:
        human = random.choice([0, 1, 4, 5], rows, p=[0.35, 0.1, 0.1, 0.45])
        other = random.choice([0, 1, 4, 5], rows, p=[0.35, 0.1, 0.1, 0.45])
        return human, np.where(random.random(rows) < 0.85, human, other)

    population = ORACLES[statistic](*draw(200_000))
    found = [estimated(statistic(*draw(120))) for _ in range(500)]
    hits = sum(each.low <= population <= each.high for each in found)
    assert 0.92 <= hits / 500 <= 0.98


def test_clusters_that_repeat_their_rows_add_nothing() -> None:
    random = np.random.default_rng(6)
    human = random.integers(0, 6, 60)
    judge = np.clip(human + random.integers(-1, 2, 60), 0, 5)
    for statistic in ORACLES:
        once = estimated(statistic(human, judge))
        thrice = estimated(statistic(np.tile(human, 3), np.tile(judge, 3), list(range(60)) * 3))
        assert close(once.low, thrice.low, 1e-6)


def test_scores_on_one_line_leave_room_for_what_was_not_seen() -> None:
    for statistic in ORACLES:
        found = estimated(statistic([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]))
        assert found.value == pytest.approx(1)
        assert found.low < 0.6
        turned = estimated(statistic([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]))
        assert turned.value == pytest.approx(-1)
        assert turned.high > -0.6


def test_errors_by_hand() -> None:
    """Human 0, 0, 4.6, 5 and judge 1, 0, 5, 3: errors 1, 0, .4, 2; the band of 5 holds 4.6."""
    human, judge = [0, 0, 4.6, 5], [1, 0, 5, 3]
    assert close(estimated(mean_absolute_error(human, judge)).value, 3.4 / 4)
    low, high = by_band(human, judge)
    assert (low.band, low.rows, high.band, high.rows) == (0, 2, 5, 2)
    assert close(estimated(low.error).value, 0.5)
    assert close(estimated(high.error).value, 1.2)
    assert close(estimated(high.bias).value, -0.8)


def test_too_few_rows_give_a_reason() -> None:
    for statistic in (*ORACLES, mean_absolute_error):
        assert "no rows" in not_defined(statistic([], []))
        assert "one row" in not_defined(statistic([1], [2]))
    assert by_band([], []) == ()
