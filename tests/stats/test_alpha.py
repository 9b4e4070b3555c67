"""Krippendorff's alpha against the krippendorff package, and its own worked example."""

import krippendorff
import numpy as np
import pytest
from closeness import close, estimated, not_defined
from hypothesis import given
from hypothesis import strategies as st

from karat.stats.alpha import Scale, krippendorff_alpha

X = None
# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
WORKED = [
    [1, 1, X, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [X, 5, 5, 5],
    [X, X, 1, 1],
    [X, X, 3, X],
]


@pytest.mark.parametrize(("scale", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_worked_example(scale: Scale, expected: float) -> None:
    found = estimated(krippendorff_alpha(WORKED, scale))
    assert round(found.value, 3) == expected
    assert found.n == 11


@given(
    st.integers(2, 5).flatmap(
        lambda raters: st.lists(
            st.lists(st.none() | st.integers(0, 5), min_size=raters, max_size=raters), min_size=1, max_size=25
        )
    ),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_alpha_is_the_oracles(rows: list[list[int | None]], scale: Scale) -> None:
    found = krippendorff_alpha(rows, scale)
    usable = [[value for value in row if value is not None] for row in rows]
    paired = [row for row in usable if len(row) > 1]
    if not paired:
        assert "two annotators" in not_defined(found)
    elif len({value for row in paired for value in row}) == 1:
        assert "the same" in not_defined(found)
    elif len(paired) == 1:
        assert "one row" in not_defined(found)
    else:
        data = np.array(
            [[np.nan if value is None else value for value in row] for row in rows], dtype=float
        ).T
        expected = krippendorff.alpha(reliability_data=data, level_of_measurement=scale)
        assert close(estimated(found).value, float(expected))


def test_the_interval_covers() -> None:
    """Three raters who are each right 85 % of the time: alpha of the population, from a very large sample."""
    random = np.random.default_rng(3)

    def draw(rows: int) -> list[list[float]]:
        truth = random.random((rows, 1)) < 0.6
        return (truth ^ (random.random((rows, 3)) > 0.85)).astype(float).tolist()

    population = estimated(krippendorff_alpha(draw(40_000), "nominal")).value
    found = [estimated(krippendorff_alpha(draw(60), "nominal")) for _ in range(300)]
    hits = sum(each.low <= population <= each.high for each in found)
    assert 0.91 <= hits / 300 <= 0.985


def test_clusters_that_repeat_their_rows_add_nothing() -> None:
    once = estimated(krippendorff_alpha(WORKED, "nominal"))
    twice = estimated(krippendorff_alpha(WORKED * 2, "nominal", list(range(12)) * 2))
    assert twice.clusters == 11
    assert close(twice.high - twice.low, once.high - once.low, 0.05)


def test_perfect_agreement_has_an_interval_for_unseen_rows() -> None:
    found = estimated(krippendorff_alpha([[0, 0], [5, 5], [3, 3], [0, 0], [5, 5]], "interval"))
    assert found.value == found.high == 1
    assert found.low < 0.6


def test_undefined_alpha_has_a_reason() -> None:
    assert "no rows" in not_defined(krippendorff_alpha([], "nominal"))
    assert "two annotators" in not_defined(krippendorff_alpha([[1, None]], "nominal"))
    assert "one cluster" in not_defined(krippendorff_alpha([[1, 2], [1, 1]], "nominal", ["q", "q"]))
