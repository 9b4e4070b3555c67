"""Objections: answers that mention the reference and must not be accepted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import apply_rules, check_gate, find_objection

QUESTION = "Who wrote the story?"


def contest(answer: str, *references: str, question: str = QUESTION) -> str | None:
    return find_objection(Item(question, references or ("Mark Twain",), answer))


@pytest.mark.parametrize(
    "answer",
    [
        "1. Mark Twain\n2. Bret Harte\n3. Ambrose Bierce", "- Bret Harte\n- Mark Twain\n- Jack London", "Bret Harte; Mark Twain; Jack London",
        "Possible answers: Mark Twain, Bret Harte, Jack London.", "Mark Twain and Bret Harte and Jack London", "Bret Harte, Jack London, Mark Twain",
        "It is one of Bret Harte, Jack London and Mark Twain.", "Bret Harte? Mark Twain? Jack London?", "Bret Harte. Mark Twain. Jack London.",
        "i) Bret Harte ii) Mark Twain iii) Jack London", "Bret Harte — Mark Twain — Jack London", "Jack London, Mark Twain, Bret Harte and so on",
    ],
)  # fmt: skip
def test_a_list_of_guesses_is_contested(answer: str) -> None:
    assert contest(answer) == "it lists several answers" or contest(answer) == "it offers a choice"


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain or Bret Harte", "Bret Harte or Mark Twain", "Mark Twain/Bret Harte, maybe", "Mark Twain, or possibly Bret Harte",
        "It was Mark Twain or else Bret Harte.", "I think Mark Twain, or it may be Bret Harte.", "Perhaps Bret Harte, perhaps Mark Twain.", "Mark Twain (or Bret Harte)",
        "Mark Twain, otherwise Bret Harte", "Mark Twain, if not Bret Harte", "Between Mark Twain and Bret Harte.", "Mark Twain vs. Bret Harte",
        "Some say Mark Twain, others say Bret Harte.", "One could name Bret Harte; one could name Mark Twain.",
    ],
)  # fmt: skip
def test_a_choice_is_contested(answer: str) -> None:
    assert contest(answer) == "it offers a choice"


@pytest.mark.parametrize(
    "answer",
    ["Bret Harte or Mark Twain", "1. Mark Twain\n2. Bret Harte\n3. Jack London"],
)
def test_several_right_answers_are_no_choice(answer: str) -> None:
    assert contest(answer, "Mark Twain", "Bret Harte", "Jack London") is None
    assert contest(answer, "Mark Twain", "Twain")


def test_one_that_is_wrong_beside_several_right_ones_is_a_choice() -> None:
    assert contest("Twain, Clemens (Samuel Langhorne) or Bret Harte", "Twain", "Clemens", "Samuel Langhorne")
    assert contest("Mark Twain, Bret Harte or Jack London", "Mark Twain", "Bret Harte", "Ambrose Bierce")


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain. No, Bret Harte.", "It is Mark Twain. The answer is Bret Harte.", "It was written by Mark Twain. It was written by Bret Harte.",
        "Mark Twain, no, Bret Harte", "Mark Twain, I mean Bret Harte", "Mark Twain... actually Bret Harte", "Mark Twain; correction, Bret Harte",
        "Mark Twain? Sorry, Bret Harte.", "Mark Twain was my guess, but it is Bret Harte.", "Mark Twain. Oops, I meant Bret Harte!",
    ],
)  # fmt: skip
def test_a_change_of_mind_is_contested(answer: str) -> None:
    assert contest(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Not Mark Twain.", "It wasn't Mark Twain.", "It is not true that Mark Twain wrote it.", "It is a myth that Mark Twain wrote the story.", "Mark Twain = wrong",
        "Mark Twain did not write it.", "Mark Twain is the wrong answer.", "Never Mark Twain!", "Saying Mark Twain would be an error.", "Anyone but Mark Twain.",
        "All except Mark Twain.", "The belief that it was Mark Twain is mistaken.", "Mark Twain has long been ruled out.", "I deny that it was Mark Twain.",
        "Nobody thinks that it was Mark Twain.", "Mark Twain, which is a common mistake.", "It can hardly be Mark Twain.", "It could not be Mark Twain.",
        "Mark Twain is an unlikely author.", "It is false to say Mark Twain.", "It is certainly not Mister Mark Twain.", "Mark Twain Junior is not the answer.",
        "It is not true that ...Mark Twain wrote all of it, the whole long story from the first page to the last.",
    ],
)  # fmt: skip
def test_a_denial_is_contested(answer: str) -> None:
    assert contest(answer)


@pytest.mark.parametrize(
    "answer", ["12 km, 40 kg, 3 °C", "12, or else 40 °F", "4 May 1911/3 June 1912", "12 or 13"]
)
def test_values_beside_others_are_contested(answer: str) -> None:
    assert contest(answer, "4 May 1911" if "May" in answer else "12 km" if "km" in answer else "12")


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("Mark Twain", ("Mark Twain",)), ("It was Mark Twain, not Bret Harte.", ("Mark Twain",)), ("Twain wrote it, or so the cover says, in 1865.", ("Mark Twain",)),
        ("Hannibal, Missouri", ("Hannibal",)), ("red, green and blue", ("red, green and blue",)),
        ("Estonia, Latvia, Lithuania", ("Estonia", "Latvia", "Lithuania")), ("Estonia, or Eesti", ("Estonia", "Eesti")),
        ("The story was written by Mark Twain, who also wrote Tom Sawyer and Huckleberry Finn.", ("Mark Twain",)), ("It has four chambers: two atria, two ventricles.", ("four",)),
        ("There are 12 of them.", ("12",)), ("Not Bret Harte, but Mark Twain.", ("Mark Twain",)), ("Bret Harte? No, Mark Twain.", ("Mark Twain",)),
        ("It wasn't Harte; it was Mark Twain.", ("Mark Twain",)), ("No doubt Mark Twain.", ("Mark Twain",)), ("None other than Mark Twain.", ("Mark Twain",)),
        ("Mark Twain wrote it, and nobody else.", ("Mark Twain",)), ("I think it was Mark Twain.", ("Mark Twain",)), ("Probably Mark Twain", ("Mark Twain",)),
        ("Mark Twain, rather than Bret Harte", ("Mark Twain",)), ("Mark Twain (the author of Tom Sawyer)", ("Mark Twain",)), ("Mark Twain in Hartford, Connecticut", ("Mark Twain",)),
        ("the American humorist Mark Twain", ("Mark Twain",)), ("The wall did not fall until 1989.", ("1989",)), ("Mark Twain, no question.", ("Mark Twain",)),
        ("People say Bret Harte, but it was Mark Twain.", ("Mark Twain",)), ("Mark Twain, with help from Bret Harte", ("Mark Twain",)),
        ("It's Mark Twain, although many people think of Bret Harte.", ("Mark Twain",)), ("Mark Twain, though some believe in Bret Harte", ("Mark Twain",)),
        ("Or it is so that War or Peace is a choice", ("War or Peace",)),
    ],
)  # fmt: skip
def test_plain_and_fuller_answers_are_not(answer: str, references: tuple[str, ...]) -> None:
    assert contest(answer, *references) is None


def test_a_denial_that_the_question_makes_is_none() -> None:
    asked = "Which author did not write the story?"
    assert contest("Mark Twain did not write it.", question=asked) is None
    assert contest("Mark Twain didn't write the story.", question=asked) is None


def test_a_word_of_the_question_may_be_part_of_a_denial() -> None:
    assert contest("Mark Twain can be ruled out.", question="Who let it out?") == "it denies the answer"
    assert contest("Mark Twain ruled out a second part.", question="Who ruled out a second part?") is None
    assert contest("It isn't Mark Twain.", question="Who did not write it alone?") == "it denies the answer"
    assert contest("Alone Mark Twain did not write it.", question="Who did not write it alone?") is None
    assert (
        contest("Many say old Mark Twain, which is false.", "Twain", "old Mark Twain")
        == "it denies the answer"
    )
    assert contest("Mark Twain Jr. is not the answer.", "Mark Twain Jr.") == "it denies the answer"


@pytest.mark.parametrize(
    "answer",
    ["It must be a tower, unless it is 4 May 1911.", "4 May 1911, although it might just as well be a song.", "It could be 4 May 1911. It could also be a song.", "I would guess 4 May 1911, maybe a song.", "May 4th, 1911, or else nothing that I know"],
)  # fmt: skip
def test_a_choice_between_things_of_two_kinds_is_contested(answer: str) -> None:
    assert contest(answer, "4 May 1911") == "it offers a choice"
    assert contest(answer, answer) is None


def test_towns_beside_a_country_that_is_asked_for_are_guesses() -> None:
    assert contest("France, Spain, Italy", "France", question="In which country is it?")
    assert contest("Lyon, France, Italy", "France", question="In which country is it?")


@given(st.sampled_from(["Mark Twain", "Jane Austen", "oxygen", "12 km"]), st.text(max_size=40))
def test_a_reference_alone_is_never_contested(reference: str, question: str) -> None:
    for answer in (
        reference,
        f"{reference}.",
        f"“{reference}”",
        f"**{reference}**",
        f"The {reference}",
        f"It is {reference}.",
    ):
        assert contest(answer, reference, question=question) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_contesting_never_fails(question: str, answer: str) -> None:
    find_objection(Item(question, ("x", "12"), answer))


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Mark Twain", "Mark Twain, or Bret Harte"), ("Mark Twain", "It was Mark Twain. Oops, I meant Bret Harte!"), ("Mark Twain", "Mark Twain has been debunked."),
        ("12 km", "12 km is wrong"), ("oxygen", "nitrogen, oxygen, argon"), ("4 May 1911", "4 May 1911 or 5 May 1911"),
    ],
)  # fmt: skip
def test_no_rule_accepts_what_is_contested(reference: str, answer: str) -> None:
    ruling = apply_rules(Item("What is it?", (reference,), answer))
    assert ruling is None or not ruling.accept


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("When did it open?", "1930", "the 1930s"), ("When did it open?", "4 May 1911", "in the early 1910s"), ("When did it open?", "1930", "the 20th century"),
        ("Which three states are Baltic?", "Estonia, Latvia and Lithuania", "Estonia and Latvia"), ("Name the 2 elements of water.", "hydrogen and oxygen", "hydrogen"),
    ],
)  # fmt: skip
def test_a_decade_for_a_year_and_two_of_three_are_less_specific(
    question: str, reference: str, answer: str
) -> None:
    assert contest(answer, reference, question=question) == "it is less specific"


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("In which decade did it open?", "1930", "the 1930s"), ("When did it open?", "the 1930s", "the 1930s"), ("Which three states are Baltic?", "Estonia, Latvia and Lithuania", "Lithuania, Estonia, Latvia"),
        ("Who sang it?", "Rufus and Chaka Khan", "Chaka Khan"),
    ],
)  # fmt: skip
def test_what_was_not_asked_for_may_be_left_out(question: str, reference: str, answer: str) -> None:
    assert contest(answer, reference, question=question) is None


@pytest.mark.parametrize(
    ("question", "references", "answer"),
    [
        ("When did it open?", ("4 May 1911",), "1911"), ("When did it open?", ("4 May 1911",), "The hall was opened in May 1911."), ("When did it open?", ("May 1911", "4 May 1911"), "In 1911."),
        ("When did it open?", ("May 1911", "January 1912"), "1911"), ("When did it open in 1911?", ("4 May 1911",), "1911"), ("What is it?", ("Automobile",), "A"), ("What is it?", ("The Automobile",), "the"),
        ("Who wrote it?", ("Rosa Lindqvist",), "Rosa"), ("Who wrote it?", ("Rosa of Ghent",), "Rosa"), ("When does season 3 begin?", ("4 May 1911",), "1911"), ("Who wrote it?", ("Rosa Lindqvist", "R. M. Lindqvist"), "It was Rosa who wrote it."), ("Which actor played him?", ("Henry James Ford",), "Henry"),

    ],
)  # fmt: skip
def test_a_day_a_surname_or_a_town_left_out_is_less_specific(
    question: str, references: tuple[str, ...], answer: str
) -> None:
    assert contest(answer, *references, question=question) == "it is less specific"


@pytest.mark.parametrize(
    ("question", "references", "answer"),
    [
        ("In what year did it open?", ("4 May 1911",), "1911"), ("In which month did it open?", ("4 May 1911",), "May 1911"), ("When in 1911 did it open?", ("4 May 1911",), "On 4 May, in 1911."),
        ("When did it open?", ("1911",), "May 1911"), ("When did it open?", ("4 May 1911",), "4 May"), ("Who wrote it?", ("Rosa Lindqvist",), "Lindqvist"),
        ("Who wrote it?", ("Rosa Lindqvist", "Rosa"), "It was Rosa."), ("Who wrote it?", ("Rosa Lindqvist",), "Rosa Maria Lindqvist"), ("Who won it?", ("Ghent Club",), "Ghent"), ("What is it?", ("Rosa Canina",), "Rosa"),
        ("Who wrote it?", ("Rosa Lindqvist",), "Rosa Lindquist"), ("Who wrote it?", ("Rosa Lindqvist",), "It was Rosa Lindqvist1."), ("Whose dog is it?", ("Rosa Lindqvist",), "It is Rosa Lindqvist's dog."),
        ("When did it open?", ("4 May 1911", "1911"), "1911"), ("When did it open?", ("4 May 1911", "1911"), "May 1911"), ("Which vitamin is it?", ("vitamin A",), "A"), ("Who was king?", ("Louis XIV",), "Louis the Fourteenth"), ("Who led it?", ("Charles De Gaulle",), "Charles DeGaulle"), ("Who won it?", ("Arsenal FC",), "Arsenal"),
        ("When did it open?", ("1870s", "1931"), "in the 1870s"), ("When did it open?", ("19th century", "1855"), "in the 19th century"), ("When did it open?", ("4 May 1911",), "on the fourth of May 1911"),
        ("When did it open?", ("4 May 1911",), "le 4 mai 1911"), ("In welchem Jahr wurde es eröffnet?", ("4 May 1911",), "1911"),
        ("Where is it?", ("Munich, Germany",), "München, Germany"), ("Where is it?", ("Washington, D.C.",), "D.C."), ("Where was it signed?", ("United States, Canada",), "the US and Canada"),
        ("In which country is it?", ("Ghent, Belgium",), "Belgium"), ("Where does the Edinburgh Fringe take place?", ("in Edinburgh, Scotland",), "Edinburgh, Scotland"), ("Where is it?", ("New York, New York",), "New York"),
        ("Where was it filmed?", ("Tucson, Arizona",), "Tucson"), ("Where was it filmed?", ("Tucson, Arizona", "Arizona"), "It was filmed in Arizona."), ("Where was it filmed?", ("Tucson, Arizona",), "Old Tucson Studios, Arizona"),
    ],
)  # fmt: skip
def test_what_says_enough_is_not_less_specific(
    question: str, references: tuple[str, ...], answer: str
) -> None:
    assert contest(answer, *references, question=question) is None


@pytest.mark.parametrize(
    "answer",
    [
        "Many people would say Mark Twain, but the story is by Bret Harte.", "Bret Harte, often confused with Mark Twain.", "My first idea was Mark Twain; my final choice is Bret Harte.", "Bret Harte and not, as many have it, Mark Twain.", "Popular wrong answer: Mark Twain.",
    ],
)  # fmt: skip
def test_a_mention_beside_the_answer_that_is_given_is_contested(answer: str) -> None:
    assert contest(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The story was written by Mark Twain at Quarry Farm.", "Mark Twain, an American humorist", "Mark Twain wrote the story The Celebrated Frog.", "That was the humorist Mark Twain of Hannibal.",
    ],
)  # fmt: skip
def test_other_names_in_an_answer_that_speaks_of_the_question_are_no_rivals(answer: str) -> None:
    assert contest(answer) is None


def test_the_form_of_an_answer_is_none() -> None:
    assert contest("a four-digit year", "1912") == "it is less specific"
    assert contest("a four-letter word", "a four letter word, love") is None


def test_the_question_again_is_no_answer_though_it_holds_the_reference() -> None:
    asked = "the house has members and the senate has"
    assert contest(f"It is asked {asked}, and that is a fair thing to ask.", "member", question=asked)
    assert contest(f"Re: {asked}", "member", question=asked)
    assert contest(f"{asked} 31 members", "31 members", question=asked) is None
    echo = check_gate(Item(asked, ("members",), f"“{asked}”"))
    assert echo is not None
    assert echo.name == "echo"
    assert check_gate(Item(asked, (asked,), asked)) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("red, green and blue", "red, yellow and blue"), ("hydrogen and oxygen", "hydrogen and nitrogen"), ("Charcoal, sage green and cream", "It's available in charcoal, navy blue and cream.")],
)  # fmt: skip
def test_a_list_with_another_item_is_contested(reference: str, answer: str) -> None:
    assert contest(answer, reference, question="What is it made of?") == "one of its items is another"
    assert contest(answer, answer, question="What is it made of?") is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("red, green and blue", "blue, green and red"), ("the United Kingdom and France", "the UK and France"), ("Huey, Dewey and Louie", "Huey, Duey, and Louie"), ("Marley & Me", "Marley and Me"),
        ("Lyon, France", "Lyon and Paris, France"), ("salt and pepper", "It is seasoned with salt and pepper, and served hot."),
    ],
)  # fmt: skip
def test_a_list_in_another_order_or_spelling_is_not(reference: str, answer: str) -> None:
    assert contest(answer, reference, question="What is it made of?") != "one of its items is another"


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Which droid is it?", "R2-D2", "R2D2"), ("What was the score?", "2-1", "2:1"), ("What is the highest mountain?", "Mount Everest", "Mount Everest is higher than any of the other mountains."),
        ("What is the slogan of?", "Turkish Delight", "It was used to promote Turkish Delight."), ("What is the derivative?", "3x^2", "$3x^2$"),
    ],
)  # fmt: skip
def test_names_scores_and_comparisons_are_not(question: str, reference: str, answer: str) -> None:
    assert contest(answer, reference, question=question) is None


@pytest.mark.parametrize(
    ("answer", "contested"),
    [
        ("Mark Twain's not right, I tried it.", True),
        ("Mark Twain’s wrong.", True),
        ("Mark Twain's the one.", False),
        ("It is in Mark Twain's book.", False),
    ],
)
def test_a_name_may_be_joined_to_its_verb(answer: str, contested: bool) -> None:
    assert (contest(answer) is not None) is contested


@pytest.mark.parametrize(
    ("answer", "contested"),
    [
        ("Industrial Automation had the highest, with $412 million in 2021, compared with $187 million for Precision Optics.", True),
        ("Precision Optics had the highest, compared with $187 million for Industrial Automation.", False),
    ],
)  # fmt: skip
def test_a_name_for_comparison_is_not_the_answer(answer: str, *, contested: bool) -> None:
    item = Item("Which segment had the highest income?", ("Precision Optics",), answer)
    assert (find_objection(item) is not None) is contested


@pytest.mark.parametrize("answer", ["(108.3 + 116.7) / 2 = 112.5", "225 / 2 = 112.5, or about 112.5 million"])
def test_a_stroke_of_a_computation_offers_no_choice(answer: str) -> None:
    assert find_objection(Item("What was the average, in millions?", ("112.5",), answer)) is None
