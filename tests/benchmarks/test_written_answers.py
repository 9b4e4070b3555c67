"""The card of training/data says what the written answers are; these tests count it."""

import re
from collections import Counter
from typing import Any

from training import texts

from karat.text import clean

ROWS: list[dict[str, Any]] = list(texts.read_answers())
FIELDS = {"group", "id", "question", "references", "answer", "label", "level", "kind"}
SECOND = {"second_label", "second_level"}


def share_words(row: dict[str, Any]) -> float:
    """Return the largest share of a reference's words that the answer has."""
    said = set(re.findall(r"\w+", clean(row["answer"]).casefold()))
    wanted = [set(re.findall(r"\w+", clean(text).casefold())) for text in row["references"]]
    return max(len(words & said) / len(words) for words in wanted)


def find_best_threshold(values: list[tuple[float, bool]]) -> float:
    """Return the accuracy of the best single threshold, whichever side of it is called right."""
    right = sum(label for _, label in values)
    best, above, seen = max(right, len(values) - right), right, 0
    ordered = sorted(values)
    for number, (value, label) in enumerate(ordered, 1):
        above, seen = above - label, seen + (not label)
        if number == len(ordered) or ordered[number][0] != value:
            best = max(best, above + seen, len(values) - above - seen)
    return best / len(values)


def test_every_row_has_its_fields_and_an_id_of_its_own() -> None:
    assert all(set(row) - SECOND == FIELDS for row in ROWS)
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert all(row["references"] and all(row["references"]) and row["answer"] for row in ROWS)


def test_right_answers_have_the_highest_levels_and_wrong_ones_never_the_highest() -> None:
    assert all(row["level"] in ((4, 5) if row["label"] else range(5)) for row in ROWS)


def test_each_group_has_150_rows_about_half_of_them_right() -> None:
    rows, right = Counter(row["group"] for row in ROWS), Counter(row["group"] for row in ROWS if row["label"])
    assert set(rows.values()) == {150}
    assert all(0.48 <= right[group] / count <= 0.56 for group, count in rows.items())


def test_neither_shared_words_nor_length_tell_the_label() -> None:
    by_words = [(share_words(row), row["label"]) for row in ROWS]
    by_length = [(float(len(row["answer"])), row["label"]) for row in ROWS]
    assert find_best_threshold(by_words) < 0.56
    assert find_best_threshold(by_length) < 0.56


def test_a_second_reading_gave_the_same_labels() -> None:
    read = [row for row in ROWS if "second_label" in row]
    assert len(read) == 325
    assert all(row["second_label"] == row["label"] for row in read)
    assert sum(abs(row["second_level"] - row["level"]) > 1 for row in read) <= len(read) * 0.02
