"""What is written is read back, and no bytes break the reader."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from row_reading import attempt, problems, read

from karat.core.types import Item
from karat.rows import BadRow, Columns, Row, open_sink, open_source

COLUMNS = Columns("references", "answer", "question")

texts = st.text(st.characters(exclude_categories=["Cs"]))
texts_without_nul = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def items(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[Item]]:
    visible = text.filter(str.strip)
    return st.lists(
        st.builds(
            Item,
            question=st.none() | visible,
            references=st.lists(visible, min_size=1).map(tuple),
            answer=text,
        ),
        min_size=1,
    )


def check_round_trip(ending: str, items: list[Item]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"items.{ending}"
        with open_sink(str(path), ["question", "references", "answer"]) as sink:
            for item in items:
                record: dict[str, Any] = {"question": item.question, "references": list(item.references)}
                sink.write({**record, "answer": item.answer})
        rows = read(path, COLUMNS)
    assert [row.item if isinstance(row, Row) else row for row in rows] == items


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet"])
@given(items=items(texts))
@settings(deadline=None, max_examples=60)
def test_any_text_survives_json_lines_and_parquet(ending: str, items: list[Item]) -> None:
    check_round_trip(ending, items)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
@given(items=items(texts_without_nul))
@settings(deadline=None, max_examples=60)
def test_any_text_without_nul_survives_csv(ending: str, items: list[Item]) -> None:
    check_round_trip(ending, items)


fragments = st.lists(
    st.binary(max_size=8)
    | st.sampled_from(
        [
            *(b'{"references": ["a"], "answer": "b"}', b"references,answer", b"a,b", b"references\tanswer"),
            *(
                b"\n",
                b"\r",
                b"\r\n",
                b'"',
                b",",
                b";",
                b"\t",
                b"\0",
                b"\xef\xbb\xbf",
                b"\xff",
                b"[",
                b"{",
                b"PAR1",
            ),
        ]
    )
).map(b"".join)


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz"])
@given(content=fragments)
@example(content=gzip.compress(b"references,answer\na,b\n", mtime=0))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_no_bytes_break_the_reader(ending: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"any.{ending}"
        path.write_bytes(content)
        for columns in (COLUMNS, None):
            rows = attempt(lambda columns=columns: read(path, columns))
            if isinstance(rows, str):
                assert len(rows.splitlines()) == 1
            else:
                assert all(isinstance(row, Row | BadRow) for row in rows)
                assert [row.line for row in rows] == sorted({row.line for row in rows})


@given(content=fragments)
@settings(deadline=None)
def test_bytes_hidden_in_a_gzip_file_do_not_break_the_reader(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.csv.gz"
        path.write_bytes(gzip.compress(content))
        rows = attempt(lambda: read(path))
        messages = [rows] if isinstance(rows, str) else problems(rows).values()
        assert all(len(message.splitlines()) == 1 for message in messages)


def test_reading_may_stop_at_any_row(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"references,answer\na,b\nc,d\n")
    rows = open_source(str(tmp_path / "in.csv")).rows(COLUMNS)
    assert isinstance(next(rows), Row)
    del rows
