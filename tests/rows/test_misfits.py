"""Input that is not what its ending says."""

import gzip
import io
import sys
import zipfile
from pathlib import Path

import pytest
from row_reading import good, problems, read_bytes

from karat.core.errors import UsageError
from karat.core.types import Item
from karat.rows import BadRow, Row, open_source

GOOD = b'{"reference": "a", "answer": "b"}\n'
TABLE = b"question,reference,answer\nQ,R,A\n"


def refuse(folder: Path, name: str, content: bytes) -> str:
    with pytest.raises(UsageError) as caught:
        read_bytes(folder, name, content, None)
    return str(caught.value).removeprefix(str(folder / name))


def read_stdin(content: bytes, monkeypatch: pytest.MonkeyPatch) -> list[Row | BadRow]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with open_source("-") as source:
        return list(source.rows(source.find_columns({})))


@pytest.mark.parametrize("name", ["in.csv", "in.tsv", "in.jsonl", "in.json", "in.csv.gz"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_refused_with_the_remedy(tmp_path: Path, name: str, encoding: str) -> None:
    content = "\ufeffreference,answer\nR,A\n".encode(encoding)
    packed = gzip.compress(content) if name.endswith("gz") else content
    assert refuse(tmp_path, name, packed) == ": is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)"


@pytest.mark.parametrize("name", ["in.json", "in.jsonl", "in.ndjson", "in.jsonl.gz", "in.csv"])
@pytest.mark.parametrize("content", [b"[\n" + GOOD + b"]", b"\xef\xbb\xbf \t[" + GOOD + b"]"])
def test_a_json_array_is_read_whatever_its_name(tmp_path: Path, name: str, content: bytes) -> None:
    packed = gzip.compress(content) if name.endswith("gz") else content
    assert [row.item for row in good(read_bytes(tmp_path, name, packed, None))] == [Item(None, ("a",), "b")]


def test_an_element_beyond_the_limit_is_a_bad_row(tmp_path: Path) -> None:
    content = b'[{"answer": "' + b"x" * (17 * 2**20) + b'"}, ' + GOOD + b"]"
    rows = read_bytes(tmp_path, "in.jsonl", content)
    assert problems(rows) == {1: "record is 17.0 MB long, the limit is 16 MB"}
    assert len(good(rows)) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"[" + GOOD + b"]",
        b"question,reference,answer\nQ,a,b\n",
        b'\n"question","reference","answer"\n1,a,b\n',
        b"reference;answer\na;b\n",
        b"reference\tanswer\na\tb\n",
        GOOD,
        b'{\n "reference": "a",\n "answer": "b"\n}\n',
        b'{"results": [' + GOOD + b"]}",
        gzip.compress(GOOD, mtime=0),
    ],
)
def test_what_is_piped_in_is_recognised_by_its_content(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    rows = good(read_stdin(content, monkeypatch))
    assert [(row.item.references, row.item.answer) for row in rows] == [(("a",), "b")]


@pytest.mark.parametrize("name", ["in.jsonl", "in.json", "in.ndjson"])
def test_a_table_under_the_name_of_json_is_read(tmp_path: Path, name: str) -> None:
    assert [row.item for row in good(read_bytes(tmp_path, name, TABLE, None))] == [Item("Q", ("R",), "A")]


@pytest.mark.parametrize("name", ["in.csv", "in.tsv"])
def test_json_lines_under_the_name_of_a_table_are_read(tmp_path: Path, name: str) -> None:
    assert len(good(read_bytes(tmp_path, name, GOOD * 2, None))) == 2


def test_broken_json_is_not_taken_for_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="<stdin>:1: broken JSON: "):
        read_stdin(b'{"reference": "R", \n', monkeypatch)


def test_a_stray_line_before_json_lines_is_only_a_bad_row(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.jsonl", b"Loading, please wait\n" + GOOD, None)
    assert [row.line for row in good(rows)] == [2]


def test_a_table_may_begin_with_a_bracket(tmp_path: Path) -> None:
    content = b"[1] question,reference,answer\nQ,R,A\n"
    assert [row.item.answer for row in good(read_bytes(tmp_path, "in.csv", content, None))] == ["A"]


def test_a_zip_file_of_anything_else_is_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in.jsonl", GOOD)
    assert "neither an Excel file nor an Inspect log" in refuse(tmp_path, "in.jsonl", packed.getvalue())
