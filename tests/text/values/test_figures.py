"""Figures are read from reports and computations, without dates, list numbers and citations."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from karat.text import classify_figure
from karat.text.values.figures import read_figures, read_only_figure


def test_dates_years_list_numbers_ordinals_and_citations_are_no_figures() -> None:
    text = "1. On March 31, 2021 the 3rd quarter ended [2].\n2. Sales in 2020 were 12."
    assert [figure.value for figure in read_figures(text)] == [12]


def test_a_text_with_more_than_a_figure_in_it_is_no_figure() -> None:
    assert read_only_figure("about $1.5 billion") is not None
    assert read_only_figure("3 apples") is None
    assert read_only_figure("from 3 to 4") is None


@given(
    st.integers(1, 10**7), st.sampled_from(["${:,}", "{} percent", "{:,} USD", "{}x", "approximately {:,}"])
)
def test_a_printed_figure_is_read_as_printed(value: int, form: str) -> None:
    figure = read_only_figure(form.format(value))
    if 1900 <= value < 2100 and form.startswith("approx"):
        return
    assert figure is not None
    assert figure.value == Fraction(value)


@given(st.integers(10_000, 10**6), st.integers(1, 400), st.sampled_from(["{:,}", "It is {:,}", "${:,}"]))
def test_a_whole_number_equals_only_itself(value: int, off: int, form: str) -> None:
    assert classify_figure(f"{value:,}", form.format(value), "How much is it in $?") == "same"
    assert classify_figure(f"{value:,}", form.format(value + off), "How much is it in $?") != "same"
