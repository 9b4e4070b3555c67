"""Answers that turn a word of the reference into its opposite, or its parts round."""

import pytest

import karat
from karat.text import says_opposite, swaps_sides


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("What did the court decide?", "The court ruled in favor of the plaintiff.", "The court ruled in favor of the defendant."),
        ("When is it taken?", "Twice daily with food.", "Twice daily without food."),
        ("Is it so?", "It is legal.", "It is illegal."),
        ("Is it so?", "It is always wet.", "It is never wet."),
        ("Which fats?", "saturated fats", "unsaturated fats"),
        ("What was net income?", "a loss of $12.5 million", "a profit of $12.5 million"),
        ("What did the drug do?", "It reduced mortality by 20% in adults.", "It increased mortality by 20% in adults."),
        ("Which country?", "North Korea", "South Korea"),
        ("How would the pitch change if the string was longer?", "When the string is longer, the pitch will be lower.", "The pitch will be higher."),
        ("What dose?", "500 mg twice daily", "500 mg once daily"),
    ],
)  # fmt: skip
def test_one_word_and_its_opposite_say_the_opposite(question: str, reference: str, answer: str) -> None:
    assert says_opposite(reference, answer, question)
    assert says_opposite(answer, reference, question)
    found = karat.judge(question, reference, answer)
    assert not (isinstance(found, karat.Verdict) and found.value)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Why are they different?", "They have different hands.", "Their hands are not the same."),
        ("Why does it stay in the filter?", "The particles are too big for the holes.", "The holes are too small for the particles."),
        ("How do they compare?", "The first header is longer than the second.", "The second header is shorter than the first."),
        ("What happens to demand when prices rise?", "It falls.", "Demand decreases."),
        ("Where is it?", "Oregon", "southern Oregon"),
        ("What is it?", "It is legal.", "It is not illegal."),
        ("Who won?", "The team that won the first game.", "The team won."),
        ("What is it?", "form", "inform"),
    ],
)  # fmt: skip
def test_other_differences_do_not(question: str, reference: str, answer: str) -> None:
    assert not says_opposite(reference, answer, question)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Germany beat Brazil 7-1.", "Brazil beat Germany 7-1."),
        ("Facebook acquired Instagram.", "Instagram acquired Facebook."),
        ("Mars is larger than Venus.", "Venus is larger than Mars."),
        ("The seller signs first, then the buyer.", "The buyer signs first, then the seller."),
    ],
)
def test_what_stands_on_the_other_side_is_turned_round(reference: str, answer: str) -> None:
    assert swaps_sides(reference, answer)
    found = karat.judge("What happened?", reference, answer)
    assert not (isinstance(found, karat.Verdict) and found.value)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Chile and Argentina", "Argentina and Chile"),
        ("Kennedy, John F.", "John F. Kennedy"),
        ("Germany beat Brazil 7-1.", "Germany beat Brazil 7-1"),
        ("There is no gap between terminal 5 and the positive terminal", "There is no gap between the positive terminal and terminal 5"),
        ("In 2014 Germany beat Brazil.", "Germany beat Brazil in 2014."),
    ],
)  # fmt: skip
def test_another_order_alone_is_not(reference: str, answer: str) -> None:
    assert not swaps_sides(reference, answer)


@pytest.mark.parametrize(
    ("reference", "answer", "turned"),
    [
        ("Louis XIV reigned about two years longer than Elizabeth II.", "Elizabeth II ruled about two years longer than Louis XIV.", True),
        ("New York is colder than London in winter", "The winters in London are much colder than in New York.", True),
        ("Louis XIV reigned longer than Elizabeth II.", "Louis XIV ruled two years longer than Elizabeth II did.", False),
        ("Louis XIV reigned longer than Elizabeth II.", "Elizabeth II ruled for a shorter time than Louis XIV.", False),
    ],
)  # fmt: skip
def test_names_on_each_others_side_of_a_comparison_are_turned(
    reference: str, answer: str, *, turned: bool
) -> None:
    assert swaps_sides(reference, answer) is turned
