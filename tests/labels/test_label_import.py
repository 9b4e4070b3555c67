"""Labels from files and columns into the store."""

import json
from collections.abc import Set as AbstractSet
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelling import begin, finish, row, said, take

from karat.core.errors import UsageError
from karat.labels import import_column, import_file, import_records, parse_scale
from karat.rows import open_source
from karat.store import KnownLabels, Store

CSV = "id,label,author\nid1,yes,anna\nid2,no,ben\n"


@pytest.fixture
def store() -> Store:
    return Store(None)


def test_label_file_has_id_label_and_author(store: Store, tmp_path: Path) -> None:
    run = begin(store, [row(1), row(2), row(3)])
    taken = take(store, run, tmp_path / "l.csv", CSV)
    assert (taken.labels, taken.new, taken.replaced, taken.authors) == (2, 2, 0, ("anna", "ben"))
    assert said(store, run) == {0: [("anna", 1.0, "yes/no")], 1: [("ben", 0.0, "yes/no")]}


def test_all_formats_say_the_same(store: Store, tmp_path: Path) -> None:
    """CSV with commas, semicolons and a byte order mark, TSV, JSON lines and Parquet, also capitals in the header."""
    rows = [("id1", True, "anna"), ("id2", False, "ben")]
    texts = {
        "a.csv": CSV,
        "b.csv": "\ufeff" + CSV.replace(",", ";"),
        "c.tsv": CSV.replace(",", "\t").replace("id\tlabel\tauthor", "ID\tLabel\tAnnotator"),
        "d.jsonl": "".join(json.dumps({"id": i, "label": v, "author": a}) + "\n" for i, v, a in rows),
    }
    pq.write_table(
        pa.table({"id": ["id1", "id2"], "label": [True, False], "author": ["anna", "ben"]}),
        tmp_path / "e.parquet",
    )
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run = begin(store, [row(1), row(2)])
    for number, name in enumerate([*texts, "e.parquet"]):
        with open_source(str(tmp_path / name)) as source:
            taken = import_file(store, run.dataset, source)
        assert (taken.labels, taken.new) == (2, 0 if number else 2), name


def test_default_author_is_the_file_name(store: Store, tmp_path: Path) -> None:
    run = begin(store, [row(1)])
    take(store, run, tmp_path / "anna.csv", "id,label\nid1,1\n")
    take(store, run, tmp_path / "x.csv", "id,label\nid1,0\n", author="ben")
    assert said(store, run) == {0: [("anna", 1.0, "yes/no"), ("ben", 0.0, "yes/no")]}


def test_unrelated_key_column_is_ignored(store: Store, tmp_path: Path) -> None:
    run = begin(store, [row(1), row(2)])
    assert take(store, run, tmp_path / "l.csv", "key,id,label\nx7,id1,1\n").labels == 1


def test_empty_labels_are_ignored(store: Store, tmp_path: Path) -> None:
    run = begin(store, [row(1), row(2)])
    assert take(store, run, tmp_path / "l.csv", "id,label\nid1,\nid2,1\n").labels == 1
    with pytest.raises(UsageError, match="contains no labels yet; fill in the label column"):
        take(store, run, tmp_path / "l.csv", "id,label\nid1,\nid2,  \n")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("id,label\nid1,1\nid9,1\n", "l.csv:3: a.jsonl has no row with the id 'id9' among the 2 rows that were read; correct it"),
        ("id,label\nid1,perhaps\n", "l.csv:2: label 'perhaps' is not true/false, yes/no, correct/incorrect, 0/1 or 0 to 5; correct it"),
        ("id,label\nid1,1\n,0\n", "l.csv:3: a label has no id; correct it"),
        ("id,label\nid1,1\nid1,0\n", "l.csv:3: 'l' gave 'id1' a different label in line 2; correct it"),
        ("id,label\nid8,1\nid9,1\nid1,6\n", "l.csv:2: a.jsonl has no row with the id 'id8' among the 2 rows that were read (2 more bad rows: line 3, 4)"),
        ("id,label\nid1,0.5\nid2,1\n", "l.csv: labels such as 0.5 may be on a scale of 0-1 or of 0-5"),
        ("row,label\nid1,1\n", "l.csv: no column is called id; a label file needs the columns id, label and author; found 'row', 'label'"),
        ("id,verdict\nid1,1\n", "l.csv: no column is called label"),
        ("id,label,author,annotator\nid1,1,a,b\n", "l.csv: the author column could be any of 'author', 'annotator'"),
        ("id,label\nid1\n", "l.csv:2: 1 cells, the header has 2; correct it"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line_and_nothing_is_kept(
    store: Store, tmp_path: Path, content: str, complaint: str
) -> None:
    run = begin(store, [row(1), row(2)])
    with pytest.raises(UsageError) as caught:
        take(store, run, tmp_path / "l.csv", content)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert said(store, run) == {}


def test_bad_lines_can_be_skipped(store: Store, tmp_path: Path) -> None:
    run, notes = begin(store, [row(1), row(2)]), list[str]()
    content = "id,label\nid1,1\nid9,1\nid2,what\n"
    taken = take(store, run, tmp_path / "l.csv", content, skip=True, notice=notes.append)
    assert (taken.labels, taken.skipped) == (1, 2)
    assert [note.removeprefix(f"{tmp_path}/") for note in notes] == [
        "l.csv:3: a.jsonl has no row with the id 'id9' among the 2 rows that were read; skipped",
        "l.csv:4: label 'what' is not true/false, yes/no, correct/incorrect, 0/1 or 0 to 5; skipped",
    ]


def test_labels_of_rows_beyond_the_limit_are_skipped_and_counted(store: Store, tmp_path: Path) -> None:
    """The scale is that of the whole file all the same."""
    run, notes = begin(store, [row(1), row(2)]), list[str]()

    def beyond(names: AbstractSet[str]) -> AbstractSet[str]:
        return names & {"id3", "id4"}

    content = "id,label\nid1,1\nid3,5\nid4,0\n"
    taken = take(store, run, tmp_path / "l.csv", content, find_left_out=beyond, notice=notes.append)
    assert (taken.labels, taken.scale) == (1, "0-5")
    assert [note.removeprefix(f"{tmp_path}/") for note in notes] == [
        "l.csv: 2 labels of rows beyond --limit skipped"
    ]
    assert take(store, run, tmp_path / "l.csv", "id,label\nid3,1\n", find_left_out=beyond).labels == 0
    with pytest.raises(UsageError, match="no row with the id 'id9'"):
        take(store, run, tmp_path / "l.csv", "id,label\nid3,1\nid9,1\n", find_left_out=beyond)


def test_a_changed_label_keeps_the_old_one(store: Store, tmp_path: Path) -> None:
    """The history has both, with their times and places; who says the same again adds nothing."""
    run = begin(store, [row(1)])
    take(store, run, tmp_path / "first.csv", "id,label,author\nid1,1,anna\n")
    assert take(store, run, tmp_path / "again.csv", "id,label,author\nid1,yes,anna\n").new == 0
    taken = take(store, run, tmp_path / "then.csv", "id,label,author\nid1,0,anna\n")
    assert (taken.new, taken.replaced) == (1, 1)
    old, new = store.labels_of(run.dataset).history()
    assert (old.label.value, new.label.value) == (1.0, 0.0)
    assert old.source.endswith("first.csv:2")
    assert new.source.endswith("then.csv:2")
    assert old.replaced == new.created
    assert new.replaced is None
    assert said(store, run) == {0: [("anna", 0.0, "yes/no")]}


def test_a_label_is_used_for_every_judge_and_identical_row_of_the_file_that_it_was_given_for(
    store: Store, tmp_path: Path
) -> None:
    """In another file with the same item it is used once that is asked for; another answer never gets it."""
    first = begin(store, [row(1, 7), row(2, 8)])
    take(store, first, tmp_path / "l.csv", "id,label,author\nid1,1,anna\n")
    second = begin(store, [row(1, 7), row(2, 8)], judge="other")
    third = begin(store, [row(5, 9), row(6, 7), row(7, 7)], key="another")
    assert said(store, first) == said(store, second) == {0: [("anna", 1.0, "yes/no")]}
    assert said(store, third) == {}
    assert not store.labels_of(third.dataset).any()
    assert store.labels_of(third.dataset).find_known() == KnownLabels(1, 2, ("a.jsonl",))
    assert store.labels_of(third.dataset).use_known() == KnownLabels(1, 2, ("a.jsonl",))
    assert said(store, third) == {1: [("anna", 1.0, "yes/no")], 2: [("anna", 1.0, "yes/no")]}
    assert {mark.known_from for mark in store.scored_rows(third) if mark.labels} == {("a.jsonl",)}
    assert store.labels_of(third.dataset).find_known() == KnownLabels(0, 0, ())


def test_what_is_given_for_one_file_changes_nothing_in_another(store: Store, tmp_path: Path) -> None:
    """The same author says something else of the same item there; each file keeps what was given for it."""
    first, second = (begin(store, [row(1, 7)], key=key) for key in ("a", "b"))
    take(store, first, tmp_path / "l.csv", "id,label,author\nid1,1,anna\n")
    taken = take(store, second, tmp_path / "l.csv", "id,label,author\nid1,0,anna\n")
    assert (taken.new, taken.replaced) == (1, 0)
    assert said(store, first) == {0: [("anna", 1.0, "yes/no")]}
    assert said(store, second) == {0: [("anna", 0.0, "yes/no")]}
    (kept,) = store.labels_of(first.dataset).history()
    assert (kept.label.value, kept.replaced) == (1.0, None)
    take(store, first, tmp_path / "l.csv", "id,label,author\nid1,0,anna\n")
    assert said(store, first) == said(store, second)


def test_label_columns_of_two_files_are_two_sources(store: Store) -> None:
    """Both columns are called label, and disagree on the same item."""
    first = begin(store, [row(1, 7, label=True)], key="a")
    second = begin(store, [row(1, 7, label=False)], key="b")
    import_column(store, first.dataset)
    import_column(store, second.dataset)
    assert said(store, first) == {0: [("label", 1.0, "yes/no")]}
    assert said(store, second) == {0: [("label", 0.0, "yes/no")]}


def test_the_same_label_given_for_a_second_file_is_used_there_too(store: Store, tmp_path: Path) -> None:
    first, second = (begin(store, [row(1, 7), row(2, 8)], key=key) for key in ("a", "b"))
    take(store, first, tmp_path / "l.csv", CSV)
    taken = take(store, second, tmp_path / "l.csv", CSV)
    assert (taken.new, taken.replaced) == (2, 0)
    assert said(store, first) == said(store, second)
    assert all(mark.known_from == () for mark in store.scored_rows(second))


def test_a_known_label_that_is_given_here_as_well_is_one_of_this_file(store: Store, tmp_path: Path) -> None:
    first, second = (begin(store, [row(1, 7), row(2, 8)], key=key) for key in ("a", "b"))
    take(store, first, tmp_path / "l.csv", CSV)
    store.labels_of(second.dataset).use_known()
    take(store, second, tmp_path / "l.csv", "id,label,author\nid1,yes,anna\n")
    assert [mark.known_from for mark in store.scored_rows(second)] == [(), ("a.jsonl",)]


def test_known_labels_are_those_of_the_time_when_they_were_asked_for(store: Store, tmp_path: Path) -> None:
    """What is given for the other file later is offered again, and taken over when it is asked for again."""
    first, second = (begin(store, [row(1, 7), row(2, 8)], key=key) for key in ("a", "b"))
    take(store, first, tmp_path / "l.csv", "id,label,author\nid1,1,anna\n")
    store.labels_of(second.dataset).use_known()
    take(store, first, tmp_path / "l.csv", "id,label,author\nid1,0,anna\nid2,1,anna\n")
    assert said(store, second) == {0: [("anna", 1.0, "yes/no")]}
    assert store.labels_of(second.dataset).find_known().rows == 1
    assert store.labels_of(second.dataset).use_known() == KnownLabels(2, 2, ("a.jsonl",))
    assert said(store, second) == said(store, first)


def test_known_labels_can_be_removed_and_own_ones_stay(store: Store, tmp_path: Path) -> None:
    first, second = (begin(store, [row(1, 7), row(2, 8)], key=key) for key in ("a", "b"))
    take(store, first, tmp_path / "l.csv", CSV)
    take(store, second, tmp_path / "m.csv", "id,label,author\nid1,no,cleo\n")
    labels = store.labels_of(second.dataset)
    labels.use_known()
    assert labels.leave_known() == 2
    assert said(store, second) == {0: [("cleo", 0.0, "yes/no")]}
    assert labels.leave_known() == 0
    assert labels.find_known() == labels.find_known(used=True) == labels.use_known()


@pytest.mark.parametrize(
    ("first", "second", "disputed", "taken"),
    [
        ("id1,1,anna\nid2,1,anna\n", "id1,0,anna\nid2,1,anna\n", 1, [("anna", 0.0, "yes/no")]),
        ("id1,1,anna\n", "id1,0,ben\n", 1, [("anna", 1.0, "yes/no"), ("ben", 0.0, "yes/no")]),
        ("id1,1,anna\n", "id1,1,ben\n", 0, [("anna", 1.0, "yes/no"), ("ben", 1.0, "yes/no")]),
        (
            "id1,1,anna\nid1,0,ben\n",
            "id1,1,anna\nid1,0,ben\n",
            0,
            [("anna", 1.0, "yes/no"), ("ben", 0.0, "yes/no")],
        ),
    ],
)
def test_of_files_that_disagree_the_label_that_an_author_gave_last_is_known(
    store: Store, tmp_path: Path, first: str, second: str, disputed: int, taken: list[tuple[str, float, str]]
) -> None:
    """Other authors count beside it; people who disagree in the same way in both files are no such case."""
    one, other, third = (begin(store, [row(1, 7), row(2, 8)], key=key) for key in ("a", "b", "c"))
    take(store, one, tmp_path / "l.csv", f"id,label,author\n{first}")
    take(store, other, tmp_path / "m.csv", f"id,label,author\n{second}")
    labels = store.labels_of(third.dataset)
    assert labels.find_known().disputed == disputed
    assert labels.use_known().disputed == disputed
    assert said(store, third)[0] == taken


def test_identical_rows_that_one_person_labels_differently_are_split(store: Store, tmp_path: Path) -> None:
    run = begin(store, [row(1, 7), row(2, 7)])
    take(store, run, tmp_path / "l.csv", "id,label,author\nid1,1,anna\nid2,0,anna\n")
    assert said(store, run)[0] == [("anna", 1.0, "yes/no"), ("anna", 0.0, "yes/no")]
    taken = take(store, run, tmp_path / "m.csv", "id,label,author\nid1,1,anna\nid2,1,anna\n")
    assert (taken.new, taken.replaced) == (2, 2)


def test_label_column_is_imported_once(store: Store) -> None:
    run = begin(store, [row(1, label=True), row(2, label="no"), row(3)])
    taken = import_column(store, run.dataset)
    assert taken is not None
    assert (taken.labels, taken.authors) == (2, ("label",))
    assert import_column(store, run.dataset) is None
    assert said(store, run) == {0: [("label", 1.0, "yes/no")], 1: [("label", 0.0, "yes/no")]}


def test_another_scale_reimports_the_column(store: Store) -> None:
    run = begin(store, [row(1, label=1), row(2, label=0)])
    import_column(store, run.dataset)
    taken = import_column(store, run.dataset, scale=parse_scale("0-5"))
    assert taken is not None
    assert (taken.new, taken.replaced) == (2, 2)
    assert said(store, run)[0] == [("label", 0.2, "0-5")]


def test_unreadable_label_column_is_reported_with_line_and_remedy(store: Store) -> None:
    run = begin(store, [row(1, label=1), row(2, label="entailment"), row(4, label="neutral")])
    with pytest.raises(UsageError) as caught:
        import_column(store, run.dataset)
    assert str(caught.value) == (
        "a.jsonl:2: label 'entailment' is not true/false, yes/no, correct/incorrect, 0/1 or 0 to 5 (1 more bad row: line 4);"
        " set the scale with --label-scale LOW-HIGH, or ignore the column with --columns label="
    )
    assert said(store, run) == {}
    assert import_column(store, run.dataset, skip=True) is not None
    assert len(said(store, run)) == 1


def test_rows_without_a_label_column_have_none(store: Store) -> None:
    assert import_column(store, begin(store, [row(1), row(2)]).dataset) is None


def test_labels_come_as_mappings_too(store: Store) -> None:
    run = begin(store, [row(1), row(2)])
    taken = import_records(
        store, run.dataset, [{"id": "id1", "label": 4}, {"id": "id2", "label": 2, "author": "ben"}]
    )
    assert taken.scale == "0-5"
    assert said(store, run) == {0: [("library", 0.8, "0-5")], 1: [("ben", 0.4, "0-5")]}
    with pytest.raises(UsageError, match=r"labels:1: a.jsonl has no row with the id 'nobody'"):
        import_records(store, run.dataset, [{"id": "nobody", "label": 4}])


def test_labels_stay_when_the_store_is_opened_again(tmp_path: Path) -> None:
    path = str(tmp_path / "k.db")
    with Store(path) as store:
        run = finish(store, begin(store, [row(1), row(2)]), [True, None])
        take(store, run, tmp_path / "l.csv", CSV)
    with Store(path) as store:
        assert len(said(store, store.find_run())) == 2
