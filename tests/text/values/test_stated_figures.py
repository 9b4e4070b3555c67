"""Figures that a reference states, as a value or in a sentence: the same, rounded, another or misplaced."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from example_lines import Line, check_lines
from karat.core.types import Item
from karat.text import apply_rules, gives_other_figure, misplaces_figures
from karat.text.values.stated_figures import gives_figures
from text_checks import figure_class

EXAMPLES = Path(__file__).with_name("stated_figures.jsonl")


def other_figure(line: Line) -> bool:
    return gives_other_figure(line["reference"], line["answer"], line["question"])


def misplaced(line: Line) -> bool:
    return misplaces_figures(line["reference"], line["answer"])


def test_a_stated_figure_is_the_same_rounded_another_or_left_undecided() -> None:
    check_lines(EXAMPLES, like=figure_class, other_figure=other_figure, misplaced=misplaced)


def test_a_name_or_a_value_is_no_statement() -> None:
    assert not gives_other_figure("Numbers 22:28", "Numbers, chapter 22", "Where does the donkey talk?")
    assert not gives_other_figure("57 days", "69 days", "How long does it last?")


@given(st.integers(1, 10**6), st.sampled_from(["$", "€", ""]), st.sampled_from(["%", " million", ""]))
def test_a_statement_never_contradicts_itself(count: int, sign: str, unit: str) -> None:
    told = f"In the last quarter of the year it came to {sign}{count}{unit}, after {sign}{count + 7}{unit} before."
    assert not gives_other_figure(told, told, "What did it come to?")
    assert not misplaces_figures(told, told)


def test_figures_that_have_changed_places_are_found() -> None:
    reference = "7.0% with the drug vs 3.1% with placebo"
    assert misplaces_figures(reference, "3.1% stopped with the drug, versus 7.0% of those on placebo.")
    assert not misplaces_figures(reference, "With placebo it was 3.1%, while the drug had 7.0%.")
    assert not misplaces_figures(reference, "It was 3.1% and 7.0%.")


def test_a_yes_or_no_is_given_by_its_figures_in_their_order() -> None:
    question, reference = "Did the margin improve?", "Yes, the margin improved from 34.1% to 35.6%."
    assert gives_figures(reference, "It went from 34.1% to 35.6%, the best in years.", question)
    assert gives_figures(reference, "The margin was about 36%, after 34%.", question) is False
    assert gives_figures(reference, "The margin fell from 35.6% to 34.1%.", question) is False
    assert gives_figures(reference, "It is now 35.6%.", question) is False


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
