"""`karat.grade` takes and returns data frames, reads rows by chosen columns, and reports its progress."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.run.records import FIELDS

ROWS = [
    {"question": "How many legs has a spider?", "reference": "eight", "answer": "8", "topic": "animals"},
    {"question": "Capital of Australia?", "reference": "Canberra", "answer": "", "topic": None},
    {"question": "Who wrote Hamlet?", "reference": "William Shakespeare", "answer": "The Bard", "topic": "x"},
]
VALUES = [True, False, None]


def test_a_pandas_frame_comes_back_with_its_index_and_the_verdicts() -> None:
    frame = pd.DataFrame(ROWS, index=["c", "a", "a"])
    before = frame.copy()
    graded = karat.grade(frame, judge="rules")
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_frame_equal(graded.drop(columns=list(FIELDS), errors="ignore"), before)
    assert graded["value"].to_list()[:2] == VALUES[:2]
    assert graded["value"].isna().to_list() == [False, False, True]
    assert list(graded["cause"]) == [None, None, "undecided"]


def test_a_polars_frame_comes_back_with_the_verdicts() -> None:
    frame = pl.DataFrame(ROWS)
    graded = karat.grade(frame, judge="rules")
    assert graded.select(frame.columns).equals(frame)
    assert graded["value"].to_list() == VALUES
    assert graded.schema["score"] == pl.Float64


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_a_frame_can_be_graded_again_and_keeps_the_first_verdicts(make: Any) -> None:
    once = karat.grade(make(ROWS), judge="rules")
    twice = karat.grade(once, judge="rules", columns={"label": ""})
    assert list(twice["input_reason"]) == list(once["reason"]) == list(twice["reason"])


@given(
    st.lists(st.sampled_from(ROWS), min_size=1, max_size=8),
    st.sampled_from([pd.DataFrame, pl.DataFrame]),
)
@settings(deadline=None, max_examples=20)
def test_a_frame_has_the_verdicts_of_its_rows(rows: list[dict[str, Any]], make: Any) -> None:
    records = karat.grade(rows, judge="rules").records
    graded = karat.grade(make(rows), judge="rules")
    for name in ("status", "decided_by", "reason", "cause", "calls"):
        assert list(graded[name]) == [record[name] for record in records]


def test_values_of_pandas_are_read_as_python_values() -> None:
    rows = {
        "references": [["five", "six"], ["four"]],
        "answer": pd.Series([6, 4], dtype="Int64"),
        "id": [7, 8],
        "when": pd.to_datetime(["2020-01-01", None]),
        "score": [0.5, float("nan")],
    }
    graded = karat.grade(pd.DataFrame(rows), judge="rules", store=None)
    assert list(graded["value"]) == [True, True]
    assert list(graded["id"]) == [7, 8]
    assert graded["input_score"].isna().tolist() == [False, True]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, list])
def test_columns_are_chosen_and_bad_rows_skipped(make: Any) -> None:
    rows = [{"q": "?", "key": "five", "mine": "5"}, {"q": "?", "key": "five", "mine": None}]
    columns = {"question": "q", "reference": "key", "answer": "mine"}
    with pytest.raises(karat.UsageError, match=r"item 2: no answer \(null\)"):
        karat.grade(make(rows), columns=columns)
    graded = karat.grade(make(rows), columns=columns, on_bad_row="skip")
    assert len(graded) == 1
    with pytest.raises(karat.UsageError, match=r"there are no good items to grade: item 1: no answer"):
        karat.grade(make(rows[1:]), columns=columns, on_bad_row="skip")
    with pytest.raises(karat.UsageError, match=r"name the columns, as in columns="):
        karat.grade(make(rows))


def test_skipped_rows_are_counted() -> None:
    graded = karat.grade([("q", "a", "a"), ("q", "a"), ("q", "", "a")], on_bad_row="skip")  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert (len(graded), graded.skipped) == (1, 2)


def test_a_generator_is_graded_and_its_progress_reported() -> None:
    def make_rows() -> Iterator[tuple[str, str, str]]:
        for n in range(700):
            yield "?", f"no. {n}", f"no. {n}" if n % 2 else "it is hard to say"

    seen = list[karat.Progress]()
    grades = karat.grade(make_rows(), judge="rules", progress=seen.append)
    assert [one.done for one in seen] == sorted({one.done for one in seen})
    assert {one.total for one in seen} == {700}
    assert (seen[-1].done, seen[-1].unjudged) == (700, grades.summary.rows - grades.summary.share.judged)


def test_grades_become_frames_of_their_records() -> None:
    grades = karat.grade(ROWS, judge="rules")
    by_pandas, by_polars = grades.to_pandas(), grades.to_polars()
    for name in ("id", "reason", "cause", "question", "topic"):
        expected = [record[name] for record in grades.records]
        assert by_polars[name].to_list() == expected
        assert [None if pd.isna(value) else value for value in by_pandas[name]] == expected
    assert by_polars["value"].to_list() == VALUES


def test_what_is_no_whole_frame_is_refused() -> None:
    with pytest.raises(karat.UsageError, match="give the whole DataFrame"):
        karat.grade(pd.DataFrame(ROWS)["answer"])
    twins = pd.DataFrame([["a", "b", "c"]], columns=["answer", "answer", "reference"])
    with pytest.raises(karat.UsageError, match="the frame has two columns 'answer'; rename one"):
        karat.grade(twins)


def test_a_notebook_shows_grades_as_a_table_without_markup_of_the_rows() -> None:
    grades = karat.grade([("<b>q</b>", "<script>", "a & b" * 40)] * 12, judge="rules")
    shown = grades._repr_html_()
    assert shown.count("<tr>") == 11
    assert "the first 10 are shown" in shown
    assert "&lt;b&gt;q&lt;/b&gt;" in shown
    assert "<script>" not in shown
    assert "…" in shown


def test_grading_a_list_imports_neither_library() -> None:
    code = "import sys, karat; karat.grade([('q', 'a', 'a')], judge='rules'); print({'pandas', 'polars'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
