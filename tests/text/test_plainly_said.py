"""What is plainly said is not held against an answer, whatever words the name is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import addresses_judge, find_objection, is_off_topic, strip_politeness

FRAMES = {
    "Who was the king at that time?": ["{} was the king at that time.", "The king at that time was King {}.", "It was {}.", "The answer is {}.", "King: {}", "I believe the king at that time was {}."],
    "Who wrote the novel?": ["The novel was written by {}.", "{} wrote the novel.", "The author of the novel is {}.", "That was {}, the writer of the novel.", "The author is {} (born in London)."],
    "What is the capital of the region?": ["The capital of the region is {}.", "{} is the capital of the region.", "Its capital is {}, a town on the coast.", "The region's capital is {}."],
    "Which film won the prize?": ["The film that won the prize was {}.", "{} won the prize.", "The prize was won by {}.", "The winner was the film {}."],
    "What is measured by the device?": ["The device measures {}.", "{} is measured by the device.", "The device is used to measure {}."],
    "Who does the actor play in the series?": ["The actor plays {} in the series.", "The actor plays the role of {}.", "{} is played by the actor.", "In the series the actor plays {}, a doctor."],
    "What are the names of the two brothers?": ["The names of the two brothers are {}.", "The two brothers are named {}.", "They are {}."],
    "Whose armies were defeated at the river?": ["The armies of {} were defeated at the river.", "Those of {} were."],
    "What is the most spoken language of the country?": ["The most spoken language in the country is {}.", "The country's most spoken language is {}."],
}  # fmt: skip
# Numerals, and words that elsewhere connect, deny, doubt or offer.
NAMES = [
    "Henry II", "Charles I", "George Best", "Will Smith", "Yes", "May", "Some Like It Hot", "The Usual Suspects", "Not One Less", "No Country for Old Men", "Either Or", "Mean Girls",
    "The Right Stuff", "True Grit", "Wrong Turn", "Other People", "Second Best", "humidity", "air pressure", "Huey and Dewey", "Tom, Dick and Harry", "Never Say Never Again", "Rumour",
    "Between the Acts", "Without Me", "War and Peace", "Used Cars", "Maybe", "New York City", "U2", "12 Angry Men", "If", "Anyone Else", "Edinburgh, Scotland", "Leonardo da Vinci", "Lie to Me",
]  # fmt: skip


@given(
    st.sampled_from([(question, frame) for question, frames in FRAMES.items() for frame in frames]),
    st.sampled_from(NAMES),
)
def test_a_plain_sentence_is_not_contested_and_does_not_stray(said: tuple[str, str], name: str) -> None:
    question, frame = said
    item = Item(question, (name,), frame.format(name))
    assert find_objection(item) is None
    assert not is_off_topic(item)
    assert not addresses_judge(item)


AVOWED = (
    "I'm confident it's {}.", "I am absolutely certain that it is {}.", "Definitely {}!", "It has to be {}.", "That would be {}.", "{} is the answer.",
    "The answer you are looking for is {}.", "I'd say {}.", "Easy: {}.", "{}, for sure.", "Without a doubt, {}.", "My final answer is {}.",
    "Final answer: {}. Thanks for playing!", "Oh, I know this one! It's {}.", "I know this one: {}.", "I remember this from school: {}.",
    "I learned this in school, it's {}.", "As far as I know, it is {}.", "To the best of my knowledge, {}.", "If memory serves, it's {}.",
    "Correct me if I'm wrong, but it's {}.", "Hands down {}.", "100% {}.", "Trust me, it's {}.", "I looked it up: {}.", "I just checked, and it is {}.",
    "According to Wikipedia, it's {}.", "The correct answer here is {}.", "The one and only {}.", "Sure thing! The answer is {}.", "Great question! It's {}.",
    "Happy to help: {}.", "Hope this helps: {}.", "That's an easy one, {}.", "It's got to be {}.", "I would answer {}.", "My answer to this is {}.", "Answer: {}.",
    "Short answer: {}", "In short, {}.", "In one word: {}.", "Simply put, it's {}.", "The solution is {}.", "Going with {}.", "I'll go with {}.", "Locking in {}.",
    "Bingo, {}.", "No question, {}.", "Everybody knows that it's {}.", "It's common knowledge: {}.", "As everyone knows, {}.", "Clearly, it is {}.", "Of course it's {}.",
    "Why, {}, of course!", "{}. That's it.", "{}. Final answer.", "{}. I'm sure of it.", "{}. You're welcome!", "{}, if I recall correctly.", "{}, as far as I remember.",
    "{} it is.", "{} – that's my answer.", "That's {}, my friend.", "Let me think... {}.", "Well, that's {}.", "Hmm, {}.", "Pretty sure it's {}.",
    "I'm pretty sure the answer is {}.", "Based on what I know, the answer is {}.", "Based on the context, it is {}.", "The text says {}.",
    "The document states that it is {}.", "From the passage: {}.", "After careful thought, my answer is {}.", "Thinking it through step by step, I arrive at {}.",
    "So the result is {}.", "Therefore, {}.", "Thus the answer is {}.", "What you want is {}.", "The name you're after is {}.", "You mean {}.", "I believe that's {}.",
    "I think it's {}.", "It was {}, I'm positive.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who wrote the story of the frog?", "Mark Twain"), ("What is the capital of Australia?", "Canberra"), ("When did the hall open?", "1911"),
        ("Which gas do plants take in?", "carbon dioxide"), ("How many players are in a team?", "11"),
    ],
)  # fmt: skip
def test_who_stands_by_an_answer_in_plain_words_is_not_contested_and_does_not_stray(
    question: str, name: str
) -> None:
    for said in AVOWED:
        item = Item(question, (name,), strip_politeness(question, said.format(name)))
        assert find_objection(item) is None, said
        assert not is_off_topic(item), said


@pytest.mark.parametrize(
    ("question", "references", "answer"),
    [
        ("Who won the match?", ("Billie Jean King",), "It was played between Billie Jean King and Bobby Riggs. Billie Jean King won the match in three sets."),
        ("Which port is it?", ("Ghent", "Gent, Belgium"), "The port is Ghent (or Gent)."),
        ("What is the legal age?", ("18",), "The legal age is 18. With a court order, people of 16 may also be allowed to marry."),
        ("How many books are there?", ("four",), "There are four books. There are also films and songs made of them."),
        ("What kings ruled in the 1900s?", ("Edward VII", "George V", "George VI"), "1. Edward VII (1901-1910)\n2. George V (1910-1936)\n3. George VI (1936-1952)"),
        ("Who sings the song about the ship?", ("Dido",), 'The song you mean is called "White Flag" and it\'s sung by Dido.'),
        ("What is the slogan of?", ("Turkish Delight",), '"Full of Promise" is the slogan used to promote Turkish Delight.'),
    ],
)  # fmt: skip
def test_what_stands_beside_a_plain_statement_takes_nothing_from_it(
    question: str, references: tuple[str, ...], answer: str
) -> None:
    item = Item(question, references, answer)
    assert find_objection(item) is None
    assert not is_off_topic(item)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who wrote Frankenstein?", "Mary Shelley", "Frankenstein wrote Mary Shelley"),
        ("Who wrote Frankenstein?", "Mary Shelley", "Frankenstein has written Mary Shelley"),
        ("Which river crosses Paris?", "the Seine", "Paris crosses the Seine"),
        ("Who was the king?", "Henry II", "Henry"),
    ],
)  # fmt: skip
def test_what_is_said_of_something_else_is_contested(question: str, reference: str, answer: str) -> None:
    assert find_objection(Item(question, (reference,), answer)) is not None


def test_primes_are_no_verdicts() -> None:
    assert not addresses_judge(
        Item("Which prime is it?", ("97",), "It is 97. The first primes are 2, 3, 5, 7, 11.")
    )
    assert addresses_judge(Item("Which prime is it?", ("97",), "5, 5, 5, 5."))
    assert addresses_judge(Item("Which prime is it?", ("97",), "Scores: 1,1,1"))
