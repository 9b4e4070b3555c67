"""How sure the embedded judge is of explanations that it knows few words of."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.embedded import Texts, judge, read_card
from karat.embedded.confidence import Familiarity
from karat.embedded.judge import identify_embedded

KNOWN = Familiarity("battery bulb circuit closed current flows light path", 0.4, 0.6, 0.5, 5, 10)
QUESTION = "Why does the bulb light?"
FAMILIAR = Texts(
    QUESTION, "because the battery and the bulb are in a closed circuit", "There is a closed path."
)
STRANGE = Texts(
    "Why did the empire fall?", "because of debts, plagues and wars that it waged on its borders", "Wars."
)
BRIEF = Texts("Who ruled the empire?", "Justinian the First", "Justinian")
SHARES = st.floats(0, 1)
WORDS = st.lists(
    st.sampled_from(["battery", "bulb", "empire", "plague", "the", "of", "wars", "current", "12"]),
    max_size=20,
)


@given(SHARES, WORDS, WORDS)
def test_the_verdict_stays_and_never_gets_surer(share: float, asked: list[str], told: list[str]) -> None:
    texts = Texts(" ".join(asked), " ".join(told) or "x", "an answer")
    tempered = KNOWN.temper(texts, share)
    assert (tempered >= 0.5) == (share >= 0.5)
    assert abs(tempered - 0.5) <= abs(share - 0.5) + 1e-9


@given(SHARES, SHARES)
def test_what_was_likelier_stays_likelier(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert KNOWN.temper(STRANGE, low) <= KNOWN.temper(STRANGE, high)


def test_half_of_the_logit_is_kept_where_nothing_is_known() -> None:
    assert KNOWN.find_share(STRANGE) == 0
    assert KNOWN.temper(STRANGE, 0.9) == pytest.approx(0.75)  # odds of 9 become 3
    assert KNOWN.temper(STRANGE, 0.1) == pytest.approx(0.25)


def test_facts_and_what_is_known_keep_their_confidence() -> None:
    assert KNOWN.find_share(BRIEF) == 0
    assert KNOWN.temper(BRIEF, 0.9) == 0.9
    assert KNOWN.find_share(FAMILIAR) == 1
    assert KNOWN.temper(FAMILIAR, 0.9) == pytest.approx(0.9)


def test_the_words_of_an_answer_make_nothing_familiar() -> None:
    other = msgspec.structs.replace(STRANGE, answer="battery bulb circuit current")
    assert KNOWN.temper(other, 0.9) == KNOWN.temper(STRANGE, 0.9)


def test_other_familiar_words_are_another_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    before, card = identify_embedded("match", None), read_card()
    familiar = msgspec.structs.replace(card.familiar, words=card.familiar.words + " empire")
    monkeypatch.setattr(judge, "read_card", lambda: msgspec.structs.replace(card, familiar=familiar))
    assert identify_embedded("match", None) != before
