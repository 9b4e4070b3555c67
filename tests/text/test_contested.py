"""What no judge should accept though it holds the reference, and what only dresses an answer up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import find_contest, rule_on, undress

QUESTION = "Who wrote the story?"


def contest(answer: str, *references: str, question: str = QUESTION) -> str | None:
    return find_contest(Item(question, references or ("Mark Twain",), answer))


@pytest.mark.parametrize(
    "answer",
    [
        "1. Mark Twain\n2. Bret Harte\n3. Ambrose Bierce", "- Bret Harte\n- Mark Twain\n- Jack London", "Bret Harte; Mark Twain; Jack London",
        "Possible answers: Mark Twain, Bret Harte, Jack London.", "Mark Twain and Bret Harte and Jack London", "Mark Twain/Bret Harte", "Mark Twain or Bret Harte",
        "It is Mark Twain. The answer is Bret Harte.", "It was written by Mark Twain. It was written by Bret Harte.", "Mark Twain. No, Bret Harte.",
        "Mark Twain = wrong, Bret Harte = right", "It is not true that Mark Twain wrote it.", "It is a myth that the story is by a man called Mark Twain.",
    ],
)  # fmt: skip
def test_guesses_choices_and_denials_are_contested(answer: str) -> None:
    assert contest(answer)


@pytest.mark.parametrize("answer", ["12 km, 40 kg, 3 °C", "12, or else 40 °F", "4 May 1911/3 June 1912"])
def test_values_beside_others_are_contested(answer: str) -> None:
    assert contest(answer, "4 May 1911" if "May" in answer else "12 km" if "km" in answer else "12")


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("Mark Twain", ("Mark Twain",)), ("It was Mark Twain, not Bret Harte.", ("Mark Twain",)), ("Twain wrote it, or so the cover says, in 1865.", ("Mark Twain",)),
        ("Hannibal, Missouri", ("Hannibal",)), ("red, green and blue", ("red, green and blue",)), ("Estonia, Latvia, Lithuania", ("Estonia", "Latvia", "Lithuania")),
        ("The story was written by Mark Twain, who also wrote Tom Sawyer and Huckleberry Finn.", ("Mark Twain",)), ("It has four chambers: two atria, two ventricles.", ("four",)),
        ("There are 12 of them.", ("12",)),
    ],
)  # fmt: skip
def test_plain_and_fuller_answers_are_not(answer: str, references: tuple[str, ...]) -> None:
    assert contest(answer, *references) is None


@pytest.mark.parametrize(
    "answer",
    [
        "Good question! Mark Twain.", "Thank you for asking! Mark Twain. I hope that this helps.", "Sure, happy to help. Mark Twain.", "Who wrote the story? Mark Twain.",
        "You ask: Who wrote the story?\nMark Twain.", "Question: Who wrote the story?\nAnswer: Mark Twain.", "**Mark Twain**", "> Mark Twain", "# Mark Twain", "“Mark Twain”",
        "Hello! Mark Twain. Have a nice day!", "Of course. Mark Twain. Please ask again at any time.", "**Answer:** Mark Twain",
    ],
)  # fmt: skip
def test_dress_is_taken_off(answer: str) -> None:
    assert undress(QUESTION, answer).rstrip(".") == "Mark Twain"


@pytest.mark.parametrize(
    "answer",
    [
        "Thank you!",
        "Good question!",
        QUESTION,
        "Hello",
        'The story "Jim Smiley" by "Mark Twain"',
        "a * b",
        "It's 'Twain'.",
    ],
)
def test_what_is_no_dress_or_all_there_is_stays(answer: str) -> None:
    assert undress(QUESTION, answer) == answer


@given(st.text(max_size=80), st.text(max_size=80))
def test_undressing_and_contesting_never_fail_and_leave_something(question: str, answer: str) -> None:
    bare = undress(question, answer)
    assert bool(bare.strip()) == bool(answer.strip())
    find_contest(Item(question, ("x", "12"), answer))


@pytest.mark.parametrize(
    "answer", ["Good question! No, it needs a medium.", "You ask: Can sound cross a vacuum?\nNo, it cannot."]
)
def test_yes_and_no_are_found_under_politeness(answer: str) -> None:
    ruling = rule_on(Item("Can sound cross a vacuum?", ("No",), answer))
    assert ruling is not None
    assert ruling.accept
