"""Intervals against scipy."""

import math

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from karat.stats import Estimate, wilson


@given(
    st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999)
)
def test_wilson_is_the_interval_of_the_oracle(counts: tuple[int, int], level: float) -> None:
    successes, trials = counts
    found = wilson(successes, trials, level)
    expected = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert found is not None
    assert math.isclose(found.low, expected.low, abs_tol=1e-9)
    assert math.isclose(found.high, expected.high, abs_tol=1e-9)
    assert found.low <= found.value <= found.high


def test_without_trials_nothing_can_be_said() -> None:
    assert wilson(0, 0) is None


def test_the_ends_of_the_scale_are_reached() -> None:
    assert wilson(0, 10) == Estimate(0.0, 0.0, wilson(0, 10).high)  # pyright: ignore[reportOptionalMemberAccess]
    assert wilson(10, 10) == Estimate(1.0, wilson(10, 10).low, 1.0)  # pyright: ignore[reportOptionalMemberAccess]
