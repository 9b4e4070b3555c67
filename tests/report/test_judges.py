"""Two judges of the same answers: how often they agree, and which agrees more with people."""

import io
import re
from collections import Counter
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from making import keep_labels, keep_run, no, row, yes
from marking import mark, say
from rich.console import Console
from sklearn.metrics import cohen_kappa_score

from karat.core.errors import UsageError
from karat.core.scored_row import Label, ScoredRow
from karat.core.types import Item
from karat.embedded.judge import identify_embedded
from karat.judges.rules import RulesJudge
from karat.report.build import gather
from karat.report.figures.judge_comparison import (
    Judges,
    compare_judges,
    find_splits,
    match_rows,
    show_split,
)
from karat.report.figures.judge_overlap import WithPeople
from karat.report.load import find_same_answers, read_comparison
from karat.report.markdown import write_markdown
from karat.report.same_judge import describe_judges, is_repeat
from karat.report.terminal.comparison import draw_judges
from karat.stats import Estimate, Number, Undefined
from karat.store import Store


def estimate(number: Number | None) -> Estimate:
    assert isinstance(number, Estimate), number
    return number


def judge(first: list[ScoredRow], second: list[ScoredRow], protocol: str = "match") -> Judges:
    return compare_judges(("one", first), ("two", second), protocol, 4)  # pyright: ignore[reportArgumentType] - a protocol


def simulate(rows: int, seed: int, *, labelled: int) -> tuple[list[ScoredRow], list[ScoredRow]]:
    """A judge that is right nine times in ten, and one that says Yes with the probability 0.6 whatever the answer is."""
    random = Random(seed)
    careful, blind = list[ScoredRow](), list[ScoredRow]()
    for at in range(rows):
        truth = int(random.random() < 0.5)
        people = say(truth) if at < labelled else ()
        careful.append(mark(at, truth if random.random() < 0.9 else 1 - truth, people))
        blind.append(mark(at, int(random.random() < 0.6), people))
    return careful, blind


def test_a_random_judge_agrees_by_chance_and_less_with_people() -> None:
    """The intervals hold the truth: kappa 0 and 40 points less agreement with people; nobody is called better."""
    found = judge(*simulate(1000, 7, labelled=300))
    overall = found.overall
    kappa = estimate(overall.kappa)
    assert kappa.low <= 0 <= kappa.high
    assert abs(kappa.value) < 0.1
    assert overall.verdict.endswith("agreement beyond chance is not shown")
    assert overall.people is not None
    difference = estimate(overall.people.difference)
    assert difference.low <= -0.4 <= difference.high
    assert overall.people.verdict.startswith("one agrees more with people by ")
    assert estimate(found.judges[0].accuracy).low <= 0.9 <= estimate(found.judges[0].accuracy).high
    assert estimate(found.judges[0].kappa).low <= 0.8 <= estimate(found.judges[0].kappa).high
    assert estimate(found.judges[1].kappa).low <= 0 <= estimate(found.judges[1].kappa).high
    assert "better" not in str(found)


def test_agreement_and_kappa_are_those_of_an_oracle() -> None:
    careful, blind = simulate(300, 3, labelled=0)
    found = judge(careful, blind).overall
    values = [one.value for one in careful], [one.value for one in blind]
    assert estimate(found.kappa).value == pytest.approx(cohen_kappa_score(*values))
    assert estimate(found.agreement).value == pytest.approx(
        sum(a == b for a, b in zip(*values, strict=True)) / 300
    )
    counted = Counter(zip(*values, strict=True))
    assert found.table == ((counted[0, 0], counted[0, 1]), (counted[1, 0], counted[1, 1]))
    assert found.people is None


def test_intervals_of_agreement_hold_what_is_true() -> None:
    """Two judges who are right nine times in ten, each for itself, agree on 82 % of answers; 95 % intervals miss that now and then."""
    held = 0
    for seed in range(200):
        random = Random(seed)
        rows = [(random.random() < 0.5, random.random() < 0.9, random.random() < 0.9) for _ in range(150)]
        first, second = (
            [mark(at, int(row[0] == row[which])) for at, row in enumerate(rows)] for which in (1, 2)
        )
        overall = judge(first, second).overall
        agreement, kappa = estimate(overall.agreement), estimate(overall.kappa)
        held += agreement.low <= 0.82 <= agreement.high
        held += kappa.low <= 0.64 <= kappa.high
    assert held >= 0.92 * 400


def test_difference_in_yes_rate_is_in_points() -> None:
    first = [mark(at, int(at < 50)) for at in range(100)]
    second = [mark(at, int(at < 80)) for at in range(100)]
    overall = judge(first, second).overall
    assert estimate(overall.difference).value == pytest.approx(0.3)
    assert overall.more_often.startswith("two says Yes more often by 30.0 points [")
    assert judge(first, first).overall.more_often == "no difference shown in how often they say Yes"


def test_rows_of_one_question_are_clustered() -> None:
    """Five rows about each of twenty questions tell less than a hundred rows of their own."""
    values = [(int(at // 5 % 2 == 0), int(at // 5 % 4 < 3)) for at in range(100)]
    widths = list[float]()
    for size in (1, 5):
        first, second = (
            [mark(at, row[which], question=at // size) for at, row in enumerate(values)] for which in (0, 1)
        )
        agreement = estimate(judge(first, second).overall.agreement)
        widths.append(agreement.high - agreement.low)
    assert widths[1] > 1.5 * widths[0]


def test_labels_distinguish_judges_with_equal_yes_rates() -> None:
    """The second says what people say on all of 40 rows, the first on half of them."""
    first = [mark(at, at % 2, say(at // 2 % 2)) for at in range(40)]
    second = [mark(at, at // 2 % 2, say(at // 2 % 2)) for at in range(40)]
    overall = judge(first, second).overall
    assert estimate(overall.difference).value == 0.0
    assert overall.people is not None
    assert (overall.people.rows, estimate(overall.people.difference).value) == (40, 0.5)
    assert overall.people.verdict.startswith("two agrees more with people by 50.0 points [")
    assert overall.people.mcnemar is not None
    assert (overall.people.mcnemar.only_a, overall.people.mcnemar.only_b) == (0, 20)
    assert overall.people.mcnemar.p == pytest.approx(2 * 0.5**20)


def test_planned_labels_represent_all_rows() -> None:
    """On unsure rows, drawn ten times as often, the second judge is right; on sure ones the first is: it counts ten times as much."""
    unsure = [(at, 0, 1, 0.5, "unsure") for at in range(10)]
    sure = [(20 + at, 1, 0, 0.05, "sure") for at in range(10)]
    first, second = (
        [
            mark(at, values[which], say(1), chance=chance, stratum=name)
            for at, *values, chance, name in [*unsure, *sure]
        ]
        + [mark(99, 1, covered=True), mark(98, 0, say(1), covered=True)]
        for which in (0, 1)
    )
    found = judge(first, second)
    assert found.overall.people is not None
    assert found.overall.people.rows == 20
    assert estimate(found.overall.people.difference).value == pytest.approx((20 - 200) / 220)
    assert estimate(found.judges[0].accuracy).value == pytest.approx(200 / 220)


def test_rows_that_only_one_judged_are_left_out_and_counted() -> None:
    found = judge(
        [mark(0, 1), mark(1, None), mark(2, 0), mark(3, 1)],
        [mark(0, 1), mark(1, 1), mark(2, 0), mark(3, None)],
    )
    assert (found.overall.rows, found.overall.left_out) == (2, 2)
    assert [one.judged for one in found.judges] == [3, 3]


def test_no_common_rows_are_undefined() -> None:
    overall = judge([mark(0, 1), mark(1, None)], [mark(0, None), mark(1, 0)]).overall
    assert overall.rows == 0
    assert isinstance(overall.agreement, Undefined)
    assert overall.verdict == "their agreement is not defined: there are no rows"


def test_a_judge_that_always_says_yes_is_named_where_kappa_is_not_defined() -> None:
    overall = judge([mark(at, at % 2) for at in range(20)], [mark(at, 1) for at in range(20)]).overall
    assert isinstance(overall.kappa, Undefined)
    assert overall.kappa.why == "two gives every row the same verdict"


def test_within_each_value_of_a_column() -> None:
    """They always agree on x and never on y; the intervals of the two differences hold together."""
    first = [mark(at, at // 2 % 2, groups=("xy"[at % 2],)) for at in range(80)]
    second = [mark(at, one.value if at % 2 == 0 else 1 - (one.value or 0)) for at, one in enumerate(first)]
    found = judge(first, second)
    assert [(one.group, one.rows, estimate(one.agreement).value) for one in found.groups] == [
        ("x", 40, 1.0),
        ("y", 40, 0.0),
    ]
    assert found.level == pytest.approx(0.975)
    assert estimate(found.groups[0].difference).level == pytest.approx(0.975)
    assert estimate(found.overall.difference).level == pytest.approx(0.95)


def test_levels_are_compared_by_their_limit_and_by_how_far_they_are_apart() -> None:
    first = [mark(at, at % 6, top=5) for at in range(60)]
    second = [mark(at, min(5, at % 6 + 1), top=5) for at in range(60)]
    found = judge(first, second, "keypoints")
    assert estimate(found.overall.agreement).value == pytest.approx(
        5 / 6
    )  # 3 and 4 lie on two sides of the limit
    assert estimate(found.overall.levels["exact"]).value == pytest.approx(1 / 6)
    assert estimate(found.overall.levels["within_one"]).value == 1.0
    assert estimate(found.overall.levels["mean_absolute_error"]).value == pytest.approx(5 / 6)
    assert found.overall.more_often.startswith("two calls answers correct more often by 16.7 points")


def test_examples_are_spread_over_the_rows_on_which_the_judges_differ() -> None:
    first, second = [mark(at, 1) for at in range(100)], [mark(at, at % 2) for at in range(100)]
    assert find_splits(first, second, "match", 4) == [0, 20, 40, 60, 80]
    assert find_splits(first, first, "match", 4) == []
    low, lower = [mark(at, 2, top=5) for at in range(3)], [mark(at, 1, top=5) for at in range(3)]
    assert find_splits(low, lower, "keypoints", 4) == [0, 1, 2]


@given(st.lists(st.integers(0, 5), max_size=20), st.randoms(use_true_random=False))
def test_the_same_items_are_found_in_any_order(items: list[int], random: Random) -> None:
    others = list(items)
    random.shuffle(others)
    places = match_rows(items, others)
    assert places is not None
    assert [items[at] for at in places[0]] == [others[at] for at in places[1]] == items
    assert sorted(places[1]) == list(range(len(items)))


@given(st.lists(st.integers(0, 5), max_size=12), st.lists(st.integers(0, 5), max_size=12))
def test_rows_are_paired_only_where_one_run_holds_all_items_of_the_other(
    first: list[int], second: list[int]
) -> None:
    small, large = sorted((Counter(first), Counter(second)), key=Counter.total)
    places = match_rows(first, second)
    assert (places is not None) == (not small - large)
    if places is not None:
        assert [first[at] for at in places[0]] == [second[at] for at in places[1]]


def keep_two(store: Store, *, other: str = "rows") -> Judges:
    """Twelve answers by two judges who differ on two of them; the second may have them in a file of another order."""
    rows = [row(at, f"answer {at}", question=f"q{at}?") for at in range(12)]
    first = keep_run(
        store, rows, [yes(reason="fits") if at % 2 else no() for at in range(12)], judge="openai:a"
    )
    said = [no(reason="vague") if at in (1, 3) else yes() if at % 2 else no() for at in range(12)]
    order = list(range(12)) if other == "rows" else list(range(11, -1, -1))
    second = keep_run(
        store, [rows[at] for at in order], [said[at] for at in order], judge="openai:b", key=other
    )
    report = gather(store, [first, second], karat="0", now=0.0, passing=4)
    assert report.comparison is None
    assert report.incomparable == ()
    (found,) = report.judges
    return found


@pytest.mark.parametrize("other", ["rows", "turned"])
def test_a_report_compares_judges_row_by_row_whatever_the_order_of_the_file(store: Store, other: str) -> None:
    found = keep_two(store, other=other)
    assert found.overall.table == ((6, 0), (2, 4))
    assert [(one.id, one.values, one.reasons) for one in found.examples] == [
        ("row-1", (True, False), ("fits", "vague")),
        ("row-3", (True, False), ("fits", "vague")),
    ]


def test_a_part_of_the_answers_is_enough(store: Store) -> None:
    """A second judge on the first rows of a file is compared on these, and the others are counted."""
    rows = [row(at, f"answer {at}", question=f"q{at}?") for at in range(10)]
    first = keep_run(store, rows, [yes()] * 10, judge="openai:a")
    second = keep_run(store, rows[:4], [yes(), no(), yes(), no()], judge="openai:b", key="part")
    (found,) = gather(store, [first, second], karat="0", now=0.0, passing=4).judges
    assert (found.overall.rows, found.apart) == (4, 6)
    assert found.overall.table == ((0, 0), (2, 2))
    assert (
        find_same_answers(store, first, keep_run(store, [row(1, "x")], [yes()], judge="c", key="x")) is None
    )


def people_of(found: Judges) -> WithPeople:
    assert found.overall.people is not None
    return found.overall.people


def test_labels_of_the_second_run_count_where_the_first_has_none() -> None:
    """Drawn with chances, known from another file: whichever run has the labels, the figures are the same."""
    chosen = [(at, at % 2, at // 2 % 2, 0.5 if at < 20 else 0.1) for at in range(40)]
    bare = [mark(at, one) for at, one, _, _ in chosen]
    labelled = [
        msgspec.structs.replace(
            mark(at, two, say(at // 4 % 2) if at % 3 else (), chance=chance, stratum=str(chance)),
            known_from=("old.jsonl",) if at % 3 else (),
        )
        for at, _, two, chance in chosen
    ]
    there = people_of(judge(bare, labelled))
    back = people_of(judge(labelled, bare))
    assert (there.rows, there.known, there.known_from) == (26, 26, ("old.jsonl",))
    assert there.assumption is None
    assert estimate(there.difference).value == pytest.approx(-estimate(back.difference).value)
    weights = {
        at: 1 / chance for at, _, _, chance in chosen if at % 3
    }  # 13 of 20 are labelled in both strata
    gain = {at: (two == at // 4 % 2) - (one == at // 4 % 2) for at, one, two, _ in chosen}
    told = sum(weight * gain[at] for at, weight in weights.items()) / sum(weights.values())
    assert estimate(there.difference).value == pytest.approx(told)


def test_labels_that_only_the_second_run_has_are_counted_as_left_out() -> None:
    first = [mark(at, at % 2, say(1) if at < 5 else ()) for at in range(20)]
    second = [mark(at, 1, say(1) if at < 8 else ()) for at in range(20)]
    found = judge(first, second)
    assert people_of(found).rows == 5
    assert found.notes == (
        "the labels are those of the run of one; 3 rows with labels only in the run of two count as not labelled",
    )
    assert judge(first, [mark(at, 1) for at in range(20)]).notes == ()


def test_labels_of_the_second_file_are_used_from_a_store(store: Store) -> None:
    rows = [row(at, f"answer {at}", question=f"q{at}?") for at in range(20)]
    first = keep_run(store, rows, [yes()] * 20, judge="openai:a")
    second = keep_run(store, rows[::-1], [no()] * 20, judge="openai:b", key="turned")
    keep_labels(store, second, [(at, Label("anna", 1.0)) for at in range(12)])
    for couple in ((first, second), (second, first)):
        found = read_comparison(store, couple)
        assert isinstance(found, Judges)
        people = people_of(found)
        assert people.rows == 12
        assert people.verdict.startswith("openai:a agrees more with people by 100.0 points")


def test_figures_against_labels_state_their_assumption() -> None:
    """Rows labelled at random, only those to which a judge says Yes, all rows, and rows of which no plan drew some."""
    values = [int(at % 5 < 3) for at in range(200)]
    even = [mark(at, one, say(one) if at % 7 == 0 else ()) for at, one in enumerate(values)]
    second = [mark(at, at // 2 % 2) for at in range(200)]
    assert people_of(judge(even, second)).assumption == snapshot(
        "the figures against labels hold for all rows if the labelled rows are like the others; `karat labels plan` draws a random sample, for which this holds"
    )
    picked = [mark(at, one.value, say(1) if values[at] else ()) for at, one in enumerate(second)]
    mixed = people_of(judge(picked, [mark(at, one) for at, one in enumerate(values)])).assumption
    assert mixed == snapshot(
        "by the verdicts of two, the labelled rows are not like the others (the judge accepts 100.0 % of the labelled rows and 0.0 % of the others); so the figures against labels do not hold for all rows, and `karat labels plan` draws a random sample, for which they do"
    )
    full = [mark(at, one, say(one)) for at, one in enumerate(values)]
    assert people_of(judge(full, second)).assumption is None
    beyond = [
        mark(at, one, say(one), chance=0.5, stratum="s") if at < 40 else mark(at, one, covered=at < 150)
        for at, one in enumerate(values)
    ]
    assert people_of(judge(beyond, second)).assumption == (
        "the figures against labels do not hold for 50 rows outside the plan"
    )


def test_one_row_is_one_row() -> None:
    assert " of 1 row;" in judge([mark(0, 1)], [mark(0, 1)]).overall.verdict


def test_the_same_answers_by_the_same_judge_are_refused(store: Store) -> None:
    """A copy with labels, in another order, and a part of it; different answers of that judge are compared."""
    rows = [row(at, f"answer {at}", question=f"q{at}?") for at in range(12)]
    first = keep_run(store, rows, [yes(), no()] * 6)
    copy = keep_run(store, rows[::-1], [no(), yes()] * 6, key="copy")
    part = keep_run(store, rows[:4], [yes(), no()] * 2, key="part")
    fresh = keep_run(store, [row(0, "new", question="q0?"), *rows[1:]], [no()] * 12, key="fresh")
    keep_labels(store, copy, [(at, Label("anna", 1.0)) for at in range(12)])
    with pytest.raises(UsageError) as told:
        read_comparison(store, (first, copy))
    assert str(told.value) == snapshot(
        "rows.jsonl and copy.jsonl have the same answers, judged by the same judge (openai:m), so there is nothing to compare; use `karat compare 1 --by COLUMN` to compare groups of rows, or grade the answers with another judge (--judge) to compare the judges"
    )
    with pytest.raises(
        UsageError, match=r"^copy.jsonl contains all answers of part.jsonl, judged by the same"
    ):
        read_comparison(store, (part, copy))
    report = gather(store, [first, copy, fresh], karat="0", now=0.0, passing=4)
    (why,) = report.incomparable
    assert why.startswith("run 1 and run 2 have the same answers, judged by the same judge (openai:m)")
    assert report.comparison is not None
    assert [(pair.a, pair.b) for pair in report.comparison.pairs] == [("run 1", "run 4"), ("run 2", "run 4")]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=6), st.lists(st.integers(0, 3), min_size=1, max_size=6)
)
def test_runs_repeat_each_other_where_their_rows_can_be_paired(first: list[int], second: list[int]) -> None:
    with Store(None) as store:
        one, other = (
            keep_run(
                store,
                [row(at, f"answer {item}") for at, item in enumerate(items)],
                [yes()] * len(items),
                key=key,
            )
            for key, items in (("first", first), ("second", second))
        )
        assert is_repeat(store, one, other) == (match_rows(first, second) is not None)


@pytest.mark.parametrize("identity", [identify_embedded("match", None), RulesJudge("match").identity])
def test_no_hash_of_a_judge_is_printed(store: Store, identity: dict[str, object]) -> None:
    """Where two versions of a judge differ in one hash, the message says in what, and not the hash."""
    run = keep_run(store, [row(0, "x")], [yes()])
    hashes = [name for name, value in identity.items() if re.fullmatch("[0-9a-f]{16,}", str(value))]
    assert "confidence" in hashes
    for name in hashes:
        one = msgspec.structs.replace(run, identity=identity)
        other = msgspec.structs.replace(run, identity={**identity, name: "0" * 64})
        told = describe_judges(one, other, ("a", "b"))
        assert re.search("but by different versions of it .different [a-z]+.$", told), told


def test_three_runs_are_compared_in_pairs(store: Store) -> None:
    """Two judges of one file, and one of them on another file: the third pair cannot be compared."""
    rows = [row(at, f"answer {at}", question=f"q{at}?") for at in range(10)]
    others = [row(at, f"other {at}", question=f"q{at}?") for at in range(10)]
    runs = [
        keep_run(store, rows, [yes()] * 10, judge="rules"),
        keep_run(store, rows, [no()] * 10, judge="embedded"),
        keep_run(store, others, [yes(), no()] * 5, judge="rules", key="others"),
    ]
    report = gather(store, runs, karat="0", now=0.0, passing=4)
    assert report.comparison is not None
    assert [(pair.a, pair.b) for pair in report.comparison.pairs] == [("run 1", "run 3")]
    assert [tuple(one.name for one in found.judges) for found in report.judges] == [("rules", "embedded")]
    (why,) = report.incomparable
    assert why.startswith("run 2 is judged by embedded and run 3 by rules")
    flagged = gather(store, runs, karat="0", now=0.0, passing=4, different_judges=True)
    assert flagged.comparison is not None
    assert [(pair.a, pair.b) for pair in flagged.comparison.pairs] == [("run 1", "run 3"), ("run 2", "run 3")]
    assert (
        flagged.warning
        == "run 2 is judged by embedded and run 3 by rules: a difference may come from the judges and not from the answers"
    )
    assert "better" not in flagged.comparison.pairs[1].verdict
    assert flagged.incomparable == ()


def test_markdown_of_two_judges(store: Store) -> None:
    found = keep_two(store)
    rows = gather(store, store.runs(), karat="0", now=0.0, passing=4)
    text = write_markdown(rows)
    assert "better" not in text
    assert f"- {found.overall.verdict}\n" in text
    assert "| openai:a: Yes | 4 | 2 |" in text
    assert "| row-1 | q1? | this | answer 1 | Yes: fits | No: vague |" in text


def test_on_a_terminal() -> None:
    first = [mark(at, int(at < 60), say(int(at < 50)) if at % 2 else ()) for at in range(100)]
    second = [mark(at, int(at < 80), say(int(at < 50)) if at % 2 else ()) for at in range(100)]
    item = Item("Who wrote it?", ("Ada",), "Ada, perhaps")
    examples = [show_split("r60", item, no(reason="hedged"), yes())]
    found = compare_judges(("one", first), ("two", second), "match", 4, examples=examples)
    console = Console(file=io.StringIO(), width=130, highlight=False, legacy_windows=False)
    console.print(draw_judges(found, "one against two"))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    printed = "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
    assert printed == snapshot("""\
one against two
judge  rows  judged  says Yes [95 % interval]
one     100     100  60.0 % [50.2 %, 69.1 %]
two     100     100  80.0 % [71.1 %, 86.7 %]

they agree on 80.0 % [71.1, 86.7] of 100 rows; Cohen's kappa 0.545 [0.384, 0.707]
two says Yes more often by 20.0 points [11.4, 27.8]
on 50 labelled rows, one agrees more with people by 20.0 points [7.3, 31.2]
the figures against labels hold for all rows if the labelled rows are like the others; `karat labels plan` draws a random sample,
for which this holds

judge  same as people [95 % interval]  kappa with people [95 % interval]
one    90.0 % [78.6 %, 95.7 %]         0.800 [0.631, 0.969]
two    70.0 % [56.2 %, 80.9 %]         0.400 [0.190, 0.610]

verdicts of both  rows
both say Yes        60
both say No         20
one Yes, two No      0
one No, two Yes     20

examples of rows on which they differ
id           r60
  question   Who wrote it?
  reference  Ada
  answer     Ada, perhaps
  one        No: hedged
  two        Yes
""")
