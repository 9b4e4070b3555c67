"""Rogan and Gladen's rate by hand and by how often it covers."""

import numpy as np
from closeness import close, estimated, not_defined
from hypothesis import given
from hypothesis import strategies as st

from karat.stats.corrected import rogan_gladen


def test_the_rate_by_hand() -> None:
    """A judge that says yes to 40 % with sensitivity .9 and specificity .7 means a rate of (.4 + .7 - 1) / (.9 + .7 - 1) = 1/6."""
    found = estimated(rogan_gladen(400, 1000, 180, 200, 140, 200))
    assert close(found.value, 1 / 6)
    assert found.n == 400


def test_the_interval_by_hand() -> None:
    """The same judge, its three rates drawn to one half: 401.92/1003.84, 181/202 and 141/202."""
    found = estimated(rogan_gladen(400, 1000, 180, 200, 140, 200))
    z2 = 1.959963984540054**2
    p, q1, q0 = (400 + z2 / 2) / (1000 + z2), 181 / 202, 141 / 202
    middle = (p + q0 - 1) / (q0 + q1 - 1)
    variance = (
        p * (1 - p) / (1000 + z2) + middle**2 * q1 * (1 - q1) / 202 + (1 - middle) ** 2 * q0 * (1 - q0) / 202
    )
    half = (z2 * variance) ** 0.5 / (q0 + q1 - 1)
    assert close(found.low, middle - half)
    assert close(found.high, middle + half)


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 100))
def test_error_free_judge_needs_no_correction(yes: int, no: int, judged: int) -> None:
    found = estimated(rogan_gladen(judged, 100, yes, yes, no, no))
    assert close(found.value, judged / 100)


def test_it_covers_where_the_labels_have_another_mix() -> None:
    """Labels half right and half wrong, data 80 % right: the rate is found although the mix differs."""
    random = np.random.default_rng(4)
    hits = 0
    for _ in range(1000):
        right = random.binomial(1500, 0.8)
        judged = random.binomial(right, 0.95) + random.binomial(1500 - right, 0.3)
        found = estimated(
            rogan_gladen(judged, 1500, random.binomial(100, 0.95), 100, random.binomial(100, 0.7), 100)
        )
        hits += found.low <= 0.8 <= found.high
    assert 0.93 <= hits / 1000 <= 0.98


def test_impossible_correction_has_a_reason() -> None:
    assert "no rows" in not_defined(rogan_gladen(0, 0, 5, 5, 5, 5))
    assert "label correct" in not_defined(rogan_gladen(3, 10, 0, 0, 5, 5))
    assert "label wrong" in not_defined(rogan_gladen(3, 10, 5, 5, 0, 0))
    assert "equally often" in not_defined(rogan_gladen(3, 10, 5, 10, 5, 10))
    assert "equally often" in not_defined(rogan_gladen(3, 10, 2, 10, 2, 10))
