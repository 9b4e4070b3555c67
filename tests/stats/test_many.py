"""Adjusted p values against statsmodels, and slices."""

from typing import Any

import numpy as np
import pytest
from closeness import close, estimated
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from karat.stats import Estimate
from karat.stats.many import benjamini_hochberg, benjamini_yekutieli, holm
from karat.stats.slices import slices

METHODS = {holm: "holm", benjamini_hochberg: "fdr_bh", benjamini_yekutieli: "fdr_by"}


@pytest.mark.parametrize("adjust", METHODS)
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_adjusted_p_values_are_the_oracles(adjust: Any, p: list[float]) -> None:
    expected: Any = multipletests(p, method=METHODS[adjust])[1]
    assert np.allclose(adjust(p), expected, atol=1e-9)


@pytest.mark.parametrize("adjust", METHODS)
def test_no_p_values_adjust_to_none(adjust: Any) -> None:
    assert adjust([]) == []


def test_slices_stand_against_the_rest() -> None:
    values = [1] * 30 + [0] * 30 + [1] * 15 + [0] * 15
    tags = ["easy"] * 30 + ["hard"] * 30 + [None] * 30
    easy, hard = slices(values, tags)
    assert (easy.tag, easy.rows, hard.tag) == ("easy", 30, "hard")
    assert close(estimated(easy.difference.estimate).value, 1 - 15 / 60)
    assert estimated(easy.difference.estimate).level == 0.975
    assert easy.adjusted is not None
    assert easy.difference.p is not None
    assert easy.adjusted >= easy.difference.p


def test_slices_without_any_effect_hardly_ever_stand_out() -> None:
    """Ten slices of nothing, 300 times: that any interval excludes nothing, or any adjusted p is small, happens about 5 % of the time."""
    random = np.random.default_rng(12)
    excluded = found = 0
    for _ in range(300):
        values, tags = random.random(400) < 0.7, random.integers(0, 10, 400)
        parts = slices(values, tags.tolist())
        estimates = [part.difference.estimate for part in parts]
        excluded += any(isinstance(each, Estimate) and (each.low > 0 or each.high < 0) for each in estimates)
        found += any(part.adjusted is not None and part.adjusted < 0.05 for part in parts)
    assert excluded / 300 < 0.11
    assert found / 300 < 0.11


def test_slices_of_clustered_rows_hold_clusters_together() -> None:
    values, tags = [1, 1, 0, 0, 1, 0] * 10, ["a", "b"] * 30
    keys = [row // 2 for row in range(60)]
    first = slices(values, tags, keys)[0]
    assert estimated(first.difference.estimate).clusters == 30
    assert slices([], []) == ()
