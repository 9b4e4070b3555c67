"""Talk around a mention that has no word of the question is off topic; plain statements are not."""

import pytest

from karat.core.types import Item
from karat.text import is_off_topic, strip_politeness

ASKED = "Who wrote the story of the jumping frog?"


def off_topic(answer: str, question: str | None = ASKED) -> bool:
    return is_off_topic(Item(question, ("Mark Twain",), answer))


@pytest.mark.parametrize(
    "answer",
    [
        "Give Mark Twain a rest, he gets the credit for far too much.", "My neighbour would tell you Mark Twain and lose the bet.", "If only Mark Twain had been half as quick.",
        "Whoever put down Mark Twain has to go back to school.",
    ],
)  # fmt: skip
def test_talk_without_a_word_of_the_question_strays(answer: str) -> None:
    assert off_topic(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain", "It was Mark Twain.", "It was Mark Twain, not Bret Harte.", "Not Bret Harte, but Mark Twain.", "People say Bret Harte, but it was Mark Twain.",
        "Mark Twain (the author of Tom Sawyer)", "The tale of the frog is from the pen of Mark Twain, then a young reporter.", "Somebody called Samuel.", "The answer is Mark Twain",
    ],
)  # fmt: skip
def test_plain_statements_and_sentences_on_the_topic_do_not(answer: str) -> None:
    assert not off_topic(answer)


def test_without_a_question_nothing_strays() -> None:
    assert not off_topic("Give Mark Twain a rest, he gets the credit for far too much.", None)


def test_one_mention_that_is_stated_suffices() -> None:
    assert not off_topic("Mark Twain, of course. My neighbour would tell you Mark Twain as well.")


def test_a_fuller_name_strays_from_nothing() -> None:
    asked = "Who painted the ceiling of the Sistine Chapel?"
    assert not is_off_topic(Item(asked, ("Michelangelo",), "Michelangelo di Lodovico Buonarroti Simoni"))
    assert is_off_topic(
        Item(asked, ("Michelangelo",), "Bramante, Raphael, Michelangelo, Titian, Perugino, Signorelli")
    )


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("On which continent does the desert lie?", "South America", "It lies in South America."), ("When did the queen die?", "22 January 1901", "She died on 22 January 1901."),
        ("How high is the mountain?", "8,848.86 metres", "Its height is 8,848.86 metres."), ("What is the raw material of glass?", "silica sand", "It is made mainly from silica sand."),
        ("In which year was it published?", "1859", "The book came out in 1859."), ("Who is the CFO?", "Ann Lee", "According to the filing, the Chief Financial Officer of the group is Ann Lee."),
        ("Which colours has the armchair?", "sage green and cream", "The chair is offered in sage green and cream."),
    ],
)  # fmt: skip
def test_brief_statements_do_not(question: str, reference: str, answer: str) -> None:
    assert not is_off_topic(Item(question, (reference,), answer))


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain, strike that, Bret Harte", "Mark Twain, unless I am mixing him up with Bret Harte", "Bret Harte came before Mark Twain.", "It lost to Mark Twain.", "Mark Twain comes to mind, and so does Bret Harte.",
    ],
)  # fmt: skip
def test_brief_talk_strays(answer: str) -> None:
    assert off_topic(answer)


@pytest.mark.parametrize(
    ("question", "references", "answer"),
    [
        ("Who painted Guernica?", ("Picasso",), "We looked at Picasso in class."), ("Who painted Guernica?", ("Picasso",), "I know nothing about Picasso."),
        ("Who wrote Hamlet?", ("Shakespeare",), "I learned about Shakespeare in school."), ("What is the capital of Australia?", ("Canberra",), "I was looking for Canberra."),
        ("Which city is the capital of Turkey?", ("Ankara",), "Ankara. They moved it to Istanbul."), ("Which city is the capital of Turkey?", ("Ankara",), "Ankara. It was replaced by Istanbul."),
        ("What is the capital of Nigeria?", ("Lagos",), "It was moved from Lagos."), ("Where does the firm sit?", ("Boston",), "It was once in Boston."),
        ("Who invented calculus?", ("Newton", "Leibniz"), "Long before Newton and Leibniz, Madhava had it."), ("Who invented calculus?", ("Newton", "Leibniz"), "Newton and Leibniz quarrelled over what Archimedes had."),
    ],
)  # fmt: skip
def test_talk_strays_also_where_it_looks_like_a_statement(
    question: str, references: tuple[str, ...], answer: str
) -> None:
    assert is_off_topic(Item(question, references, strip_politeness(question, answer)))


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Which planet is hottest?", "Venus", "Venus, because of its thick atmosphere."), ("Who is the head of Apple?", "Tim Cook", "Tim Cook, since Steve Jobs stepped down."),
        ("How much does it cost?", "$50", "$50, including shipping and handling."), ("Who painted the ceiling?", "Michelangelo", "Michelangelo, sculptor of David."),
        ("Where did the Allies land in 1944?", "Normandy", "They landed on the beaches of Normandy, led by Eisenhower."), ("Where did Columbus go?", "the Bahamas", "He went to the Bahamas."),

    ],
)  # fmt: skip
def test_what_tells_more_of_an_answer_does_not_stray(question: str, reference: str, answer: str) -> None:
    assert not is_off_topic(Item(question, (reference,), strip_politeness(question, answer)))


def test_many_mentions_take_no_time() -> None:
    assert not is_off_topic(Item("What is the capital of France?", ("Paris", "Paname"), "Paris " * 16_000))


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Explain your reasoning.", "a gap", "If bulb B is damaged there will be a gap in the path."),
        (
            "What does the reading tell you?",
            "the terminals are not connected",
            "That the terminals are not connected to each other.",
        ),
    ],
)
def test_explanations_do_not_stray(question: str, reference: str, answer: str) -> None:
    assert not is_off_topic(Item(question, (reference,), answer))
