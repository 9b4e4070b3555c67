"""The features of the network: rules that hold for any texts."""

import math
import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from karat.embedded.features import FEATURE_NAMES, measure_features

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


def test_equal_texts_have_the_highest_similarity() -> None:
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


def test_a_denied_or_doubted_mention_is_measured() -> None:
    assert look("who", "Ada", "It was not Ada")["doubt_negated"] == 1.0
    assert look("who", "Ada Lovelace", "Ada Lovelace or Grace Hopper")["or_added"] == 1.0
    assert look("is it", "no", "Yes, it is")["polar_other"] == 1.0


def test_a_misspelt_word_has_a_high_soft_recall() -> None:
    found = look("where", "Massachusetts", "Massachussets")
    assert found["recall"] == 0.0
    assert found["soft_recall"] > 0.9
