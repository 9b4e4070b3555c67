"""What the tests of statistics share: asserting estimates, and drawing rows."""

import math

from hypothesis import strategies as st

from karat.stats import Estimate, Number, Undefined

answers = st.sampled_from([0, 1])
levels = st.integers(0, 5)


def estimated(number: object) -> Estimate:
    """The estimate, which must be one, with its value inside its interval."""
    assert isinstance(number, Estimate), number
    assert number.low <= number.value <= number.high
    return number


def not_defined(number: Number | float | None) -> str:
    """Why a number is not defined, which must be said."""
    assert isinstance(number, Undefined), number
    assert number.why
    return number.why


def close(found: float, expected: float, tolerance: float = 1e-9) -> bool:
    """Whether two numbers are equal to nine digits."""
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)


def pairs_of(
    values: st.SearchStrategy[int], least: int = 2, most: int = 40
) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Rows of two raters."""
    return st.lists(st.tuples(values, values), min_size=least, max_size=most)
