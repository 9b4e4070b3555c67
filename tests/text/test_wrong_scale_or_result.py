"""The reference's figure said wrongly: on another scale, or left for another result."""

import pytest

from karat.text import concludes_other_figure, has_other_scale
from karat.text.values.stated_figures import classify_figure

ASKED = "What is it?"


@pytest.mark.parametrize(
    ("reference", "answer", "other"),
    [
        ("1616000000.00", "$1,616,000", True),
        ("$1,616,000,000", "$1,616,000", True),
        ("1616000000.00", "$1,616,000,000", False),
        ("1616000000.00", "1,616,000 (in thousands)", False),  # a table's figure has no currency
        ("$5,000", "$5", False),
    ],
)
def test_an_amount_that_lost_three_zeros_is_another(reference: str, answer: str, *, other: bool) -> None:
    assert has_other_scale(reference, answer, "What dollar amount was authorized?") is other


@pytest.mark.parametrize(
    ("reference", "answer", "otherwise"),
    [
        ("6.2%", "2018: 31 / 500 = 6.2%\n2019: 33 / 524 = 6.3%\nAverage = (6.2 + 6.3) / 2 = **6.5%**", False),
        ("8", "f(2) = 8 - 8 = 0, so the answer is 0.", True),
        ("42", "6 x 7 = 43", True),
        ("12", "Area: 3 × 4 = 12, perimeter: 2(3+4) = 14", False),
        ("5", "x = 5. Check: 2*5 + 3 = 13", False),
        ("$15", "The tax is $15, so the total is $165.", False),
        ("80%", "80% passed, so 20% failed.", False),
        ("93.86", "DPO = 365 × 34,616 / 116,520 = 108.43\n\nThe DPO was 108.43 days.", True),
        ("8 litres", "You'll need 8 L: 40 ÷ 10 = 4 L per coat, times two coats.", False),
        ("12", "3 * 4 = 12", False),
        ("12", "3 * 4 = 12. So each of the 5 gets 12.", False),
        ("12%", "It is 12 %.", False),
    ],
)
def test_what_an_answer_comes_to_counts_and_not_what_it_began_with(
    reference: str, answer: str, *, otherwise: bool
) -> None:
    assert concludes_other_figure(reference, answer, ASKED) is otherwise


@pytest.mark.parametrize(
    ("reference", "answer", "question", "like"),
    [
        ("4 g", "4 grams per day", "What is the maximum daily dose?", "same"),
        ("4 g", "4 grams per hour", "What is the maximum daily dose?", "other"),
        ("4 g", "4 grams per day", "How much is in a tablet?", None),
        ("20 mg per day", "20 mg", "What is the daily dose?", "same"),
        ("about 15 mm", "1.5 cm a year, more or less", "What is the annual rainfall?", "same"),
        ("58.91%", "Around 59% of revenue (1,412.0 of 2,397.0)", "What percent came from the US?", "rounded"),
        ("8", "8 (5 + 3)", "What is the value?", None),  # or 8 times 8
        ("165°F (74°C)", "until it reaches 74 °C", "How hot should it be?", "same"),
        ("600 IU (15 mcg)", "15 micrograms a day", "What is the daily allowance?", "same"),
        ("8.3%", "214.6 ÷ 2,586.0 = 0.083, or 8.3%.", "What percentage is it?", "same"),
        ("Decreased by 24 basis points", "-24 bps", "How much did the margin change?", "same"),
        ("Decreased by 24 basis points", "It rose by 24 bps.", "How much did the margin change?", None),
        ("24.26", "24.3 times", "What is the ratio? Round your answer to two decimal places.", "rounded"),
        ("3.14159", "3.14", "What is pi to 5 decimals?", None),
        ("2,148", "$2.15 billion", "What was it for three years, in millions?", "rounded"),
        ("0.2 A", "200 mA", "What current flows?", "same"),
        ("424 ppm", "424.0 parts per million", "What is the concentration?", "same"),
    ],
)
def test_other_writings_of_a_figure_are_told(
    reference: str, answer: str, question: str, like: str | None
) -> None:
    assert classify_figure(reference, answer, question) == like
