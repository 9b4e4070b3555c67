"""Objections: answers that mention the reference and must not be accepted."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from example_lines import check_lines
from karat.core.types import Item
from karat.text import check_gate, find_objection
from text_checks import has_objection, objection, off_topic, verdict

EXAMPLES = Path(__file__).parent / "data" / "objections.jsonl"
QUESTION = "Who wrote the story?"


def find(answer: str, *references: str, question: str = QUESTION) -> str | None:
    return find_objection(Item(question, references or ("Mark Twain",), answer))


def test_there_is_an_objection_to_lists_choices_and_denials_and_none_to_plain_answers() -> None:
    check_lines(EXAMPLES, objection=objection, objects=has_objection, off_topic=off_topic, verdict=verdict)


def test_one_wrong_answer_beside_several_right_ones_is_a_choice() -> None:
    assert find("Twain, Clemens (Samuel Langhorne) or Bret Harte", "Twain", "Clemens", "Samuel Langhorne")
    assert find("Mark Twain, Bret Harte or Jack London", "Mark Twain", "Bret Harte", "Ambrose Bierce")


def test_a_denial_that_the_question_makes_is_no_objection() -> None:
    asked = "Which author did not write the story?"
    assert find("Mark Twain did not write it.", question=asked) is None
    assert find("Mark Twain didn't write the story.", question=asked) is None


def test_a_word_of_the_question_may_be_part_of_a_denial() -> None:
    assert find("Mark Twain can be ruled out.", question="Who let it out?") == "it denies the answer"
    assert find("Mark Twain ruled out a second part.", question="Who ruled out a second part?") is None
    assert find("It isn't Mark Twain.", question="Who did not write it alone?") == "it denies the answer"
    assert find("Alone Mark Twain did not write it.", question="Who did not write it alone?") is None
    assert (
        find("Many say old Mark Twain, which is false.", "Twain", "old Mark Twain") == "it denies the answer"
    )
    assert find("Mark Twain Jr. is not the answer.", "Mark Twain Jr.") == "it denies the answer"


def test_towns_beside_a_country_that_is_asked_for_are_guesses() -> None:
    assert find("France, Spain, Italy", "France", question="In which country is it?")
    assert find("Lyon, France, Italy", "France", question="In which country is it?")


@given(st.sampled_from(["Mark Twain", "Jane Austen", "oxygen", "12 km"]), st.text(max_size=40))
def test_there_is_no_objection_to_a_reference_alone(reference: str, question: str) -> None:
    for answer in (
        reference,
        f"{reference}.",
        f"“{reference}”",
        f"**{reference}**",
        f"The {reference}",
        f"It is {reference}.",
    ):
        assert find(answer, reference, question=question) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_finding_objections_never_raises(question: str, answer: str) -> None:
    find_objection(Item(question, ("x", "12"), answer))


def test_the_form_of_an_answer_is_less_specific() -> None:
    assert find("a four-digit year", "1912") == "it is less specific"
    assert find("a four-letter word", "a four letter word, love") is None


def test_the_question_again_is_no_answer_even_if_it_has_the_reference() -> None:
    asked = "the house has members and the senate has"
    assert find(f"It is asked {asked}, and that is a fair thing to ask.", "member", question=asked)
    assert find(f"Re: {asked}", "member", question=asked)
    assert find(f"{asked} 31 members", "31 members", question=asked) is None
    echo = check_gate(Item(asked, ("members",), f"“{asked}”"))
    assert echo is not None
    assert echo.name == "echo"
    assert check_gate(Item(asked, (asked,), asked)) is None
