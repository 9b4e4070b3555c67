"""Intervals against scipy."""

import json
import math
import statistics
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from karat.stats import Estimate, Undefined, clopper_pearson, mean_bound, upper_bound, wilson


@given(
    st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999)
)
def test_wilson_is_the_interval_of_the_oracle(counts: tuple[int, int], level: float) -> None:
    successes, trials = counts
    found = wilson(successes, trials, level)
    expected = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert isinstance(found, Estimate)
    assert math.isclose(found.low, expected.low, abs_tol=1e-9)
    assert math.isclose(found.high, expected.high, abs_tol=1e-9)
    assert found.low <= found.value <= found.high


def test_no_trials_are_undefined() -> None:
    assert isinstance(wilson(0, 0), Undefined)


def test_the_ends_of_the_scale_are_reached() -> None:
    none, all_of_them = wilson(0, 10), wilson(10, 10)
    assert isinstance(none, Estimate)
    assert isinstance(all_of_them, Estimate)
    assert none.low == none.value == 0.0
    assert all_of_them.high == all_of_them.value == 1.0


@given(
    st.integers(1, 20_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999)
)
def test_clopper_and_pearsons_is_the_exact_interval_of_the_oracle(
    counts: tuple[int, int], level: float
) -> None:
    found = clopper_pearson(*counts, level)
    expected = binomtest(*counts).proportion_ci(level, method="exact")
    assert isinstance(found, Estimate)
    assert math.isclose(found.low, expected.low, abs_tol=1e-9)
    assert math.isclose(found.high, expected.high, abs_tol=1e-9)
    assert isinstance(clopper_pearson(0, 0), Undefined)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.8, 0.99))
def test_the_upper_bound_is_clopper_and_pearsons(counts: tuple[int, int], level: float) -> None:
    events, trials = counts
    expected = binomtest(events, trials, alternative="less").proportion_ci(level, method="exact").high
    assert math.isclose(upper_bound(events, trials, level), expected, abs_tol=1e-9)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=60))
def test_the_bound_on_a_mean_is_students(values: list[float]) -> None:
    spread = statistics.stdev(values) / math.sqrt(len(values))
    expected = abs(statistics.fmean(values)) + t.ppf(0.95, len(values) - 1) * spread
    found = mean_bound(values)
    assert not isinstance(found, Undefined)
    assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


def test_one_value_has_no_bound() -> None:
    assert isinstance(mean_bound([0.3]), Undefined)


def test_summary_statistics_import_without_numpy() -> None:
    """Shares of a run are had without loading numpy."""
    code = "import json, sys, karat.stats, karat.report.figures.summary; print(json.dumps('numpy' in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) is False
