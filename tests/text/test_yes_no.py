"""Yes and no: said as a word, in other words, as a statement, by reasons or by figures."""

from pathlib import Path

from example_lines import Line, check_lines, read_item
from karat.core.types import Item
from karat.text import apply_rules, compare_yes_no, find_agreed_reference, find_figured_reference
from karat.text.yes_no import asks_yes_no, read_restated_yes_no, read_yes_no
from text_checks import verdict

EXAMPLES = Path(__file__).parent / "data" / "yes_no.jsonl"
PROFIT = "Is the company profitable?"


def leading(line: Line) -> bool | None:
    return read_yes_no(line["answer"])


def restated(line: Line) -> bool | None:
    return read_restated_yes_no(line["question"], line["answer"])


def agrees(line: Line) -> bool | None:
    return compare_yes_no(line["question"], (line["reference"],), line["answer"])


def agreed(line: Line) -> bool:
    return find_agreed_reference(read_item(line)) == 0


def figured(line: Line) -> bool:
    return find_figured_reference(read_item(line)) == 0


def test_a_yes_or_no_is_read_in_any_words_and_compared_with_the_reference() -> None:
    check_lines(
        EXAMPLES,
        leading=leading,
        restated=restated,
        agrees=agrees,
        agreed=agreed,
        figured=figured,
        verdict=verdict,
    )


def test_a_question_with_a_choice_or_a_negation_is_not_one_for_yes_or_no() -> None:
    assert asks_yes_no(PROFIT)
    assert not asks_yes_no("Is it red or blue?")
    assert not asks_yes_no("Which gun needs a permit?")
    assert not asks_yes_no("Is there no life on Mars?")


def test_an_instruction_after_the_question_is_no_part_of_it() -> None:
    assert asks_yes_no(
        "Is it healthy, by its quick ratio? If that is not useful, state that and explain why."
    )
    assert not asks_yes_no("Is it healthy? Or is it not?")


def test_other_questions_and_references_have_no_yes_or_no() -> None:
    assert compare_yes_no("Why is it not?", ("No, its margin is negative.",), "No.") is None
    assert compare_yes_no(PROFIT, ("It is not.",), "No.") is None


def test_a_reference_whose_word_is_not_read_accepts_nothing() -> None:
    assert apply_rules(Item("Is it so?", ("Yes?",), "Sydney")) is None
