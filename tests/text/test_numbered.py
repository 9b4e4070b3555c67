"""Names with a number in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import apply_rules
from karat.text.names import compare_numbered

SAME = (("season 6", "season six"), ("World War II", "World War Two"), ("Henry V", "Henry the Fifth"), ("Louis XIV", "Louis 14"), ("6 geese a-laying", "Six geese a-laying"), ("the 3rd wave", "The third wave"))  # fmt: skip
OTHER = (("season 6", "It is season 5"), ("Henry V", "Henry VI"), ("Elizabeth I", "Elizabeth II"), ("Four pieces of fruit", "three pieces of fruit"), ("Article 37", "Article 356"), ("TLS 1.3", "TLS 1.1"))  # fmt: skip
OPEN = (("Malcolm X", "Malcolm 10"), ("Henry V", "Henry Tudor"), ("season 6", "season 6 or 7"), ("No one", "No. 1"), ("Chapter 6", "Chapter sixth"), ("Apollo 11", "the Apollo 11 flight of 1970"))  # fmt: skip
WORDS = st.lists(
    st.sampled_from(["season", "henry", "six", "6", "vi", "5", "sixth", "no", "one"]), max_size=4
)


def rule(references: tuple[str, ...], answer: str) -> bool | None:
    ruling = apply_rules(Item("Which one?", references, answer))
    return None if ruling is None else ruling.accept


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_a_number_may_be_written_in_figures_words_or_as_the_romans_did(reference: str, answer: str) -> None:
    assert rule((reference,), answer) is True
    assert rule((answer,), reference) is True


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_another_number_makes_another_thing(reference: str, answer: str) -> None:
    assert rule((reference,), answer) is False


@pytest.mark.parametrize(("reference", "answer"), OPEN)
def test_what_may_be_no_number_or_differs_otherwise_is_left_open(reference: str, answer: str) -> None:
    assert compare_numbered(reference.lower().split(), answer.lower().split()) is None


def test_one_reference_that_is_no_such_name_leaves_the_answer_open() -> None:
    assert rule(("Henry V", "the victor of Agincourt"), "Henry VI") is None


@given(WORDS, WORDS)
def test_it_does_not_matter_which_of_the_two_is_the_reference(one: list[str], other: list[str]) -> None:
    assert compare_numbered(one, other) == compare_numbered(other, one)


@given(WORDS)
def test_a_phrase_does_not_differ_from_itself(words: list[str]) -> None:
    assert compare_numbered(words, words) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("Python 3.10", "Python 3.1"), ("Section 4.10", "section 4.1"), ("Ubuntu 20.04", "Ubuntu 20.4")],
)
def test_versions_and_sections_are_no_decimals(reference: str, answer: str) -> None:
    ruling = apply_rules(Item("Which one?", (reference,), answer))
    assert ruling is not None
    assert not ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"), [("02139", "2139"), ("0070", "70"), ("agent 007", "agent 7")]
)
def test_a_code_with_a_nought_before_it_is_no_number(reference: str, answer: str) -> None:
    assert apply_rules(Item("Which one?", (reference,), answer)) is None


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who killed JFK?", "Lee Harvey Oswald", "Jack Ruby killed Lee Harvey Oswald"),
        ("Who succeeded Obama?", "Donald Trump", "Joe Biden succeeded Donald Trump"),
    ],
)
def test_who_suffers_it_did_not_do_it(question: str, reference: str, answer: str) -> None:
    assert apply_rules(Item(question, (reference,), answer)) is None
