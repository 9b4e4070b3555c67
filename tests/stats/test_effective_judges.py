"""The effective number of judges against numpy's correlations."""

import numpy as np
from closeness import close, not_defined
from hypothesis import given
from hypothesis import strategies as st

from karat.stats import Undefined, effective_judges

ballots = st.integers(2, 4).flatmap(
    lambda members: st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * members), min_size=2, max_size=30)
)


@given(ballots)
def test_it_is_kishs_number_by_the_mean_correlation(rows: list[tuple[float, ...]]) -> None:
    found = effective_judges([(row, 1) for row in rows])
    columns = np.array(rows).T
    if min(np.ptp(column) for column in columns) == 0:
        assert found == Undefined("a member gives every row the same verdict")
        return
    members = len(columns)
    mean = float(np.corrcoef(columns)[np.triu_indices(members, 1)].mean())
    shared = 1 + (members - 1) * mean
    if shared < 1e-6:
        return
    assert isinstance(found, float)
    assert close(found, members / shared, 1e-6)


@given(ballots, st.integers(1, 5))
def test_rows_that_are_counted_together_are_rows(rows: list[tuple[float, ...]], times: int) -> None:
    counted, listed = (
        effective_judges([(row, times) for row in rows]),
        effective_judges([(row, 1) for row in rows * times]),
    )
    if isinstance(counted, Undefined):
        assert counted == listed
    else:
        assert isinstance(listed, float)
        assert close(counted, listed, 1e-6)


def test_negatively_correlated_judges_have_no_effective_number() -> None:
    assert "negatively correlated" in not_defined(effective_judges([((0.0, 1.0), 3), ((1.0, 0.0), 3)]))
    assert "two members" in not_defined(effective_judges([((1.0,), 3)]))
