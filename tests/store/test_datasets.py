"""Rows into the store: duplicates, identical rows, order, memory and time."""

import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from filling import Rows, answers, begin, load, pending, row

from karat.core.errors import UsageError
from karat.store import NewRow, Store
from karat.store.encoding import _LOADED


def test_duplicate_ids_are_refused_with_both_lines_and_nothing_is_kept() -> None:
    with Store(None) as store:
        with pytest.raises(UsageError, match=r"a\.jsonl:9: id 'x' is already used in line 4"):
            load(store, [row(3), row(4, name="x"), row(9, name="x")])
        assert store.find_dataset("k") is None
        assert load(store, [row(3)]).rows == 1


def test_line_numbers_as_ids_need_not_differ_from_names() -> None:
    """Where the input names no ids, none are compared."""
    with Store(None) as store:
        assert load(store, [row(1, name="x"), row(2, name="x")], named=False).rows == 2


def test_an_error_while_reading_keeps_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[NewRow]:
        yield from (row(number) for number in range(_LOADED + 5))
        raise UsageError("line 7 is broken")

    with Store(str(tmp_path / "k.db")) as store:
        with pytest.raises(UsageError, match="line 7"):
            store.load_dataset("k", "a", "", Rows(broken()), named=True)
        assert store.find_dataset("k") is None
        run = begin(store, load(store, [row(1)]))
        assert len(pending(store, run)) == 1


def test_dataset_loaded_by_another_process_is_used() -> None:
    with Store(None) as store:
        first = load(store, [row(1), row(2)])
        assert load(store, [row(1), row(2)]) == first


def test_identical_rows_are_pending_once_in_input_order_across_chunks() -> None:
    """A repeat within a chunk and one in a later chunk both point to the first row of their item."""
    contents = [number % 5 for number in range(10)]
    contents += list(range(100, 100 + _LOADED))
    contents += [3, 100, 100 + _LOADED - 1, 7, 7]
    with Store(None) as store:
        run = begin(store, load(store, [row(line, content) for line, content in enumerate(contents)]))
        expected = list(dict.fromkeys(contents))
        found = pending(store, run)
        assert answers(found) == [f"a{content}" for content in expected]
        assert store.count_pending(run) == len(expected)
        assert len({number for number, _ in found}) == len(found)


def test_rows_come_back_in_input_order_with_their_columns() -> None:
    with Store(None) as store:
        run = begin(store, load(store, [row(line, line % 3) for line in range(1500)]))
        graded = list(store.graded(run))
    assert [one.columns for one in graded] == [{"n": line} for line in range(1500)]
    assert [one.position for one in graded] == list(range(1500))
    assert [one.cached for one in graded[:5]] == [False, False, False, True, True]


def test_twenty_thousand_rows_load_in_bounded_memory(tmp_path: Path) -> None:
    """What is held at any time is a chunk of rows, not the file."""

    def rows(count: int) -> Iterator[NewRow]:
        return (row(line, name=f"row {line} " + "x" * 500) for line in range(count))

    with Store(str(tmp_path / "k.db")) as store:
        load(store, rows(6_000), "warm")
        tracemalloc.start()
        run = begin(store, load(store, rows(20_000), "k"))
        for _ in store.pending(run):
            pass
        for _ in store.graded(run):
            pass
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 25e6


def test_loading_time_grows_with_the_rows_and_not_faster(tmp_path: Path) -> None:
    """A hundred thousand rows take about twenty times as much work as five thousand, and not four hundred times."""
    with Store(str(tmp_path / "k.db")) as store:
        times = list[float]()
        for count, key in ((5_000, "few"), (100_000, "many")):
            begun = time.process_time()
            load(store, (row(line, name=str(line)) for line in range(count)), key)
            times.append(time.process_time() - begun)
    assert times[1] < 200 * times[0]
