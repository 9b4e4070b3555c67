"""Which columns are tags and which are free text, and slices of a tag with many values."""

from pathlib import Path
from typing import Any

from making import keep_run, no, row, write_page, yes
from marking import mark

from effort import count_calls
from karat.core.scored_row import ScoredRow
from karat.report.build import gather
from karat.report.figures.comparison import Slices, slice_by
from karat.report.load import compare_groups
from karat.report.tags import find_tags
from karat.stats import Estimate
from karat.stats.clustered import share
from karat.store import Run, Store


def tagged(store: Store, count: int, **columns: Any) -> Run:
    """Rows whose columns say what functions of their number say."""
    rows = [
        row(at, f"answer {at}", **{name: say(at) for name, say in columns.items()}) for at in range(count)
    ]
    return keep_run(store, rows, [(yes if at % 3 else no)() for at in range(count)])


def test_tags_with_few_values_come_first_and_free_text_is_none(store: Store) -> None:
    run = tagged(
        store,
        120,
        many=lambda at: f"value {at % 60}",
        too_many=lambda at: f"value {at % 61}",
        five=lambda at: at % 5,
        same=lambda _: "always",
        note=lambda at: "a long remark " * 5 if at == 7 else "short",
        two=lambda at: at % 2 == 0,
        name=lambda at: f"name {at}" if at < 50 else None,
        lists=lambda at: ["x", "y", "z"][: at % 4],
    )
    assert find_tags(store, run.dataset).names == ("two", "lists", "five", "many")


def test_tag_values_have_two_rows_on_average(store: Store) -> None:
    run = tagged(store, 12, six=lambda at: f"v{at % 6}", seven=lambda at: f"v{at % 7}")
    assert find_tags(store, run.dataset).names == ("six",)


def test_twenty_tags_are_sliced_and_the_others_counted(store: Store) -> None:
    run = tagged(
        store, 44, **{f"tag{name}": lambda at, name=name: at % (22 - name % 20) for name in range(33)}
    )
    report = gather(store, [run], karat="1", now=0.0, passing=4)
    values = [len(slices.slices) for slices in report.runs[0].slices]
    assert len(values) == 20
    assert values == sorted(values)
    assert report.runs[0].more_tags == 13


def many(values: int) -> list[ScoredRow]:
    """Value v0 in the most rows and the last one in the fewest; every third row is wrong."""
    groups = [f"v{value}" for value in range(values) for _ in range(2 * (values - value))]
    return [mark(at, int(at % 3 > 0), groups=(group,)) for at, group in enumerate(groups)]


def test_the_twelve_largest_values_are_shown_and_the_others_as_one() -> None:
    marks = many(15)
    found = slice_by(marks, "topic", "match", 4)
    assert [one.name for one in found.slices] == [*(f"v{value}" for value in range(12)), "others (3 values)"]
    assert [one.combined for one in found.slices] == [0] * 12 + [3]
    assert sum(one.rows for one in found.slices) == len(marks)
    rest = [each for each in marks if each.groups[0] in ("v12", "v13", "v14")]
    values, clusters = [float(each.value or 0) for each in rest], [each.cluster for each in rest]
    assert found.slices[-1].rows == 12
    assert found.slices[-1].share == share(values, clusters)
    assert isinstance(found.slices[-1].difference, Estimate)


def test_up_to_twelve_values_are_shown_by_themselves() -> None:
    assert [one.combined for one in slice_by(many(12), "topic", "match", 4).slices] == [0] * 12


def test_a_row_with_several_small_values_counts_once_among_the_others() -> None:
    marks = [*many(12), *(mark(1000 + at, 1, groups=("x", "y", "v0")) for at in range(2))]
    found = slice_by(marks, "topic", "match", 4)
    assert (found.slices[-1].combined, found.slices[-1].rows) == (2, 2)
    assert found.slices[0].rows == 26


def test_systems_are_never_combined() -> None:
    found = compare_groups(many(15), "system", "match", 4)
    assert isinstance(found, Slices)
    assert len(found.slices) == 15


def count_work(folder: Path, columns: int) -> int:
    """How many functions it takes to report on a file with so many columns."""
    with Store(None) as store:
        run = tagged(store, 6, **{f"column {name}": lambda at: at % 2 for name in range(columns)})
        return count_calls(lambda: write_page(store, [run], folder / "report.html"))


def test_work_grows_with_the_number_of_columns_and_not_with_its_square(tmp_path: Path) -> None:
    """Twice as many more columns take about twice as much more work; with its square they would take four times as much."""
    count_work(tmp_path, 30)  # what is imported and cached on the way
    few, more, most = (count_work(tmp_path, columns) for columns in (50, 100, 200))
    assert most - more < 2.2 * (more - few)
