"""Times of day, numbered things, dates of numbers and names of people are written as the reference writes them, where they are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.text import respell

OPENS = "What time does it open?"


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("3 pm", "15:00", "3 pm"), ("3 pm", "at 3 o'clock in the afternoon", "at 3 pm"), ("3 pm", "3 o’clock in the afternoon", "3 pm"), ("09:15", "9:15 am", "09:15"), ("10 pm", "at 10 at night", "at 10 pm"), ("noon", "12:00", "12:00"),
        ("15:00", "3:00", "3:00"), ("3 pm", "3 am", "3 am"), ("5", "5 pm", "5 pm"), ("5:30 pm", "a 5.3 % share", "a 5.3 % share"), ("12:30 pm", "12:30", "12:30 pm"), ("12:00", "12 am", "12 am"),
        ("9:10", "21:10", "21:10"), ("5 pm", "after 17:00", "after 17:00"), ("3 pm", "15:00 to 16:00", "15:00 to 16:00"), ("8 hours", "at 8 am", "at 8 am"), ("7 a.m.", "from 7:00 a.m. to 2:00 a.m.", "from 7:00 a.m. to 2:00 a.m."),
    ],
)  # fmt: skip
def test_the_same_time_of_day_is_written_alike_and_no_other(reference: str, answer: str, read: str) -> None:
    assert respell(reference, answer, OPENS) == read


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Which verse is it?", "John 3:16 pm", "John 15:16"), ("How long did it run?", "10 hours", "It began at 10 am."), ("What is 15:00 in words of half a day, when it is summer?", "3 pm", "15:00"),
    ],
)  # fmt: skip
def test_what_is_no_time_asked_for_stays_as_it_is(question: str, reference: str, answer: str) -> None:
    assert respell(reference, answer, question) == answer


@given(st.integers(min_value=13, max_value=23), st.integers(min_value=10, max_value=59))
def test_an_hour_of_the_afternoon_has_two_writings(hour: int, minute: int) -> None:
    assert respell(f"{hour - 12}:{minute} pm", f"at {hour}:{minute}", OPENS) == f"at {hour - 12}:{minute} pm"


@pytest.mark.parametrize(
    ("reference", "answer", "question", "read"),
    [
        ("the eighth season", "It is Season 8.", "Which season is the last?", "It is the eighth season."),
        ("The eighth", "It ended with season 8.", "what is the final season", "It ended with The eighth."),
        ("third", "round 3", "What place did she get in the final round?", "round 3"),
        ("level 20", "level twenty one", "Which level is it?", "level twenty one"),
        ("Season 2", "in Season ı of it", "Which season is it?", "in Season ı of it"),
        (
            "Season 1",
            "The season I like best is season 3.",
            "Which season is best?",
            "The season I like best is season 3.",
        ),
        ("Season one", "It is season I.", "Which season is best?", "It is Season one."),
        ("season 6", "sixth", "Which season was she in?", "season 6"),
        ("6th season", "season six", "Which season was she in?", "6th season"),
        ("14th Amendment", "Amendment XIV", "Which amendment is it?", "14th Amendment"),
        ("the fourth season", "in Season 3", "When do they meet?", "in 3rd season"),
        ("season 4", "the third season", "When do they meet?", "season 3"),
        ("season 6", "sixth", "Who came sixth?", "sixth"),
        ("third season", "Act III", "When?", "Act III"),
        ("season 6", "6 seasons", "How many seasons?", "6 seasons"),
    ],
)
def test_numbered_things_are_told_as_the_reference_tells_them(
    reference: str, answer: str, question: str, read: str
) -> None:
    assert respell(reference, answer, question) == read


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("October 9, 2001", "10/09/2001", "October 9, 2001"), ("October 9, 2001", "on 9/10/2001", "on October 9, 2001"), ("9 October 2001", "09.10.2001", "9 October 2001"),
        ("October 9, 2001", "11/09/2001", "11/09/2001"), ("9 October 2001", "10.09.2001", "10.09.2001"), ("10 km", "10/09/2001", "10/09/2001"),
    ],
)  # fmt: skip
def test_a_date_of_numbers_is_the_reference_where_it_may_be(reference: str, answer: str, read: str) -> None:
    assert respell(reference, answer) == read


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("1945", "nineteen forty-five", "1945"), ("May 1906", "in May nineteen oh six", "in May 1906"), ("2012", "two thousand and twelve", "2012"), ("2000", "two thousand", "2000"),
        ("2024", "twenty twenty-four", "2024"), ("1945", "nineteen forty-six", "nineteen forty-six"), ("1945", "nineteen forty", "nineteen forty"), ("2000", "two thousand people", "2000 people"),
        ("nineteen", "nineteen forty-five", "nineteen forty-five"), ("2000", "two thousand five hundred", "two thousand five hundred"), ("2012", "twenty twelve-year-olds", "twenty twelve-year-olds"), ("2017", "in FY17", "in 2017"), ("FY2017", "FY17", "FY2017"), ("2017", "fiscal year 2017", "2017"), ("2017", "FY18", "FY18"), ("FY2017", "fiscal 2018", "fiscal 2018"), ("FY17", "fiscal year 2017", "FY17"), ("1998", "FY98", "1998"),
    ],
)  # fmt: skip
def test_a_year_in_words_is_written_in_figures_where_it_is_the_reference(
    reference: str, answer: str, read: str
) -> None:
    assert respell(reference, answer) == read


@pytest.mark.parametrize(
    ("reference", "answer", "read"),
    [
        ("Robert Kennedy", "It was Bobby Kennedy.", "It was Robert Kennedy."),
        ("Bob Smith", "Robert Smith", "Bob Smith"),
        ("R. B. Bennett", "Richard Bedford Bennett", "R. B. Bennett"),
        ("Sir Benegal Narsing Rau", "B. N. Rau", "Sir Benegal Narsing Rau"),
        ("Alexander Graham Bell", "A.G. Bell", "Alexander Graham Bell"),
        ("Alexander Graham Bell", "by Professor A. G. Bell.", "by Professor Alexander Graham Bell."),
        (
            "John Pierpont Morgan",
            "J. P. Morgan. J. P. Morgan led it.",
            "John Pierpont Morgan. John Pierpont Morgan led it.",
        ),
        ("Robert Kennedy", "Senator Smith and Mr. Bobby Kennedy", "Senator Smith and Mr. Robert Kennedy"),
    ],
)
def test_a_person_is_called_as_the_reference_does(reference: str, answer: str, read: str) -> None:
    assert respell(reference, answer) == read


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("John Adams", "John Quincy Adams"), ("John Quincy Adams", "John Adams"), ("Michael B. Jordan", "Michael Jordan"), ("George H. W. Bush", "George W. Bush"), ("Alexander Graham Bell", "Alexander Melville Bell"), ("Alexander Graham Bell", "A. Bell"), ("Jane Seymour", "Jean Seymour"),
        ("Henry Ford", "Henry Ford II"), ("New York City", "New City"), ("Robert Kennedy", "Kennedy"), ("Brian Wilson", "Ricky Wilson"), ("North Sea", "N. Sea"), ("Bank of England", "B. England"),
    ],
)  # fmt: skip
def test_another_person_or_a_place_stays_as_it_is(reference: str, answer: str) -> None:
    assert respell(reference, answer) == answer


def test_capitals_are_no_person_where_none_is_asked_for() -> None:
    assert respell("Victoria Line", "Vicky Line", "Which line is it?") == "Vicky Line"
    assert respell("John Stuart Mill", "J.S. Mill", "Which text has its author here?") == "John Stuart Mill"


def test_one_long_word_of_capitals_takes_no_time() -> None:
    """Names are looked for before the last one only, so that a sequence of letters is passed at once."""
    for answer in ("Aa" * 2000, "A" * 4000, "ATGC" * 1000, "A. " * 1300 + "Franklin"):
        assert respell("Rosalind Elsie Franklin", answer, "Who found it?") == answer
