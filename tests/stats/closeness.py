"""What the tests of statistics share: asserting estimates, and drawing rows."""

import math
from typing import Any

import scipy.stats
from hypothesis import strategies as st

from karat.stats import Estimate, Undefined

stats: Any = scipy.stats

answers = st.sampled_from([0, 1])
levels = st.integers(0, 5)


def estimated(number: object) -> Estimate:
    """The estimate, which must be one, with its value inside its interval."""
    assert isinstance(number, Estimate), number
    assert number.low <= number.value <= number.high
    return number


def not_defined(number: object) -> str:
    """Why a number is not defined, which must be said."""
    assert isinstance(number, Undefined), number
    assert number.why
    return number.why


def close(found: float, expected: Any, tolerance: float = 1e-9) -> bool:
    """Whether two numbers are equal to nine digits."""
    return math.isclose(found, float(expected), rel_tol=tolerance, abs_tol=tolerance)


def pairs_of(
    values: st.SearchStrategy[int], least: int = 2, most: int = 40
) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Rows of two raters."""
    return st.lists(st.tuples(values, values), min_size=least, max_size=most)
