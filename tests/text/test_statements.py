"""Figures that a reference states in a sentence: another one in the place of one, and two that have changed places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.text import gives_other_figure, has_other_scale, has_other_sign, misplaces_figures
from karat.text.values.stated_figures import gives_figures

STORES = "How many shops did the chain open in 2022, and how many did it have in the end?"
OPENED = "The chain opened 47 new shops in 2022 and ended the year with 1,355 shops."


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        (STORES, OPENED, "It opened 49 new shops and had 1,355 shops at the end of the year."),
        (STORES, OPENED, "47 new shops were opened; in December there were 1,308 shops."),
        ("Did the margin improve?", "Yes, the margin rose from 4.1% to 6.8%.", "Yes, it went from 4.1% to 8.6%."),
        ("What was paid for it?", "The buyer paid $1.26 billion for the maker.", "It paid $1,185 million in cash in the fourth quarter."),
        ("How did leverage develop?", "It fell from 2.8x to 2.1x in a year.", "Net debt of $3,780m / EBITDA of $1,575m = 2.4x, down from 2.8x."),
    ],
)  # fmt: skip
def test_another_figure_in_the_place_of_one_is_seen(question: str, reference: str, answer: str) -> None:
    assert gives_other_figure(reference, answer, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        (STORES, OPENED, "It opened 47 shops, closed 12 others, and had 1,355 shops in the end."),
        (STORES, OPENED, "It opened about 50 shops, and had some 1,400 shops in December."),
        (STORES, OPENED, "It opened many, and had 1,355 shops in the end."),
        (STORES, OPENED, "Forty-seven shops were opened; it had 1,355 shops, 3 of them in Rome."),
        ("What is the guidance?", "Revenue of $2.92 billion to $2.96 billion is expected.", "Management expects $2.92–$2.96 billion in revenue."),
        ("What share was it?", "36% of the purchases were made in autumn.", "$328.1 million / $900.0 million = 36.5% of the purchases."),
        ("What share was it?", "Half of it, that is 50% of the sum.", "One half; a year ago it was 40%."),
        ("By how much did sales grow from 3%?", "Growth went up from 3% to 5% in a year.", "It went up from 3% to 5%, against 2% elsewhere."),
        ("How big is it?", "The diameter falls tenfold (300 m to 30 m).", "It falls tenfold, e.g. from 5,120 m to 512 m."),
        ("How many people does it hold?", "The stadium holds 45,000 people on match days.", "On match days it holds 45 000 people."),
        ("What happened to sales?", "Sales declined by 5,000 units because of shortages.", "Sales declined from 50,000 units to 45,000 units."),
        ("What happened to profits?", "Profits fell from $4 million to $3 million last year.", "Profits fell by $1 million, to $3 million."),
        ("Was the effect significant?", "Yes, it was significant, with a p-value of 0.03.", "Yes, it was significant (p < 0.05)."),
        ("Which notes were redeemed?", "The 5.75% notes due 2025, with $600 million outstanding.", "The 5.75% notes, by a new issue of $750 million."),
        ("Which terminals are connected?", "Terminals 4, 5 and 6 are connected to the battery.", "Terminals 1, 2 and 3 are not."),
    ],
)  # fmt: skip
def test_more_figures_roundings_and_words_for_them_are_none(
    question: str, reference: str, answer: str
) -> None:
    assert not gives_other_figure(reference, answer, question)


def test_a_name_or_a_value_is_no_statement() -> None:
    assert not gives_other_figure("Numbers 22:28", "Numbers, chapter 22", "Where does the donkey talk?")
    assert not gives_other_figure("57 days", "69 days", "How long does it last?")


@given(st.integers(1, 10**6), st.sampled_from(["$", "€", ""]), st.sampled_from(["%", " million", ""]))
def test_a_statement_never_contradicts_itself(count: int, sign: str, unit: str) -> None:
    told = f"In the last quarter of the year it came to {sign}{count}{unit}, after {sign}{count + 7}{unit} before."
    assert not gives_other_figure(told, told, "What did it come to?")
    assert not misplaces_figures(told, told)


def test_figures_that_have_changed_places_are_seen() -> None:
    reference = "7.0% with the drug vs 3.1% with placebo"
    assert misplaces_figures(reference, "3.1% stopped with the drug, versus 7.0% of those on placebo.")
    assert not misplaces_figures(reference, "With placebo it was 3.1%, while the drug had 7.0%.")
    assert not misplaces_figures(reference, "It was 3.1% and 7.0%.")


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("38.4% in FY2021 and 41.0% in FY2022.", "It was 41.0% in FY2021 and 38.4% in FY2022."),
        ("Sales grew 19% to $412 million and billings grew 13% to $455 million.", "Sales climbed 13% to $412 million, and billings 19% to $455 million."),
        ("The ratio rose to 62.9% and volumes fell 5%.", "The ratio rose to 62.9%, helped by volume growth of 5%."),
        ("The drug had 7%, while placebo had 3%.", "Placebo had 7%, while the drug had 3%."),
        ("Apple rose 3%, while Google fell 2%.", "Google rose 3%, while Apple fell 2%."),
        ("Anna scored 90 points, and Ben scored 70 points.", "Ben scored 90 points, and Anna scored 70 points."),
        ("A net loss of $734 million was reported.", "It reported a gain of $734 million."),
    ],
)  # fmt: skip
def test_rates_of_each_other_and_rises_for_falls_are_seen(reference: str, answer: str) -> None:
    assert misplaces_figures(reference, answer)
    assert not misplaces_figures(reference, reference)


def test_a_yes_is_told_by_its_figures_in_their_order() -> None:
    question, reference = "Did the margin improve?", "Yes, the margin improved from 34.1% to 35.6%."
    assert gives_figures(reference, "It went from 34.1% to 35.6%, the best in years.", question)
    assert gives_figures(reference, "The margin was about 36%, after 34%.", question) is False
    assert gives_figures(reference, "The margin fell from 35.6% to 34.1%.", question) is False
    assert gives_figures(reference, "It is now 35.6%.", question) is False


@pytest.mark.parametrize(
    ("reference", "answer", "other"),
    [
        ("-3.7%", "Revenue grew by about 3.7%.", True),
        ("-3.7%", "Revenue declined by 3.7%.", False),
        ("-3.7%", "(3.7)%", False),
        ("3.7%", "Revenue fell by 3.7%.", True),
        ("3.7%", "Revenue grew by 3.7%.", False),
        ("3.7%", "It was 3.7%.", False),
    ],
)
def test_a_rise_is_no_fall(reference: str, answer: str, *, other: bool) -> None:
    assert has_other_sign(reference, answer, "What was the change in revenue?") is other


@pytest.mark.parametrize(
    ("reference", "answer", "other"),
    [
        ("8,742", "It spent $8,742 million on equipment.", True),
        ("8,742", "It spent $8.742 million.", False),
        ("8,742", "It spent 8,742 on equipment.", False),
        ("$8.7 billion", "It spent $8.7 million.", True),
        ("$8.7 billion", "It spent $8,700 million.", False),
    ],
)
def test_millions_are_no_thousands(reference: str, answer: str, *, other: bool) -> None:
    question = "What did it spend on equipment (in thousands of dollars)?"
    assert has_other_scale(reference, answer, question) is other
