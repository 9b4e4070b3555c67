"""The summary of a run, and how it looks on a terminal."""

import io

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from rich.console import Console

from karat.core.counts import Group
from karat.core.types import NOTHING, Spent
from karat.report.summary import summarise
from karat.report.terminal import draw_summary
from karat.stats import Estimate, Undefined

GROUPS = [
    Group("atlas", 1, None, "rule:equal", 30, 30.0),
    Group("atlas", 0, None, "llm:m", 10, 0.0),
    Group("birch", 1, None, "llm:m", 12, 12.0),
    Group("birch", 0, None, "llm:m", 20, 0.0),
    Group("birch", None, "unparseable", None, 6, None),
    Group("birch", None, "refused", None, 2, None),
]
group = st.builds(
    Group,
    system=st.sampled_from([None, "a", "b"]),
    value=st.none() | st.integers(0, 5),
    cause=st.just("refused"),
    decided_by=st.just("llm:m"),
    rows=st.integers(1, 50),
    score=st.just(1.0),
)


def draw() -> str:
    summary = summarise("match", GROUPS, Spent(44, 52_000, 40_000, 880, 0.0123))
    console = Console(file=io.StringIO(), width=90, highlight=False, legacy_windows=False)
    console.print(draw_summary(summary, "run 1 · openai:m · match · 80 rows"))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_unjudged_rows_stay_in_the_population() -> None:
    share = summarise("match", GROUPS, NOTHING).share
    assert (share.rows, share.judged, share.correct) == (80, 72, 42)
    assert isinstance(share.estimate, Estimate)
    assert share.estimate.value == 42 / 72
    assert share.worst == 42 / 80
    assert share.best == 50 / 80


@given(st.lists(group, min_size=1, max_size=12), st.integers(0, 5))
def test_the_share_lies_between_the_worst_and_the_best_case(groups: list[Group], passing: int) -> None:
    summary = summarise("keypoints", groups, NOTHING, passing=passing)
    share = summary.share
    assert summary.rows == share.rows == sum(group.rows for group in groups)
    assert sum(summary.values.values()) + sum(summary.unjudged.values()) == summary.rows
    assert share.worst is not None
    assert share.best is not None
    if isinstance(share.estimate, Estimate):
        assert share.worst <= share.estimate.value <= share.best
    assert sum(part.rows for part in summary.systems.values()) <= summary.rows


def test_correct_on_a_scale_is_four_or_more_unless_moved() -> None:
    groups = [Group(None, value, None, "llm:m", 1, value / 5) for value in range(6)]
    assert summarise("keypoints", groups, NOTHING).share.correct == 2
    assert summarise("keypoints", groups, NOTHING, passing=3).share.correct == 3


def test_a_run_without_verdicts_has_no_share() -> None:
    summary = summarise("match", [Group(None, None, "undecided", None, 3, None)], NOTHING)
    assert isinstance(summary.share.estimate, Undefined)
    assert summary.mean_score is None


def test_the_table_on_a_terminal() -> None:
    assert draw() == snapshot("""\
run 1 · openai:m · match · 80 rows
correct 58.3 % [46.8 %, 69.0 %] of 72 judged; of all 80 between 52.5 % and 62.5 %

system  rows  judged  correct [95 % interval]
atlas     40      40  75.0 % [59.8 %, 85.8 %]
birch     40      32  37.5 % [22.9 %, 54.7 %]

value  rows
Yes      42   58.3 % ████████████████████████
No       30   41.7 % █████████████████

decided by  rows
llm:m         42   58.3 % ████████████████████████
rule:equal    30   41.7 % █████████████████

unjudged because  rows
unparseable          6    7.5 % ████████████████████████
refused              2    2.5 % ████████

44 calls in this run so far, 52,000 tokens in (40,000 cached), 880 out, $0.0123
""")
