"""Comparisons: figures and sentences."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from marking import mark, say
from msgspec import structs
from rich.console import Console
from scipy.stats import binomtest

from karat.core.scored_row import ScoredRow
from karat.report.figures.comparison import (
    Comparison,
    Pair,
    compare,
    share_questions,
    slice_by,
    split_by_group,
    together,
)
from karat.report.terminal.comparison import draw_comparison, draw_slices
from karat.stats import Estimate, Number, Undefined
from karat.stats.differences import holm


def value(number: Number | None) -> float:
    assert isinstance(number, Estimate), number
    return number.value


def side(*values: int | None, start: int = 0) -> list[ScoredRow]:
    """One answer to each question, from question `start` on."""
    return [mark(at, one, question=start + at) for at, one in enumerate(values)]


def only(comparison: Comparison) -> Pair:
    (pair,) = comparison.pairs
    return pair


def test_two_systems_are_paired_by_question() -> None:
    """Of 100 questions 60 are right in both, 20 only in B and 5 only in A: B is 15 points better."""
    a = side(*[1] * 60, *[0] * 20, *[1] * 5, *[0] * 15)
    b = side(*[1] * 60, *[1] * 20, *[0] * 5, *[0] * 15)
    pair = only(compare({"A": a, "B": b}, "match", 4))
    assert value(pair.difference) == pytest.approx(0.15)
    assert (pair.paired_by, pair.shared, pair.left_out) == ("question", 100, 0)
    assert pair.mcnemar is not None
    assert (pair.mcnemar.only_a, pair.mcnemar.only_b) == (5, 20)
    assert pair.mcnemar.p == pytest.approx(binomtest(5, 25).pvalue)
    assert pair.verdict.startswith("B better by 15.0 points [")


def test_nonsignificant_difference_reports_the_needed_questions() -> None:
    """Twice the difference to be seen needs a quarter of the questions."""
    a, b = side(*[1, 0] * 20), side(*[1, 0] * 18, 1, 1, 0, 0)
    two, four = (only(compare({"A": a, "B": b}, "match", 4, points)) for points in (2, 4))
    assert (
        two.verdict
        == f"no difference shown; to detect a difference of 2 points you need about {two.needed:,} questions"
    )
    assert two.needed is not None
    assert four.needed is not None
    assert two.needed == pytest.approx(4 * four.needed, rel=0.01)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from([0, 1, None]), st.sampled_from([0, 1, None])), min_size=2, max_size=40)
)
def test_swapped_sides_mirror_all_figures(rows: list[tuple[int | None, int | None]]) -> None:
    a, b = side(*[one for one, _ in rows]), side(*[other for _, other in rows])
    there, back = only(compare({"A": a, "B": b}, "match", 4)), only(compare({"B": b, "A": a}, "match", 4))
    assert there.shared == back.shared
    assert ("better" in there.verdict) == ("better" in back.verdict)
    if isinstance(there.difference, Undefined):
        assert isinstance(back.difference, Undefined)
    else:
        assert isinstance(back.difference, Estimate)
        assert there.difference.value == pytest.approx(-back.difference.value)
        assert there.difference.low == pytest.approx(-back.difference.high)


def test_questions_without_a_verdict_on_both_sides_are_left_out_and_counted() -> None:
    pair = only(compare({"A": side(1, 0, None, 1, 1), "B": side(1, 1, 1, None, 0, 1)}, "match", 4))
    assert (pair.shared, pair.left_out) == (3, 3)


def test_without_a_common_question_nothing_is_paired() -> None:
    a, b = side(*[1, 0, 1, 0] * 10), side(*[1, 1, 1, 0] * 10, start=1000)
    pair = only(compare({"A": a, "B": b}, "match", 4))
    assert pair.paired_by is None
    assert value(pair.difference) == pytest.approx(0.25)
    assert pair.mcnemar is None


def test_several_answers_to_a_question_are_clustered() -> None:
    """Five answers of each system to each of twenty questions are no hundred pairs."""
    a = [mark(at, int(at // 5 % 2 == 0), question=at // 5) for at in range(100)]
    b = [mark(at, int(at // 5 % 2 == 0 or at // 5 < 8), question=at // 5) for at in range(100)]
    pair = only(compare({"A": a, "B": b}, "match", 4))
    alone = only(compare({"A": side(*[m.value for m in a]), "B": side(*[m.value for m in b])}, "match", 4))
    assert value(pair.difference) == pytest.approx(value(alone.difference)) == pytest.approx(0.2)
    assert isinstance(pair.difference, Estimate)
    assert isinstance(alone.difference, Estimate)
    assert pair.difference.high - pair.difference.low > 1.5 * (alone.difference.high - alone.difference.low)
    assert pair.mcnemar is None


def test_labels_correct_the_difference() -> None:
    """The judge likes B: it accepts ten wrong answers of B for each of A; labels on half of the rows undo that."""
    a = [
        mark(at, int(at % 10 < 5), say(int(at % 10 < 5)) if at < 100 else (), question=at)
        for at in range(200)
    ]
    b = [
        mark(at, int(at % 10 < 7), say(int(at % 10 < 5)) if at < 100 else (), question=at)
        for at in range(200)
    ]
    pair = only(compare({"A": a, "B": b}, "match", 4))
    assert value(pair.difference) == pytest.approx(0.2)
    assert pair.verdict.startswith("B better by 20.0 points")
    assert value(pair.corrected) == pytest.approx(0.0, abs=0.01)
    assert pair.corrected_verdict == "no difference shown"


def planned(at: int, value: int, people: int) -> ScoredRow:
    """A row of the file that a plan drew from, labelled where it was drawn: every second row, with that chance."""
    drawn = at % 2 == 0
    return mark(
        at,
        value,
        say(people) if drawn else (),
        question=at,
        chance=0.5 if drawn else None,
        stratum="all" if drawn else None,
        covered=True,
    )


def test_different_judges_give_a_warning_and_no_winner() -> None:
    a, b = side(*[1] * 60, *[0] * 40), side(*[1] * 90, *[0] * 10)
    found = compare({"A": a, "B": b}, "match", 4, warnings={("A", "B"): "two judges"})
    assert found.warning == "two judges"
    assert only(found).verdict.startswith("B is judged correct more often by 30.0 points [")
    assert print_out(draw_comparison(found, "title")).startswith("warning: two judges\n\ntitle\n")


def test_across_judges_only_labels_that_a_plan_drew_or_that_are_on_all_rows_correct() -> None:
    """Both systems are right on 50 of 100 questions; the judge of A is right, that of B says Yes 30 times too often."""
    warnings = {("A", "B"): "two judges"}
    verdicts = [(int(at < 50), int(at < 80), int(at < 50)) for at in range(100)]
    drawn = tuple([planned(at, row[which], row[2]) for at, row in enumerate(verdicts)] for which in (0, 1))
    every, some = (
        tuple(
            [
                mark(at, row[which], say(row[2]) if at % step == 0 else (), question=at)
                for at, row in enumerate(verdicts)
            ]
            for which in (0, 1)
        )
        for step in (1, 2)
    )
    for a, b in (drawn, every):
        pair = only(compare({"A": a, "B": b}, "match", 4, warnings=warnings))
        assert value(pair.difference) == pytest.approx(0.3)
        assert value(pair.corrected) == pytest.approx(0.0, abs=0.02)
        assert pair.corrected_verdict == "no difference shown"
    pair = only(compare({"A": some[0], "B": some[1]}, "match", 4, warnings=warnings))
    assert isinstance(pair.corrected, Undefined)
    assert "labels plan" in pair.corrected.why
    assert isinstance(only(compare({"A": some[0], "B": some[1]}, "match", 4)).corrected, Estimate)


def test_only_requested_pairs_are_compared() -> None:
    sides = {name: side(*[1, 0, 1, int(name > "a")] * 10) for name in "abc"}
    found = compare(sides, "match", 4, couples=[("a", "c")])
    assert [(pair.a, pair.b) for pair in found.pairs] == [("a", "c")]
    assert found.level == pytest.approx(0.95)


def test_intervals_of_many_comparisons_hold_simultaneously() -> None:
    """Each of three intervals misses with a third of the probability."""
    sides = {name: side(*[1, 0, 1, int(name > "a")] * 10) for name in "abc"}
    found = compare(sides, "match", 4)
    assert len(found.pairs) == 3
    assert found.level == pytest.approx(1 - 0.05 / 3) == together(3)
    single = only(compare({name: sides[name] for name in "ab"}, "match", 4))
    first = next(pair for pair in found.pairs if (pair.a, pair.b) == ("a", "b"))
    assert isinstance(first.difference, Estimate)
    assert isinstance(single.difference, Estimate)
    assert first.difference.low < single.difference.low


def test_p_values_are_adjusted_for_their_number() -> None:
    """Of three comparisons the least probable counts three times."""
    sides = {"a": side(*[0] * 30), "b": side(*[1] * 12, *[0] * 18), "c": side(*[1] * 12, *[0] * 18)}
    found = {(pair.a, pair.b): pair for pair in compare(sides, "match", 4).pairs}
    once = binomtest(0, 12).pvalue
    assert found["a", "b"].p == pytest.approx(once)
    assert found["a", "b"].adjusted == pytest.approx(3 * once)
    assert found["b", "c"].adjusted == 1.0
    assert only(compare({"a": sides["a"], "b": sides["b"]}, "match", 4)).adjusted == pytest.approx(once)


def test_two_runs_are_also_compared_group_by_group() -> None:
    a = [mark(at, at % 2, question=at, groups=("xy"[at % 3 == 0],)) for at in range(60)]
    b = [mark(at, 1, question=at, groups=("xy"[at % 3 == 0],)) for at in range(60)]
    found = compare({"A": a, "B": b}, "match", 4)
    assert [(pair.group, pair.shared) for pair in found.pairs] == [(None, 60), ("x", 40), ("y", 20)]


def test_levels_are_compared_by_their_limit_and_by_their_mean() -> None:
    a = [mark(at, 3, question=at, top=5) for at in range(20)]
    b = [mark(at, 3 + at % 2, question=at, top=5) for at in range(20)]
    pair = only(compare({"A": a, "B": b}, "keypoints", 4))
    assert value(pair.difference) == pytest.approx(0.5)
    assert value(pair.score) == pytest.approx(0.1)


def grouped(*rows: tuple[str, int | None]) -> list[ScoredRow]:
    return [mark(at, one, groups=(name,)) for at, (name, one) in enumerate(rows)]


def test_systems_share_questions_and_tags_do_not() -> None:
    systems = [mark(at, 1, question=at // 2, groups=("ab"[at % 2],)) for at in range(10)]
    tags = [mark(at, 1, question=at // 2, groups=("xy"[at // 5],)) for at in range(10)]
    lists = [mark(at, 1, question=at // 2, groups=("a", "b")) for at in range(10)]
    assert share_questions(split_by_group(systems))
    assert not share_questions(split_by_group(tags))
    assert not share_questions(split_by_group(lists))


def test_slices_are_compared_with_the_rest() -> None:
    """40 of 50 rows of x are right and 10 of 50 of y: x is 60 points above the rest, y as much below."""
    rows = [("x", int(at < 40)) for at in range(50)] + [("y", int(at < 10)) for at in range(50)]
    found = slice_by(grouped(*rows), "topic", "match", 4)
    assert [(one.name, value(one.share), one.shown) for one in found.slices] == [
        ("x", 0.8, "above"),
        ("y", 0.2, "below"),
    ]
    assert [value(one.difference) for one in found.slices] == pytest.approx([0.6, -0.6])
    assert found.level == pytest.approx(0.95)


def test_many_slices_widen_the_intervals() -> None:
    rows = [(f"t{at % 10}", int(at % 7 < 4)) for at in range(400)]
    found = slice_by(grouped(*rows), "topic", "match", 4)
    assert found.level == pytest.approx(0.995)


def test_a_row_may_stand_in_several_slices_or_in_none() -> None:
    rows = [mark(at, at % 2, groups=("x", "y") if at % 3 == 0 else ("y",)) for at in range(30)] + [
        mark(99, 1)
    ]
    found = slice_by(rows, "topic", "match", 4)
    assert [(one.name, one.rows) for one in found.slices] == [("y", 30), ("x", 10)]
    assert found.without == 1


def test_a_slice_of_one_question_has_no_difference_to_show() -> None:
    """Its rows stand and fall together."""
    rows = [mark(at, 0, question=1, groups=("x",)) for at in range(4)]
    rows += [mark(10 + at, 1, question=10 + at // 2, groups=("y",)) for at in range(40)]
    found = {one.name: one for one in slice_by(rows, "topic", "match", 4).slices}
    assert isinstance(found["x"].difference, Undefined)
    assert found["x"].shown is None


def test_a_slice_of_few_questions_does_not_stand_out() -> None:
    """Four questions, all wrong, against a hundred that are all right; a fifth makes it stand out."""
    rest = [mark(100 + at, 1, groups=("y",)) for at in range(100)]
    for count, shown in ((4, None), (5, "below")):
        few = [mark(at, 0, groups=("x",)) for at in range(count)]
        found = {one.name: one for one in slice_by([*few, *rest], "topic", "match", 4).slices}
        assert found["x"].shown == shown


def print_out(content: object) -> str:
    console = Console(file=io.StringIO(), width=130, highlight=False, legacy_windows=False)
    console.print(content)
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_a_comparison_on_a_terminal() -> None:
    a, b = (
        side(*[1] * 60, *[0] * 20, *[1] * 5, *[0] * 15),
        side(*[1] * 60, *[1] * 20, *[0] * 5, *[0] * 14, None),
    )
    assert print_out(draw_comparison(compare({"A": a, "B": b}, "match", 4), "A and B")) == snapshot("""\
A and B
   rows  judged  correct [95 % interval]
A   100     100  65.0 % [55.3 %, 73.6 %]
B   100      99  80.8 % [72.0 %, 87.4 %]

difference in points  paired by            as judged            only one right  p
B − A                 99 of 100 questions  +15.2 [+5.2, +24.5]  5 : 20          0.00408

B better by 15.2 points [5.2, 24.5]
questions without a verdict on one or both sides are left out
""")


def test_slices_on_a_terminal() -> None:
    rows = (
        [("x", int(at < 40)) for at in range(50)] + [("y", int(at < 10)) for at in range(50)] + [("z", None)]
    )
    assert print_out(draw_slices(slice_by(grouped(*rows), "topic", "match", 4), "by topic")) == snapshot("""\
by topic
topic  rows  judged  correct [95 % interval]  difference (points)
x        50      50  80.0 % [67.0 %, 88.8 %]  +60.0 [+37.0, +74.3]  above
y        50      50  20.0 % [11.2 %, 33.0 %]  -60.0 [-74.3, -37.0]  below
z         1       0  –                        –                     no difference shown

differences have 98.33 % intervals, so that all of them hold at once with 95 % probability
– not defined: there are no rows
""")


def test_overall_difference_is_unadjusted_and_groups_are_adjusted_among_themselves() -> None:
    """Interval, p value and note allow for the same number of comparisons."""
    groups = [("xyz"[at % 3],) for at in range(90)]
    a = [mark(at, at % 2, question=at, groups=groups[at]) for at in range(90)]
    b = [mark(at, int(at % 2 == 1 or at % 5 == 0), question=at, groups=groups[at]) for at in range(90)]
    found = compare({"a": a, "b": b}, "match", 4)
    overall, *within = found.pairs
    alone = compare(
        {name: [structs.replace(one, groups=()) for one in side] for name, side in (("a", a), ("b", b))},
        "match",
        4,
    ).pairs[0]
    assert overall.difference == alone.difference
    assert overall.adjusted == overall.p == alone.p
    assert [getattr(pair.difference, "level", None) for pair in within] == [pytest.approx(together(3))] * 3
    assert [pair.adjusted for pair in within] == holm([pair.p or 0.0 for pair in within])
    assert found.level == pytest.approx(together(3))
    said = " ".join(print_out(draw_comparison(found, "title")).split())
    assert "the difference on all rows has a 95 % interval" in said
    assert "have 98.33 % intervals" in said
