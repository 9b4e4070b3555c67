"""Rows out of JSON lines."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from row_reading import PLAIN, good, problems, read, read_bytes

from karat.core.errors import UsageError
from karat.core.types import Item
from karat.rows import BadRow, Columns, Row, open_source

GOOD = b'{"reference": "a", "answer": "b"}\n'


def read_record(folder: Path, **record: Any) -> Row | BadRow:
    columns = Columns("reference", "answer", "question", "id", "system")
    [row] = read_bytes(folder, "in.jsonl", json.dumps(record).encode(), columns)
    return row


def test_a_row_is_read_with_its_own_columns(tmp_path: Path) -> None:
    record = {
        "id": 7,
        "question": "Q",
        "reference": "R",
        "answer": "A",
        "system": "s",
        "tag": {"x": [1, None]},
    }
    assert read_record(tmp_path, **record) == Row(1, "7", Item("Q", ("R",), "A"), "s", record)


def test_a_value_is_found_by_name_or_path() -> None:
    row = Row(1, "1", Item(None, ("R",), "A"), None, {"item": {"label": True}, "a.b": 1})
    assert row.value("item.label") is True
    assert row.value("a.b") == 1
    assert row.value("item.nothing.more") is None


@pytest.mark.parametrize(
    ("value", "references"),
    [
        ("R", ("R",)),
        (["R", None, "", " ", "S"], ("R", "S")),
        (42, ("42",)),
        (0.5, ("0.5",)),
        ([1.0, True], ("1.0", "true")),
        (False, ("false",)),
        ('["R", "S"]', ('["R", "S"]',)),
        (10**30, (str(10**30),)),
    ],
)
def test_references_are_texts(tmp_path: Path, value: object, references: tuple[str, ...]) -> None:
    row = read_record(tmp_path, reference=value, answer="A")
    assert isinstance(row, Row)
    assert row.item.references == references


@pytest.mark.parametrize("value", [None, "", "  ", [], [None, ""]])
def test_without_a_reference_a_row_is_bad(tmp_path: Path, value: object) -> None:
    assert read_record(tmp_path, reference=value, answer="A") == BadRow(1, "no reference")


def test_a_missing_reference_makes_a_row_bad(tmp_path: Path) -> None:
    assert read_record(tmp_path, answer="A") == BadRow(1, "no reference")


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"reference": {"a": 1}}, "the reference is an object, not text"),
        ({"reference": [["a"]]}, "the reference is a list, not text"),
        ({"answer": ["A"]}, "the answer is a list, not text"),
        ({"answer": {}}, "the answer is an object, not text"),
        ({"answer": None}, "no answer (null)"),
        ({"question": ["Q"]}, "the question is a list, not text"),
        ({"id": {}}, "the id is an object, not text"),
    ],
)
def test_what_is_no_text_makes_a_row_bad(tmp_path: Path, record: dict[str, Any], problem: str) -> None:
    assert read_record(tmp_path, **{"reference": "R", "answer": "A", **record}) == BadRow(1, problem)


def test_a_missing_answer_makes_a_row_bad(tmp_path: Path) -> None:
    assert read_record(tmp_path, reference="R") == BadRow(1, "no answer (missing)")


@pytest.mark.parametrize(
    ("value", "answer"), [("", ""), (" ", " "), (3, "3"), (True, "true"), (1e22, "1e22")]
)
def test_answers_are_texts_and_may_be_empty(tmp_path: Path, value: object, answer: str) -> None:
    row = read_record(tmp_path, reference="R", answer=value)
    assert isinstance(row, Row)
    assert row.item.answer == answer


@pytest.mark.parametrize(
    "extra", [{}, {"question": None, "id": None}, {"question": "", "id": "", "system": ""}]
)
def test_question_id_and_system_may_be_missing_null_or_empty(tmp_path: Path, extra: dict[str, Any]) -> None:
    row = read_record(tmp_path, reference="R", answer="A", **extra)
    assert isinstance(row, Row)
    assert (row.item.question, row.id, row.system) == (None, "1", None)


def test_lines_are_counted_through_blank_and_bad_ones(tmp_path: Path) -> None:
    content = b"\n" + GOOD + b"  \r\n" + b"{broken\n" + b"[1]\n" + b'"x"\n' + b"nul\n" + b"\xff\n" + GOOD
    rows = read_bytes(tmp_path, "in.jsonl", content)
    assert [row.line for row in good(rows)] == [2, 9]
    assert [row.id for row in good(rows)] == ["2", "9"]
    assert problems(rows) == {
        4: "broken JSON: object keys must be strings (byte 1)",
        5: "not a JSON object but a list",
        6: "not a JSON object but a string",
        7: "broken JSON: invalid character (byte 4)",
        8: "not UTF-8",
    }


@pytest.mark.parametrize(
    "line",
    [
        b'{"answer": "\xff", "reference": "a"}',
        b'{"\xff": 1}',
        b'{"answer": "\xed\xa0\x80"}',
    ],
)
def test_lines_that_are_not_utf8_are_bad(tmp_path: Path, line: bytes) -> None:
    assert problems(read_bytes(tmp_path, "in.jsonl", line))[1] == "not UTF-8"


@pytest.mark.parametrize(
    "line",
    [
        b'{"answer": NaN}',
        b'{"answer": "\\ud83d\\ude00}',
        b'{"a": ' + b"[" * 100_000,
        b'{"a": ' + b"9" * 9999 + b"}",
    ],
)
def test_what_json_cannot_hold_is_bad(tmp_path: Path, line: bytes) -> None:
    assert problems(read_bytes(tmp_path, "in.jsonl", line))[1].startswith("broken JSON: ")


@pytest.mark.parametrize("text", ["\\ud800", "x\\udc00x", "\\ud800\\u0041", "\\ud800 and more text"])
def test_half_a_surrogate_pair_is_bad(tmp_path: Path, text: str) -> None:
    for line in (f'{{"answer": "{text}"}}', f'{{"{text}": [1]}}'):
        rows = read_bytes(tmp_path, "in.jsonl", line.encode() + b"\n" + GOOD)
        assert problems(rows) == {1: "half a surrogate pair is no text"}
        assert len(good(rows)) == 1


def test_the_last_of_two_equal_keys_counts(tmp_path: Path) -> None:
    [row] = good(read_bytes(tmp_path, "in.jsonl", b'{"reference": "R", "answer": "A", "answer": "B"}'))
    assert row.item.answer == "B"
    assert row.columns == {"reference": "R", "answer": "B"}


def test_byte_order_mark_crlf_and_a_missing_last_line_end_do_not_matter(tmp_path: Path) -> None:
    lines = GOOD.strip()
    rows = read_bytes(tmp_path, "in.jsonl", b"\xef\xbb\xbf" + lines + b"\r\n" + lines)
    assert [row.line for row in good(rows)] == [1, 2]


def test_line_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    content = '{"reference": "a\u2028b", "answer": "c\x85d"}'.encode()
    [row] = good(read_bytes(tmp_path, "in.jsonl", content))
    assert row.item == Item(None, ("a\u2028b",), "c\x85d")


def test_nested_rows_are_read_by_path(tmp_path: Path) -> None:
    record = {
        "item": {"input": "Q", "reference": ["R"]},
        "sample": {"output_text": "A", "output": [{"x": 1}]},
    }
    [row] = read_bytes(tmp_path, "in.jsonl", json.dumps(record).encode(), None)
    assert row == Row(1, "1", Item("Q", ("R",), "A"), None, record)


def test_an_item_that_is_text_is_not_looked_into(tmp_path: Path) -> None:
    content = b'{"item": "item.gold", "sample": 1, "answer": "A", "gold": "R"}'
    [row] = good(read_bytes(tmp_path, "in.jsonl", content, None))
    assert row.item.references == ("R",)


def test_a_chosen_path_may_lead_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"meta": {"deep": {"gold": "R"}}, "answer": "A"}\n')
    columns = open_source(str(path)).find_columns({"reference": "meta.deep.gold"})
    assert columns == Columns("meta.deep.gold", "answer")
    [row] = good(read(path, columns))
    assert row.item.references == ("R",)


def test_columns_are_sought_beyond_the_first_row(tmp_path: Path) -> None:
    content = b'{"reference": "R"}\n{"reference": "R", "answer": "A"}\n'
    rows = read_bytes(tmp_path, "in.jsonl", content, None)
    assert problems(rows) == {1: "no answer (missing)"}
    assert len(good(rows)) == 1


def test_columns_are_found_after_many_bad_rows(tmp_path: Path) -> None:
    assert len(good(read_bytes(tmp_path, "in.jsonl", b"broken\n" * 200 + GOOD, None))) == 1


def test_a_file_without_a_readable_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"in\.jsonl:2: broken JSON: .*no row after it can be read"):
        read_bytes(tmp_path, "in.jsonl", b"\nbroken\n", None)


def test_an_unclear_table_is_refused_with_the_file_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"in\.jsonl: no column is the answer; .* --columns answer=NAME"):
        read_bytes(tmp_path, "in.jsonl", b'{"reference": "R"}\n', None)


@pytest.mark.parametrize("content", [b"", b"\n \r\n", b"\xef\xbb\xbf"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: bytes) -> None:
    for columns in (None, PLAIN):
        with pytest.raises(UsageError, match=r"in\.jsonl: holds no rows"):
            read_bytes(tmp_path, "in.jsonl", content, columns)


def test_the_limit_counts_good_rows(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"broken\n" + GOOD + b"broken\n" + GOOD + b"broken\n" + GOOD)
    source = open_source(str(path))
    assert [row.line for row in source.rows(PLAIN, limit=2)] == [1, 2, 3, 4]
    assert list(source.rows(PLAIN, limit=0)) == []
    assert len(list(source.rows(PLAIN, limit=99))) == 6


@pytest.mark.parametrize("name", ["in.jsonl.gz", "in.ndjson.gz", "in.JSON.GZ"])
def test_packed_lines_are_read(tmp_path: Path, name: str) -> None:
    assert len(good(read_bytes(tmp_path, name, gzip.compress(GOOD * 3)))) == 3


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-20], lambda data: data[:40] + b"\0" * 40, lambda data: data[5:]]
)
def test_broken_gzip_data_is_refused(tmp_path: Path, damage: Any) -> None:
    content = damage(gzip.compress(b"".join(b'{"reference": "%d", "answer": "b"}\n' % n for n in range(9))))
    with pytest.raises(UsageError, match="broken gzip data"):
        read_bytes(tmp_path, "in.jsonl.gz", content)


def test_a_json_file_may_hold_json_lines(tmp_path: Path) -> None:
    assert len(read_bytes(tmp_path, "in.json", GOOD * 2)) == 2


def test_an_overlong_line_is_bad_and_reading_goes_on(tmp_path: Path) -> None:
    content = GOOD + b'{"answer": "' + b"x" * (50 * 2**20 - 14) + b'"}\n' + GOOD
    rows = read_bytes(tmp_path, "in.jsonl", content)
    assert problems(rows) == {2: "line is 50.0 MB long, the limit is 16 MB"}
    assert [row.line for row in good(rows)] == [1, 3]


def test_standard_input_is_read_as_often_as_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD * 3)))
    with open_source("-") as source:
        assert source.name == "<stdin>"
        spool = source._path
        columns = source.find_columns({})
        assert len(list(source.rows(columns))) == len(list(source.rows(columns))) == 3
        assert source.digest() == source.digest()
    assert not spool.exists()


def test_empty_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    with open_source("-") as source, pytest.raises(UsageError, match="<stdin>: holds no rows"):
        source.find_columns({})
