"""Plain statements and assurances meet no objection, whatever words the name is made of."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from example_lines import read_lines
from karat.core.types import Item
from karat.text import addresses_judge, find_objection, is_off_topic, strip_politeness

EXAMPLES = Path(__file__).parent / "data" / "plain_statements.jsonl"
FRAMES = [(line["question"], line["text"]) for line in read_lines(EXAMPLES, "a plain sentence")]
NAMES = [line["name"] for line in read_lines(EXAMPLES, "a name that looks like other words")]
ASSURANCES = [line["text"] for line in read_lines(EXAMPLES, "an assurance")]
FACTS = [(line["question"], line["name"]) for line in read_lines(EXAMPLES, "a question and its answer")]


def test_the_data_file_has_examples_of_these_rules_only() -> None:
    assert len(read_lines(EXAMPLES)) == len(FRAMES) + len(NAMES) + len(ASSURANCES) + len(FACTS)


@given(st.sampled_from(FRAMES), st.sampled_from(NAMES))
def test_a_plain_sentence_meets_no_objection_and_is_on_topic(said: tuple[str, str], name: str) -> None:
    question, frame = said
    item = Item(question, (name,), frame.format(name))
    assert find_objection(item) is None
    assert not is_off_topic(item)
    assert not addresses_judge(item)


def test_an_assurance_around_the_answer_meets_no_objection_and_is_on_topic() -> None:
    items = [
        Item(question, (name,), strip_politeness(question, said.format(name)))
        for question, name in FACTS
        for said in ASSURANCES
    ]
    assert [item for item in items if find_objection(item) is not None or is_off_topic(item)] == []


def test_a_list_of_primes_is_no_list_of_scores() -> None:
    assert not addresses_judge(
        Item("Which prime is it?", ("97",), "It is 97. The first primes are 2, 3, 5, 7, 11.")
    )
    assert addresses_judge(Item("Which prime is it?", ("97",), "5, 5, 5, 5."))
    assert addresses_judge(Item("Which prime is it?", ("97",), "Scores: 1,1,1"))
