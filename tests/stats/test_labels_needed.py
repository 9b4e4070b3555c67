"""The number of labels needed, checked against the width that they give."""

import numpy as np
import pytest
from closeness import close, estimated, not_defined, stats
from hypothesis import given
from hypothesis import strategies as st

from karat.stats.corrected import corrected_mean, expected_spread, labels_needed

shares = st.floats(0.05, 0.95)


@given(shares, shares, shares)
def test_the_expected_spread_is_that_of_the_best_line(rate: float, sure: float, strict: float) -> None:
    """Residual variance of the label on the verdict, from the four cells with their probabilities."""
    cells = [
        (1, 1, rate * sure),
        (1, 0, rate * (1 - sure)),
        (0, 1, (1 - rate) * (1 - strict)),
        (0, 0, (1 - rate) * strict),
    ]
    truth, verdict, weight = (np.array(column) for column in zip(*cells, strict=True))
    covariance = np.cov(truth, verdict, aweights=weight, ddof=0)
    residual, total = expected_spread(rate, sure, strict)
    assert close(total, covariance[0, 0])
    assert close(residual, covariance[0, 0] - covariance[0, 1] ** 2 / covariance[1, 1])


@pytest.mark.parametrize("width", [0.2, 0.1, 0.06])
def test_as_many_labels_as_needed_give_the_width(width: float) -> None:
    random = np.random.default_rng(3)
    residual, total = expected_spread(0.7, 0.95, 0.8)
    needed = labels_needed(width, rows=20_000, residual=residual, total=total)
    assert isinstance(needed, int)
    widths = list[float]()
    for _ in range(20):
        truths = random.random(20_000) < 0.7
        verdicts = np.where(truths, random.random(20_000) < 0.95, random.random(20_000) < 0.2)
        found = corrected_mean(
            verdicts.tolist(), [*truths[:needed].astype(float), *[None] * (20_000 - needed)]
        )
        widths.append(estimated(found.corrected).high - estimated(found.corrected).low)
    assert close(float(np.mean(widths)), width, 0.05)


def test_the_spread_found_from_labels_is_that_expected() -> None:
    random = np.random.default_rng(4)
    truths = random.random(9000) < 0.7
    verdicts = np.where(truths, random.random(9000) < 0.95, random.random(9000) < 0.2)
    found = corrected_mean(verdicts.tolist(), [*truths[:4000].astype(float), *[None] * 5000])
    residual, total = expected_spread(0.7, 0.95, 0.8)
    assert found.residual is not None
    assert found.total is not None
    assert close(found.residual, residual, 0.06)
    assert close(found.total, total, 0.06)


def test_without_a_judge_it_is_the_plain_number_of_rows() -> None:
    """Half of all rows correct and 10 points wanted: (1.96 / .05)^2 / 4 = 384, and a few more for the t."""
    needed = labels_needed(0.1, rows=10**9, residual=0.25, total=0.25)
    assert isinstance(needed, int)
    reach = float(stats.t.ppf(0.975, needed - 1))
    assert 384 < needed < 390
    assert reach * (0.25 / needed) ** 0.5 <= 0.05
    assert stats.t.ppf(0.975, needed - 2) * (0.25 / (needed - 1)) ** 0.5 > 0.05


def test_unreachable_width_has_a_reason() -> None:
    assert "all 100 rows" in not_defined(labels_needed(0.01, rows=100, residual=0.05, total=0.25))
    assert "no rows" in not_defined(labels_needed(0.1, rows=0, residual=0.1, total=0.2))
    assert "width" in not_defined(labels_needed(0, rows=10, residual=0.1, total=0.2))
    assert labels_needed(0.5, rows=100, residual=0.0, total=0.0) == 2
