r"""Measures in LaTeX, in plain signs."""

import pytest

from effort import bounded_effort
from karat.core.types import Item
from karat.text import write_out_latex


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (r"$c \approx 3.00 \times 10^{8}\ \text{m/s}$", "c ≈ 3.00 × 10^8 m/s"),
        (r"The density is $2.7\,\mathrm{g/cm^{3}}$.", "The density is 2.7 g/cm^3."),
        (r"\(25\%\)", "25%"),
        (r"It boils at $100^\circ\text{C}$.", "It boils at 100° C."),
        (r"$1{,}250\ \text{kg}$", "1,250 kg"),
        (r"$5 \pm 0.2\ \text{mm}$", "5 ± 0.2 mm"),
    ],
)
def test_a_measure_is_written_in_plain_signs(said: str, plain: str) -> None:
    assert write_out_latex(Item("How much?", ("5",), said)).answer == plain


@pytest.mark.parametrize(
    "said",
    [
        r"\frac{1}{2}",
        r"\boxed{42}",
        r"$x_1 = \sqrt{2}$",
        r"C:\temp\text",
        "$5 and $6",
        r"\d+ matches digits",
        "plain",
    ],
)
def test_formulas_money_and_paths_stay_as_they_are(said: str) -> None:
    item = Item("How much?", ("5",), said)
    assert write_out_latex(item).answer == said


@pytest.mark.parametrize("sign", ["\\[ \\ ", "$ \\times ", "\\text{", "\\( "])
def test_signs_that_nothing_closes_are_passed_quickly(sign: str) -> None:
    with bounded_effort():
        write_out_latex(Item("How much?", ("5",), f"{sign * 8000} \\times"))
