"""Tails and quantiles against scipy."""

import pytest
from closeness import close, stats
from hypothesis import given
from hypothesis import strategies as st

from karat.stats.distributions import (
    beta_quantile,
    beta_tail,
    binomial_at_most,
    student_quantile,
    student_tail,
    two_sided,
)

sizes = st.floats(0.5, 1e5)


@given(st.floats(0, 1), sizes, sizes)
def test_beta_tails_are_the_oracles(x: float, a: float, b: float) -> None:
    """Near 1 the oracle is asked for the other tail: there scipy's own distribution function is off by 3e-9."""
    oracle = stats.beta.cdf(x, a, b) if x < 0.5 else stats.beta.sf(1 - x, b, a)
    assert close(beta_tail(x, a, b), oracle)


@given(st.floats(0.001, 0.999), st.floats(1, 1e4), st.floats(1, 1e4))
def test_beta_quantiles_are_the_oracles(share: float, a: float, b: float) -> None:
    assert close(beta_quantile(share, a, b), stats.beta.ppf(share, a, b))


@given(st.floats(0, 60), st.floats(1, 1e6))
def test_student_tails_are_the_oracles(t: float, freedom: float) -> None:
    assert close(student_tail(t, freedom), stats.t.sf(t, freedom))
    assert close(two_sided(-t, freedom), 2 * stats.t.sf(t, freedom))


@given(st.floats(0.5, 0.9995), st.integers(1, 100_000))
def test_student_quantiles_are_the_oracles(share: float, freedom: int) -> None:
    assert close(student_quantile(share, freedom), stats.t.ppf(share, freedom), 1e-8)


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 199, 10_000])
def test_the_reach_of_a_95_percent_interval_is_the_oracles(freedom: int) -> None:
    assert close(student_quantile(0.975, freedom), stats.t.ppf(0.975, freedom))


@given(st.integers(0, 3000), st.integers(0, 3000), st.floats(0, 1))
def test_binomial_tails_are_the_oracles(events: int, others: int, rate: float) -> None:
    assert close(
        binomial_at_most(events, events + others, rate), stats.binom.cdf(events, events + others, rate)
    )


@given(st.floats(-8, 8))
def test_without_degrees_of_freedom_the_normal_counts(t: float) -> None:
    assert close(two_sided(t), 2 * stats.norm.sf(abs(t)))
