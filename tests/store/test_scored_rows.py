"""Scored rows, and counts of questions."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filling import Rows, begin, pending
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.core.scored_row import Label
from karat.core.types import Item, Unjudged, Verdict
from karat.report.figures.summary import count_clusters
from karat.store import NewLabel, NewRow, Run, Store

row = st.tuples(
    st.sampled_from([None, "q1", "q2", "q3"]),
    st.sampled_from([None, "a", "b"]),
    st.sampled_from([None, True, False]),
)


def fill(store: Store, rows: list[tuple[str | None, str | None, bool | None]]) -> Run:
    """Rows by question, system and verdict."""
    news = [
        NewRow(n, f"id{n}", Item(question, ("r",), f"a{n}"), system, {"n": n})
        for n, (question, system, _) in enumerate(rows)
    ]
    run = begin(store, store.load_dataset("k", "a.jsonl", "answer", Rows(news), named=True))
    outcomes: list[Any] = [
        (number, Unjudged("tie") if value is None else Verdict(value, float(value), "llm:m"))
        for (number, _), (_, _, value) in zip(pending(store, run), rows, strict=True)
    ]
    store.keep_outcomes(run, outcomes).result(timeout=300)
    return run


@settings(deadline=None, max_examples=60)
@given(st.lists(row, min_size=1, max_size=25))
def test_question_counts_match_a_manual_count(
    rows: list[tuple[str | None, str | None, bool | None]],
) -> None:
    """In SQL and from rows in numbers, with and without systems; a row without a question is a question of its own."""
    with Store(None) as store:
        run = fill(store, rows)
        for by_system in (False, True):
            expected = dict[Any, list[bool]]()
            for n, (question, system, value) in enumerate(rows):
                key = (system if by_system else None, question or n)
                expected.setdefault(key, []).extend([] if value is None else [value])
            shapes = Counter((key[0], len(values), sum(values)) for key, values in expected.items())
            for found in (
                store.clusters(run, 1, by_system=by_system),
                count_clusters(store.scored_rows(run), 1, by_system=by_system),
            ):
                assert {(one.system, one.judged, one.correct): one.questions for one in found} == shapes


def test_scored_rows_are_in_input_order_with_verdicts_and_labels() -> None:
    with Store(None) as store:
        run = fill(store, [("q", "a", True), ("q", None, None), (None, "b", False)])
        (first, *_), labels = pending(store, run, retry=True), store.labels_of(run.dataset)
        labels.keep([NewLabel(first[0], Label("anna", 1.0), "l.csv:2")])
        one, two, three = store.scored_rows(run)
        assert [mark.value for mark in (one, two, three)] == [1, None, 0]
        assert [mark.system for mark in (one, two, three)] == ["a", None, "b"]
        assert one.cluster == two.cluster != three.cluster
        assert two.labels == (Label("anna", 1.0),)
        assert one.labels == ()


def test_more_rows_than_are_read_at_a_time() -> None:
    with Store(None) as store:
        run = fill(store, [(f"q{n}", None, True) for n in range(4100)])
        items = [number for number, _ in enumerate(range(4100), 1)]
        labels = store.labels_of(run.dataset)
        assert labels.keep(NewLabel(item, Label("p", 1.0), "x") for item in items) == (4100, 0)
        marks = list(store.scored_rows(run))
        assert [mark.position for mark in marks] == list(range(4100))
        assert all(mark.labels for mark in marks)


def test_labels_of_one_dataset_are_not_those_of_another(tmp_path: Path) -> None:
    with Store(str(tmp_path / "k.db")) as store:
        run = fill(store, [("q", None, True)])
        other = store.load_dataset(
            "k2",
            "b.jsonl",
            "answer",
            Rows([NewRow(1, "x", Item("other", ("r",), "a"), None, {})]),
            named=True,
        )
        store.labels_of(run.dataset).keep([NewLabel(1, Label("p", 1.0), "x")])
        assert store.labels_of(run.dataset).any()
        assert not store.labels_of(other).any()
        assert store.labels_of(other).history() == []


def test_labels_given_together_are_kept_all_or_none() -> None:
    def labels(item: int) -> Iterator[NewLabel]:
        yield NewLabel(item, Label("p", 1.0), "x")
        raise RuntimeError("the file ends in the middle")

    with Store(None) as store:
        run = fill(store, [("q", None, True)])
        with pytest.raises(RuntimeError):
            store.labels_of(run.dataset).keep(labels(1))
        assert not store.labels_of(run.dataset).any()
