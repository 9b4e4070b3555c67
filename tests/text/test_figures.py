"""Figures of reports and computations against a reference that is one figure."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import rule_on
from karat.text.figures import read_figures, read_only_figure
from karat.text.results import contradicts, tell_figure

SAME = (
    ("24.5%", "Services were $1,102m of $4,498m in sales, which is 24.5% of them.", "What share of sales were services?"),
    ("$1577.00", "Capital spending came to $1,577 million.", "What was capital spending (in USD millions)?"),
    ("£2,945m", "GBP 2.945 billion", "What were the premiums in 2021?"),
    ("3.2 x", "Turnover = 6,144 / 1,920 = 3.20", "What is the turnover ratio?"),
    ("24.5%", "0.245", "What share was it?"),
    ("1.2 percentage points", "120 bps", "By how much did the margin fall?"),
    ("15", "The mean is **15**; the lowest value is 3.", "What is the mean?"),
    ("$0.86 billion", "Net charge-offs were $1.24 billion, and the provision for credit losses was $0.86 billion.", "What was the provision for credit losses?"),
)  # fmt: skip
ROUNDED = (
    ("24.26", "24.3x", "What was the ratio?"),
    ("$1,577 million", "about 1.58 billion dollars", "What was it?"),
    ("36.11%", "36%", "What share is it?"),
)
OTHER = (
    ("$2.31 billion", "Cash was $2.31 million.", "How much cash was there?"),
    ("£2,945m", "$2,945 million", "What were the premiums?"),
    ("10.5%", "It was $10.5 million in 2014.", "By what percentage did it rise?"),
    ("24.5%", "Services were $1,102m of $4,498m in sales, or 25.4%.", "What share of sales were services?"),
    ("$1.24 billion", "Net charge-offs were $1.24 billion, and the provision for credit losses was $0.86 billion.", "What was the provision for credit losses?"),
)  # fmt: skip
OPEN = (
    ("7.5", "It is \\frac{15}{2}, from 3 and 12.", "What is the median?"),
    ("7", "There are 5 main numbers and 2 stars.", "How many numbers are drawn?"),
    ("5", "It is the 5th of 220.", "What is its rank?"),
    ("18,426", "18, 426", "How many runs did he make?"),
    ("50%", "Halve it, to 20 mg.", "By how much is it reduced?"),
    ("1,500", "1.500", "How many?"),
    ("24.5%", "It was not 24.5%, as the first draft with 18% had it.", "What share was it?"),
    ("8.7%", "over 8.7%, from 1,150", "How much did it grow?"),
    ("Paris", "12 and 13", "Where is it?"),
)


@pytest.mark.parametrize(("reference", "answer", "question"), SAME)
def test_the_same_value_is_found_at_any_scale_in_any_notation_and_among_its_steps(
    reference: str, answer: str, question: str
) -> None:
    assert tell_figure(reference, answer, question) == "same"


@pytest.mark.parametrize(("reference", "answer", "question"), ROUNDED)
def test_a_value_said_less_exactly_is_a_rounding(reference: str, answer: str, question: str) -> None:
    assert tell_figure(reference, answer, question) == "rounded"


@pytest.mark.parametrize(("reference", "answer", "question"), OTHER)
def test_another_value_scale_currency_or_kind_is_another_figure(
    reference: str, answer: str, question: str
) -> None:
    assert tell_figure(reference, answer, question) == "other"


@pytest.mark.parametrize(("reference", "answer", "question"), OPEN)
def test_what_may_hide_deny_or_bound_the_value_is_open(reference: str, answer: str, question: str) -> None:
    assert tell_figure(reference, answer, question) is None


def test_dates_years_list_numbers_ordinals_and_citations_are_no_figures() -> None:
    text = "1. On March 31, 2021 the 3rd quarter ended [2].\n2. Sales in 2020 were 12."
    assert [figure.value for figure in read_figures(text)] == [12]


def test_a_text_with_more_than_a_figure_in_it_is_none() -> None:
    assert read_only_figure("about $1.5 billion") is not None
    assert read_only_figure("3 apples") is None
    assert read_only_figure("from 3 to 4") is None


@given(
    st.integers(1, 10**7), st.sampled_from(["${:,}", "{} percent", "{:,} USD", "{}x", "approximately {:,}"])
)
def test_what_is_written_is_read(value: int, form: str) -> None:
    figure = read_only_figure(form.format(value))
    if 1900 <= value < 2100 and form.startswith("approx"):
        return
    assert figure is not None
    assert figure.value == Fraction(value)


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_can_be_compared(answer: str, reference: str) -> None:
    assert tell_figure(reference, answer, reference) in {"same", "rounded", "other", None}


def test_a_reference_is_contradicted_by_other_figures_of_the_kind_of_one_that_is_missing() -> None:
    reference = "Yes, it improved from 4.1% to 6.8%."
    assert contradicts(reference, "Yes, to 8.6% from 4.1%.")
    assert not contradicts(reference, "Yes, from 4.1% to 6.8%.")
    assert not contradicts(reference, "Yes, it did.")


def test_rules_accept_the_result_of_a_computation_and_reject_another() -> None:
    asked = "What share of sales were services?"
    right = rule_on(Item(asked, ("24.5%",), "Services are 1,102 of 4,498 in sales, so 1,102 / 4,498 = 24.5%"))
    wrong = rule_on(Item(asked, ("24.5%",), "Services are $1,102m of $4,498m in sales, so 22.1%."))
    assert right is not None
    assert right.accept
    assert wrong is not None
    assert not wrong.accept
