"""Talk around an answer: the speaker, and what else is named."""

import pytest

import karat
from karat.core.types import Item, Unjudged, Verdict
from karat.text import apply_rules, mentions_among_words, uses_personal_pronoun
from karat.text.mention import names_something_else

CAPITAL = "What is the capital of Australia?"


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
    assert mentions_among_words(Item(CAPITAL, ("Sydney", "Canberra"), "Surely Canberra."))
    assert not mentions_among_words(Item(CAPITAL, ("Canberra",), "Canberra"))


def test_plain_talk_is_accepted_and_talk_that_names_another_is_not() -> None:
    plain = karat.judge(CAPITAL, "Canberra", "It is widely accepted that the answer is Canberra.")
    assert isinstance(plain, Verdict)
    assert plain.value is True
    other = karat.judge(
        CAPITAL, "Canberra", "My notes list Canberra on the next page and Sydney on this one."
    )
    assert isinstance(other, Unjudged) or not other.value
