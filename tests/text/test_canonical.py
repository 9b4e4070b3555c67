"""The same value is written as the reference writes it, and no other value ever is."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from example_lines import check_lines
from karat.text import respell
from text_checks import respelt

OPENS = "What time does it open?"
EXAMPLES = Path(__file__).parent / "data" / "canonical.jsonl"
NUMBERS = st.integers(min_value=2, max_value=999)
UNITS = st.sampled_from(["days", "weeks", "kg", "km", "dollars", "%", "people", "hours"])
TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(["1", "12", "0", ".", ",", "/", "$", "%", " ", " ", "two", "half a", "weeks", "days", "kg", "lb", "May", "4th", "2020", "third", "million", "-", "(", "one hundred"]), max_size=14,
).map("".join)  # fmt: skip


def test_the_same_value_is_written_as_the_reference_writes_it_and_another_stays() -> None:
    check_lines(EXAMPLES, respelt=respelt)


@given(st.integers(min_value=13, max_value=23), st.integers(min_value=10, max_value=59))
def test_an_hour_of_the_afternoon_has_two_forms(hour: int, minute: int) -> None:
    assert respell(f"{hour - 12}:{minute} pm", f"at {hour}:{minute}", OPENS) == f"at {hour - 12}:{minute} pm"


@given(NUMBERS, UNITS, NUMBERS, UNITS)
def test_a_text_is_written_like_itself_and_other_numbers_stay(
    one: int, unit: str, other: int, kind: str
) -> None:
    text = f"There were {one} {unit} and {other} {kind} of it."
    assert respell(text, text) == text
    if one != other:
        assert str(other) in respell(f"{one} people", f"They were {other} people.")


@given(TEXTS, TEXTS)
def test_any_two_texts_can_be_compared(reference: str, answer: str) -> None:
    assert isinstance(respell(reference, answer), str)
    assert respell(answer, answer) == answer


def test_a_date_of_the_question_stays() -> None:
    assert respell(
        "2 May 2011", "What links May 2, 2011 and Pakistan", "What links May 2, 2011 and Pakistan?"
    ) == ("What links May 2, 2011 and Pakistan")
