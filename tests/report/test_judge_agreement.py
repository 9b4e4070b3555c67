"""Judge and people, and agreement between annotators."""

import io

import pytest
from inline_snapshot import snapshot
from marking import crossed, mark, say
from rich.console import Console
from scipy.stats import pearsonr
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from karat.core.scored_row import Label, ScoredRow
from karat.report.content import Example
from karat.report.figures.agreement import agree
from karat.report.terminal.agreement import draw_agreement
from karat.stats import Estimate, Number, Undefined


def value(number: Number | None) -> float:
    assert isinstance(number, Estimate), number
    return number.value


def test_the_table_counts_people_against_the_judge() -> None:
    """40 right answers, of which the judge accepts 36, and 20 wrong ones, of which it rejects 15."""
    found = agree(crossed(right_yes=36, right_no=4, wrong_yes=5, wrong_no=15), "match", 4)
    assert found.table == ((15, 5), (4, 36))
    assert found.rows == found.questions == 60
    assert value(found.statistics["agreement"]) == pytest.approx(51 / 60)
    assert value(found.statistics["sensitivity"]) == pytest.approx(36 / 40)
    assert value(found.statistics["specificity"]) == pytest.approx(15 / 20)
    human, judge = [1] * 40 + [0] * 20, [1] * 36 + [0] * 4 + [1] * 5 + [0] * 15
    assert value(found.statistics["cohen_kappa"]) == pytest.approx(cohen_kappa_score(human, judge))
    assert value(found.statistics["mcc"]) == pytest.approx(matthews_corrcoef(human, judge))


def test_each_cell_lists_its_rows() -> None:
    found = agree(crossed(2, 1, 1, 1), "match", 4)
    assert found.cells == {
        "judge Yes, people No": (3,),
        "judge No, people Yes": (2,),
        "both Yes": (0, 1),
        "both No": (4,),
        "people evenly split": (),
    }


def test_rows_without_a_verdict_and_rows_that_split_people_are_left_out_and_counted() -> None:
    marks = [*crossed(3, 0, 0, 3), mark(10, None, say(1)), mark(11, 1, say(1, 0)), mark(12, 1)]
    found = agree(marks, "match", 4)
    assert (found.rows, found.unjudged, found.ties) == (6, 1, 1)
    assert found.cells["people evenly split"] == (11,)


def test_one_class_has_named_reasons_instead_of_numbers() -> None:
    found = agree(crossed(5, 0, 0, 0), "match", 4)
    assert value(found.statistics["agreement"]) == 1.0
    for name in ("specificity", "cohen_kappa", "mcc"):
        assert isinstance(found.statistics[name], Undefined), name


def test_several_answers_to_a_question_widen_the_intervals() -> None:
    """Five rows of one question stand or fall together, so the interval is that of the questions."""
    alone = [mark(at, 1, say(int(at % 100 < 80))) for at in range(100)]
    five = [mark(at, 1, say(int(at % 100 < 80)), question=at // 5) for at in range(100)]
    widths = list[float]()
    for marks in (alone, five):
        share = agree(marks, "match", 4).statistics["agreement"]
        assert isinstance(share, Estimate)
        widths.append(share.high - share.low)
    assert widths[1] > 1.8 * widths[0]
    assert agree(five, "match", 4).questions == 20


def test_planned_rows_are_weighted_to_the_whole_run() -> None:
    """The judge errs on all of the unsure rows, which were drawn ten times as often as the sure ones."""
    unsure = [mark(at, 1, say(0), chance=0.5, stratum="unsure") for at in range(10)]
    sure = [mark(20 + at, 1, say(1), chance=0.05, stratum="sure") for at in range(10)]
    others = [mark(99, 1, say(0), covered=True), mark(100, 1, covered=True)]
    found = agree([*unsure, *sure, *others], "match", 4)
    assert found.weighted
    assert found.outside == 1
    assert found.table == ((0, 10), (0, 10))
    assert value(found.statistics["agreement"]) == pytest.approx(200 / 220)
    assert found.beyond == 0


def test_rows_outside_the_plan_are_not_covered() -> None:
    marks = [mark(at, 1, say(at % 2), chance=0.5, stratum="s") for at in range(10)]
    marks += [mark(20, 1, covered=True), mark(30, 1), mark(31, 1, say(0))]
    found = agree(marks, "match", 4)
    assert (found.rows, found.outside, found.beyond) == (10, 1, 2)


def test_levels_are_compared_with_levels() -> None:
    pairs = [(0, 0), (1, 2), (2, 2), (3, 5), (4, 4), (5, 4), (5, 5), (0, 1)]
    marks = [mark(at, judge, say(human, scale="0-5"), top=5) for at, (human, judge) in enumerate(pairs)]
    found = agree(marks, "keypoints", 4).levels
    assert found is not None
    human, judge = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert value(found.statistics["exact"]) == 4 / 8
    assert value(found.statistics["within_one"]) == 7 / 8
    assert value(found.statistics["mean_absolute_error"]) == pytest.approx(5 / 8)
    assert value(found.statistics["pearson"]) == pytest.approx(pearsonr(human, judge)[0])
    assert value(found.statistics["quadratic_kappa"]) == pytest.approx(
        cohen_kappa_score(human, judge, weights="quadratic", labels=range(6))
    )
    assert found.table[3] == (0, 0, 0, 0, 0, 1)
    assert [(band.level, band.rows) for band in found.bands] == [
        (0, 2),
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
        (5, 2),
    ]


def test_on_levels_yes_is_the_limit_and_more() -> None:
    marks = [mark(0, 4, say(3, scale="0-5"), top=5), mark(1, 3, say(5, scale="0-5"), top=5)]
    assert agree(marks, "equivalence", 4).table == ((0, 1), (1, 0))
    assert agree(marks, "equivalence", 3).table == ((0, 0), (0, 2))


def test_yes_and_no_on_a_protocol_of_levels_say_nothing_of_levels() -> None:
    marks = [mark(0, 5, say(1), top=5), mark(1, 2, say(0), top=5)]
    found = agree(marks, "keypoints", 4)
    assert found.table == ((1, 0), (0, 1))
    assert found.levels is None


def test_confidence_is_compared_with_correctness() -> None:
    """Verdicts at 0.9, of which half are right: off by 0.4, Brier score .5 x .01 + .5 x .81."""
    marks = [mark(at, 1, say(at % 2), confidence=0.9) for at in range(40)]
    found = agree(marks, "match", 4).reliability
    assert found is not None
    assert value(found.expected_error) == pytest.approx(0.4)
    assert value(found.brier) == pytest.approx(0.41)
    assert [(one.rows, value(one.right)) for one in found.bins] == [(40, 0.5)]
    assert agree(crossed(2, 1, 1, 2), "match", 4).reliability is None


def people(*rows: tuple[float | None, ...]) -> list[ScoredRow]:
    return [
        mark(at, 1, [Label("abc"[who], said) for who, said in enumerate(row) if said is not None])
        for at, row in enumerate(rows)
    ]


def test_two_people_are_compared_on_what_both_labelled() -> None:
    """Of ten rows both labelled they agree on eight."""
    both = [(1.0, 1.0)] * 5 + [(0.0, 0.0)] * 3 + [(1.0, 0.0)] * 2
    found = agree(people(*both, (1.0, None), (None, 0.0)), "match", 4).humans
    assert found is not None
    (couple,) = found.couples
    assert (couple.one, couple.other, couple.rows) == ("a", "b", 10)
    assert value(couple.agreement) == 0.8
    expected = cohen_kappa_score([one for one, _ in both], [other for _, other in both])
    assert value(couple.kappa) == pytest.approx(expected)
    assert found.alternative is None


def test_one_annotator_has_no_agreement() -> None:
    assert agree(crossed(3, 1, 1, 3), "match", 4).humans is None


def test_three_annotators_allow_the_alternative_annotator_test() -> None:
    """The judge says what two of three people always say, and the third errs often: it beats the third and passes."""
    rows = [
        mark(at, at % 2, [Label("a", at % 2), Label("b", at % 2), Label("c", float(at % 3 == 0))])
        for at in range(60)
    ]
    found = agree(rows, "match", 4).humans
    assert found is not None
    assert len(found.couples) == 3
    assert found.alternative is not None
    assert not isinstance(found.alternative, Undefined)
    assert found.alternative.passed
    few = agree(rows[:5], "match", 4).humans
    assert few is not None
    assert isinstance(few.alternative, Undefined)


def test_people_on_levels_are_compared_by_how_far_they_are_apart() -> None:
    marks = [mark(at, 3, say(at % 6, (at + 1) % 6, scale="0-5"), top=5) for at in range(12)]
    found = agree(marks, "keypoints", 4).humans
    assert found is not None
    assert found.graded
    human, other = [at % 6 for at in range(12)], [(at + 1) % 6 for at in range(12)]
    assert value(found.couples[0].kappa) == pytest.approx(
        cohen_kappa_score(human, other, weights="quadratic", labels=range(6))
    )


def draw(*arguments: object) -> str:
    console = Console(file=io.StringIO(), width=110, highlight=False, legacy_windows=False)
    console.print(draw_agreement(*arguments))  # type: ignore[arg-type]
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_agreement_on_a_terminal() -> None:
    found = agree([*crossed(36, 4, 5, 15), mark(99, None, say(1))], "match", 4)
    example = Example("x1", "Who?", ("Ada", "A. Lovelace"), "Ada\nByron " + "o" * 300, "because")
    shown = {"judge Yes, people No": [example], "judge No, people Yes": []}
    assert draw(found, "run 1 · rules · match", shown) == snapshot("""\
run 1 · rules · match
60 rows judged and labelled, by 1 person
left out: 1 labelled row without a verdict

judge and people                      [95 % interval]
same verdict                          85.0 % [73.9 %, 91.9 %]
right answers accepted (sensitivity)  90.0 % [76.9 %, 96.0 %]
wrong answers rejected (specificity)  75.0 % [53.1 %, 88.8 %]
Cohen's kappa                         0.658 [0.448, 0.868]
Gwet's AC1                            0.733 [0.557, 0.909]
Krippendorff's alpha                  0.661 [0.450, 0.872]
Matthews correlation                  0.659 [0.449, 0.868]
macro F1                              0.829 [0.724, 0.934]

            judge No  judge Yes
people No         15          5
people Yes         4         36

judge Yes, people No: 5 rows, examples

id           x1
  question   Who?
  reference  Ada | A. Lovelace
  answer     Ada Byron
             ooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo
             oooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo…
  reason     because
""")


def test_levels_confidence_and_people_on_a_terminal() -> None:
    marks = [
        mark(
            at,
            at % 6,
            say(at % 6, (at + at % 2) % 6, 3, scale="0-5"),
            confidence=0.8,
            top=5,
            question=at // 2,
        )
        for at in range(36)
    ]
    assert draw(agree(marks, "keypoints", 4), "run 2", {}) == snapshot("""\
run 2
36 rows judged and labelled, by 3 people; intervals clustered by 18 questions
Yes is a level of 4 or more

judge and people                      [95 % interval]
same verdict                          66.7 % [41.5 %, 85.0 %]
right answers accepted (sensitivity)  not defined: no row has the label correct
wrong answers rejected (specificity)  66.7 % [41.5 %, 85.0 %]
Cohen's kappa                         not defined: the human gives every row the same verdict
Gwet's AC1                            0.538 [0.102, 0.975]
Krippendorff's alpha                  -0.183 [-0.353, -0.014]
Matthews correlation                  not defined: the human gives every row the same verdict
macro F1                              0.400 [0.313, 0.487]

            judge No  judge Yes
people No         24         12
people Yes         0          0

levels, 36 rows                 [95 % interval]
same level                      50.0 % [30.7 %, 69.3 %]
at most one level apart         66.7 % [49.1 %, 80.6 %]
quadratic-weighted kappa        0.739 [0.683, 0.795]
Pearson correlation             0.798 [0.667, 0.881]
Spearman correlation            0.829 [0.409, 0.959]
Kendall's tau                   0.733 [0.366, 0.903]
mean absolute error, in levels  0.889 [0.676, 1.102]

          judge 0  judge 1  judge 2  judge 3  judge 4  judge 5
people 0        0        0        0        0        0        0
people 1        6        0        0        0        0        0
people 2        0        6        6        0        0        0
people 3        0        0        0        6        0        6
people 4        0        0        0        0        6        0
people 5        0        0        0        0        0        0

people's level  rows  mean absolute error [95 % interval]  judge higher by [95 % interval]
1                  6  1.000 [0.610, 2.561]                 -1.000 [-2.561, 1.342]
2                 12  0.667 [0.445, 0.888]                 -0.667 [-0.888, -0.445]
3                 12  1.333 [0.670, 1.997]                 1.000 [0.115, 1.885]
4                  6  0.333 [0.203, 2.155]                 0.333 [-1.748, 2.155]

confidence against labels   [95 % interval]
Brier score                 0.340 [0.215, 0.465]
expected calibration error  0.300 [0.012, 0.509]

confidence  rows  mean confidence  right [95 % interval]
0.8 to 0.9    36  0.800            50.0 % [30.7 %, 69.3 %]

agreement between annotato…  ro…  same verdict [95 % interval]  kappa [95 % interval]
a ~ b                         36  50.0 % [33.4 %, 66.6 %]       0.229 [-0.066, 0.523]
a ~ c                         36  16.7 % [7.4 %, 33.2 %]        not defined: c gives every row the same verdi…
b ~ c                         36  0.0 % [0.0 %, 19.8 %]         not defined: c gives every row the same verdi…

Krippendorff's alpha of all annotators 0.077 [-0.038, 0.192]

alternative-annotator test: the judge can replace a human annotator; winning rate 100% (epsilon 0.2);
advantage probability 0.889 [0.849, 0.929]
""")
