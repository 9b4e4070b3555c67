"""Adjusted p values against statsmodels, and on slices without any effect."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from karat.stats import Estimate
from karat.stats.differences import benjamini_hochberg, benjamini_yekutieli, holm
from karat.stats.paired import difference

METHODS = {holm: "holm", benjamini_hochberg: "fdr_bh", benjamini_yekutieli: "fdr_by"}


@pytest.mark.parametrize("adjust", METHODS)
@settings(max_examples=25)  # the oracle takes a tenth of a second
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_adjusted_p_values_are_the_oracles(adjust: Any, p: list[float]) -> None:
    expected: Any = multipletests(p, method=METHODS[adjust])[1]
    assert np.allclose(adjust(p), expected, atol=1e-9)


@pytest.mark.parametrize("adjust", METHODS)
def test_no_p_values_adjust_to_none(adjust: Any) -> None:
    assert adjust([]) == []


def test_slices_without_effect_rarely_stand_out() -> None:
    """Ten slices of nothing against the rest, 300 times: that any stands out at 5 % for all together happens about 5 % of the time."""
    random = np.random.default_rng(12)
    excluded = found = 0
    for _ in range(300):
        values, tags = random.random(400) < 0.7, random.integers(0, 10, 400)
        parts = [difference(values[tags != tag], values[tags == tag], level=0.995) for tag in range(10)]
        estimates = [part.estimate for part in parts]
        excluded += any(isinstance(each, Estimate) and (each.low > 0 or each.high < 0) for each in estimates)
        found += any(p < 0.05 for p in holm([part.p for part in parts if part.p is not None]))
    assert excluded / 300 < 0.09
    assert found / 300 < 0.09
