"""Yes and no, also where neither word is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import is_said_polarity, rule_on
from karat.text.polarity import asks_polar, tell_polarity

GUN = "Do you need a permit to own a gun in Florida?"
CAPITAL = "Is Norland a capital-intensive business?"
SAID = (
    (GUN, "In Florida, you do not need a permit to own a gun, but you need one to carry it.", False),
    (GUN, "You need a permit to own a gun in Florida.", True),
    (GUN, "No, none is needed.", False),
    (CAPITAL, "It does not. Sales are large.", False),
    (CAPITAL, "Not really: little is tied up.", False),
    (CAPITAL, "Norland is a highly capital intensive business.", True),
)
OPEN = (
    (GUN, "It depends on the kind of gun."),
    (GUN, "Guns are sold in Florida."),
    (GUN, "Do you need a permit to own a gun in Florida?"),
    ("Is it not true that ice floats?", "Ice floats, it is true."),
)


@pytest.mark.parametrize(("question", "answer", "said"), SAID)
def test_yes_and_no_are_read_from_the_words_or_from_the_question_said_again(
    question: str, answer: str, *, said: bool
) -> None:
    assert tell_polarity(question, answer) is said


@pytest.mark.parametrize(("question", "answer"), OPEN)
def test_what_says_neither_is_open(question: str, answer: str) -> None:
    assert tell_polarity(question, answer) is None


def test_a_question_with_a_choice_is_not_one_for_yes_or_no() -> None:
    assert asks_polar(GUN)
    assert not asks_polar("Is it red or blue?")
    assert not asks_polar("Which gun needs a permit?")


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [("No.", True), ("Yes, it is; assets are large.", False), ("Norland is a capital-intensive business.", False), ("No, since assets are small.", None)],
)  # fmt: skip
def test_the_opposite_is_rejected_the_bare_word_accepted_and_reasons_are_left_open(
    answer: str, *, accepted: bool | None
) -> None:
    ruling = rule_on(Item(CAPITAL, ("No, its assets are small: 5.1% of sales.",), answer))
    assert (None if ruling is None else ruling.accept) is accepted


def test_what_is_said_in_other_words_counts_unless_its_figures_contradict() -> None:
    references = ("No. Norland had 5.1% of its sales in assets.",)
    assert is_said_polarity(CAPITAL, references, "Norland is not a capital-intensive business.")
    assert not is_said_polarity(CAPITAL, references, "Norland is not a capital-intensive business, at 9.3%.")


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_text_can_be_asked_for_its_polarity(question: str, answer: str) -> None:
    assert tell_polarity(question, answer) in {True, False, None}
