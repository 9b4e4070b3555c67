"""Talk around an answer: second thoughts, the speaker, and what else is named."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.core.types import Item, Unjudged, Verdict
from karat.text import (
    apply_rules,
    find_first_mentioned,
    find_objection,
    names_something_else,
    uses_personal_pronoun,
)
from karat.text.objections import RETRACTION_HINTS, RETRACTION_PHRASES, has_retraction

CAPITAL = "What is the capital of Australia?"


@pytest.mark.parametrize(
    "answer",
    [
        "Canberra. Scratch that, Perth.", "On reflection Perth, though I had Canberra.", "My first answer was Canberra.", "~~Canberra~~ Perth", "Canberra... hold on, Perth.", "Canberra? I was thinking of Perth.",
        "I'd like to change Canberra to Perth.", "Canberra, sorry, I mean Perth.", "I almost said Canberra.", "Canberra ❌ Perth ✅", "Canberra *Perth", "Canberra (crossed out) Perth", "Canberra. Correction: Perth.",
        "I said Canberra a moment ago.", "It dawned on me that it is not Canberra.", "Canberra, which on second thoughts is Perth.",
    ],
)  # fmt: skip
def test_second_thoughts_are_seen_and_contest_the_answer(answer: str) -> None:
    assert has_retraction(answer, CAPITAL, ("Canberra",))
    assert find_objection(Item(CAPITAL, ("Canberra",), answer)) is not None


@pytest.mark.parametrize("phrase", RETRACTION_PHRASES)
@settings(max_examples=100)
@given(data=st.data())
def test_every_phrase_has_a_word_that_lets_it_be_looked_for(phrase: str, data: st.DataObject) -> None:
    said = re.search(phrase, data.draw(st.from_regex(re.compile(phrase, re.ASCII))))
    assert said is None or not RETRACTION_HINTS.isdisjoint(re.findall("[a-z]+", said[0].lower()))


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who sang it?", "Toby Keith", 'The song "Should\'ve Been a Cowboy" was sung by Toby Keith.'), ("How do bats sleep?", "upside down", "Bats hang on ceilings and sleep upside down."),
        ("What do roots do?", "anchor the plant", "Roots hold on to the soil and anchor the plant."), ("Which song?", "Hold On", "It is Hold On, by Wilson Phillips."), ("Who found it?", "Fleming", "Fleming found it; the mould was a mistake."),
        ("Is the earth flat?", "No", "No, that is incorrect: the Earth is round."), ("Who won?", "Spain", "I have just checked, and Spain won."), ("How long?", "3 minutes", "Steep it for 3 minutes, then wait a minute before drinking."),
        ("What is it?", "Correction fluid", "Correction fluid, which hides typing errors."), ("How is it passed?", "with an asterisk", "With an asterisk, as in print(1, *values)."),
    ],
)  # fmt: skip
def test_plain_words_are_no_second_thoughts(question: str, reference: str, answer: str) -> None:
    assert not has_retraction(answer, question, (reference,))


@pytest.mark.parametrize(
    "answer",
    ["I'd go for Canberra and hope.", "Canberra, if you ask me.", "my dad says Canberra", "i said Canberra"],
)
def test_talk_of_the_speaker_is_no_sure_accept(answer: str) -> None:
    item = Item(CAPITAL, ("Canberra",), answer)
    assert uses_personal_pronoun(item)
    ruling = apply_rules(item)
    assert ruling is None or not ruling.accept


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("When did World War I end?", "1918", "World War I ended in 1918."), ("Which is the largest planet?", "Jupiter", "The largest planet in our solar system is Jupiter."), ("Which flag ignores case?", "-i", "Use -i for it."),
        ("Which film was it?", "You've Got Mail", "The film was You've Got Mail."), ("Who was she?", "Elizabeth I", "She was Elizabeth I of England."), ("What is the capital?", "Canberra", "I'm pretty sure the answer is Canberra."),
    ],
)  # fmt: skip
def test_numerals_titles_flags_and_avowals_are_no_speaker(question: str, reference: str, answer: str) -> None:
    assert not uses_personal_pronoun(Item(question, (reference,), answer))


def test_what_else_is_named() -> None:
    assert names_something_else(Item(CAPITAL, ("Canberra",), "Some like Canberra, others Perth."))
    assert names_something_else(Item(CAPITAL, ("Canberra",), "Canberra since 1913."))
    assert not names_something_else(
        Item(CAPITAL, ("Canberra",), "Everyone knows it is Canberra. No doubt about it.")
    )
    assert find_first_mentioned(Item(CAPITAL, ("Sydney", "Canberra"), "Surely Canberra.")) == 1
    assert find_first_mentioned(Item(CAPITAL, ("Canberra",), "Canberra")) is None


def test_plain_talk_is_accepted_and_talk_that_names_another_is_not() -> None:
    plain = karat.judge(CAPITAL, "Canberra", "It is widely accepted that the answer is Canberra.")
    assert isinstance(plain, Verdict)
    assert plain.value is True
    other = karat.judge(
        CAPITAL, "Canberra", "My notes list Canberra on the next page and Sydney on this one."
    )
    assert isinstance(other, Unjudged) or not other.value
