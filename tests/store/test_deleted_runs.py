"""Deleted and purged runs: what is kept, and what another run still needs."""

from pathlib import Path

import pytest
from filling import begin, load, pending, row, verdict

from karat.core.errors import UsageError
from karat.core.flow import Completion
from karat.core.scored_row import Label
from karat.core.types import Heard, Spent, Verdict
from karat.store import Dataset, NewLabel, Run, Store

PAID = Spent(1, 10, 2, 3, 0.5)


def judge_all(store: Store, run: Run, *, replies: bool = False) -> None:
    """Give every pending item a verdict, each with a paid reply."""
    cache = store.completions_of(run)
    for number, _ in pending(store, run):
        key = f"{run.id}-{number}".encode().ljust(16)
        cache.keep_completion(key, Completion("Yes", spent=PAID))
        read = (Heard(key.hex(), 1, 1),) if replies else ()
        said = Verdict(True, 1.0, "llm:m", spent=PAID, replies=read)
        store.keep_outcomes(run, [(number, said)]).result(timeout=300)
    store.finish_run(run)


def count(store: Store, table: str) -> int:
    return store._database.read(f"SELECT COUNT(*) FROM {table}")[0][0]  # noqa: S608  # pyright: ignore[reportPrivateUsage]


def label_all(store: Store, dataset: Dataset) -> None:
    labels = store.labels_of(dataset)
    labels.keep(
        [NewLabel(item, Label("anna", 1.0, "yes/no"), "l.csv") for item in store.item_numbers(dataset)]
    )


def test_a_deleted_run_is_in_no_list_and_comes_back_without_new_calls(tmp_path: Path) -> None:
    with Store(str(tmp_path / "k.db")) as store:
        dataset = load(store, [row(1), row(2)])
        run = begin(store, dataset)
        judge_all(store, run)
        label_all(store, dataset)
        spent = store.spent(run)
        store.rename_run(run, "mine")
        store.delete_run(run)
        assert store.runs() == []
        for wanted in (None, run.id, "mine"):
            with pytest.raises(UsageError, match="no run"):
                store.find_run(wanted)
        again = begin(store, dataset)
        assert (again.id, store.runs()) == (run.id, [])  # a forecast does not restore it
        with store.claim(again):
            assert pending(store, again) == []
        assert [one.id for one in store.runs()] == [run.id]
        assert store.find_run(run.id).label is None
        assert store.spent(again) == spent
        assert store.labels_of(dataset).any()


def test_purging_the_only_run_of_a_file_leaves_nothing_of_it(tmp_path: Path) -> None:
    with Store(str(tmp_path / "k.db")) as store:
        dataset = load(store, [row(1), row(2), row(3, 2)])
        run = begin(store, dataset)
        judge_all(store, run, replies=True)
        label_all(store, dataset)
        gone = store.purge_run(run)
        assert (gone.verdicts, gone.replies, gone.rows) == (2, 2, 3)
        assert gone.labels >= 2
        for table in ("runs", "outcomes", "completions", "items", "rows", "datasets", "labels", "label_uses"):
            assert count(store, table) == 0, table
        later = begin(store, load(store, [row(1)]))
        assert later.id > run.id  # a number is never given twice
        assert store.spent(later).calls == 0


def test_purging_keeps_what_another_run_on_the_same_answers_needs(tmp_path: Path) -> None:
    with Store(str(tmp_path / "k.db")) as store:
        dataset = load(store, [row(1), row(2)])
        one, other = begin(store, dataset, "one"), begin(store, dataset, "other")
        judge_all(store, one)
        judge_all(store, other, replies=True)
        label_all(store, dataset)
        before, spent = list(store.graded(other)), store.spent(other)
        gone = store.purge_run(one)
        assert (gone.verdicts, gone.replies, gone.rows, gone.labels) == (2, 2, 0, 0)
        assert list(store.graded(other)) == before
        assert store.spent(other) == spent
        assert store.labels_of(dataset).any()


def test_purging_keeps_verdicts_and_replies_of_items_that_a_run_on_another_file_shares(
    tmp_path: Path,
) -> None:
    with Store(str(tmp_path / "k.db")) as store:
        first, second = load(store, [row(1), row(2)], "a"), load(store, [row(1, 2), row(2, 3)], "b")
        one, other = begin(store, first), begin(store, second)
        judge_all(store, one, replies=True)
        judge_all(store, other, replies=True)
        label_all(store, first)
        store.labels_of(second).use_known()
        before = list(store.graded(other))
        gone = store.purge_run(one)
        assert (gone.verdicts, gone.replies, gone.rows) == (1, 1, 2)
        assert list(store.graded(other)) == before
        keys = [heard.key for each in before if each.outcome is not None for heard in each.outcome.replies]
        assert set(store.find_replies(keys)) == set(keys)
        assert store.labels_of(second).any()
        assert count(store, "items") == 2
        assert count(store, "labels") == 1


def test_a_run_that_is_being_graded_is_not_deleted(tmp_path: Path) -> None:
    path = str(tmp_path / "k.db")
    with Store(path) as store, Store(path) as other:
        run = begin(store, load(store, [row(1)]))
        with store.claim(run):
            for remove in (other.delete_run, other.purge_run):
                with pytest.raises(UsageError, match="being graded"):
                    remove(run)
        assert store.runs() == [run]


@pytest.mark.parametrize("name", ["", "7", "7th", "a b", "a/b", "a.jsonl", "-x", "x" * 65, "_x"])
def test_names_that_could_be_numbers_files_or_options_are_refused(name: str) -> None:
    with Store(None) as store:
        run = begin(store, load(store, [row(1)]))
        with pytest.raises(UsageError, match="cannot be the name of a run"):
            store.rename_run(run, name)


def test_a_name_belongs_to_one_run_and_is_free_again_after_deletion() -> None:
    with Store(None) as store:
        dataset = load(store, [row(1)])
        one, other = begin(store, dataset, "one"), begin(store, dataset, "other")
        store.rename_run(one, "best")
        with pytest.raises(UsageError, match=f"run {one.id} is already named best"):
            store.rename_run(other, "best")
        store.rename_run(one, "older")
        store.rename_run(other, "best")
        assert store.find_run("best").id == other.id
        store.delete_run(other)
        store.rename_run(one, "best")
        assert store.find_run("best").id == one.id


def test_verdicts_of_one_judge_are_asked_for_again_after_a_purge() -> None:
    with Store(None) as store:
        run = begin(store, load(store, [row(1)]))
        store.keep_outcomes(run, [(pending(store, run)[0][0], verdict())]).result(timeout=300)
        assert store.count_pending(run) == 0
        store.purge_run(run)
        assert store.count_pending(begin(store, load(store, [row(1)]))) == 1
