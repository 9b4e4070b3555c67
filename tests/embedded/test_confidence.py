"""The confidence of Yes and No: P(this verdict is right)."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.core.types import Item, Verdict
from karat.embedded import Evidence, Reading, gather_evidence, judge, read_confidence
from karat.embedded.confidence import FAMILIES, Line
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


@given(evidence)
def test_every_verdict_has_a_probability(found: Evidence) -> None:
    assert 0 <= read_confidence().rate(found) <= 1


@given(st.dictionaries(st.sampled_from("abc"), st.floats(-3, 3)), st.floats(-3, 3))
def test_a_line_is_logistic_regression(weights: dict[str, float], bias: float) -> None:
    facts = {"a": 1.0, "b": -0.5, "c": 2.0}
    logit = bias + sum(weights.get(name, 0.0) * value for name, value in facts.items())
    rated = Line(bias, weights).rate(facts)
    assert math.isclose(math.log(rated / (1 - rated)), logit, abs_tol=1e-6)


def test_the_shipped_lines_weigh_only_facts_that_there_are() -> None:
    lines = read_confidence()
    reading = Reading(0.7, [0.0] * len(FEATURE_NAMES), read=True)
    for rule, found in ((None, lines.network), ("contained", lines.rules)):
        known = Evidence(True, rule, 1, 0.3, 0.3, foreign=False, reading=reading).facts()
        for line in found.values():
            assert line.weights
            assert set(line.weights) <= set(known)


def test_what_groups_came_to_when_they_were_left_out_is_known_for_both_kinds() -> None:
    found = read_confidence().left_out
    assert {group.kind for group in found} == {"human", "written"}
    assert all(0 < group.right <= 1 and 0 < group.expected < 1 and group.rows > 0 for group in found)


PARAPHRASES = (
    ("How did the negotiations end?", "They fell through.", "The two sides walked away with no deal."),
    ("What did the medicine do to the fever?", "It brought it down.", "The patient's temperature dropped."),
    ("Why did the shop close?", "It went bankrupt.", "The owners ran out of money."),
    ("How does she get to the office?", "By bicycle", "She pedals there every day."),
    ("What was the weather like?", "It was pouring.", "Heavy rain all day"),
    ("How old was he when he died?", "in his nineties", "He lived to be 94."),
)


@pytest.mark.parametrize(("question", "reference", "answer"), PARAPHRASES)
def test_no_rejection_of_an_answer_without_a_shared_word_is_called_sure(
    question: str, reference: str, answer: str
) -> None:
    verdict = karat.judge(question, reference, answer)
    assert not isinstance(verdict, Verdict) or verdict.value or (verdict.confidence or 0) < 0.9


@pytest.mark.parametrize("protocol", ["equivalence", "keypoints"])
def test_what_was_not_measured_has_no_confidence(protocol: karat.ProtocolName) -> None:
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


def test_a_text_in_another_language_is_noticed_where_there_are_enough_words() -> None:
    german = Item(
        "Wie lange dauert die Überfahrt mit der Fähre?", ("90 Minuten",), "Sie dauert anderthalb Stunden."
    )
    english = Item("How long does the ferry crossing take?", ("90 minutes",), "It takes an hour and a half.")
    short = Item(None, ("Bauchspeicheldrüse",), "Leber")
    found = [
        gather_evidence(item, accepts=True, rule=None, place=0).foreign for item in (german, english, short)
    ]
    assert found == [True, False, False]


def test_an_undecided_row_still_tells_what_the_network_says() -> None:
    item = Item(
        "What is the capital of Australia?",
        ("Canberra",),
        "You would lose your money on Canberra, my friend.",
    )
    outcome, found = decide_match(item)
    assert not isinstance(outcome, Verdict)
    assert found.reading is not None
    assert 0 <= found.reading.probability <= 1


def test_other_lines_are_another_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    before = identify_embedded("match", None)
    monkeypatch.setattr(judge, "hash_confidence", lambda: "others")
    assert identify_embedded("match", None) != before


def test_the_page_shows_what_the_shipped_lines_came_to() -> None:
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
