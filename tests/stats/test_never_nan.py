"""No statistic returns NaN or infinity, or raises on possible data of a run."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from karat.stats import (
    Estimate,
    clopper_pearson,
    effective_judges,
    mean_bound,
    pairwise_agreement,
    upper_bound,
    wilson,
)
from karat.stats.agreement import LEVELS, YES_NO, agree
from karat.stats.alpha import krippendorff_alpha
from karat.stats.alternative_annotators import alternative_annotators
from karat.stats.calibration import brier, expected_calibration_error, reliability
from karat.stats.clustered import bootstrap, mean, share, share_of_counts
from karat.stats.corrected import (
    Rows,
    corrected_difference,
    corrected_mean,
    expected_spread,
    labels_needed,
    rogan_gladen,
)
from karat.stats.differences import benjamini_hochberg, benjamini_yekutieli, holm
from karat.stats.paired import detectable, difference, mcnemar, paired_difference, rows_needed
from karat.stats.scores import by_band, kendall, mean_absolute_error, pearson, spearman

yes_no = st.sampled_from([0.0, 1.0])
unit = st.sampled_from([0.0, 0.2, 0.5, 1.0]) | st.floats(0, 1)
graded = st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
weight = st.floats(1, 50)
key = st.none() | st.integers(0, 4)
row = st.fixed_dictionaries(
    {
        "yes": yes_no,
        "other": yes_no,
        "level": graded,
        "another": graded,
        "unit": unit,
        "score": unit,
        "verdict": st.none() | unit,
        "label": st.none() | yes_no | unit,
        "chance": st.floats(0.01, 1),
        "weight": weight,
        "key": key,
        "ratings": st.tuples(*[st.none() | graded] * 3),
        "ballot": st.tuples(*[st.none() | yes_no] * 2),
    }
)
tables = st.lists(row, max_size=12) | st.builds(lambda one, times: [one] * times, row, st.integers(1, 40))


def numbers(found: Any) -> Iterator[float]:
    """Every number inside a result, and a check that each estimate lies in its interval."""
    if isinstance(found, Estimate):
        assert found.low <= found.value <= found.high, found
    if isinstance(found, Struct):
        for field in found.__struct_fields__:
            yield from numbers(getattr(found, field))
    elif isinstance(found, dict):
        for each in found.values():
            yield from numbers(each)
    elif isinstance(found, list | tuple):
        for each in found:
            yield from numbers(each)
    elif isinstance(found, float | int):
        yield float(found)


def check(found: Any) -> None:
    assert all(math.isfinite(each) for each in numbers(found)), found


class Columns:
    """The columns of a table, by name."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def __getattr__(self, name: str) -> list[Any]:
        return [each[name] for each in self.rows]


@settings(max_examples=50)
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("weighed", [False, True])
@given(rows=tables)
def test_statistics_of_rows_are_finite(clustered: bool, weighed: bool, rows: list[dict[str, Any]]) -> None:
    table = Columns(rows)
    keys = table.key if clustered else None
    weights = table.weight if weighed else None
    check(mean(table.unit, keys, weights=weights))
    check(mean(table.unit, keys, bounds=(0, 1), weights=weights))
    check(share(table.yes, keys, weights=weights))
    check(agree(table.yes, table.other, YES_NO, keys, weights=weights))
    check(agree(table.level, table.another, LEVELS, keys, weights=weights))
    for statistic in (pearson, spearman, kendall, mean_absolute_error, by_band):
        check(statistic(table.level, table.another, keys, weights=weights))
        check(statistic(table.level, table.unit, keys, weights=weights))
    for statistic in (brier, expected_calibration_error, reliability):
        check(statistic(table.unit, table.yes, keys, weights=weights))


@settings(max_examples=50)
@pytest.mark.parametrize("clustered", [False, True])
@given(rows=tables)
def test_comparisons_and_corrections_are_finite(clustered: bool, rows: list[dict[str, Any]]) -> None:
    table = Columns(rows)
    keys = table.key if clustered else None
    for one, other in ((table.yes, table.other), (table.unit, table.score), (table.yes, table.score)):
        check(paired_difference(one, other, keys))
        check(difference(one, other, keys, keys))
        check(difference(one[:3], other, None if keys is None else keys[:3], keys))
    check(mcnemar(table.yes, table.other))
    check(bootstrap(lambda places: float(len(places)) or None, len(rows), keys, seed=1, draws=20))
    for chances in (None, table.chance):
        check(corrected_mean(table.verdict, table.label, probabilities=chances, clusters=keys))
        check(corrected_mean(table.yes, table.label, probabilities=chances, clusters=keys))
        one = Rows(table.verdict, table.label, keys, chances)
        check(corrected_difference(one, Rows(table.yes, table.label, keys, chances)))
        check(corrected_difference(one, one))
    for scale in ("nominal", "ordinal", "interval"):
        check(krippendorff_alpha(table.ratings, scale, keys))
    for scale in ("nominal", "interval"):
        check(alternative_annotators(table.level, table.ratings, scale=scale, clusters=keys))
    ballots = [(ballot, 1) for ballot in table.ballot]
    check(effective_judges(ballots))
    check(pairwise_agreement(ballots))
    check(mean_bound(table.unit))


counts = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, counts, counts, st.floats(0.01, 0.999))
def test_statistics_of_counts_are_finite(
    one: tuple[int, int], two: tuple[int, int], three: tuple[int, int], level: float
) -> None:
    check(wilson(*one, level))
    check(clopper_pearson(*one, level))
    check(upper_bound(*one, level))
    check(rogan_gladen(*one, *two, *three, level=level))
    check(share_of_counts([one[0], two[0]], [one[1], two[1]], level=level))


@given(
    st.floats(-1, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(0, 10**7),
    st.lists(unit, max_size=9),
)
def test_planning_and_adjusting_are_finite(
    width: float, one: float, two: float, three: float, rows: int, p: list[float]
) -> None:
    residual, total = expected_spread(one, two, three)
    check((residual, total))
    check(labels_needed(width, rows=rows, residual=residual, total=total))
    check(rows_needed(width, one))
    check(detectable(rows, one))
    for adjust in (holm, benjamini_hochberg, benjamini_yekutieli):
        check(adjust(p))
        assert all(0 <= each <= 1 for each in adjust(p))
