"""Text that goes through a spreadsheet."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.labels.spreadsheet import guard_cell, unguard_cell

FORMULAS = ["=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "|calc", "%0A"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_shown_as_text(text: str) -> None:
    assert guard_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["Vienna", "42", "", "a=b", "'quoted'", "3-4"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert guard_cell(text) == text


@given(st.text(max_size=60).filter(lambda text: "\0" not in text))
def test_no_cell_begins_with_what_starts_a_formula_and_all_come_back(text: str) -> None:
    shown = guard_cell(text)
    assert not shown.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unguard_cell(shown) == text


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20), min_size=1
    )
)
def test_cells_survive_the_csv_of_a_spreadsheet(cells: list[str]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerow([guard_cell(cell) for cell in cells])
    (back,) = csv.reader(io.StringIO(stream.getvalue(), newline=""))
    assert [unguard_cell(cell) for cell in back] == cells


def test_long_text_is_cut_to_what_a_cell_holds_and_says_so() -> None:
    shown = guard_cell("x" * 100_000)
    assert len(shown) < 32_767
    assert shown.endswith("[cut: 100,000 characters in all]")
