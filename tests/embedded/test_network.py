"""The network and the prefilter that rejects hopeless answers without it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.types import Item, Verdict
from karat.embedded import Texts, judge, network, read_card, read_match, read_texts
from karat.embedded.features import FEATURE_NAMES
from karat.embedded.judge import EmbeddedJudge, identify_embedded

HOPELESS = Texts("Who painted the Mona Lisa?", "Leonardo da Vinci", "Michelangelo")
FEATURES = st.lists(st.floats(-1, 5), min_size=len(FEATURE_NAMES), max_size=len(FEATURE_NAMES))
READ = (
    Texts("Who painted the Mona Lisa?", "Leonardo da Vinci", "An apprentice from Vinci"),
    Texts("What is 2 + 2?", "4", "4, or it depends"),
    Texts("Why does ice float?", "It is less dense than the water around it is", "Fish"),
    Texts("Is it red or blue?", "blue", "green"),
)


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was loaded")

    monkeypatch.setattr(network, "_load", refuse)


@given(FEATURES)
def test_the_prefilter_never_accepts(features: list[float]) -> None:
    found = read_card().glance.find_hopeless(features)
    assert found is None or 0 < found < 0.5


@pytest.mark.usefixtures("unread")
def test_a_hopeless_answer_is_rejected_without_the_network_and_has_a_confidence() -> None:
    item = Item(HOPELESS.question, (HOPELESS.reference,), HOPELESS.answer)
    [verdict] = EmbeddedJudge("match")._judge_all((item,))  # pyright: ignore[reportPrivateUsage]
    assert isinstance(verdict, Verdict)
    assert verdict.value is False
    assert verdict.confidence is not None
    assert 0 < verdict.confidence < 1


def test_the_network_would_have_rejected_it_too() -> None:
    assert read_texts([HOPELESS])[0].match < 0.5


@pytest.mark.parametrize("texts", READ)
def test_the_network_always_reads_shared_words_long_references_and_choices(texts: Texts) -> None:
    found = read_match(texts)
    assert found.read
    assert found.probability == read_texts([texts])[0].match


def test_another_prefilter_has_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before, card = identify_embedded("match", None), read_card()
    glance = msgspec.structs.replace(card.glance, bound=card.glance.bound - 1)
    monkeypatch.setattr(judge, "read_card", lambda: msgspec.structs.replace(card, glance=glance))
    assert identify_embedded("match", None) != before
