"""The confidence of a verdict: the probability that it is right, lower for explanations with unfamiliar words."""

import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.core.types import Item, Verdict
from karat.embedded import Evidence, Reading, Texts, gather_evidence, judge, read_card, read_confidence
from karat.embedded.confidence import FAMILIES, Familiarity, Line
from karat.embedded.decide import decide_match
from karat.embedded.features import FEATURE_NAMES
from karat.embedded.judge import identify_embedded

readings = st.builds(
    Reading,
    probability=st.floats(0, 1),
    measures=st.lists(st.floats(-1, 5), min_size=len(FEATURE_NAMES), max_size=len(FEATURE_NAMES)),
    read=st.booleans(),
)
evidence = st.builds(
    Evidence,
    accepts=st.booleans(),
    rule=st.none() | st.sampled_from([*FAMILIES, "empty", "refusal"]),
    references=st.integers(1, 200),
    reference_length=st.floats(0, 3),
    answer_length=st.floats(0, 3),
    foreign=st.booleans(),
    reading=readings,
)

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


@given(evidence)
def test_every_verdict_has_a_probability(found: Evidence) -> None:
    assert 0 <= read_confidence().rate(found) <= 1


@given(st.dictionaries(st.sampled_from("abc"), st.floats(-3, 3)), st.floats(-3, 3))
def test_a_line_is_logistic_regression(weights: dict[str, float], bias: float) -> None:
    facts = {"a": 1.0, "b": -0.5, "c": 2.0}
    logit = bias + sum(weights.get(name, 0.0) * value for name, value in facts.items())
    rated = Line(bias, weights).rate(facts)
    assert math.isclose(math.log(rated / (1 - rated)), logit, abs_tol=1e-6)


def test_the_shipped_lines_weigh_only_known_facts() -> None:
    lines = read_confidence()
    reading = Reading(0.7, [0.0] * len(FEATURE_NAMES), read=True)
    for rule, found in ((None, lines.network), ("contained", lines.rules)):
        known = Evidence(True, rule, 1, 0.3, 0.3, foreign=False, reading=reading).facts()
        for line in found.values():
            assert line.weights
            assert set(line.weights) <= set(known)


def test_the_accuracy_on_left_out_groups_is_known_for_both_kinds() -> None:
    found = read_confidence().left_out
    assert {group.kind for group in found} == {"human", "written"}
    assert all(0 < group.right <= 1 and 0 < group.expected < 1 and group.rows > 0 for group in found)


@pytest.mark.parametrize("protocol", ["equivalence", "keypoints"])
def test_other_protocols_have_no_confidence(protocol: karat.ProtocolName) -> None:
    for answer in ("A whale is a mammal.", "Whales feed their young with milk.", ""):
        verdict = karat.judge("What is a whale?", "A whale is a mammal.", answer, protocol=protocol)
        assert isinstance(verdict, Verdict)
        assert verdict.confidence is None


def test_the_judge_of_rules_gives_the_same_confidence() -> None:
    for answer in ("Jane Austen", "It was Jane Austen who wrote Emma.", "I don't know."):
        alone, inside = (
            karat.judge("Who wrote Emma?", "Jane Austen", answer, judge=judge)
            for judge in ("rules", "embedded")
        )
        assert isinstance(alone, Verdict)
        assert alone == inside
        assert alone.confidence is not None


def test_another_language_is_noticed_in_texts_of_several_words() -> None:
    german = Item(
        "Wie lange dauert die Überfahrt mit der Fähre?", ("90 Minuten",), "Sie dauert anderthalb Stunden."
    )
    english = Item("How long does the ferry crossing take?", ("90 minutes",), "It takes an hour and a half.")
    short = Item(None, ("Bauchspeicheldrüse",), "Leber")
    found = [
        gather_evidence(item, accepts=True, rule=None, place=0).foreign for item in (german, english, short)
    ]
    assert found == [True, False, False]


def test_an_undecided_row_has_the_probability_of_the_network() -> None:
    item = Item(
        "What is the capital of Australia?",
        ("Canberra",),
        "You would lose your money on Canberra, my friend.",
    )
    outcome, found = decide_match(item)
    assert not isinstance(outcome, Verdict)
    assert found.reading is not None
    assert 0 <= found.reading.probability <= 1


def test_other_confidence_lines_have_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = identify_embedded("match", None)
    monkeypatch.setattr(judge, "hash_fitted", lambda name: f"others than {name}")
    assert identify_embedded("match", None) != before


def test_the_page_shows_the_figures_of_the_shipped_lines() -> None:
    """The table in the docs is the one that was printed when the lines were fitted."""
    page = (
        Path(__file__)
        .parents[2]
        .joinpath("docs", "measurements", "confidence.md")
        .read_text(encoding="utf-8")
    )
    lines = ([cell.strip(" %") for cell in line.split("|")[1:5]] for line in page.splitlines())
    shown = {line[0]: line[1:] for line in lines if len(line) == 4}
    for group in read_confidence().left_out:
        rows, right, expected = map(float, shown[group.group])
        assert rows == group.rows
        assert abs(right - 100 * group.right) < 0.06
        assert abs(expected - 100 * group.expected) < 0.06


@given(SHARES, WORDS, WORDS)
def test_unfamiliar_words_keep_the_verdict_and_never_raise_its_confidence(
    share: float, asked: list[str], told: list[str]
) -> None:
    texts = Texts(" ".join(asked), " ".join(told) or "x", "an answer")
    tempered = KNOWN.temper(texts, share)
    assert (tempered >= 0.5) == (share >= 0.5)
    assert abs(tempered - 0.5) <= abs(share - 0.5) + 1e-9


@given(SHARES, SHARES)
def test_unfamiliar_words_keep_the_order_of_probabilities(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert KNOWN.temper(STRANGE, low) <= KNOWN.temper(STRANGE, high)


def test_unknown_words_halve_the_logit() -> None:
    assert KNOWN.find_share(STRANGE) == 0
    assert KNOWN.temper(STRANGE, 0.9) == pytest.approx(0.75)  # odds of 9 become 3
    assert KNOWN.temper(STRANGE, 0.1) == pytest.approx(0.25)


def test_short_references_and_familiar_words_keep_their_confidence() -> None:
    assert KNOWN.find_share(BRIEF) == 0
    assert KNOWN.temper(BRIEF, 0.9) == 0.9
    assert KNOWN.find_share(FAMILIAR) == 1
    assert KNOWN.temper(FAMILIAR, 0.9) == pytest.approx(0.9)


def test_the_words_of_an_answer_make_nothing_familiar() -> None:
    other = msgspec.structs.replace(STRANGE, answer="battery bulb circuit current")
    assert KNOWN.temper(other, 0.9) == KNOWN.temper(STRANGE, 0.9)


def test_other_familiar_words_have_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before, card = identify_embedded("match", None), read_card()
    familiar = msgspec.structs.replace(card.familiar, words=card.familiar.words + " empire")
    monkeypatch.setattr(judge, "read_card", lambda: msgspec.structs.replace(card, familiar=familiar))
    assert identify_embedded("match", None) != before
