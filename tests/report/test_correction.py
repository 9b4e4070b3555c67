"""The share correct as judged and as corrected by labels."""

import io

import numpy as np
import pytest
from inline_snapshot import snapshot
from marking import crossed, mark, say
from msgspec import structs
from rich.console import Console

from karat.core.scored_row import ScoredRow
from karat.report.figures.correction import Correction, correct_share, selection_chances
from karat.report.terminal.summary import draw_correction
from karat.stats import Estimate, Number, Undefined


def value(number: Number | None) -> float:
    assert isinstance(number, Estimate)
    return number.value


def correct(marks: list[ScoredRow], passing: int = 4) -> Correction:
    found = correct_share(marks, "match", passing)
    assert found is not None
    return found


def test_without_labels_there_is_nothing_to_correct_by() -> None:
    assert correct_share([mark(0, 1), mark(1, 0)], "match", 4) is None
    assert correct_share([], "match", 4) is None


def test_fully_labelled_run_uses_the_labels() -> None:
    found = correct(crossed(right_yes=50, right_no=2, wrong_yes=28, wrong_no=20))
    assert (found.selection, found.headline, found.assumption) == ("all", "labels", None)
    assert found.number == found.share.labels_alone
    assert value(found.share.raw) == 0.78
    assert value(found.share.labels_alone) == pytest.approx(0.52)
    assert found.share.corrected == found.share.labels_alone


def test_labels_remove_the_bias_of_a_judge() -> None:
    """The judge says Yes of 80 % of all rows; of ten labelled Yes rows only eight are right, and of five No rows none is."""
    marks = [mark(at, 1, say(int(at < 8))) for at in range(10)] + [
        mark(10 + at, 0, say(0)) for at in range(5)
    ]
    marks += [mark(20 + at, int(at % 5 != 0)) for at in range(985)]
    found = correct(marks)
    assert found.selection == "convenience"
    assert (found.rows, found.labelled) == (1000, 15)
    assert value(found.share.raw) == pytest.approx(0.798, abs=0.001)
    assert value(found.share.labels_alone) == pytest.approx(8 / 15)
    assert value(found.share.corrected) == pytest.approx(0.64, abs=0.03)


def test_unjudged_rows_are_part_of_what_is_estimated() -> None:
    """Half of the rows have no verdict, and labels show that few of those are right: the share of all rows falls."""
    marks = [mark(at, 1, say(1) if at < 20 else ()) for at in range(200)]
    marks += [mark(200 + at, None, say(int(at < 2)) if at < 20 else ()) for at in range(200)]
    found = correct(marks)
    assert value(found.share.raw) == 1.0
    assert value(found.share.corrected) == pytest.approx(0.55, abs=0.01)


def test_people_who_are_evenly_split_count_as_half() -> None:
    found = correct([mark(0, 1, say(1)), mark(1, 1, say(1, 0)), mark(2, 0, say(0)), mark(3, 0, say(0, 0))])
    assert found.ties == 1
    assert found.authors == ("a", "b")
    assert value(found.share.labels_alone) == pytest.approx(1.5 / 4)


def planned(drawn: int, done: int, chance: float, stratum: str, label: int, start: int) -> list[ScoredRow]:
    return [
        mark(start + at, 1, say(label) if at < done else (), chance=chance, stratum=stratum)
        for at in range(drawn)
    ]


def test_labels_are_weighted_by_inverse_probability() -> None:
    """Four of forty unsure rows are labelled wrong, four of four hundred sure ones right: the sure ones count ten times as much."""
    marks = planned(4, 4, 0.1, "unsure", 0, 0) + planned(4, 4, 0.01, "sure", 1, 10)
    marks += [mark(100 + at, 1, covered=True) for at in range(432)]
    found = correct(marks)
    assert (found.selection, found.headline, found.assumption) == ("planned", "corrected", None)
    assert value(found.share.labels_alone) == pytest.approx(400 / 440)
    assert value(found.share.corrected) == pytest.approx(400 / 440)


def test_rows_that_were_drawn_and_not_labelled_lower_the_chance_of_their_stratum() -> None:
    marks = planned(4, 2, 0.4, "s", 1, 0) + planned(6, 6, 0.3, "t", 0, 10) + [mark(30, 1, covered=True)]
    chances = selection_chances(marks)
    assert chances is not None
    assert [chances[at] for at in (0, 4, 10)] == pytest.approx([0.2, 0.3, None])


def test_a_stratum_without_any_label_lowers_the_chance_of_all() -> None:
    """Three of ten drawn rows are labelled, none of them in one stratum."""
    chances = selection_chances(planned(6, 3, 0.5, "s", 1, 0) + planned(4, 0, 0.2, "t", 0, 10))
    assert chances is not None
    assert chances[0] == pytest.approx(0.5 * 0.3)


def test_a_plan_that_is_half_done_does_not_lower_the_chances_of_another() -> None:
    """One plan is done; of the other one stratum is half done and one not begun."""
    first = planned(4, 4, 0.4, "s", 1, 0)
    second = planned(4, 2, 0.5, "s", 1, 10) + planned(4, 0, 0.2, "t", 0, 20)
    second = [structs.replace(one, plan=2) for one in second]
    chances = selection_chances([*first, *second, mark(30, 1, covered=True)])
    assert chances is not None
    assert [chances[at] for at in (0, 4)] == pytest.approx([0.4, 0.5 * 2 / 8])


def test_rows_labelled_before_the_plan_represent_only_themselves() -> None:
    marks = [
        mark(0, 1, say(0), chance=1.0),
        *planned(2, 2, 0.25, "s", 1, 1),
        *[mark(9 + at, 1, covered=True) for at in range(6)],
    ]
    found = correct(marks)
    assert value(found.share.labels_alone) == pytest.approx(8 / 9)


def test_labels_outside_the_plan_are_unused_and_counted() -> None:
    marks = [mark(0, 1, say(0), covered=True), *planned(4, 4, 0.5, "s", 1, 1)]
    marks += [mark(9 + at, 1, covered=True) for at in range(4)]
    found = correct(marks)
    assert (found.labelled, found.outside) == (4, 1)
    assert value(found.share.labels_alone) == 1.0


def test_a_plan_counts_once_some_of_its_rows_are_labelled() -> None:
    marks = [mark(at, 1, say(at % 2), chance=1.0, covered=False) for at in range(6)]
    marks += [mark(10 + at, 1, chance=0.5, stratum="s", covered=False) for at in range(4)]
    assert selection_chances(marks) is None
    assert correct(marks).selection == "convenience"


def test_once_all_rows_are_labelled_the_plan_no_longer_matters() -> None:
    found = correct([*planned(2, 2, 0.1, "s", 0, 0), mark(5, 1, say(1)), mark(6, 1, say(1))])
    assert (found.selection, found.labelled, found.outside) == ("all", 4, 0)
    assert value(found.share.labels_alone) == 0.5


def test_rows_outside_the_plan_are_not_covered() -> None:
    """One row was added since: the corrected share is undefined, and the labels do not count as a random sample."""
    marks = (
        planned(6, 6, 0.3, "s", 1, 0) + [mark(20 + at, 1, covered=True) for at in range(14)] + [mark(99, 1)]
    )
    found = correct(marks)
    assert found.selection == "elsewhere"
    why = Undefined("1 of these 21 rows is not among those from which the labelled rows were drawn")
    assert (found.share.corrected, found.share.labels_alone) == (why, why)
    assert value(found.share.raw) == 1.0
    assert (found.mix, found.residual) == ((), None)
    assert found.headline == "raw"


def test_rows_outside_the_plan_have_probability_1_once_all_are_labelled() -> None:
    """Of twenty rows six were drawn, all right; five more rows are all labelled wrong."""
    marks = planned(6, 6, 0.3, "s", 1, 0) + [mark(20 + at, 1, covered=True) for at in range(14)]
    found = correct([*marks, *(mark(90 + at, 1, say(0)) for at in range(5))])
    assert (found.selection, found.labelled, found.outside) == ("planned", 11, 0)
    assert value(found.share.labels_alone) == pytest.approx(20 / 25)


def test_a_part_with_one_drawn_label_is_not_corrected_by_labels_of_unknown_origin() -> None:
    marks = [*planned(1, 1, 0.3, "s", 1, 0), mark(9, 1, covered=True)]
    marks += [mark(20 + at, 1, say(0), covered=True) for at in range(5)]
    assert correct(marks).share.corrected == Undefined(
        "at least two of the rows that the plan drew must be labelled"
    )
    before = [mark(40 + at, 1, say(0), chance=1.0) for at in range(5)]
    assert correct([*before, *marks[1:]]).share.corrected == Undefined(
        "at least two of the rows that the plan drew must be labelled"
    )


def test_labels_with_another_mix_are_noticed_and_rogan_gladen_is_offered() -> None:
    """Sensitivity .9, specificity .8; people labelled half right and half wrong, the judge says Yes of 73 % of the rest.

    So p = (.73 + .8 - 1) / (.9 + .8 - 1), over all judged rows.
    """
    labelled = crossed(right_yes=90, right_no=10, wrong_yes=20, wrong_no=80)
    marks = labelled + [mark(1000 + at, int(at % 100 < 73)) for at in range(2000)]
    found = correct(marks)
    (mix,) = found.mix
    assert mix.trait == "correct"
    assert (mix.labelled, mix.others) == pytest.approx((0.55, 0.73))
    assert found.headline == "raw"
    yes = (110 + 1460) / 2200
    assert value(found.rogan_gladen) == pytest.approx((yes + 0.8 - 1) / 0.7)


def test_labels_drawn_at_random_have_the_same_mix() -> None:
    """Of 300 random drawings of labelled rows, about one in a hundred is taken for one with another mix."""
    random = np.random.default_rng(5)
    values = (random.random(400) < 0.7).astype(int)
    noticed = 0
    for _ in range(300):
        chosen = set(random.choice(400, 60, replace=False).tolist())
        marks = [mark(at, int(one), say(int(one)) if at in chosen else ()) for at, one in enumerate(values)]
        noticed += bool(correct(marks).mix)
    assert noticed <= 12


def test_the_mean_score_is_corrected_where_labels_are_levels() -> None:
    """A judge that gives a level too much to half of the rows; the labels show it."""
    marks = [mark(at, 3 + at % 2, say(3, scale="0-5") if at < 20 else (), top=5) for at in range(200)]
    found = correct_share(marks, "keypoints", 4)
    assert found is not None
    assert found.score is not None
    assert value(found.score.raw) == pytest.approx(0.7)
    assert value(found.score.corrected) == pytest.approx(0.6)
    assert correct(crossed(3, 0, 0, 3)).score is None


def test_one_label_is_too_few_and_says_so() -> None:
    found = correct([mark(0, 1, say(1)), mark(1, 0), mark(2, 1)])
    assert found.share.corrected == Undefined("one label has no variance")


def show(found: Correction) -> str:
    console = Console(file=io.StringIO(), width=120, highlight=False, legacy_windows=False)
    console.print(draw_correction(found))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_terminal_of_a_fully_labelled_run() -> None:
    assert show(correct(crossed(right_yes=50, right_no=2, wrong_yes=28, wrong_no=20))) == snapshot("""\
share correct    [95 % interval]
as judged        78.0 % [68.9 %, 85.0 %]  the judged rows
by labels alone  52.0 % [42.3 %, 61.5 %]  all 100 rows, 100 labelled
every row is labelled, so the share comes from the labels themselves\
""")


def test_correction_on_a_terminal() -> None:
    labelled = crossed(right_yes=30, right_no=2, wrong_yes=10, wrong_no=18)
    found = correct(labelled + [mark(1000 + at, int(at % 3 > 0)) for at in range(540)])
    assert show(found) == snapshot("""\
share correct        [95 % interval]
as judged            66.7 % [62.8 %, 70.3 %]  the judged rows
corrected by labels  53.3 % [42.1 %, 64.5 %]  all 600 rows, 60 labelled
by labels alone      53.3 % [40.9 %, 65.4 %]  all 600 rows, 60 labelled
the corrected figures assume that the labelled rows are like the others; `karat labels plan` draws a random sample, for
which this holds\
""")
