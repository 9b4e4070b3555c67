"""Phrases around a mention: whether the talk commits to the reference, whatever the names are."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from example_lines import Line, check_lines, read_lines
from karat.core.types import Unjudged
from karat.embedded import judge, read_phrase_weights
from karat.embedded.judge import identify_embedded
from karat.embedded.phrases import read_context
from text_checks import judged

EXAMPLES = Path(__file__).with_name("phrases.jsonl")
QUESTION = "What is the capital of Australia?"
COMMITTED = [line["answer"] for line in read_lines(EXAMPLES, "talk that commits to the reference")]
UNCOMMITTED = [line["answer"] for line in read_lines(EXAMPLES, "talk that does not commit to the reference")]


NAMES = st.from_regex(r"[A-Z][qxz]{2,5}(?: [A-Z][qxz]{2,5})?", fullmatch=True)


def weigh(answer: str, reference: str = "Canberra", question: str = QUESTION) -> float:
    weighed = read_phrase_weights().weigh(question, [reference], answer)
    assert weighed is not None
    return weighed.share


def line_weight(line: Line) -> float | None:
    found = read_phrase_weights().weigh(line["question"], [line["reference"]], line["answer"])
    return found and found.share


def test_talk_is_accepted_only_if_it_commits_to_the_reference() -> None:
    check_lines(EXAMPLES, judged=judged, weight=line_weight)


def test_committed_talk_weighs_more_than_uncommitted_talk() -> None:
    assert min(map(weigh, COMMITTED)) > max(map(weigh, UNCOMMITTED))


@given(st.sampled_from(COMMITTED + UNCOMMITTED), NAMES, NAMES, st.sampled_from(["{n}", '"{n}"', "**{n}**"]))
def test_the_weight_does_not_depend_on_the_names(answer: str, one: str, other: str, dress: str) -> None:
    first, second = (answer.replace("Canberra", dress.replace("{n}", name)) for name in (one, other))
    assert weigh(first, one) == weigh(second, other)


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_talk_around_a_mention_is_weighed(before: str, behind: str, question: str) -> None:
    weighed = read_phrase_weights().weigh(question, ["Canberra"], f"{before} Canberra {behind}")
    assert weighed is not None
    assert 0 < weighed.share < 1


def test_a_computation_from_the_figure_is_not_the_figure() -> None:
    verdict = karat.judge("What year did the war end?", "1945", "It's 1945 plus one.")
    assert isinstance(verdict, Unjudged) or not verdict.value


@given(
    st.lists(st.sampled_from(["Canberra", "well", "Sydney", "1912", "capital", "zorb", ",", "it's", "is"]))
)
def test_the_context_has_known_words_and_marks_for_all_others(words: list[str]) -> None:
    around = read_context(QUESTION, ["Canberra"], " ".join(words), frozenset({"well", "is"}))
    if "Canberra" not in words:
        assert around is None
        return
    assert around is not None
    assert set(around) <= {"X", "Y", "Q", "W", "well", "is", ","}
    assert around.count("X") == words.count("Canberra")
    assert ("Q" in around) == ("capital" in words)
    assert ("Y" in around) == ("Sydney" in words or "1912" in words)
    assert ("W" in around) == ("zorb" in words or "it's" in words)


def test_a_name_joined_to_its_verb_is_a_mention() -> None:
    known = frozenset({"not", "right"})
    assert read_context(QUESTION, ["Canberra"], "Canberra's not right", known) == ("X", "not", "right")


def test_the_last_mention_weighs_most() -> None:
    first, last = "I said Canberra, but it is Sydney.", "I said Sydney, but it is Canberra."
    assert weigh(first) < weigh(last)


def test_committed_talk_excuses_no_vaguer_date() -> None:
    told = "Oh, I know this one for sure, we had it in school: {}!"
    assert weigh(told.format("1912"), "1912", "When did the Titanic sink?") > 0.9
    vaguer = karat.judge("When did the Titanic sink?", "15 April 1912", told.format("1912"))
    assert isinstance(vaguer, Unjudged) or not vaguer.value


def test_other_phrase_weights_have_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = identify_embedded("match", None)
    monkeypatch.setattr(judge, "hash_fitted", lambda name: f"others than {name}")
    assert identify_embedded("match", None) != before
