"""Natural answers, written by a reviewer against the unpacking, are judged as if nobody had looked for packing."""

import json
from pathlib import Path

import pytest

import karat
import karat.embedded.decide
from karat.core.types import Item
from karat.text import unwrap_answer

ROWS = Path(__file__).with_name("natural.jsonl")


def read_items() -> list[Item]:
    rows = map(json.loads, ROWS.read_text(encoding="utf-8").splitlines())
    return [Item(row["question"], tuple(row["references"]), row["answer"]) for row in rows]


def test_no_verdict_turns_round(monkeypatch: pytest.MonkeyPatch) -> None:
    items = read_items()
    unpacked = [getattr(outcome, "value", None) for outcome in karat.grade(items, judge="embedded")]
    monkeypatch.setattr(karat.embedded.decide, "unwrap_answer", lambda item: item)
    whole = [getattr(outcome, "value", None) for outcome in karat.grade(items, judge="embedded")]
    turned = [
        (item.answer, one, other)
        for item, one, other in zip(items, whole, unpacked, strict=True)
        if one is not None and one is not other
    ]
    assert turned == []


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Where was it said?", "in a letter to Frege of 1902", "It stands in a letter to Frege (doc 1902)."),
        ("What arguments does the method take?", "a name and an age", "finish(name, age)"),
        ("Which form do I file?", "Form 1040", "File the usual one [Form 1040]."),
    ],
)
def test_what_is_asked_for_is_no_packing(question: str, reference: str, answer: str) -> None:
    assert unwrap_answer(Item(question, (reference,), answer)).answer == answer


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("What form of government does France have?", "semi-presidential republic", "semi-presidential republic [1][2]"),
        ("In what year was the book Dune published?", "1965", "1965 [1][2]"),
        ("What is paper made of?", "wood pulp", "wood pulp [1]"),
        ("What are the primary colours?", "red, green, blue", "Action: Finish(red, green, blue)"),
    ],
)  # fmt: skip
def test_words_that_only_stand_in_the_question_ask_for_no_packing(
    question: str, reference: str, answer: str
) -> None:
    assert unwrap_answer(Item(question, (reference,), answer)).answer == reference


def test_the_text_of_a_link_stays_where_it_is_the_answer() -> None:
    item = Item(
        "Where do I apply?", ("on apply.gov",), "Apply on the portal ([apply.gov](https://apply.gov))."
    )
    assert unwrap_answer(item).answer == "Apply on the portal (apply.gov)."
