"""What the two stages of training read, and in which portions; nothing here needs torch."""

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[2]))

from training import lessons, nli
from training.nli import Inference

from karat.embedded.inputs import WordPieces

ROW: dict[str, Any] = {
    "id": "x-001", "question": "Is it raised?", "references": ["Yes"], "answer": "It went up.", "label": True, "level": 5, "kind": "x",
}  # fmt: skip


def make_pair(premise: str, hypothesis: str = "b", label: str = "neutral", source: str = "s") -> Inference:
    return Inference(premise, hypothesis, label, source)


def test_pairs_that_are_measured_on_are_not_learnt_from_whatever_their_case_and_spacing() -> None:
    kept = nli.leave_out(
        [make_pair("A  man"), make_pair("a woman"), make_pair("A woman")], [make_pair("a man")]
    )
    assert [each.premise for each in kept] == ["a woman"]


def test_a_question_with_the_sentence_that_may_answer_it_is_read_with_the_sentence_as_premise(
    tmp_path: Path,
) -> None:
    row = {"a": "Who came?", "b": "Ann came.", "label": "entailment"}
    for name, premise in (("qnli_dev", "Ann came."), ("other", "Who came?")):
        path = tmp_path / f"{name}.jsonl.gz"
        path.write_bytes(gzip.compress(json.dumps(row).encode()))
        assert [each.premise for each in nli.read_pairs(path)] == [premise]


def test_pairs_without_a_text_or_with_an_unknown_label_are_left_out(tmp_path: Path) -> None:
    rows = [
        {"a": "x", "b": "", "label": "neutral"},
        {"a": "x", "b": "y", "label": "-"},
        {"a": "x", "b": "y", "label": "not_entailment"},
    ]
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    assert [each.label for each in nli.read_pairs(path)] == ["not_entailment"]


def test_a_file_that_is_limited_gives_other_pairs_in_the_next_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(nli.MOST_PER_PASS, "large", 10)
    files = {"large": range(20), "small": range(20, 25)}
    first, second = (nli.take_pass(files, number, seed=1) for number in (0, 1))
    assert len(first) == len(second) == 15
    assert {*first, *second} == set(range(25))
    assert {place for place in first if place < 20}.isdisjoint(place for place in second if place < 20)
    assert nli.take_pass(files, 0, seed=1) == first


@given(st.lists(st.integers(3, nli.LONGEST), min_size=1, max_size=600), st.integers(0, 9))
def test_batches_hold_every_pair_once_and_no_more_tokens_than_allowed(lengths: list[int], seed: int) -> None:
    batches = nli.make_batches(lengths, list(range(len(lengths))), random.Random(seed))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        assert batch
        assert len(batch) * max(lengths[place] for place in batch) <= nli.TOKENS_PER_BATCH


def test_the_premise_stands_where_the_answer_stands_and_the_hypothesis_where_the_reference_stands() -> None:
    pieces = WordPieces("\n".join(["[PAD]"] * 100 + ["[UNK]", "[CLS]", "[SEP]", "alpha", "beta"]))
    alpha, beta = pieces.split("alpha beta")
    read = nli.encode(pieces, make_pair("alpha", "beta", "contradiction"))
    assert read.tokens.index(beta) < read.tokens.index(alpha)
    assert nli.LABELS[read.label] == "contradiction"
    assert nli.encode(pieces, make_pair("alpha", "beta", nli.NOT_ENTAILED)).label < 0


def test_a_row_that_keeps_the_brief_is_read() -> None:
    row = lessons.parse_new(json.dumps(ROW), "author")
    assert row is not None
    assert (row.label, row.score, row.group, row.references) == (1, 5.0, "author", ["Yes"])


@pytest.mark.parametrize(
    "change",
    [
        {"label": "true"}, {"label": None}, {"level": 6}, {"level": "5"}, {"level": 3}, {"label": False}, {"references": []},
        {"references": "Yes"}, {"references": [" "]}, {"answer": None}, {"question": 3},
    ],
)  # fmt: skip
def test_a_row_that_does_not_keep_the_brief_is_left_out(change: dict[str, Any]) -> None:
    assert lessons.parse_new(json.dumps(ROW | change), "author") is None


@pytest.mark.parametrize("line", ["{", "[]", "3"])
def test_a_line_that_is_no_row_is_left_out(line: str) -> None:
    assert lessons.parse_new(line, "author") is None


def test_repeated_answers_to_a_question_and_bad_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "author.jsonl"
    path.write_text(
        "\n".join(
            [
                json.dumps(ROW),
                json.dumps(ROW),
                "{",
                json.dumps(ROW | {"answer": "It fell.", "label": False, "level": 1}),
            ]
        )
    )
    rows, bad = lessons.read_new(path)
    assert [row.answer for row in rows] == ["It went up.", "It fell."]
    assert bad == 2


def test_no_author_is_both_learnt_from_and_measured_on() -> None:
    assert set(lessons.DEV_AUTHORS).isdisjoint(lessons.CURVE)
    assert len(set(lessons.CURVE)) == len(lessons.CURVE)


def test_at_most_so_many_rows_of_a_set_are_drawn_and_always_the_same() -> None:
    rows = [
        lessons.Row(None, ["r"], str(number), 1, kind, "g") for number in range(30) for kind in ("a", "b")
    ]
    drawn = lessons.draw(rows, {"a": 5}, 9, seed=1)
    assert [sum(row.kind == kind for row in drawn) for kind in ("a", "b")] == [5, 9]
    assert lessons.draw(rows, {"a": 5}, 9, seed=1) == drawn
