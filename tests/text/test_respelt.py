"""The same value is written as the reference writes it, and no other value ever is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.text import respell


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("within 14 days of delivery", "up to two weeks after it", "up to 14 days after it"),
        ("if worth less than $50", "below fifty dollars", "below $50"),
        ("25 days per year", "Twenty-five paid days a year", "25 paid days a year"),
        ("Six months", "half a year", "Six months"),
        ("11.5 kg", "About 25.4 lb", "About 11.5 kg"),
        ("2/5", "P = 4/10, i.e. a 40% chance", "P = 2/5, i.e. a 2/5 chance"),
        ("4 May 1911", "It was on May 4th, 1911.", "It was on 4 May 1911."),
        ("1,642 shops", "1642 shops", "1,642 shops"),
        ("twelve apostles", "12 apostles", "twelve apostles"),
        ("500,000", "half a million", "500,000"),
        ("200 mg twice daily", "0.2 g twice a day", "200 mg twice a day"),
        ("two-thirds", "2/3 of them", "two-thirds of them"),
        ("90 minutes", "one and a half hours", "90 minutes"),
        ("30 months", "It took two and a half years.", "It took 30 months."),
        ("1.5 million", "one and a half million", "1.5 million"),
        ("twelve of them", "12 players", "twelve players"),
        ("0.9 percentage points", "it fell by 90 basis points", "it fell by 0.9 percentage points"),
        ("120 bps", "1.2 percentage points", "120 bps"),
        ("42.195 km", "26 miles and 385 yards", "42.195 km"),
    ],
)
def test_the_same_value_is_written_alike(reference: str, answer: str, read: str) -> None:
    assert respell(reference, answer) == read


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("14 days", "three weeks"), ("$50", "fifty euros"), ("$2.31 billion", "$2.31 million"), ("5 km", "5 miles"), ("20 years", "twenty five-year plans"), ("12 km", "12 kg"),
        ("4 May 1911", "May 5th, 1911"), ("1990", "the nineties"), ("11.5 kg", "26 lb"), ("6 feet", "1.9 m"), ("a third", "33%"), ("5", "the fifth one"), ("3 May", "three of them may"),
        ("$500,000", "one and a half million dollars"), ("30 minutes", "two and a half hours"), ("100 °C", "102 °C"), ("98.6 °F", "99 °F"), ("12", "half a dozen"), ("500,000", "over half a million"),
        ("14 days", "more than two weeks"), ("eleven", "10 to 11"), ("2,000", "half a stadium"), ("3.1416", "3.14"), ("37.5 mg", "38 mg"), ("500 mg", "one and a half grams"),
        ("40 %", "40"), ("1.2 percentage points", "1.2 %"), ("120 basis points", "120 percentage points"), ("50%", "fifty people"), ("1.83 m", "6 feet 2 inches"), ("2 hours", "1 hour 120 minutes"), ("six weeks", "42 days before surgery"), ("Apollo 11", "eleven people, one of them Apollo"), ("7", "no figure at all"), ("no figure at all", "seven"),
    ],
)  # fmt: skip
def test_another_value_stays_as_it_is(reference: str, answer: str) -> None:
    said = respell(reference, answer)
    assert said == answer or said == answer.replace("eleven", "11")


NUMBERS = st.integers(min_value=2, max_value=999)
UNITS = st.sampled_from(["days", "weeks", "kg", "km", "dollars", "%", "people", "hours"])


@given(NUMBERS, UNITS, NUMBERS, UNITS)
def test_a_text_is_its_own_writing_and_other_numbers_stay(one: int, unit: str, other: int, kind: str) -> None:
    text = f"There were {one} {unit} and {other} {kind} of it."
    assert respell(text, text) == text
    if one != other:
        assert str(other) in respell(f"{one} people", f"They were {other} people.")


TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(["1", "12", "0", ".", ",", "/", "$", "%", " ", " ", "two", "half a", "weeks", "days", "kg", "lb", "May", "4th", "2020", "third", "million", "-", "(", "one hundred"]), max_size=14,
).map("".join)  # fmt: skip


@given(TEXTS, TEXTS)
def test_any_two_texts_can_be_compared_and_a_text_is_written_like_itself(reference: str, answer: str) -> None:
    assert isinstance(respell(reference, answer), str)
    assert respell(answer, answer) == answer


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("Alexander Graham Bell", "It was A. G. Bell.", "It was Alexander Graham Bell."), ("Alexander Graham Bell", "AG Bell", "Alexander Graham Bell"),
        ("Usain Bolt", "U. Bolt", "Usain Bolt"), ("carbon dioxide", "CO₂", "carbon dioxide"), ("Carbon dioxide", "They take in CO2.", "They take in Carbon dioxide."),
    ],
)  # fmt: skip
def test_names_in_initials_and_formulas_are_written_out(reference: str, answer: str, read: str) -> None:
    assert respell(reference, answer) == read


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("John Adams", "J. Q. Adams"), ("Joanne Rowling", "J.K. Rowling"), ("Alexander Graham Bell", "M. Bell"), ("carbon monoxide", "CO2"), ("Au", "gold"), ("gold", "Au"), ("helium", "He isolated argon."), ("John Quincy Adams", "J. Adams"), ("Premier League", "P. League"),
        ("the town hall", "T. H. Hall"), ("carbon", "CO2"),
    ],
)  # fmt: skip
def test_other_initials_and_formulas_stay(reference: str, answer: str) -> None:
    assert respell(reference, answer) == answer


def test_what_the_question_says_is_not_the_answers_own() -> None:
    assert respell(
        "2 May 2011", "What links May 2, 2011 and Pakistan", "What links May 2, 2011 and Pakistan?"
    ) == ("What links May 2, 2011 and Pakistan")
