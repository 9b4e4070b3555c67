"""What a system wraps its answer in is removed, and nothing of the answer itself."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
import karat.embedded.decide
from example_lines import Line, check_lines, read_item, read_lines
from karat.core.types import Item, Verdict
from karat.text import unwrap_answer
from text_checks import judged, unwrapped

HERE = Path(__file__).parent
QUESTION = "What is the capital of France?"
FORMS = Path(__file__).parents[3] / "benchmarks" / "data" / "forms.dev.jsonl.gz"


def take_out(answer: str, reference: str = "Lyon", question: str = QUESTION) -> str:
    return unwrap_answer(Item(question, (reference,), answer)).answer


def kept(line: Line) -> str | None:
    """Find the part that must stay, and return it if it is there."""
    return line["kept"] if line["kept"] in unwrapped(line) else None


def test_what_may_be_the_answer_stays_and_what_is_taken_back_is_not_accepted() -> None:
    check_lines(HERE / "unwrap.jsonl", unwrapped=unwrapped, kept=kept, judged=judged)


def test_reasoning_tokens_and_later_turns_are_removed() -> None:
    check_lines(HERE / "reasoning.jsonl", unwrapped=unwrapped)


def test_the_answer_is_taken_out_of_json_xml_tables_and_calls() -> None:
    check_lines(HERE / "structure.jsonl", unwrapped=unwrapped)


def test_sources_notes_and_markup_are_removed() -> None:
    check_lines(HERE / "sources.jsonl", unwrapped=unwrapped)


def test_unwrapping_changes_no_verdict_on_a_natural_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [read_item(line) for line in read_lines(HERE / "natural.jsonl")]
    unpacked = [getattr(outcome, "value", None) for outcome in karat.grade(items, judge="embedded")]
    monkeypatch.setattr(karat.embedded.decide, "unwrap_answer", lambda item: item)
    whole = [getattr(outcome, "value", None) for outcome in karat.grade(items, judge="embedded")]
    turned = [
        (item.answer, one, other)
        for item, one, other in zip(items, whole, unpacked, strict=True)
        if one is not None and one is not other
    ]
    assert turned == []


def test_the_text_of_a_link_stays_where_it_is_the_answer() -> None:
    item = Item(
        "Where do I apply?", ("on apply.gov",), "Apply on the portal ([apply.gov](https://apply.gov))."
    )
    assert unwrap_answer(item).answer == "Apply on the portal (apply.gov)."


def test_source_numbers_that_touch_a_word_are_removed() -> None:
    assert take_out("The war ended onSeptember 2, 19451.") == "The war ended on September 2, 1945."
    assert take_out("It was written by an English farmer12.") == "It was written by an English farmer."
    assert take_out("It is the razor that is called Mach3.") == "It is the razor that is called Mach3."
    assert take_out("It runs on Windows10.", "Windows 10") == "It runs on Windows10."
    assert take_out("The code is 20001.") == "The code is 20001."


@pytest.mark.parametrize(
    "answer",
    [
        "{'answer': 0x" + "f" * 4000 + "}",
        "[" * 5000,
        "{'a': " * 300,
        "{'Paris', 'Rome'}",
        '{"answer": 1e999}',
    ],
)
def test_broken_objects_are_left_alone(answer: str) -> None:
    assert take_out(answer) == answer.strip()


def test_code_is_taken_out_of_an_object_that_names_the_answer() -> None:
    question = "Which Python expression gives the length of a list x?"
    assert take_out('{"answer": "len(x)"}', "len(x)", question) == "len(x)"
    assert take_out('{"status": "ok", "result": 5}', "len(x)", question) == '{"status": "ok", "result": 5}'


def test_explanations_keep_their_sections() -> None:
    reference = "The mains current heats the wire because of its resistance, and the heat makes the bimetal bend away."
    answer = "The wire gets hot.\n\nExplanation: The bimetal bends away from the contact."
    assert take_out(answer, reference) == answer


@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=60))
def test_unwrapping_leaves_something(answer: str, reference: str, question: str) -> None:
    left = unwrap_answer(Item(question, (reference,), answer)).answer
    assert any(map(str.isalnum, left)) or left == answer


@given(
    st.lists(
        st.sampled_from(["the", "old", "town", "hall", "stands", "near", "a", "wide", "green", "river"]),
        min_size=1,
        max_size=12,
    )
)
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    item = Item(QUESTION, ("Lyon",), " ".join(words))
    assert unwrap_answer(item) is item


@pytest.mark.parametrize("part", ["first", "second", "third", "fourth", "fifth"])
def test_no_form_loses_its_answer(part: str) -> None:
    rows = map(json.loads, gzip.decompress(FORMS.read_bytes()).splitlines())
    forms = [row["form"] for row in rows if row["part"] == part]
    assert forms
    answer = "The capital of France is Paris."
    left = [take_out(form.replace("{q}", QUESTION).replace("{a}", answer)) for form in forms]
    assert sum("Paris" not in each for each in left) == 0


def test_a_verdict_says_which_part_was_judged() -> None:
    verdict = karat.judge(QUESTION, "Paris", '{"answer": "Paris", "sources": []}')
    assert isinstance(verdict, Verdict)
    assert verdict.value is True
    assert verdict.reason is not None
    assert "“Paris”" in verdict.reason
