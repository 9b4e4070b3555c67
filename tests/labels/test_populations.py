"""Labels that a plan drew keep their probabilities in every file in which they are used."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from labelling import begin, finish, row, take

from karat.core.scored_row import ScoredRow
from karat.labels import draw_plan, import_column, repeat_plan
from karat.report.figures.correction import Correction, correct_share
from karat.stats import Estimate, Undefined
from karat.store import Run, Store


@pytest.fixture
def store() -> Store:
    return Store(None)


def judged(store: Store, numbers: Sequence[int], key: str) -> Run:
    """Rows of these numbers: two of three are accepted; what was judged before in another file stays judged."""
    run = begin(store, [row(n) for n in numbers], key=key)
    pending = [item.answer for chunk in store.pending(run) for _, item in chunk]
    return finish(store, run, [int(answer[1:]) % 3 > 0 for answer in pending])


def label_plan(store: Store, run: Run, path: Path, count: int, *, done: int | None = None) -> list[str]:
    """Draw rows and label those that are even as right; the ids of what was labelled."""
    names = [one.id for one in store.graded_at(run, draw_plan(store, run, count).positions)][:done]
    lines = [f"{name},{int(int(name[2:]) % 2 == 0)}\n" for name in names]
    take(store, run, path / "l.csv", "id,label\n" + "".join(lines))
    return names


def use_known(store: Store, run: Run) -> Run:
    """Use the labels that were given for other files, as `karat grade --known-labels` does."""
    store.labels_of(run.dataset).use_known()
    return run


def marks(store: Store, run: Run) -> list[ScoredRow]:
    return list(store.scored_rows(run))


def corrected(store: Store, run: Run) -> Correction:
    found = correct_share(marks(store, run), "match", 4)
    assert found is not None
    return found


def test_a_copy_is_corrected_as_the_file_that_was_planned_for(store: Store, tmp_path: Path) -> None:
    """Whatever the copy is called, and in whatever order its rows stand."""
    first, copy = judged(store, range(60), "a"), judged(store, range(59, -1, -1), "b")
    label_plan(store, first, tmp_path, 12)
    assert correct_share(marks(store, copy), "match", 4) is None
    use_known(store, copy)
    one, other = corrected(store, first).share.corrected, corrected(store, copy).share.corrected
    assert corrected(store, copy).selection == "planned"
    assert isinstance(one, Estimate)
    assert isinstance(other, Estimate)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_a_copy_goes_on_with_the_same_plan(store: Store, tmp_path: Path) -> None:
    first, copy = judged(store, range(60), "a"), judged(store, range(60), "b")
    labelled = label_plan(store, first, tmp_path, 12, done=6)
    assert len(repeat_plan(store, copy).positions) == 12
    assert len(repeat_plan(store, use_known(store, copy)).positions) == 6
    again = draw_plan(store, copy, 6)
    assert again.labelled_before == 0
    assert not set(labelled) & {one.id for one in store.graded_at(copy, again.positions)}
    assert sum(mark.chance is not None for mark in marks(store, first)) == 18


def test_a_part_of_the_rows_is_corrected_by_the_labels_that_fall_into_it(
    store: Store, tmp_path: Path
) -> None:
    whole, part = judged(store, range(60), "a"), judged(store, range(40), "b")
    labelled = [name for name in label_plan(store, whole, tmp_path, 20) if int(name[2:]) < 40]
    found = corrected(store, use_known(store, part))
    assert (found.selection, found.labelled) == ("planned", len(labelled))
    chances = {mark.position: mark.chance for mark in marks(store, whole)}
    assert all(mark.chance == chances[mark.position] for mark in marks(store, part))
    assert {mark.plan for mark in marks(store, part)} == {whole.dataset.id}


def test_added_rows_are_not_covered_until_labelled(store: Store, tmp_path: Path) -> None:
    first, longer = judged(store, range(60), "a"), judged(store, range(62), "b")
    label_plan(store, first, tmp_path, 12)
    found = corrected(store, use_known(store, longer))
    assert found.selection == "elsewhere"
    assert found.share.corrected == Undefined(
        "2 of these 62 rows are not among those from which the labelled rows were drawn"
    )
    take(store, longer, tmp_path / "l.csv", "id,label\nid60,1\nid61,0\n")
    found = corrected(store, longer)
    assert (found.selection, found.labelled) == ("planned", 14)
    assert isinstance(found.share.corrected, Estimate)


def test_own_plan_takes_precedence_once_its_rows_are_labelled(store: Store, tmp_path: Path) -> None:
    """Until then the labels of the other plan cannot speak for the added rows; then they count for themselves."""
    first, longer = judged(store, range(60), "a"), judged(store, range(80), "b")
    label_plan(store, first, tmp_path, 12)
    use_known(store, longer)
    assert draw_plan(store, longer, 20).labelled_before == 12
    assert corrected(store, longer).selection == "elsewhere"
    names = [one.id for one in store.graded_at(longer, repeat_plan(store, longer).positions)]
    take(store, longer, tmp_path / "l.csv", "id,label\n" + "".join(f"{name},1\n" for name in names))
    found = corrected(store, longer)
    assert (found.selection, found.labelled, found.outside) == ("planned", 32, 0)


def test_two_files_put_together_use_both_plans(store: Store, tmp_path: Path) -> None:
    one, other = judged(store, range(60), "a"), judged(store, range(50, 110), "b")
    label_plan(store, one, tmp_path, 12)
    label_plan(store, other, tmp_path, 12)
    both = marks(store, use_known(store, judged(store, range(110), "c")))
    assert [mark.plan for mark in both] == [one.dataset.id] * 60 + [other.dataset.id] * 50
    assert all(mark.labels for mark in both if mark.stratum is not None)


def test_labels_outside_plans_are_a_convenience_sample(store: Store, tmp_path: Path) -> None:
    """A plan whose rows nobody labelled yet, or that shares no labelled row, changes nothing."""
    first, other = judged(store, range(60), "a"), judged(store, range(50, 110), "b")
    take(store, other, tmp_path / "l.csv", "id,label\n" + "".join(f"id{n},{n % 2}\n" for n in range(60, 80)))
    draw_plan(store, first, 12)
    assert corrected(store, other).selection == "convenience"


def test_a_plan_does_not_reach_a_file_in_which_its_labels_are_not_used(store: Store, tmp_path: Path) -> None:
    """Twenty labels of the copy are its own: those that the plan of the other file drew say nothing of them."""
    first, copy = judged(store, range(60), "a"), judged(store, range(60), "b")
    planned = label_plan(store, first, tmp_path, 12)
    own = [f"id{n}" for n in range(60) if f"id{n}" not in planned][:20]
    take(store, copy, tmp_path / "own.csv", "id,label\n" + "".join(f"{name},1\n" for name in own))
    found = corrected(store, copy)
    assert (found.selection, found.labelled) == ("convenience", 20)
    assert all(mark.plan is None for mark in marks(store, copy))


def test_rows_labelled_before_a_plan_are_not_covered_if_their_labels_are_not_used(
    store: Store, tmp_path: Path
) -> None:
    """The plan drew from the other rows only. The copy has the drawn labels, so ten of its rows are left out by them."""
    first, copy = judged(store, range(60), "a"), judged(store, range(60), "b")
    take(store, first, tmp_path / "before.csv", "id,label\n" + "".join(f"id{n},1\n" for n in range(10)))
    names = label_plan(store, first, tmp_path, 12)
    lines = [f"{name},{int(int(name[2:]) % 2 == 0)}\n" for name in names]
    take(store, copy, tmp_path / "l.csv", "id,label\n" + "".join(lines))
    assert corrected(store, copy).share.corrected == Undefined(
        "10 of these 60 rows are not among those from which the labelled rows were drawn"
    )
    one = corrected(store, first).share.corrected
    other = corrected(store, use_known(store, copy)).share.corrected
    assert isinstance(one, Estimate)
    assert isinstance(other, Estimate)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_a_copy_without_the_earlier_labels_has_a_plan_of_its_own(store: Store, tmp_path: Path) -> None:
    first, copy = judged(store, range(60), "a"), judged(store, range(60), "b")
    take(store, first, tmp_path / "before.csv", "id,label\n" + "".join(f"id{n},1\n" for n in range(50)))
    draw_plan(store, first, 5)
    assert len(draw_plan(store, copy, 30).positions) == 30


@pytest.mark.parametrize("by", ["column", "file"])
def test_own_labels_on_rows_that_the_plan_of_a_copy_drew_are_a_convenience_sample(
    store: Store, tmp_path: Path, by: str
) -> None:
    """Half of the rows are right; of the copy somebody labelled right rows only, some of which the plan drew too."""
    first = judged(store, range(60), "a")
    planned = label_plan(store, first, tmp_path, 30)
    own = range(0, 50, 2)
    assert 0 < sum(f"id{n}" in planned for n in own) < len(own)
    copy = begin(
        store, [row(n, label=True if by == "column" and n in own else None) for n in range(60)], key="b"
    )
    finish(store, copy, [])
    if by == "column":
        import_column(store, copy.dataset)
    else:
        take(store, copy, tmp_path / "own.csv", "id,label\n" + "".join(f"id{n},1\n" for n in own))
    found = corrected(store, copy)
    assert (found.selection, found.labelled, found.outside) == ("convenience", 25, 0)
    assert corrected(store, first).selection == "planned"


def test_a_copy_carries_out_the_plan_that_it_shares(store: Store, tmp_path: Path) -> None:
    """Drawn for one file and labelled for its copy: from the start, or going on after the labels of the first."""
    first, copy = judged(store, range(60), "a"), judged(store, range(60), "b")
    names = [one.id for one in store.graded_at(first, draw_plan(store, first, 12).positions)]
    lines = [f"{name},{int(int(name[2:]) % 2 == 0)}\n" for name in names]
    take(store, copy, tmp_path / "l.csv", "id,label\n" + "".join(lines[:6]))
    assert (corrected(store, copy).selection, corrected(store, copy).labelled) == ("planned", 6)
    use_known(store, first)
    take(store, first, tmp_path / "m.csv", "id,label\n" + "".join(lines[6:]))
    assert (corrected(store, first).selection, corrected(store, first).labelled) == ("planned", 12)


def test_known_labels_stay_drawn_when_they_are_corrected_elsewhere(store: Store, tmp_path: Path) -> None:
    first, copy = judged(store, range(60), "a"), judged(store, range(60), "b")
    names = label_plan(store, first, tmp_path, 12)
    use_known(store, copy)
    take(store, first, tmp_path / "l.csv", "id,label\n" + "".join(f"{name},1\n" for name in names))
    assert (corrected(store, copy).selection, corrected(store, copy).labelled) == ("planned", 12)


def test_own_labels_outside_the_plan_do_not_change_the_weights(store: Store, tmp_path: Path) -> None:
    """A stratum of which the copy's own column labels some drawn rows weighs as much as it does in the first file."""
    first = judged(store, range(60), "a")
    planned = label_plan(store, first, tmp_path, 24, done=12)
    waiting = [n for n in range(60) if f"id{n}" not in planned and marks(store, first)[n].stratum is not None]
    own = [n for n in waiting if n % 3][:5]  # of the accepted rows only
    copy = begin(store, [row(n, label=True if n in own else None) for n in range(60)], key="b")
    finish(store, copy, [])
    import_column(store, copy.dataset)
    one, other = corrected(store, first), corrected(store, use_known(store, copy))
    assert (other.selection, other.labelled, other.outside) == ("planned", 12, len(own))
    assert isinstance(one.share.corrected, Estimate)
    assert isinstance(other.share.corrected, Estimate)
    assert other.share.corrected.value == pytest.approx(one.share.corrected.value)
