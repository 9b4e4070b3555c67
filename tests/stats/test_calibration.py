"""Calibration against scikit-learn, by hand, and by how often it covers."""

import numpy as np
from closeness import answers, close, estimated, not_defined
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from karat.stats import wilson
from karat.stats.calibration import brier, expected_calibration_error, reliability

rows_of_confidence = st.lists(st.tuples(st.floats(0, 1), answers), min_size=2, max_size=60)


@given(rows_of_confidence)
def test_the_brier_score_is_the_oracles(rows: list[tuple[float, int]]) -> None:
    stated, right = [each for each, _ in rows], [each for _, each in rows]
    assert close(estimated(brier(stated, right)).value, brier_score_loss(right, stated))


@given(st.lists(st.tuples(st.integers(0, 99), answers), min_size=2, max_size=60))
def test_the_reliability_curve_is_the_oracles(rows: list[tuple[int, int]]) -> None:
    """The oracle puts a confidence on the edge of two bins into the lower one, so edges are kept out here."""
    stated, right = [each / 100 + 0.003 for each, _ in rows], [each for _, each in rows]
    shares, means = calibration_curve(right, stated, n_bins=10)
    found = reliability(stated, right)
    assert np.allclose([estimated(each.share).value for each in found], shares, atol=1e-9)
    assert np.allclose([each.confidence for each in found], means, atol=1e-9)
    assert sum(each.rows for each in found) == len(rows)


@given(rows_of_confidence)
def test_the_calibration_error_is_the_weighted_gap_of_the_curve(rows: list[tuple[float, int]]) -> None:
    stated, right = [each for each, _ in rows], [each for _, each in rows]
    curve = reliability(stated, right)
    gaps = sum(each.rows * abs(estimated(each.share).value - each.confidence) for each in curve)
    assert close(estimated(expected_calibration_error(stated, right)).value, gaps / len(rows))


def test_the_calibration_error_by_hand() -> None:
    """Ten rows at .9 of which seven are right, ten at .2 of which two are: (.2 + 0) / 2."""
    stated, right = [0.9] * 10 + [0.25] * 8, [1] * 7 + [0] * 3 + [1] * 2 + [0] * 6
    found = estimated(expected_calibration_error(stated, right))
    assert close(found.value, 0.2 * 10 / 18)
    curve = reliability(stated, right)
    assert curve[1].share == wilson(7, 10)
    assert (curve[1].low, curve[1].high) == (0.9, 1.0)


def test_the_calibration_error_covers_both_where_it_is_nothing_and_where_it_is_not() -> None:
    random = np.random.default_rng(9)
    for shift, truth in ((0.0, 0.0), (0.1, 0.1)):
        hits = 0
        for _ in range(300):
            stated = random.uniform(0.5, 0.9, 200)
            found = estimated(expected_calibration_error(stated, random.random(200) < stated - shift))
            hits += found.low <= truth <= found.high
        assert hits / 300 >= 0.93


def test_confidence_without_errors_has_an_interval() -> None:
    found = estimated(expected_calibration_error([1.0] * 10, [1] * 10))
    assert found.value == found.low == 0
    assert found.high > 0.2


def test_too_few_rows_give_a_reason() -> None:
    assert "no rows" in not_defined(brier([], []))
    assert "no rows" in not_defined(expected_calibration_error([], []))
    assert reliability([], []) == ()
