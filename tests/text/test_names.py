"""Names of people, rulers and numbered things, in full, in initials or with a number."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import karat
from example_lines import Line, check_lines
from karat.text import respell
from karat.text.names import compare_numbered, has_other_regnal_number
from text_checks import respelt, verdict, verdict_both_ways

EXAMPLES = Path(__file__).parent / "data" / "names.jsonl"
WORDS = st.lists(
    st.sampled_from(["season", "henry", "six", "6", "vi", "5", "sixth", "no", "one"]), max_size=4
)


def numbered(line: Line) -> bool | None:
    return compare_numbered(line["reference"].lower().split(), line["answer"].lower().split())


def other_regnal_number(line: Line) -> bool:
    return has_other_regnal_number(line["reference"], line["answer"])


def test_the_same_name_is_written_as_the_reference_writes_it_and_another_number_is_another() -> None:
    check_lines(
        EXAMPLES,
        respelt=respelt,
        numbered=numbered,
        other_regnal_number=other_regnal_number,
        verdict=verdict,
        both_ways=verdict_both_ways,
    )


def test_capitalised_words_are_no_person_unless_one_is_asked_for() -> None:
    assert respell("Victoria Line", "Vicky Line", "Which line is it?") == "Vicky Line"
    assert respell("John Stuart Mill", "J.S. Mill", "Which text has its author here?") == "John Stuart Mill"


def test_a_long_word_of_capitals_is_passed_quickly() -> None:
    """Names are looked for before the last one only, so that a sequence of letters is passed at once."""
    for answer in ("Aa" * 2000, "A" * 4000, "ATGC" * 1000, "A. " * 1300 + "Franklin"):
        assert respell("Rosalind Elsie Franklin", answer, "Who found it?") == answer


def test_a_reference_without_a_number_leaves_the_answer_undecided() -> None:
    line = {
        "question": "Which one?",
        "references": ["Henry V", "the victor of Agincourt"],
        "answer": "Henry VI",
    }
    assert verdict(line) == "undecided"


@given(WORDS, WORDS)
def test_it_does_not_matter_which_of_the_two_is_the_reference(one: list[str], other: list[str]) -> None:
    assert compare_numbered(one, other) == compare_numbered(other, one)


@given(WORDS)
def test_a_phrase_does_not_differ_from_itself(words: list[str]) -> None:
    assert compare_numbered(words, words) is None


def test_the_judge_does_not_accept_another_ruler() -> None:
    answer = "That would be Henry VII, the founder of the Tudor dynasty."
    assert not getattr(karat.judge("Which king had six wives?", "Henry VIII", answer), "value", None)
    right = karat.judge("Which king had six wives?", "Henry VIII", "King Henry the Eighth")
    assert getattr(right, "value", None) is True
