"""Mentions of the reference: on topic or not, in the speaker's talk, or part of another name."""

from pathlib import Path

import karat
from example_lines import Line, check_lines, read_item
from karat.core.types import Item, Unjudged, Verdict
from karat.text import find_mentioned_reference, is_off_topic, uses_personal_pronoun
from karat.text.mention import names_something_else
from text_checks import gate_and_rules, off_topic, off_topic_without_politeness, verdict

EXAMPLES = Path(__file__).parent / "data" / "mention.jsonl"
FROG = "Who wrote the story of the jumping frog?"
CAPITAL = "What is the capital of Australia?"


def speaker(line: Line) -> bool:
    return uses_personal_pronoun(read_item(line))


def is_off(answer: str, question: str | None = FROG) -> bool:
    return is_off_topic(Item(question, ("Mark Twain",), answer))


def test_talk_beside_the_question_is_off_topic_and_statements_are_not() -> None:
    check_lines(
        EXAMPLES,
        off_topic=off_topic,
        off_topic_without_politeness=off_topic_without_politeness,
        speaker=speaker,
        verdict=verdict,
        gate_and_rules=gate_and_rules,
    )


def test_without_a_question_nothing_is_off_topic() -> None:
    assert not is_off("Give Mark Twain a rest, he gets the credit for far too much.", None)


def test_one_mention_that_is_stated_suffices() -> None:
    assert not is_off("Mark Twain, of course. My neighbour would tell you Mark Twain as well.")


def test_a_fuller_name_is_on_topic_and_a_list_of_names_is_not() -> None:
    asked = "Who painted the ceiling of the Sistine Chapel?"
    assert not is_off_topic(Item(asked, ("Michelangelo",), "Michelangelo di Lodovico Buonarroti Simoni"))
    assert is_off_topic(
        Item(asked, ("Michelangelo",), "Bramante, Raphael, Michelangelo, Titian, Perugino, Signorelli")
    )


def test_many_mentions_are_passed_quickly() -> None:
    assert not is_off_topic(Item("What is the capital of France?", ("Paris", "Paname"), "Paris " * 16_000))


def test_another_name_beside_the_reference_is_found() -> None:
    assert names_something_else(Item(CAPITAL, ("Canberra",), "Some like Canberra, others Perth."))
    assert names_something_else(Item(CAPITAL, ("Canberra",), "Canberra since 1913."))
    assert not names_something_else(
        Item(CAPITAL, ("Canberra",), "Everyone knows it is Canberra. No doubt about it.")
    )
    assert find_mentioned_reference(Item(CAPITAL, ("Sydney", "Canberra"), "Surely Canberra.")) == 1
    assert find_mentioned_reference(Item(CAPITAL, ("Canberra",), "Canberra")) is None


def test_plain_talk_is_accepted_and_talk_that_names_another_is_not() -> None:
    plain = karat.judge(CAPITAL, "Canberra", "It is widely accepted that the answer is Canberra.")
    assert isinstance(plain, Verdict)
    assert plain.value is True
    other = karat.judge(
        CAPITAL, "Canberra", "My notes list Canberra on the next page and Sydney on this one."
    )
    assert isinstance(other, Unjudged) or not other.value
