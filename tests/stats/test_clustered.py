"""Clustered shares and means against statsmodels, by hand, and by how often they cover."""

import numpy as np
import pytest
import statsmodels.api as sm
from closeness import answers, close, estimated, not_defined, stats
from hypothesis import given
from hypothesis import strategies as st

from karat.stats import Undefined, wilson
from karat.stats.clustered import bootstrap, mean, share, share_of_counts

rows_in_clusters = st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 6)), min_size=3, max_size=40)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=40), st.floats(0.5, 0.99))
def test_a_mean_has_students_interval(values: list[float], level: float) -> None:
    if np.ptp(values) < 1e-6:
        return
    found = estimated(mean(values, level=level))
    low, high = stats.t.interval(level, len(values) - 1, np.mean(values), stats.sem(values))
    assert close(found.low, low, 1e-8)
    assert close(found.high, high, 1e-8)


@given(rows_in_clusters)
def test_a_clustered_mean_is_that_of_a_cluster_robust_regression(rows: list[tuple[float, int]]) -> None:
    values, keys = [value for value, _ in rows], [key for _, key in rows]
    if len(set(keys)) in (1, len(keys)) or np.ptp(values) < 1e-3:
        return
    found = estimated(mean(values, keys))
    fitted = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": np.array(keys)})
    half = stats.t.ppf(0.975, len(set(keys)) - 1) * float(fitted.bse[0])
    assert found.clusters == len(set(keys))
    assert close(found.value, float(fitted.params[0]))
    assert close(found.high - found.value, half, 1e-7)


@given(st.lists(answers, min_size=1, max_size=60))
def test_a_share_of_unclustered_rows_is_wilsons(rows: list[int]) -> None:
    expected = wilson(sum(rows), len(rows))
    assert share(rows) == expected
    assert share(rows, list(range(len(rows)))) == expected
    assert share(rows, [None] * len(rows)) == expected


@given(st.lists(st.tuples(answers, st.integers(0, 5)), min_size=2, max_size=60))
def test_a_share_from_counts_is_that_from_rows(rows: list[tuple[int, int]]) -> None:
    keys = sorted({key for _, key in rows})
    counts = [[value for value, other in rows if other == key] for key in keys]
    from_rows = share([value for value, _ in rows], [key for _, key in rows])
    from_counts = share_of_counts([sum(each) for each in counts], [len(each) for each in counts])
    if isinstance(from_rows, Undefined):
        assert from_rows == from_counts
        return
    assert close(from_rows.low, estimated(from_counts).low)
    assert close(from_rows.high, estimated(from_counts).high)


def test_duplicate_answers_count_once() -> None:
    """Sixty rows that are twenty rows said three times over are as wide as twenty rows, but for the t."""
    once = [1] * 13 + [0] * 7
    found = estimated(share(once * 3, list(range(20)) * 3))
    alone = estimated(wilson(13, 20))
    assert found.clusters == 20
    assert found.value == alone.value
    assert found.low < alone.low + 0.01
    assert found.high > alone.high - 0.01
    assert found.high - found.low < 1.15 * (alone.high - alone.low)


def test_undefined_interval_has_a_reason() -> None:
    assert "no rows" in not_defined(share([]))
    assert "no rows" in not_defined(mean([]))
    assert "one row" in not_defined(mean([0.4]))
    assert "the same value" in not_defined(mean([0.4, 0.4]))
    assert "one cluster" in not_defined(mean([0.4, 0.5], ["q", "q"]))
    assert "one cluster" in not_defined(share([0, 1], ["q", "q"]))
    assert "no rows" in not_defined(share_of_counts([], []))


def test_equal_rows_have_an_interval_for_unseen_rows() -> None:
    """With bounds, twenty equal scores say that other scores are at most 16 % of all (Wilson's bound at none of 20)."""
    found = estimated(mean([0.5] * 20, bounds=(0, 1)))
    most = estimated(wilson(0, 20)).high
    assert close(found.low, 0.5 - most * 0.5)
    assert close(found.high, 0.5 + most * 0.5)


@pytest.mark.parametrize(("clusters", "size"), [(30, 1), (40, 5)])
def test_the_bootstrap_covers(clusters: int, size: int) -> None:
    """Of 300 intervals for a known mean, about 95 % hold it, also where clusters have an effect of their own."""
    random = np.random.default_rng(7)
    keys = np.repeat(np.arange(clusters), size)
    hits = 0
    for seed in range(300):
        values = random.normal(size=clusters)[keys] + random.normal(size=len(keys))
        sums, sizes = np.bincount(keys, values), np.bincount(keys)
        found = estimated(
            bootstrap(
                lambda rows, values=values: float(values[rows].mean()),
                len(keys),
                list(keys),
                seed=seed,
                draws=400,
            )
        )
        hits += found.low <= 0 <= found.high
        assert close(found.value, float(sums.sum() / sizes.sum()))
    assert 0.90 <= hits / 300 <= 0.98


def test_the_bootstrap_is_the_same_again_with_the_same_seed() -> None:
    values = np.arange(20.0)
    first, again, other = (
        bootstrap(lambda rows: float(values[rows].mean()), 20, seed=seed, draws=50) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_bootstrap_of_a_rarely_defined_statistic_is_undefined() -> None:
    assert "resamples" in not_defined(
        bootstrap(lambda rows: 1.0 if len(set(rows)) == 9 else None, 9, seed=1, draws=50)
    )
    assert "not defined on these rows" in not_defined(bootstrap(lambda _: None, 9, seed=1))
