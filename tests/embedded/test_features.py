"""Rules that the measures keep, whatever the texts are."""

import math
import os
import subprocess
import sys
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from karat.embedded.features import FEATURE_NAMES, measure_features
from karat.embedded.inputs import choose_references, keep_passages, prepare_answer, split_sentences

TEXT = st.text(max_size=200)


def look(question: str | None, reference: str, answer: str) -> dict[str, float]:
    return dict(zip(FEATURE_NAMES, measure_features(question, reference, answer), strict=True))


@given(st.none() | TEXT, TEXT, TEXT)
def test_any_texts_give_finite_numbers_in_the_fixed_order(
    question: str | None, reference: str, answer: str
) -> None:
    found = measure_features(question, reference, answer)
    assert len(found) == len(FEATURE_NAMES) == len(set(FEATURE_NAMES))
    assert all(math.isfinite(number) for number in found)


@given(TEXT, st.text(alphabet="abc de", min_size=1, max_size=60))
def test_the_same_texts_give_the_same_numbers(question: str, answer: str) -> None:
    assert measure_features(question, "abc", answer) == measure_features(question, "abc", answer)


def test_another_process_gives_the_same_numbers() -> None:
    """Python hashes text otherwise in each process; an answer with many numbers is cut the same in all."""
    code = "from karat.embedded.features import measure_features; print(measure_features('q', ' '.join(map(str, range(3, 90, 7))), ' '.join(map(str, range(1000, 1400, 11)))))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(said) == 1


def test_equal_texts_are_as_alike_as_can_be() -> None:
    found = look("who wrote it", "Jane Austen", "jane austen")
    assert [
        found[name]
        for name in ("precision", "recall", "f1", "contained", "containing", "ratio", "soft_recall")
    ] == [1.0] * 7


def test_words_of_the_question_prove_nothing() -> None:
    asked = "what is the highest mountain in austria"
    echoed = look(asked, "Grossglockner mountain", "the highest mountain in Austria")
    named = look(asked, "Grossglockner mountain", "the Grossglockner")
    assert echoed["new_recall"] == 0.0 < named["new_recall"] == 1.0
    assert echoed["answer_from_question"] > named["answer_from_question"]


def test_numbers_are_compared_by_value_not_by_spelling() -> None:
    same = look("how many", "1,500", "1500 people")
    near = look("how many", "1500", "1510 people")
    far = look("how many", "1500", "73 people")
    assert same["number_recall"] == same["nearest_number"] == 1.0
    assert far["nearest_number"] < near["nearest_number"] < 1.0


def test_a_denied_or_doubted_mention_is_seen() -> None:
    assert look("who", "Ada", "It was not Ada")["doubt_negated"] == 1.0
    assert look("who", "Ada Lovelace", "Ada Lovelace or Grace Hopper")["or_added"] == 1.0
    assert look("is it", "no", "Yes, it is")["polar_other"] == 1.0


def test_misspelt_words_are_nearly_found() -> None:
    found = look("where", "Massachusetts", "Massachussets")
    assert found["recall"] == 0.0
    assert found["soft_recall"] > 0.9


def test_the_likest_references_come_first() -> None:
    references = ("Eiffel Tower", "a bridge", "the Eiffel tower in Paris")
    assert choose_references(references, "It is the Eiffel Tower.", 2)[0] == 0
    assert choose_references(("b", "a", "a"), "a", 3) == [1, 0]


@given(st.lists(TEXT, min_size=1, max_size=8), TEXT, st.randoms())
def test_the_order_of_references_does_not_change_which_texts_are_chosen(
    references: list[str], answer: str, chance: Random
) -> None:
    turned = references[:]
    chance.shuffle(turned)
    chosen, again = (choose_references(tuple(each), answer, 2) for each in (references, turned))
    assert [references[place] for place in chosen] == [turned[place] for place in again]


@given(st.lists(TEXT, min_size=1, max_size=8), TEXT)
def test_some_reference_is_always_chosen(references: list[str], answer: str) -> None:
    chosen = choose_references(tuple(references), answer, 2)
    assert 1 <= len(chosen) <= 2
    assert all(0 <= place < len(references) for place in chosen)


def test_a_long_answer_keeps_the_passage_about_the_reference() -> None:
    talk = [f"Sentence number {count} tells of something else entirely." for count in range(60)]
    talk[41] = "The treaty was signed at Tordesillas."
    kept = keep_passages("where was the treaty signed", "Tordesillas", " ".join(talk), 30)
    assert "Tordesillas" in kept
    assert len(kept.split()) <= 30


@given(TEXT, st.integers(5, 40))
def test_what_is_short_enough_is_not_touched(answer: str, words: int) -> None:
    if len(answer.split()) <= words:
        assert keep_passages("q", "r", answer, words) == answer


def test_sentences_end_at_stops_and_bullets_but_not_at_abbreviations() -> None:
    assert split_sentences(
        "Dr. Smith saw it. He left at 3.5 km.\n- first point here\n- second point here"
    ) == [
        "Dr. Smith saw it.",
        "He left at 3.5 km.",
        "first point here",
        "second point here",
    ]


@given(TEXT)
def test_sentences_keep_every_word(text: str) -> None:
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    kept = " ".join(split_sentences(text)).split()
    assert len(kept) >= len([word for word in words if word.strip("-*•") in kept])


def test_what_is_compared_is_in_the_writing_of_the_reference() -> None:
    assert prepare_answer("How long may I return it?", "within 14 days", "for two weeks", 40) == "for 14 days"
    assert prepare_answer(None, "within 14 days", "for three weeks", 40) == "for three weeks"
