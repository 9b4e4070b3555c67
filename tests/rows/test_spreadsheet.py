"""Text that spreadsheets would run as a formula."""

import csv
import io
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.rows import Record, open_sink, open_source
from karat.rows.containers.csv import (
    CsvWriter,
    Formulas,
    escape_formula,
    is_verdict_table,
    read_csv_records,
    read_tsv_records,
    restore_formula,
)
from karat.run.records import FIELDS

FORMULAS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "-2+3",
    "+x",
    "- a list",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "＝1",
    "-",
    "'=1",
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
CELLS = st.builds(
    lambda mark, start, rest: mark + start + rest,
    st.sampled_from(["", "'", "''", " "]),
    st.sampled_from(["", *"=+-@\t\r5"]),
    TEXTS,
)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_shown_as_text(text: str) -> None:
    assert escape_formula(text) == "'" + text


@pytest.mark.parametrize(
    "text", ["Vienna", "42", "-42", "+1.5", "-.5e-3", "", "a=b", "'quoted'", "3-4", "| a | b |", "'-5"]
)
def test_other_text_and_plain_numbers_stay_as_they_are(text: str) -> None:
    assert escape_formula(text) == text
    assert restore_formula(text) == text


@given(CELLS)
def test_no_cell_runs_and_all_come_back(text: str) -> None:
    shown = escape_formula(text)
    if shown.startswith(("=", "+", "-", "@", "\t", "\r")):
        assert float(shown) == float(text)
    assert restore_formula(shown) == text


def write(path: Path, record: dict[str, Any], formulas: Formulas) -> None:
    with open_sink(str(path), list(record), formulas=formulas) as sink:
        sink.write(record)


@given(texts=st.lists(CELLS, min_size=2, max_size=2), tabs=st.booleans())
def test_a_verdict_table_is_read_as_it_was_before_it_was_written(texts: list[str], tabs: bool) -> None:
    record = dict.fromkeys(FIELDS, "x") | {"reason": texts[0], f"={texts[0]}": texts[1]}
    stream = io.BytesIO()
    CsvWriter(stream, list(record), delimiter="\t" if tabs else ",", formulas="escape").write(record)
    stream.seek(0)
    read = read_tsv_records if tabs else read_csv_records
    ((_, back),) = cast("list[Record]", list(read(stream, "verdicts")))
    assert back == record


def test_numbers_that_are_no_text_stay_numbers(tmp_path: Path) -> None:
    write(tmp_path / "v.csv", {"score": -0.5, "calls": 3, "points": [{"x": "=1"}], "reason": None}, "escape")
    with (tmp_path / "v.csv").open(encoding="utf-8", newline="") as stream:
        _, cells = csv.reader(stream)
    assert cells == ["-0.5", "3", '[{"x":"=1"}]', ""]


def test_formulas_are_kept_on_request(tmp_path: Path) -> None:
    write(tmp_path / "v.csv", {"id": "=1", "=x": "@y"}, "keep")
    assert (tmp_path / "v.csv").read_text(encoding="utf-8") == "id,=x\n=1,@y\n"


def test_what_was_kept_is_read_back_as_it_was(tmp_path: Path) -> None:
    record = dict.fromkeys(FIELDS, "x") | {"reason": "'=1", "cause": "''-a", "judge": "it's"}
    write(tmp_path / "v.csv", record, "keep")
    with open_source(str(tmp_path / "v.csv")) as source:
        assert list(source.records()) == [(2, record)]


def test_an_apostrophe_of_somebody_elses_table_stays(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,answer\n1,'-ed' is the ending\n", encoding="utf-8")
    with open_source(str(tmp_path / "a.csv")) as source:
        assert list(source.records()) == [(2, {"id": "1", "answer": "'-ed' is the ending"})]


def test_verdict_tables_are_known_by_their_header() -> None:
    assert is_verdict_table([*FIELDS, "question"])
    assert not is_verdict_table(["id", "question", "answer", "label", "judge"])
