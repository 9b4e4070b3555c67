"""`labels plan`: from a run to a file, and back."""

import csv
from pathlib import Path

import pytest
from labelling import begin, finish, row, take

from karat.core.errors import UsageError
from karat.core.types import Item
from karat.labels import check_plan_file, draw_plan, import_file, repeat_plan, write_plan
from karat.rows import open_source
from karat.store import NewRow, Run, Store


@pytest.fixture
def store() -> Store:
    return Store(None)


def judged(store: Store, count: int = 40) -> Run:
    """Every third row is Yes, every third No, every third unjudged."""
    values = [(True, False, None)[n % 3] for n in range(count)]
    return finish(store, begin(store, [row(n) for n in range(count)]), values)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def fill_in(path: Path, rows: list[dict[str, str]], label: str = "yes") -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows([{**one, "label": label} for one in rows])


def test_a_plan_is_a_table_to_fill_in_without_the_verdict(store: Store, tmp_path: Path) -> None:
    run = judged(store)
    planning = draw_plan(store, run, 12)
    assert write_plan(store, run, planning, str(tmp_path / "p.csv")) == 12
    rows = read(tmp_path / "p.csv")
    assert list(rows[0]) == ["key", "id", "question", "references", "answer", "label", "author", "chance"]
    assert len({one["id"] for one in rows}) == 12
    assert {one["label"] for one in rows} == {""}
    for one in rows:
        number = one["id"].removeprefix("id")
        assert (one["question"], one["answer"]) == (f"What is {number}?", f"a{number}")


def test_plan_file_is_recognised_by_spreadsheets(store: Store, tmp_path: Path) -> None:
    """A byte order mark says UTF-8; no cell runs as a formula, whatever the answers hold."""
    items = [Item("=cmd|' /C calc'!A0", ("+1 | -1",), text) for text in ("=1+1", "@x", "-5", "\t=2", "ß")]
    rows = [NewRow(n, f"={n}", item, None, {}) for n, item in enumerate(items)]
    run = finish(store, begin(store, rows), [True] * 5)
    write_plan(store, run, draw_plan(store, run, 5), str(tmp_path / "p.csv"))
    assert (tmp_path / "p.csv").read_bytes().startswith(b"\xef\xbb\xbfkey,")
    cells = [cell for one in read(tmp_path / "p.csv") for cell in one.values()]
    assert "ß" in cells
    assert "-5" in cells
    assert not [cell for cell in cells if cell != "-5" and cell.lstrip().startswith(("=", "+", "-", "@"))]
    fill_in(tmp_path / "filled.csv", read(tmp_path / "p.csv"))
    with open_source(str(tmp_path / "filled.csv")) as source:
        assert import_file(store, run.dataset, source).labels == 5


def test_long_text_is_cut_to_the_cell_limit_with_a_note(store: Store, tmp_path: Path) -> None:
    rows = [NewRow(0, "a", Item("q", ("r",), "x" * 100_000), None, {})]
    run = finish(store, begin(store, rows), [True])
    write_plan(store, run, draw_plan(store, run, 1), str(tmp_path / "p.csv"))
    (one,) = read(tmp_path / "p.csv")
    assert len(one["answer"]) < 32_767
    assert one["answer"].endswith("[cut: 100,000 characters in all]")


def test_filled_plan_is_matched_although_ids_were_changed_by_a_spreadsheet(
    store: Store, tmp_path: Path
) -> None:
    """`007` comes back as 7, but the key of the item as it was."""
    rows = [row(n, name=f"{n:03}") for n in range(6)]
    run = finish(store, begin(store, rows), [True] * 6)
    write_plan(store, run, draw_plan(store, run, 6), str(tmp_path / "p.csv"))
    mangled = [{**one, "id": str(int(one["id"]))} for one in read(tmp_path / "p.csv")]
    fill_in(tmp_path / "f.csv", mangled)
    with open_source(str(tmp_path / "f.csv")) as source:
        assert import_file(store, run.dataset, source).labels == 6


def test_store_keeps_all_probabilities(store: Store, tmp_path: Path) -> None:
    run = judged(store)
    planning = draw_plan(store, run, 12)
    chosen = store.plan_of(run.dataset).chosen()
    assert sorted(one.chance for one in chosen.values()) == sorted(planning.chances)
    assert sum(stratum.drawn for stratum in planning.strata.values()) == 12
    assert sum(stratum.items for stratum in planning.strata.values()) == 40
    assert all(one.chance == pytest.approx(one.drawn / one.items) for one in planning.strata.values())
    marks = [mark for mark in store.scored_rows(run) if mark.chance is not None]
    assert [mark.position for mark in marks] == sorted(planning.positions)


def test_a_later_plan_adds_other_rows_and_raises_all_chances(store: Store) -> None:
    run = judged(store)
    first, second = draw_plan(store, run, 12), draw_plan(store, run, 6)
    assert not set(first.positions) & set(second.positions)
    chosen = store.plan_of(run.dataset).chosen()
    assert len(chosen) == 18
    for name, stratum in second.strata.items():
        before = first.strata[name]
        after = (before.drawn + stratum.drawn) / before.items
        assert stratum.chance == pytest.approx(after)
        assert {one.chance for one in chosen.values() if one.stratum == name} == {stratum.chance}


def test_rows_labelled_before_are_not_drawn_and_certain(store: Store, tmp_path: Path) -> None:
    run = judged(store)
    take(store, run, tmp_path / "l.csv", "id,label\nid0,1\nid1,0\n")
    planning = draw_plan(store, run, 30)
    assert planning.labelled_before == 2
    assert not {0, 1} & set(planning.positions)
    certain = [mark for mark in store.scored_rows(run) if mark.chance == 1.0 and mark.stratum is None]
    assert [mark.position for mark in certain] == [0, 1]


def test_another_judge_of_the_same_rows_draws_by_the_strata_of_the_first(store: Store) -> None:
    """One plan for a dataset, so that its chances hold whoever is judged by it."""
    run = judged(store)
    other = finish(store, begin(store, [row(n) for n in range(40)], judge="other"), [True] * 40)
    first, second = draw_plan(store, run, 9), draw_plan(store, other, 9)
    assert second.run == first.run == run.id
    assert set(second.strata) == set(first.strata)
    assert sum(mark.chance is not None for mark in store.scored_rows(other)) == 18


def test_identical_rows_are_drawn_as_one(store: Store) -> None:
    run = finish(store, begin(store, [row(n, n % 5) for n in range(20)]), [True] * 5)
    assert len(draw_plan(store, run, 20).positions) == 5
    assert {mark.chance for mark in store.scored_rows(run)} == {1.0}


def test_planned_rows_can_be_written_again_until_they_are_labelled(store: Store, tmp_path: Path) -> None:
    run = judged(store)
    planning = draw_plan(store, run, 12)
    names = [one.id for one in store.graded_at(run, planning.positions)]
    take(store, run, tmp_path / "l.csv", "id,label\n" + "".join(f"{name},1\n" for name in names[:4]))
    again = repeat_plan(store, run)
    assert set(again.positions) == set(planning.positions[4:])
    take(store, run, tmp_path / "l.csv", "id,label\n" + "".join(f"{name},1\n" for name in names))
    with pytest.raises(UsageError, match="no planned rows without a label"):
        repeat_plan(store, run)


def test_impossible_plan_is_refused_in_one_line(store: Store, tmp_path: Path) -> None:
    run = begin(store, [row(n) for n in range(3)])
    with pytest.raises(UsageError, match="run 1 is not finished"):
        draw_plan(store, run, 2)
    run = finish(store, run, [True, False, None])
    with pytest.raises(UsageError, match="--n must be at least 1, not 0"):
        draw_plan(store, run, 0)
    with pytest.raises(UsageError, match="no planned rows"):
        repeat_plan(store, run)
    draw_plan(store, run, 5)
    with pytest.raises(UsageError, match="every row of run 1 is already labelled or planned"):
        draw_plan(store, run, 5)
    (tmp_path / "p.csv").write_text("labels that somebody filled in")
    with pytest.raises(UsageError, match="exists and may contain labels"):
        check_plan_file(str(tmp_path / "p.csv"))
    with pytest.raises(UsageError, match="unknown ending"):
        check_plan_file(str(tmp_path / "p.xlsx"))
