"""An answer that holds the reference beside another answer, a denial or a change of mind is not accepted."""

import pytest

from karat.core.types import Item
from karat.text import apply_rules, check_gate

QUESTION = "Who wrote the story?"


def accepts(reference: str, answer: str, question: str = QUESTION) -> bool:
    item = Item(question, (reference,), answer)
    ruling = check_gate(item) or apply_rules(item)
    return ruling is not None and ruling.accept


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain as well as Bret Harte", "Mark Twain plus Bret Harte", "Mark Twain 50%, Bret Harte 50%", "Mark Twain -> Bret Harte",
        "Mark Twain... hmm, Bret Harte", "Mark Twain. On second thought, Bret Harte.", "Mark Twain. Then again, Bret Harte.",
        "~~Mark Twain~~ Bret Harte", "(a) Mark Twain (b) Bret Harte", "A) Mark Twain B) Bret Harte", "Mark Twain/Bret Harte",
        "Answer 1: Mark Twain. Answer 2: Bret Harte.", "Mark Twain and the Bret Harte Society", "Mark Twain, if not Bret Harte",
    ],
)  # fmt: skip
def test_another_name_in_a_brief_answer_is_another_answer(answer: str) -> None:
    assert not accepts("Mark Twain", answer)


@pytest.mark.parametrize(
    "answer",
    [
        "It was written by Mark Twain. It was written by Bret Harte.",
        "The author is Mark Twain. The author is Bret Harte.",
        "Mark Twain wrote it. Bret Harte wrote it.",
        "First I thought of Mark Twain. It is Bret Harte.",
        "The obvious choice is Mark Twain. The truth is Bret Harte.",
        "It is Mark Twain. The answer is Bret Harte.",
        "It is Mark Twain.\n\nFinal answer: Bret Harte",
        "Mark Twain comes to mind. My answer is therefore Bret Harte, who lived later.",
    ],
)
def test_a_second_sentence_that_answers_otherwise_is_another_answer(answer: str) -> None:
    assert not accepts("Mark Twain", answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain can be ruled out.", "We may rule out Mark Twain.", "Mark Twain is unlikely", "Mark Twain had nothing to do with it.",
        "Least of all Mark Twain", "I refuse to say Mark Twain.", "Forget Mark Twain; Bret Harte wrote it.", "Mark Twain ✗", "❌ Mark Twain",
        "Mark Twain (citation needed)", "As if it were Mark Twain", "Suppose it is Mark Twain", "Pretend that it is Mark Twain",
        "Everyone says Mark Twain. Everyone is wrong.", "It must be Bret Harte, unless it is Mark Twain.", "Scholars dismissed Mark Twain.",
        "Mark Twain is out of the question.", "M.T. is the author, yet Mark Twain. is not the one",
    ],
)  # fmt: skip
def test_a_reference_that_is_dismissed_is_not_accepted(answer: str) -> None:
    assert not accepts("Mark Twain", answer)


@pytest.mark.parametrize(
    "answer",
    [
        "It is Mark Twain. He wrote it in Missouri.",
        "The answer is Mark Twain.",
        "Answer: Mark Twain",
        "**Answer:** Mark Twain\n\nHe wrote it in 1865.",
        "The correct answer to the question is Mark Twain.",
        "Mark Twain wrote it. The story made him famous.",
        "Mr. Mark Twain",
        "The story was written by Mark Twain in Hartford, Connecticut.",
    ],
)
def test_an_answer_that_stays_with_the_reference_is_accepted(answer: str) -> None:
    assert accepts("Mark Twain", answer)


@pytest.mark.parametrize(
    "answer",
    [
        "12, 40 kg, 3 °C", "12 and 40 kg", "twice 12", "half of 12", "12 pairs", "12. No, wait: 13 it is.", "It is 12. The answer is 40.",
        "12 at first sight, yet in truth none", "12 can be ruled out", "unless 12", "12 unless 13",
    ],
)  # fmt: skip
def test_a_number_beside_others_or_dismissed_is_not_accepted(answer: str) -> None:
    assert not accepts("12", answer, "How many sides does it have?")


def test_a_stop_that_closes_a_unit_does_not_hide_what_follows() -> None:
    assert not accepts("32 °F", "32 °F. No, wait: it is 476.", "When does it freeze?")


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("What toy is named after Roosevelt?", "Bear", "Teddy Bear"),
        ("Which animal is on the flag?", "Bear", "Polar Bear"),
        ("Which city is meant?", "Washington", "George Washington"),
        ("Which fruit is it?", "Apple", "Custard Apple"),
    ],
)
def test_a_compound_in_title_case_may_be_another_thing(question: str, reference: str, answer: str) -> None:
    assert not accepts(reference, answer, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who was president?", "Obama", "Barack Obama"),
        ("Which actor plays him?", "Hanks", "Tom Hanks"),
        ("Which water flows through Baghdad?", "Tigris", "River Tigris"),
    ],
)
def test_a_first_name_or_a_kind_before_the_name_is_none(question: str, reference: str, answer: str) -> None:
    assert accepts(reference, answer, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who wrote the novel Frankenstein?", "Mary Shelley", "Frankenstein wrote Mary Shelley."),
        ("Who taught Alexander the Great?", "Aristotle", "Alexander the Great taught Aristotle."),
        ("Which river flows through Baghdad?", "Tigris", "Baghdad flows through the Tigris."),
        ("What is the capital of Canada?", "Ottawa", "The capital of Ottawa is Canada."),
    ],
)
def test_roles_the_wrong_way_round_are_not_accepted(question: str, reference: str, answer: str) -> None:
    assert not accepts(reference, answer, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who wrote the novel Frankenstein?", "Mary Shelley", "Frankenstein was written by Mary Shelley."),
        ("Who invented the telephone?", "Bell", "The telephone was invented by Bell."),
        ("Which river flows through Baghdad?", "Tigris", "The Tigris flows through Baghdad."),
        ("What is the capital of Canada?", "Ottawa", "The capital of Canada is Ottawa."),
    ],
)
def test_roles_the_right_way_round_are_accepted(question: str, reference: str, answer: str) -> None:
    assert accepts(reference, answer, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("In which country is the city of Marrakesh?", "Morocco", "Morocco is in Marrakesh."),
        ("Of which American state is Juneau the capital?", "Alaska", "Alaska is the capital of Juneau."),
        ("Which federation organises the World Cup?", "FIFA", "FIFA is organised by the World Cup."),
        ("Which drink did the band promote?", "Pepsi", "Pepsi promoted the band."),
        ("From which country does Limburger cheese come?", "Belgium", "Belgium cheese comes from Limburger."),
        ("Where is the Atacama Desert?", "Chile", "Chile lies in the Atacama Desert."),
    ],
)
def test_the_owner_is_not_owned(question: str, reference: str, answer: str) -> None:
    assert not accepts(reference, answer, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("In which country is the city of Marrakesh?", "Morocco", "Marrakesh is in Morocco."),
        ("Which book was written by Orwell?", "Animal Farm", "Animal Farm was written by Orwell."),
        ("What is the capital of Canada?", "Ottawa", "Ottawa is the capital of Canada."),
        ("Which drink did the band promote?", "Pepsi", "The band promoted Pepsi."),
        ("Where is the Atacama Desert?", "Chile", "The Atacama Desert lies in Chile."),
        (
            "In which novel is Big Brother?",
            "Animal Farm",
            "Animal Farm is the novel in which Big Brother is.",
        ),
        ("Which city is in Morocco?", "Marrakesh", "Marrakesh is in Morocco."),
    ],
)
def test_a_sentence_in_the_order_of_the_question_is_accepted(
    question: str, reference: str, answer: str
) -> None:
    assert accepts(reference, answer, question)
