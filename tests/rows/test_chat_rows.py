"""Rows whose parts are chat messages."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from row_reading import good, read, read_bytes

from karat.core.types import Item
from karat.rows import BadRow, Row

SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "Who?"}
REPLY = {"role": "assistant", "content": "She."}


def read_record(folder: Path, **record: Any) -> Row | BadRow:
    [row] = read_bytes(folder, "in.jsonl", json.dumps(record).encode(), None)
    return row


@pytest.mark.parametrize(
    ("chat", "question"),
    [
        ([USER], "Who?"),
        ([SYSTEM, USER], "Who?"),
        ([USER, REPLY, {"role": "user", "content": "And when?"}], "Who?\n\nAnd when?"),
        ([SYSTEM], "Be brief."),
        ([SYSTEM, {"role": "developer", "content": "Now."}], "Be brief.\n\nNow."),
        (
            [{"role": "user", "content": [{"type": "text", "text": "Who"}, {"text": "is it?"}]}],
            "Who\n\nis it?",
        ),
        ([{"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "Who?"}]}], "Who?"),
        ([{"role": "user", "content": {"type": "input_text", "text": "Who?"}}], "Who?"),
        ([{"role": "user", "content": ["Who?"]}], "Who?"),
        ([USER, {"role": "assistant", "content": None, "tool_calls": []}, USER], "Who?\n\nWho?"),
        ([{"role": "user", "content": ""}], None),
    ],
)
@pytest.mark.parametrize("column", ["input", "prompt"])
def test_a_chat_asks_what_its_user_says(tmp_path: Path, column: str, chat: Any, question: str | None) -> None:
    row = read_record(tmp_path, ideal="R", answer="A", **{column: chat})
    assert isinstance(row, Row)
    assert row.item == Item(question, ("R",), "A")
    assert row.columns[column] == chat


@pytest.mark.parametrize(
    "value",
    [
        [],
        ["Who?"],
        [USER, "Who?"],
        [{"role": "user"}],
        [{"content": "Who?"}],
        [{"role": 1, "content": "Who?"}],
        [{"role": "user", "content": 42}],
        [{"role": "user", "content": [{"type": "image_url"}]}],
    ],
)
def test_any_other_list_is_no_question(tmp_path: Path, value: Any) -> None:
    row = read_record(tmp_path, input=value, ideal="R", answer="A")
    assert row == BadRow(1, "the question is a list, not text")


def test_one_message_is_no_question(tmp_path: Path) -> None:
    row = read_record(tmp_path, input=USER, ideal="R", answer="A")
    assert row == BadRow(1, "the question is an object, not text")


def test_answers_and_references_may_be_replies(tmp_path: Path) -> None:
    parts = {"role": "assistant", "content": [{"type": "text", "text": "He."}]}
    row = read_record(tmp_path, ideal=REPLY, completion=parts)
    assert isinstance(row, Row)
    assert row.item == Item(None, ("She.",), "He.")
    row = read_record(tmp_path, ideal=[REPLY, "Her.", parts], completion={**REPLY, "content": ""})
    assert isinstance(row, Row)
    assert row.item == Item(None, ("She.", "Her.", "He."), "")


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"answer": USER}, "the answer is an object, not text"),
        ({"answer": [REPLY]}, "the answer is a list, not text"),
        ({"answer": {"role": "assistant"}}, "the answer is an object, not text"),
        ({"answer": {"role": "assistant", "content": None}}, "no answer (null)"),
        ({"ideal": USER}, "the reference is an object, not text"),
        ({"ideal": {"role": "assistant", "content": None}}, "no reference"),
        ({"id": REPLY}, "the id is an object, not text"),
    ],
)
def test_any_other_object_makes_a_row_bad(tmp_path: Path, record: dict[str, Any], problem: str) -> None:
    assert read_record(tmp_path, **{"ideal": "R", "answer": "A", **record}) == BadRow(1, problem)


def test_chats_and_replies_are_found_inside_item_and_sample(tmp_path: Path) -> None:
    row = read_record(tmp_path, item={"input": [SYSTEM, USER], "ideal": "R"}, sample={"output": REPLY})
    assert isinstance(row, Row)
    assert row.item == Item("Who?", ("R",), "She.")


def test_the_chat_of_a_sample_does_not_compete_with_its_text(tmp_path: Path) -> None:
    sample = {"input": [USER], "output": [REPLY], "output_text": "She."}
    row = read_record(tmp_path, item={"input": "Who?", "ideal": "R"}, sample=sample)
    assert isinstance(row, Row)
    assert row.item == Item("Who?", ("R",), "She.")


def test_chats_are_read_from_parquet(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([{"input": [SYSTEM, USER], "ideal": "R", "output": REPLY}])
    pq.write_table(table, tmp_path / "in.parquet")
    [row] = good(read(tmp_path / "in.parquet"))
    assert row.item == Item("Who?", ("R",), "She.")
