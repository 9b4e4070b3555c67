"""Figures of reports and computations against a reference that is one figure."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import apply_rules
from karat.text.values.compare_figures import contradicts_figures
from karat.text.values.conflicts import reverses_figures
from karat.text.values.figures import read_figures, read_only_figure
from karat.text.values.stated_figures import classify_figure

SAME = (
    ("$1577.00", "Capital spending came to $1,577 million.", "What was capital spending (in USD millions)?"),
    ("£2,945m", "GBP 2.945 billion", "What were the premiums in 2021?"),
    ("3.2 x", "Turnover = 6,144 / 1,920 = 3.20", "What is the turnover ratio?"),
    ("24.5%", "0.245", "What share was it?"),
    ("24.5%", "24.53%", "What share was it?"),
    ("1.2 percentage points", "120 bps", "By how much was the margin off?"),
    ("8", "It won 8 medals (3 gold, 3 silver, 2 bronze).", "How many medals did it win?"),
    ("-5", "3 - 8 = -5", "What is 3 - 8?"),
    ("-$218 million", "Working capital stood at $(218) million.", "What was working capital?"),
    ("0.06", "It was 5.8%.", "What was the return on assets? Round to two decimals."),
    ("-140 basis points", "The margin narrowed by 1.4 percentage points.", "By how many basis points did the margin change?"),
    ("65.4%", "an increase of 65.4%", "What was the change in income?"),
    ("$0.86 billion", "Net charge-offs were $1.24 billion, and the provision for credit losses was $0.86 billion.", "What was the provision for credit losses?"),
)  # fmt: skip
ROUNDED = (
    ("24.26", "24.3x", "What was the ratio?"),
    ("$1,577 million", "about 1.58 billion dollars", "What was it?"),
    ("36.11%", "36%", "What share is it?"),
    ("55,646", "56,000", "What is its area?"),
)
OTHER = (
    ("$2.31 billion", "The balance sheet shows cash and cash equivalents of $2.31 million at fiscal year-end 2022.", "How much cash was there?"),
    ("$2 billion", "$2.1 billion", "What was revenue?"),
    ("$2.31 billion", "Cash was $2.31 million.", "How much cash was there?"),
    ("£2,945m", "$2,945 million", "What were the premiums?"),
    ("10.5%", "It was $10.5 million in 2014.", "By what percentage did it rise?"),
    ("24.5%", "Services were $1,102m, or 25.4%.", "What share of sales were services?"),
    ("$1.24 billion", "Net charge-offs were $1.24 billion, and the provision for credit losses was $0.86 billion.", "What was the provision for credit losses?"),
    ("1.4x", "Net debt / adjusted EBITDA = 4,190 / 1,905 ≈ 2.2x", "What is net debt to adjusted EBITDA?"),
    ("$100", "$140", "What was the ticket price?"),
    ("200", "204", "Which status code is it?"),
    ("118", "125", "How many elements are there?"),
)  # fmt: skip
OPEN = (
    # a value in another form, as a sum, a product, a share or a rest
    ("7.5", "It is \\frac{15}{2}, from 3 and 12.", "What is the median?"),
    ("7", "There are 5 main numbers and 2 stars.", "How many numbers are drawn?"),
    ("28", "He won 23 gold, 3 silver and 2 bronze medals.", "How many medals did he win?"),
    ("52", "4 suits of 13 cards", "How many cards are in a deck?"),
    ("20%", "1 in 5", "What percentage is it?"),
    ("20%", "Of 5 patients, 1 relapsed.", "What share relapsed?"),
    ("5%", "Per 1,000 births, 50 are premature.", "What share of births are premature?"),
    ("71%", "All but 29%", "What percentage is water?"),
    ("5", "It is the 5th of 220.", "What is its rank?"),
    ("18,426", "18, 426", "How many runs did he make?"),
    ("50%", "Halve it, to 20 mg.", "By how much is it reduced?"),
    ("1,500", "1.500", "How many?"),
    # other units, and units that nobody asked for
    ("120", "2 hours", "How long is the film in minutes?"),
    ("180", "1.80 m", "How tall is he in cm?"),
    ("10", "6.2 miles", "How many kilometres is it?"),
    ("100", "212 °F", "What is the boiling point of water?"),
    ("$0.99", "99 cents", "What is the price?"),
    ("250", "dose = 25 kg x 10 = 250 g", "What is the dose in mg?"),
    ("20", "The price is 4 x 5 = €20", "What is the price in dollars?"),
    # denied, bounded, of something else
    ("24.5%", "It was not 24.5%, as the first draft with 18% had it.", "What share was it?"),
    ("8.7%", "over 8.7%, from 1,150", "How much did it grow?"),
    ("3", "x = 1, y = 3", "What is x?"),
    ("$5", "Subtotal = $50, tax = $4, tip = $5", "How much is the tax?"),
    ("25%", "- Gross margin: 40%\n- Operating margin: **25%**", "What was the gross margin?"),
    ("8", "A spider has **8** eyes and 6 legs.", "How many legs does a spider have?"),
    ("1.4x", "Net debt / EBITDA = 4,190 / 2,992", "What is net debt to EBITDA?"),
    ("0.75", "It is 3/4 and not 2.", "What share is it?"),
    ("$2 million", "The company's net income was $5 million, an increase of $2 million.", "By how much did the company's net income increase?"),
    ("$500", "The camera's price is $400, down from $500.", "What was the original price of the camera?"),
    ("$260.2 billion", "Revenue was $274.5 billion in 2020, up from $260.2 billion.", "What was revenue in 2019?"),
    ("3", "1200 / 100 / 4", "How many does each get?"),
    ("1.5", "1 1 / 2 cups", "How many cups is it?"),
    ("1.5", "current assets / current liabilities = 3 : 2", "What is the current ratio?"),
    ("20%", "120 / 100 - 1", "By what share did it grow?"),
    # the sign
    ("65.4%", "a decrease of 65.4%", "What was the change in income?"),
    ("65.4%", "It rose by 65.4%.", "By how much did the decline change?"),
    ("-5%", "Net profit increased by 5%, from $100 million to $105 million.", "What was the percentage change in net profit?"),
    ("-5", "3 - 8 = 5", "What is 3 - 8?"),
    ("5", "3 - 8 = -5", "What is 8 - 3?"),
    # near, and not the same
    ("365", "360", "How many days are in a year?"),
    ("118", "120", "How many elements are there?"),
    ("3.14159", "3.14", "What is pi to 5 decimals?"),
    ("Paris", "12 and 13", "Where is it?"),
)  # fmt: skip


@pytest.mark.parametrize(("reference", "answer", "question"), SAME)
def test_the_same_value_is_found_at_any_scale_in_any_notation_and_among_its_steps(
    reference: str, answer: str, question: str
) -> None:
    assert classify_figure(reference, answer, question) == "same"


@pytest.mark.parametrize(("reference", "answer", "question"), ROUNDED)
def test_a_value_said_less_exactly_is_a_rounding(reference: str, answer: str, question: str) -> None:
    assert classify_figure(reference, answer, question) == "rounded"


@pytest.mark.parametrize(("reference", "answer", "question"), OTHER)
def test_another_value_scale_currency_or_kind_is_another_figure(
    reference: str, answer: str, question: str
) -> None:
    assert classify_figure(reference, answer, question) == "other"


@pytest.mark.parametrize(("reference", "answer", "question"), OPEN)
def test_what_may_hide_deny_or_bound_the_value_is_open(reference: str, answer: str, question: str) -> None:
    assert classify_figure(reference, answer, question) is None


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


@given(st.integers(10_000, 10**6), st.integers(1, 400), st.sampled_from(["{:,}", "It is {:,}", "${:,}"]))
def test_a_whole_number_is_itself_alone(value: int, off: int, form: str) -> None:
    assert classify_figure(f"{value:,}", form.format(value), "How much is it in $?") == "same"
    assert classify_figure(f"{value:,}", form.format(value + off), "How much is it in $?") != "same"


def test_a_reference_is_contradicted_by_other_figures_of_the_kind_of_one_that_is_missing() -> None:
    reference = "Yes, it improved from 4.1% to 6.8%."
    assert contradicts_figures(reference, "Yes, to 8.6% from 4.1%.")
    assert not contradicts_figures(reference, "Yes, from 4.1% to 6.8%.")
    assert not contradicts_figures(reference, "Yes, it did.")


def test_rules_accept_the_result_of_a_computation_and_reject_another() -> None:
    asked = "What share of sales were services?"
    right = apply_rules(
        Item(asked, ("24.5%",), "Services are 1,102 of 4,498 in sales, so 1,102 / 4,498 = 24.5%")
    )
    wrong = apply_rules(Item(asked, ("24.5%",), "Services are $1,102m in sales, so 22.1%."))
    assert right is not None
    assert right.accept
    assert wrong is not None
    assert not wrong.accept


def test_a_figure_in_a_list_of_guesses_is_not_accepted() -> None:
    ruling = apply_rules(Item("How many kilograms make a tonne?", ("1,000",), "$7.2 million, 1,000, three"))
    assert ruling is None or not ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer", "turned"),
    [
        ("It fell from 2.8x to 2.1x.", "It rose from 2.1x to 2.8x.", True), ("-0.9 points (from 4.2% to 3.3%)", "up, from 3.3 % to 4.2 %", True), ("It fell from 2.8x to 2.1x.", "from 2.8 to 2.1", False),
        ("It fell from 2.8x to 2.1x.", "from 2.1 to 1.9", False), ("It fell from 2.8x to 2.1x.", "It is 2.1x.", False), ("from 5 to 5", "from 5 to 5", False),
    ],
)  # fmt: skip
def test_a_change_the_other_way_is_turned_round(reference: str, answer: str, *, turned: bool) -> None:
    assert reverses_figures(reference, answer, "") is turned
