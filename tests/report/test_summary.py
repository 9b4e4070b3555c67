"""The summary of a run, and its terminal format."""

import io

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from rich.console import Console

from karat.core.scored_row import Cluster, Group
from karat.core.types import NOTHING, Spent
from karat.report.figures.summary import Summary, summarise
from karat.report.terminal.summary import draw_summary
from karat.stats import Estimate, Undefined, wilson

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
    return show(summary, "run 1 · openai:m · match · 80 rows", width=90)


def show(summary: Summary, title: str, *, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False, legacy_windows=False)
    console.print(draw_summary(summary, title))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def show_headline(summary: Summary) -> str:
    """What stands between the title and the first empty line."""
    return show(summary, "title", width=400).partition("\n\n")[0].removeprefix("title\n")


def test_unjudged_rows_stay_in_the_population() -> None:
    share = summarise("match", GROUPS, NOTHING).share
    assert (share.rows, share.judged, share.correct) == (80, 72, 42)
    assert isinstance(share.estimate, Estimate)
    assert share.estimate.value == 42 / 72
    assert share.worst == 42 / 80
    assert share.best == 50 / 80


@given(st.lists(group, min_size=1, max_size=12), st.integers(0, 5))
def test_share_is_between_worst_and_best_case(groups: list[Group], passing: int) -> None:
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

unjudged, by cause  rows
unparseable            6    7.5 % ████████████████████████
refused                2    2.5 % ████████

44 calls in this run so far, 52,000 input tokens (40,000 cached), 880 output tokens,
$0.0123
""")


def test_a_question_with_several_answers_counts_as_one_cluster() -> None:
    """Twenty questions, each with five answers that are all right or all wrong, tell as much as twenty rows."""
    groups = [Group(None, 1, None, "llm:m", 60, 60.0), Group(None, 0, None, "llm:m", 40, 0.0)]
    clusters = [Cluster(None, 5, 5, 12), Cluster(None, 5, 0, 8)]
    clustered = summarise("match", groups, NOTHING, clusters=clusters).share.estimate
    alone = summarise("match", groups, NOTHING).share.estimate
    twenty = wilson(12, 20)
    assert isinstance(clustered, Estimate)
    assert isinstance(alone, Estimate)
    assert isinstance(twenty, Estimate)
    assert clustered.value == alone.value == 0.6
    assert clustered.clusters == 20
    assert clustered.high - clustered.low > 0.95 * (twenty.high - twenty.low)


def test_one_answer_to_each_question_leaves_wilsons_interval() -> None:
    groups = [Group(None, 1, None, "llm:m", 3, 3.0), Group(None, 0, None, "llm:m", 2, 0.0)]
    clusters = [Cluster(None, 1, 1, 3), Cluster(None, 1, 0, 2), Cluster(None, 0, 0, 4)]
    assert summarise("match", groups, NOTHING, clusters=clusters).share.estimate == wilson(3, 5)


def test_systems_have_clusters_of_their_own() -> None:
    """Two answers of each system to each question."""
    groups = [Group(name, 1, None, "llm:m", 8, 8.0) for name in "ab"]
    clusters = [Cluster(name, 2, 2, 4) for name in "ab"]
    shares = summarise("match", groups, NOTHING, system_clusters=clusters).systems
    assert [getattr(share.estimate, "clusters", None) for share in shares.values()] == [4, 4]


def test_one_question_for_all_rows_leaves_the_share_without_an_interval() -> None:
    groups = [Group(None, 1, None, "llm:m", 1, 1.0), Group(None, 0, None, "llm:m", 1, 0.0)]
    summary = summarise("match", groups, NOTHING, clusters=[Cluster(None, 2, 1, 1)])
    assert isinstance(summary.share.estimate, Undefined)
    assert show_headline(summary) == snapshot(
        "correct 50.0 % of 2 judged; no interval: all rows belong to one cluster, so the variance between clusters is not known; use --cluster COLUMN to cluster by another column, such as an id"
    )
