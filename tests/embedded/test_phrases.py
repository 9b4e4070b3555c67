"""Whether talk commits to the reference that it holds: what is named does not matter, what is said of it does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.core.types import Unjudged, Verdict
from karat.embedded import judge, read_phrase_weights
from karat.embedded.judge import identify_embedded
from karat.embedded.phrases import read_context

QUESTION = "What is the capital of Australia?"
COMMITTED = (
    "Oh, I know this one for sure, we had it in school: Canberra!",
    "Trust me on this, mate, it's Canberra and nothing else.",
    "I asked my geography teacher to be safe and she confirmed it, so Canberra it is.",
    "No need to look it up, the word you want is Canberra.",
    "Hmm, let me think... yes, got it, Canberra!",
)
UNCOMMITTED = (
    "You could not pay me to write Canberra there.",
    "My sister kept shouting Canberra, but then she shouts that at everything.",
    "I had Canberra in mind until I looked again, and now I'm going with Sydney.",
    "It's a coin flip for me, Canberra on one side and Sydney on the other.",
    "Popular misconception: it's Canberra.",
    "Most common mistake: Canberra.",
    "Students often write: Canberra.",
    "I would love to say it's Canberra.",
    "There is exactly one town I'd rule out: Canberra.",
)
NAMES = st.from_regex(r"[A-Z][qxz]{2,5}(?: [A-Z][qxz]{2,5})?", fullmatch=True)


def weigh(answer: str, reference: str = "Canberra", question: str = QUESTION) -> float:
    weighed = read_phrase_weights().weigh(question, [reference], answer)
    assert weighed is not None
    return weighed.share


@pytest.mark.parametrize("answer", COMMITTED)
def test_talk_that_gives_the_reference_is_accepted(answer: str) -> None:
    verdict = karat.judge(QUESTION, "Canberra", answer)
    assert isinstance(verdict, Verdict)
    assert verdict.value is True


@pytest.mark.parametrize("answer", UNCOMMITTED)
def test_talk_that_does_not_is_not(answer: str) -> None:
    verdict = karat.judge(QUESTION, "Canberra", answer)
    assert isinstance(verdict, Unjudged) or not verdict.value


def test_each_that_commits_outweighs_each_that_does_not() -> None:
    assert min(map(weigh, COMMITTED)) > max(map(weigh, UNCOMMITTED))


@given(st.sampled_from(COMMITTED + UNCOMMITTED), NAMES, NAMES, st.sampled_from(["{n}", '"{n}"', "**{n}**"]))
def test_names_are_only_names(answer: str, one: str, other: str, dress: str) -> None:
    first, second = (answer.replace("Canberra", dress.replace("{n}", name)) for name in (one, other))
    assert weigh(first, one) == weigh(second, other)


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_talk_around_a_mention_is_weighed(before: str, behind: str, question: str) -> None:
    weighed = read_phrase_weights().weigh(question, ["Canberra"], f"{before} Canberra {behind}")
    assert weighed is not None
    assert 0 < weighed.share < 1


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Is the Earth flat?", "No", "No doubt about it: it is."),
        ("Which country won the war?", "US", "Take my word for it, it was us!"),
        ("Which number comes first?", "one", "That's an easy one, for sure!"),
    ],
)
def test_small_words_are_no_mentions(question: str, reference: str, answer: str) -> None:
    assert read_phrase_weights().weigh(question, [reference], answer) is None


def test_what_is_reckoned_from_a_figure_is_not_the_figure() -> None:
    verdict = karat.judge("What year did the war end?", "1945", "It's 1945 plus one.")
    assert isinstance(verdict, Unjudged) or not verdict.value


@given(
    st.lists(st.sampled_from(["Canberra", "well", "Sydney", "1912", "capital", "zorb", ",", "it's", "is"]))
)
def test_what_is_around_has_the_words_that_are_known_and_tells_the_others_apart(words: list[str]) -> None:
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


def test_what_comes_last_outweighs_what_comes_first() -> None:
    first, last = "I said Canberra, but it is Sydney.", "I said Sydney, but it is Canberra."
    assert weigh(first) < weigh(last)


def test_talk_excuses_no_fault() -> None:
    told = "Oh, I know this one for sure, we had it in school: {}!"
    assert weigh(told.format("1912"), "1912", "When did the Titanic sink?") > 0.9
    vaguer = karat.judge("When did the Titanic sink?", "15 April 1912", told.format("1912"))
    assert isinstance(vaguer, Unjudged) or not vaguer.value


def test_other_phrases_are_another_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    before = identify_embedded("match", None)
    monkeypatch.setattr(judge, "hash_phrase_weights", lambda: "others")
    assert identify_embedded("match", None) != before
