"""Input that is not what its ending says."""

import gzip
import io
import sys
from pathlib import Path

import pytest
from row_reading import PLAIN, good, read_bytes

from karat.core.errors import UsageError
from karat.rows import open_source

GOOD = b'{"reference": "a", "answer": "b"}\n'
ARRAY = "is read as JSONL, one object per line; this looks like a JSON array; jq -c '.[]' makes lines of it"
CSV = "is read as JSONL, one object per line; this looks like CSV; give it as a file that ends in .csv"
TSV = "is read as JSONL, one object per line; this looks like TSV; give it as a file that ends in .tsv"


def refuse(folder: Path, name: str, content: bytes) -> str:
    with pytest.raises(UsageError) as caught:
        read_bytes(folder, name, content, None)
    return str(caught.value).removeprefix(str(folder / name))


def refuse_stdin(content: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with open_source("-") as source, pytest.raises(UsageError) as caught:
        source.find_columns({})
    return str(caught.value)


@pytest.mark.parametrize("name", ["in.csv", "in.tsv", "in.jsonl", "in.json", "in.csv.gz"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_refused_with_the_remedy(tmp_path: Path, name: str, encoding: str) -> None:
    content = "\ufeffreference,answer\nR,A\n".encode(encoding)
    packed = gzip.compress(content) if name.endswith("gz") else content
    assert refuse(tmp_path, name, packed) == ": is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)"


@pytest.mark.parametrize("name", ["in.json", "in.jsonl", "in.ndjson", "in.jsonl.gz"])
@pytest.mark.parametrize("content", [b"[\n" + GOOD + b"]", b'\n \t[{"reference": 1}]', b"\xef\xbb\xbf[]"])
def test_a_json_array_is_refused_with_the_remedy(tmp_path: Path, name: str, content: bytes) -> None:
    packed = gzip.compress(content) if name.endswith("gz") else content
    assert refuse(tmp_path, name, packed) == f" {ARRAY}"


def test_a_json_array_on_one_overlong_line_is_refused_with_the_remedy(tmp_path: Path) -> None:
    assert refuse(tmp_path, "in.jsonl", b'[{"answer": "' + b"x" * (17 * 2**20) + b'"}]') == f" {ARRAY}"


def test_a_json_array_is_refused_by_whatever_columns_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this looks like a JSON array"):
        read_bytes(tmp_path, "in.jsonl", b"[\n" + GOOD + b"]", PLAIN)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[" + GOOD + b"]", ARRAY),
        (b"question,reference,answer\nQ,R,A\n", CSV),
        (b'\n"question","reference","answer"\n1,2,3\n4\n', CSV),
        (b"reference;answer\nR;A\n", CSV),
        (b"reference\tanswer\nR\tA\n", TSV),
    ],
)
def test_what_is_piped_in_as_no_json_lines_is_told(
    monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    assert refuse_stdin(content, monkeypatch) == f"<stdin> {message}"


def test_a_table_under_the_name_of_json_lines_is_told(tmp_path: Path) -> None:
    assert refuse(tmp_path, "in.jsonl", b"reference,answer\nR,A\n") == f" {CSV}"


def test_broken_json_is_not_taken_for_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    message = refuse_stdin(b'{"reference": "R", \n', monkeypatch)
    assert message.startswith("<stdin>:1: broken JSON: ")


def test_a_stray_line_before_json_lines_is_only_a_bad_row(tmp_path: Path) -> None:
    rows = read_bytes(tmp_path, "in.jsonl", b"Loading, please wait\n" + GOOD, None)
    assert [row.line for row in good(rows)] == [2]
