"""Rows out of comma-, semicolon- and tab-separated text."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_reading import good, problems, read_bytes

from karat.core.errors import UsageError
from karat.core.types import Item
from karat.rows import Columns, Row
from karat.rows.row import read_list

HEADER = b"question,reference,answer\n"


def test_a_row_is_read_with_its_own_columns(tmp_path: Path) -> None:
    [row] = read_bytes(tmp_path, "in.csv", b"id,Reference,answer,tag\nx,R,A,1\n", None)
    columns = {"id": "x", "Reference": "R", "answer": "A", "tag": "1"}
    assert row == Row(2, "x", Item(None, ("R",), "A"), None, columns)


def test_a_row_bears_the_line_where_it_starts(tmp_path: Path) -> None:
    content = HEADER + b'Q,"two\nlines",A\r\n\n' + b'Q,R,"A\n\n"\n' + b"Q,R,A"
    rows = good(read_bytes(tmp_path, "in.csv", content, None))
    assert [row.line for row in rows] == [2, 5, 8]
    assert [row.item.references for row in rows] == [("two\nlines",), ("R",), ("R",)]
    assert rows[1].item.answer == "A\n\n"


@pytest.mark.parametrize(
    ("cell", "references"),
    [
        (b"R", ("R",)),
        (b'"[""R"", ""S, T""]"', ("R", "S, T")),
        (b'"[""R"", """", null]"', ("R",)),
        (b'"[1, 2]"', ("[1, 2]",)),
        (b'"[1, 2.5, true, null, ""x""]"', ('[1, 2.5, true, null, "x"]',)),
        (b"[1000000000000000000000]", ("[1000000000000000000000]",)),
        (b"\"['R', 'S']\"", ("['R', 'S']",)),
        (b'"[[1], 2]"', ("[[1], 2]",)),
        (b'"[{""a"": 1}]"', ('[{"a": 1}]',)),
        (b"[1e999]", ("[1e999]",)),
        (b'"[""open"', ('["open',)),
        (b"[R]", ("[R]",)),
        (b"42", ("42",)),
    ],
)
def test_a_cell_with_a_json_list_of_texts_is_a_list(
    tmp_path: Path, cell: bytes, references: tuple[str, ...]
) -> None:
    [row] = good(read_bytes(tmp_path, "in.csv", HEADER + b"Q," + cell + b",A\n", None))
    assert row.item.references == references


@pytest.mark.parametrize(
    ("cell", "references"),
    [
        ("['Paris', 'City of Paris']", ("Paris", "City of Paris")),
        ("""["It's", 'say "hi"']""", ("It's", 'say "hi"')),
        (r"['two\nlines', 'back\\slash', '\xa0\u200bx']", ("two\nlines", "back\\slash", "\xa0\u200bx")),
        ("['São Paulo',]", ("['São Paulo',]",)),
        ("['Paris' 'Lyon']", ("['Paris' 'Lyon']",)),
        ("['Paris', 3]", ("['Paris', 3]",)),
        (r"['\ud800']", (r"['\ud800']",)),
        (r"['\d']", (r"['\d']",)),
        ("['a' + 'b']", ("['a' + 'b']",)),
        ("['" + "a" * 100_000 + "']", ("['" + "a" * 100_000 + "']",)),
        ('["R", "S"]', ("R", "S")),
    ],
)
def test_the_list_that_pandas_writes_is_one_in_a_column_called_references(
    tmp_path: Path, cell: str, references: tuple[str, ...]
) -> None:
    quoted = cell.replace('"', '""')
    [row] = good(read_bytes(tmp_path, "in.csv", f'References,answer\n"{quoted}",A\n'.encode(), None))
    assert row.item.references == references


@given(st.lists(st.text(), min_size=1))
def test_whatever_python_writes_for_a_list_of_texts_is_read_back(texts: list[str]) -> None:
    assert read_list(str(texts), written_by_python=True) == texts


def test_only_references_are_read_as_lists(tmp_path: Path) -> None:
    [row] = good(read_bytes(tmp_path, "in.csv", HEADER + b'Q,R,"[""A""]"\n', None))
    assert row.item.answer == '["A"]'


def test_an_empty_cell_is_an_empty_answer_no_question_and_no_reference(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.csv", HEADER + b",R,\nQ,,A\nQ,[],A\n", None)
    [row] = good(rows)
    assert row.item == Item(None, ("R",), "")
    assert problems(rows) == {3: "no reference", 4: "no reference"}


def test_rows_that_cannot_be_read_are_bad_and_reading_goes_on(tmp_path: Path) -> None:
    content = HEADER + b'Q,R\nQ,R,A,x\n\xff,R,A\nQ,"\xff\n",A\nQ,\0,A\nQ,"R"x,A\nQ,R,A\n'
    rows = read_bytes(tmp_path, "in.csv", content, None)
    assert [row.line for row in good(rows)] == [9]
    assert problems(rows) == {
        2: "2 cells, the header has 3",
        3: "4 cells, the header has 3",
        4: "not UTF-8 (save it as CSV UTF-8)",
        5: "not UTF-8 (save it as CSV UTF-8)",
        7: "holds a NUL byte",
        8: "broken CSV: ',' expected after '\"'",
    }


def test_a_quote_left_open_is_told_where_it_opens(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.csv", HEADER + b'Q,R,A\nQ,"R,A\nQ,R,A\n', None)
    assert problems(rows) == {3: "broken CSV: a quoted cell is not closed"}


def test_letters_of_windows_spoil_their_rows_alone(tmp_path: Path) -> None:
    content = HEADER + "Q,R,A\nCafé,R,A\nQ,“R”,’A\nQ,R,A\n".encode("cp1252")
    rows = read_bytes(tmp_path, "in.csv", content, None)
    assert [row.line for row in good(rows)] == [2, 5]
    assert problems(rows) == dict.fromkeys((3, 4), "not UTF-8 (save it as CSV UTF-8)")


def test_the_faults_of_a_tsv_are_called_so(tmp_path: Path) -> None:
    content = b'reference\tanswer\n\xff\tA\n"R"x\tA\n"R\tA\n'
    rows = read_bytes(tmp_path, "in.tsv", content)
    assert problems(rows) == {
        2: "not UTF-8 (save it as UTF-8)",
        3: "broken TSV: '\t' expected after '\"'",
        4: "broken TSV: a quoted cell is not closed",
    }


@pytest.mark.parametrize(
    ("name", "first", "divider"),
    [
        ("in.csv", b"sep=;\r\n", b";"),
        ("in.csv", b"\xef\xbb\xbfsep=;\n", b";"),
        ("in.csv", b'"sep=|"\n', b"|"),
        ("in.csv", b"SEP=\t\n", b"\t"),
        ("in.csv", b"\nsep=,,,\n\n", b","),
        ("in.tsv", b"sep=;\n", b";"),
    ],
)
def test_a_first_line_may_declare_the_divider(
    tmp_path: Path, name: str, first: bytes, divider: bytes
) -> None:
    lines = [divider.join(cells) for cells in ((b"reference", b"answer", b"a. b"), (b"R", b"A", b""))]
    [row] = good(read_bytes(tmp_path, name, first + b"\n".join(lines), None))
    assert row.item == Item(None, ("R",), "A")
    assert row.line == first.count(b"\n") + 2


@pytest.mark.parametrize("content", [b"sep=;", b"sep=;\n\n", b"sep=;\nreference;answer\n"])
def test_a_divider_without_rows_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UsageError, match=r"in\.csv: holds no rows"):
        read_bytes(tmp_path, "in.csv", content, None)


def test_a_stray_carriage_return_makes_a_row_bad(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.csv", HEADER + b"Q,R\rR,A\nQ,R,A\n", None)
    assert problems(rows) == {2: "broken CSV: a carriage return stands outside quotes"}
    assert [row.line for row in good(rows)] == [3]


def test_an_overlong_line_is_bad_and_reading_goes_on(tmp_path: Path) -> None:
    content = HEADER + b"Q,R," + b"x" * (17 * 2**20) + b"\nQ,R,A\n"
    rows = read_bytes(tmp_path, "in.csv", content, None)
    assert problems(rows) == {2: "line is 17.0 MB long, the limit is 16 MB"}
    assert [row.line for row in good(rows)] == [3]


def test_a_row_of_many_lines_is_bounded_too(tmp_path: Path) -> None:
    content = HEADER + b'Q,R,"' + (b"x" * 1023 + b"\n") * (17 * 2**10) + b'"\nQ,R,A\n'
    rows = read_bytes(tmp_path, "in.csv", content)
    assert problems(rows)[2] == "row is longer than the limit of 16 MB; a quote may be left open"


def test_a_large_cell_below_the_limit_is_read(tmp_path: Path) -> None:
    [row] = good(read_bytes(tmp_path, "in.csv", HEADER + b"Q,R," + b"x" * 2_000_000, None))
    assert len(row.item.answer) == 2_000_000


def test_byte_order_mark_and_crlf_do_not_matter(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.csv", b"\xef\xbb\xbfreference,answer\r\nR,A\r\n", None)
    assert good(rows)[0].columns == {"reference": "R", "answer": "A"}


def test_blank_lines_before_the_header_are_counted(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.csv", b"\n\n" + HEADER + b"Q,R,A\n", None)
    assert [row.line for row in good(rows)] == [4]


def test_semicolons_divide_where_the_header_has_no_comma(tmp_path: Path) -> None:
    [row] = good(read_bytes(tmp_path, "in.csv", b'reference;answer\n"1,5; 2";A, B\n', None))
    assert row.item == Item(None, ("1,5; 2",), "A, B")


def test_commas_divide_where_the_header_has_both(tmp_path: Path) -> None:
    [row] = good(read_bytes(tmp_path, "in.csv", b"reference,answer,a;b\nR;R,A,\n", None))
    assert row.item.references == ("R;R",)


def test_tabs_divide_a_tsv(tmp_path: Path) -> None:
    content = gzip.compress(b'reference\tanswer\n1,5\t"A\tB"\n')
    [row] = good(read_bytes(tmp_path, "in.tsv.gz", content, None))
    assert row.item == Item(None, ("1,5",), "A\tB")


def test_dotted_column_names_of_flattened_rows_are_found(tmp_path: Path) -> None:
    content = b"item.input,item.ideal,sample.output_text\nQ,R,A\n"
    [row] = good(read_bytes(tmp_path, "in.csv", content, None))
    assert row.item == Item("Q", ("R",), "A")


@pytest.mark.parametrize("content", [b"", b"\n\n", HEADER, HEADER + b"\n\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UsageError, match=r"in\.csv: holds no rows"):
        read_bytes(tmp_path, "in.csv", content, None)


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (b"answer,reference,answer", "the header names 'answer' more than once"),
        (b"answer,\xff", "the header cannot be read: not UTF-8 (save it as CSV UTF-8)"),
        (b"answer,\0", "the header cannot be read: holds a NUL byte"),
        (b'answer,"x"y', "the header cannot be read: broken CSV"),
        (b"x" * (17 * 2**20), "line is 17.0 MB long"),
    ],
)
def test_a_header_that_cannot_be_used_is_refused(tmp_path: Path, header: bytes, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_bytes(tmp_path, "in.csv", header + b"\nA,R,A\n", Columns("reference", "answer"))
    assert problem in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
