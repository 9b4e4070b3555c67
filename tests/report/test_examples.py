"""The example rows of a summary: which are chosen, how many, and their format."""

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from making import keep_labels, keep_run, level, lost, no, row, yes
from marking import mark, say
from rich.console import Console

from karat.core.scored_row import Label
from karat.core.types import Outcome, ProtocolName
from karat.report.examples import MOST, choose_disputed, read_examples, spread
from karat.report.figures.agreement import agree, check_accuracy
from karat.report.load import summarise_run
from karat.report.terminal.summary import draw_summary
from karat.stats import Estimate, Undefined
from karat.store import Run, Store

RIGHT, WRONG = Label("anna", 1.0), Label("anna", 0.0)


def make(store: Store, outcomes: Sequence[Outcome], *, protocol: ProtocolName = "match") -> Run:
    """Rows of different questions with these outcomes."""
    rows = [
        row(at, f"answer {at}", question=f"Question {at}?", references=("this", "that"))
        for at in range(len(outcomes))
    ]
    return keep_run(store, rows, outcomes, protocol=protocol)


def draw(store: Store, run: Run, *, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False, legacy_windows=False)
    console.print(draw_summary(summarise_run(store, run), f"run {run.id}", read_examples(store, run, 4)))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def below_shares(text: str) -> str:
    """The summary from the agreement with labels on."""
    return text[text.index("verdicts against labels") :]


def test_disputed_rows_are_sorted_by_confidence() -> None:
    marks = [
        mark(0, 1, say(0), confidence=0.6),
        mark(1, 1, say(1), confidence=0.99),
        mark(2, 0, say(1), confidence=0.9),
        mark(3, 1, say(0)),
        mark(4, None, say(0)),
        mark(5, 1, say(0, 1), confidence=0.95),
        mark(6, 1, confidence=0.95),
    ]
    assert [one.position for one in choose_disputed(marks, "match", 4)] == [2, 0, 3]


def test_both_kinds_of_error_alternate_at_equal_confidence() -> None:
    marks = [*(mark(at, 1, say(0)) for at in range(6)), *(mark(at, 0, say(1)) for at in range(6, 8))]
    assert [one.position for one in choose_disputed(marks, "match", 4)] == [0, 6, 1, 7, 2]


def test_different_questions_go_before_more_rows_of_one() -> None:
    marks = [mark(at, 1, say(0), question=min(at, 4) if at > 2 else 0, confidence=0.9) for at in range(6)]
    assert [one.cluster for one in choose_disputed(marks, "match", 4)] == [0, 3, 4, 0, 0]


def test_on_a_scale_a_row_is_disputed_where_only_one_side_passes() -> None:
    levels = [(4, 3), (4, 4), (3, 5), (1, 2)]
    marks = [mark(at, value, say(label, scale="0-5"), top=5) for at, (value, label) in enumerate(levels)]
    assert [one.position for one in choose_disputed(marks, "keypoints", 4)] == [0, 2]
    assert [one.position for one in choose_disputed(marks, "keypoints", 3)] == []


@given(st.lists(st.none() | st.integers(0, 4), max_size=30), st.integers(0, 6))
def test_a_question_comes_twice_only_where_no_other_is_left(questions: list[int | None], most: int) -> None:
    chosen = spread(enumerate(questions), most)
    assert len(chosen) == len(set(chosen)) == min(most, len(questions))
    distinct = len({one for one in questions if one is not None}) + questions.count(None)
    kinds = [questions[at] for at in chosen]
    shown = len({one for one in kinds if one is not None}) + kinds.count(None)
    assert shown == min(distinct, len(chosen))


def test_without_labels_the_rejections_with_lowest_confidence_are_shown(store: Store) -> None:
    outcomes = [
        no(by="embedded", confidence=0.9), no(by="embedded", confidence=0.6), yes(), no(by="embedded", confidence=0.7),
        no(by="rule:empty"), no(by="rule:empty"), lost(), no(by="rule:echo"),
    ]  # fmt: skip
    found = read_examples(store, make(store, outcomes), 4)
    assert found.kind == "judged_wrong"
    assert [one.id for one in found.rows] == ["row-1", "row-4", "row-7", "row-3", "row-5"]
    assert all(one.label is None for one in found.rows)


def test_never_more_than_five(store: Store) -> None:
    run = make(store, [no(reason=f"reason {at}") for at in range(2_000)])
    assert [one.id for one in read_examples(store, run, 4).rows] == [f"row-{at}" for at in range(MOST)]
    keep_labels(store, run, [(at, RIGHT) for at in range(1_000, 1_020)])
    found = read_examples(store, run, 4)
    assert found.kind == "against_label"
    assert [one.id for one in found.rows] == [f"row-{at}" for at in range(1_000, 1_005)]


def test_store_returns_few_rows_per_origin(store: Store) -> None:
    run = make(store, [no(by=f"rule:{at % 3}") for at in range(3_000)])
    assert len(store.rejected(run, 1, MOST)) == 3 * MOST


def test_labels_that_all_agree_leave_nothing_to_show(store: Store) -> None:
    run = make(store, [no(), yes(), no()])
    keep_labels(store, run, [(0, WRONG), (1, RIGHT)])
    assert read_examples(store, run, 4).rows == ()


def test_identical_rows_are_shown_once(store: Store) -> None:
    rows = [row(at, "the same") for at in range(4)]
    run = keep_run(store, rows, [no(), None, None, None])
    assert [one.id for one in read_examples(store, run, 4).rows] == ["row-0"]


@pytest.mark.parametrize("planned", [False, True])
def test_accuracy_and_kappa_are_those_of_agree(planned: bool) -> None:
    kinds = [(1, 1)] * 20 + [(0, 0)] * 12 + [(1, 0)] * 5 + [(0, 1)] * 3 + [(None, 1)] * 2
    marks = [
        mark(at, value, say(truth), question=at // 2, chance=(0.2 + at % 3 / 4 if planned else None), stratum="s" if planned else None)
        for at, (value, truth) in enumerate(kinds)
    ]  # fmt: skip
    marks += [mark(len(marks) + at, 1, covered=planned) for at in range(10)]
    found, every = check_accuracy(marks, "match", 4), agree(marks, "match", 4)
    assert found is not None
    assert (found.rows, found.weighted) == (40, planned)
    assert found.accuracy == every.statistics["agreement"]
    assert found.kappa == every.statistics["cohen_kappa"]
    assert isinstance(found.accuracy, Estimate)
    assert (found.accuracy.value == 32 / 40) == (not planned)


def test_no_row_with_verdict_and_label_leaves_accuracy_undefined(store: Store) -> None:
    run = make(store, [lost(), yes(), no()])
    keep_labels(store, run, [(0, RIGHT)])
    summary = summarise_run(store, run)
    assert summary.accuracy is not None
    assert isinstance(summary.accuracy.accuracy, Undefined)
    assert "accuracy                 –" in draw(store, run)


def test_the_summary_of_a_labelled_run(store: Store) -> None:
    """Four of 40 verdicts are not what the labels say."""
    outcomes = [yes(confidence=0.9) for _ in range(24)] + [
        no(confidence=0.8 + at / 100, reason="It says something else.") for at in range(16)
    ]
    run = make(store, outcomes)
    wrong = {0, 1, 38, 39}
    keep_labels(store, run, [(at, RIGHT if (at < 24) != (at in wrong) else WRONG) for at in range(40)])
    assert below_shares(draw(store, run)) == snapshot("""\
verdicts against labels  [95 % interval]
accuracy                 90.0 % [76.9 %, 96.0 %]  same verdict, 40 rows
Cohen's kappa            0.792 [0.589, 0.994]     1: always, 0: by chance

value  rows
Yes      24   60.0 % ████████████████████████
No       16   40.0 % ████████████████

decided by  rows
llm:m         40  100.0 % ████████████████████████

no model was called

verdicts that differ from the label, highest confidence first
row-39  No, label Yes · confidence 0.95 · llm:m
        question: Question 39?
        reference: this | that
        answer: answer 39
        reason: It says something else.
row-38  No, label Yes · confidence 0.94 · llm:m
        question: Question 38?
        reference: this | that
        answer: answer 38
        reason: It says something else.
row-0   Yes, label No · confidence 0.90 · llm:m
        question: Question 0?
        reference: this | that
        answer: answer 0
row-1   Yes, label No · confidence 0.90 · llm:m
        question: Question 1?
        reference: this | that
        answer: answer 1
""")


def test_the_summary_of_a_run_without_labels(store: Store) -> None:
    long = "An answer that goes on and on. " * 20
    rows = [row(0, long, question=None), row(1, "x", question="Who?"), row(2, "", question="Where?")]
    outcomes = [
        no(confidence=0.7, reason="Too long."),
        yes(),
        no(by="rule:empty", reason="The answer is empty."),
    ]
    run = keep_run(store, rows, outcomes)
    assert draw(store, run) == snapshot("""\
run 1
correct 33.3 % [6.1 %, 79.2 %] of 3 judged

value  rows
Yes       1   33.3 % ████████████
No        2   66.7 % ████████████████████████

decided by  rows
llm:m          2   66.7 % ████████████████████████
rule:empty     1   33.3 % ████████████

no model was called

examples of rows judged wrong
row-0  No · confidence 0.70 · llm:m
       reference: this
       answer: An answer that goes on and on. An answer that goes on and on. An…
       reason: Too long.
row-2  No · rule:empty
       question: Where?
       reference: this
       answer: (empty)
       reason: The answer is empty.
""")


def test_the_summary_of_a_run_on_levels(store: Store) -> None:
    """Rows below 4 are shown, or those on whose sides of 4 label and verdict differ."""
    run = make(store, [level(value) for value in (5, 4, 3, 2, 0)], protocol="keypoints")
    assert [one.value for one in read_examples(store, run, 4).rows] == [3, 2, 0]
    assert [one.value for one in read_examples(store, run, 3).rows] == [2, 0]
    keep_labels(
        store,
        run,
        [(1, Label("anna", 0.4, "0-5")), (2, Label("anna", 0.6, "0-5")), (4, Label("anna", 1.0, "0-5"))],
    )
    assert below_shares(draw(store, run)) == snapshot("""\
verdicts against labels  [95 % interval]
accuracy                 33.3 % [6.1 %, 79.2 %]  same verdict, 3 rows
Cohen's kappa            -0.500 [-1.000, 1.000]  1: always, 0: by chance

value  rows
5         1   20.0 % ████████████████████████
4         1   20.0 % ████████████████████████
3         1   20.0 % ████████████████████████
2         1   20.0 % ████████████████████████
1         0    0.0 %
0         1   20.0 % ████████████████████████

decided by  rows
llm:m          5  100.0 % ████████████████████████

no model was called

verdicts that differ from the label, highest confidence first
row-1  4, label 2 · llm:m
       question: Question 1?
       reference: this | that
       answer: answer 1
row-4  0, label 5 · llm:m
       question: Question 4?
       reference: this | that
       answer: answer 4
""")
