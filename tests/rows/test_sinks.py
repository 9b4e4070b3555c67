"""Rows out of karat."""

import csv
import errno
import gzip
import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pyarrow.parquet as pq
import pytest

from karat.core.errors import UsageError
from karat.rows import Kind, Row, open_sink, open_source

ENDINGS = ["jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.gz", "tsv.gz"]
FIELDS = ["id", "value", "score", "points", "note"]
RECORD: dict[str, Any] = {"id": "1", "value": True, "score": 0.5, "points": [{"a": "é"}], "note": None}


def write(path: Path, records: list[dict[str, Any]], types: dict[str, Kind] | None = None) -> Path:
    with open_sink(str(path), list(records[0]) if records else FIELDS, types) as sink:
        for record in records:
            sink.write(record)
    return path


def fail_after(path: Path, count: int, failure: type[BaseException]) -> None:
    with open_sink(str(path), FIELDS) as sink:
        for _ in range(count):
            sink.write(RECORD)
        raise failure


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_json_lines_keep_the_order_of_the_fields(tmp_path: Path) -> None:
    with open_sink(str(tmp_path / "out.jsonl"), ["b", "a"]) as sink:
        sink.write({"a": "é\n", "b": [1, None]})
        sink.write({"more": {}, "a": True})
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert lines == ['{"b":[1,null],"a":"é\\n"}', '{"a":true,"more":{}}']


def test_csv_cells_are_text(tmp_path: Path) -> None:
    content = write(tmp_path / "out.csv", [RECORD, {"id": "=1+1", "note": 'a\r\n"b",\'c'}]).read_bytes()
    assert content.decode() == (
        'id,value,score,points,note\n1,true,0.5,"[{""a"":""é""}]",\n=1+1,,,,"a\r\n""b"",\'c"\n'
    )


def test_tsv_cells_are_divided_by_tabs(tmp_path: Path) -> None:
    path = write(tmp_path / "out.tsv", [{"a": "x\ty", "b": float("nan")}])
    assert path.read_bytes() == b'a\tb\n"x\ty"\t\n'


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_text_loses_its_nuls_where_they_would_break_the_file(tmp_path: Path, ending: str) -> None:
    record = {"reference": "R\0S", "answer": "\0", "no\0te": ["x\0"]}
    path = write(tmp_path / f"out.{ending}", [record])
    with open_source(str(path)) as source:
        [row] = source.rows(source.find_columns({}))
    assert isinstance(row, Row)
    assert row.columns == {"reference": "RS", "answer": "", "note": '["x\\u0000"]'}


def test_packed_files_hold_the_same_and_are_the_same_every_time(tmp_path: Path) -> None:
    plain, packed = write(tmp_path / "out.csv", [RECORD]), write(tmp_path / "out.csv.gz", [RECORD])
    first = packed.read_bytes()
    assert gzip.decompress(first) == plain.read_bytes()
    assert write(packed, [RECORD]).read_bytes() == first


@pytest.mark.parametrize("ending", ENDINGS)
def test_without_records_the_file_is_whole_and_empty(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"out.{ending}", [])
    if ending == "parquet":
        assert pq.read_table(path).column_names == FIELDS
    else:
        content = path.read_bytes()
        text = (gzip.decompress(content) if ending.endswith("gz") else content).decode()
        header = ("\t" if "tsv" in ending else ",").join(FIELDS)
        assert text == ("" if "jsonl" in ending else f"{header}\n")


def test_parquet_columns_are_typed_by_what_they_hold(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {"b": True, "i": 1, "f": 1, "t": "x", "j": {"a": 1}, "l": ["x"], "m": 1, "n": None, "big": 2**70},
        {"b": None, "i": -(2**63), "f": 0.5, "t": None, "j": "x", "l": [None], "m": "x", "n": None, "big": 1},
    ]
    table = pq.read_table(write(tmp_path / "out.parquet", records))
    kinds = "bool int64 double string string list<element:string> string string string"
    assert [str(kind).replace(" ", "") for kind in table.schema.types] == kinds.split()
    assert table.to_pylist() == [
        {
            "b": True,
            "i": 1,
            "f": 1.0,
            "t": "x",
            "j": '{"a":1}',
            "l": ["x"],
            "m": "1",
            "n": None,
            "big": str(2**70),
        },
        {
            "b": None,
            "i": -(2**63),
            "f": 0.5,
            "t": None,
            "j": "x",
            "l": [None],
            "m": "x",
            "n": None,
            "big": "1",
        },
    ]


def test_given_types_come_before_inferred_ones(tmp_path: Path) -> None:
    types: dict[str, Kind] = {"a": "float", "b": "json", "c": "int", "d": "text", "e": "bool"}
    path = write(tmp_path / "out.parquet", [{"a": 1, "b": "x", "c": None, "d": 5, "e": None}], types)
    table = pq.read_table(path)
    assert [str(kind) for kind in table.schema.types] == ["double", "string", "int64", "string", "bool"]
    assert table.to_pylist() == [{"a": 1.0, "b": '"x"', "c": None, "d": "5", "e": None}]


@pytest.mark.parametrize(
    ("early", "late"), [(1, "x"), (1, 1.5), (1, True), (1, 2**63), (0.5, "x"), (True, 1), (["x"], [1])]
)
def test_a_late_value_that_does_not_fit_is_refused(tmp_path: Path, early: object, late: object) -> None:
    records = [{"id": "x", "a b": early}] * 1000 + [{"id": "x", "a b": late}]
    with pytest.raises(UsageError, match=r"out\.parquet: column 'a b' holds .*; write \.jsonl instead"):
        write(tmp_path / "out.parquet", records)
    assert names(tmp_path) == []


def test_a_value_that_does_not_fit_its_given_type_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"out\.parquet: column 'a' holds int values, but then '\"x\"'"):
        write(tmp_path / "out.parquet", [{"a": "x"}], {"a": "int"})
    assert names(tmp_path) == []


def test_a_text_column_takes_anything_late(tmp_path: Path) -> None:
    records = [{"a": None}] * 1000 + [{"a": 1}, {"a": ["x"]}, {"a": "x"}]
    table = pq.read_table(write(tmp_path / "out.parquet", records))
    assert table["a"].to_pylist()[1000:] == ["1", '["x"]', "x"]


def test_a_late_text_joins_a_column_of_lists(tmp_path: Path) -> None:
    records = [{"a": ["x", "y"]}] * 1000 + [{"a": "z"}]
    assert pq.read_table(write(tmp_path / "out.parquet", records))["a"].to_pylist()[-1] == ["z"]


def test_row_groups_are_bounded_by_rows_and_by_bytes(tmp_path: Path) -> None:
    def measure(records: list[dict[str, Any]]) -> list[int]:
        metadata = pq.ParquetFile(write(tmp_path / "out.parquet", records)).metadata
        return [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]

    assert measure([{"a": str(number)} for number in range(25_000)]) == [10_000, 10_000, 5_000]
    assert measure([{"a": "x" * 2**24}] * 6) == [4, 2]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_that_was_not_announced_is_refused(tmp_path: Path, ending: str) -> None:
    with (
        pytest.raises(UsageError, match=rf"out\.{ending}: column 'late'"),
        open_sink(str(tmp_path / f"out.{ending}"), ["id"]) as sink,
    ):
        sink.write({"id": "1", "late": 2})


@pytest.mark.parametrize("count", [0, 1, 1_500, 12_000])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_the_target_untouched_and_nothing_beside_it(
    tmp_path: Path, ending: str, count: int, failure: type[BaseException]
) -> None:
    path = tmp_path / f"out.{ending}"
    path.write_bytes(b"before")
    with pytest.raises(failure):
        fail_after(path, count, failure)
    assert path.read_bytes() == b"before"
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_target_appears_when_the_block_ends(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    with open_sink(str(path), FIELDS) as sink:
        sink.write(RECORD)
        assert not path.exists()
    assert names(tmp_path) == [path.name]


def test_opening_alone_leaves_nothing_behind(tmp_path: Path) -> None:
    open_sink(str(tmp_path / "out.jsonl"), FIELDS)
    assert names(tmp_path) == []


def test_a_new_file_has_usual_rights_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    (tmp_path / "touched").touch()
    path = write(tmp_path / "out.jsonl", [RECORD])
    assert path.stat().st_mode == (tmp_path / "touched").stat().st_mode
    path.chmod(0o640)
    assert write(path, [RECORD]).stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out.jsonl").symlink_to(tmp_path / "real" / "out.jsonl")
    write(tmp_path / "out.jsonl", [RECORD])
    assert (tmp_path / "out.jsonl").is_symlink()
    assert json.loads((tmp_path / "real" / "out.jsonl").read_text()) == RECORD


def refuse(path: Path | str) -> str:
    with pytest.raises(UsageError) as caught:
        open_sink(str(path), FIELDS)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def test_a_place_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    assert "does not exist" in refuse(tmp_path / "nowhere" / "out.csv")
    assert "is a folder" in refuse(tmp_path / "folder.csv")
    assert "is not a regular file" in refuse(tmp_path / "pipe.csv")
    monkeypatch.setattr(Path, "open", deny)
    assert "cannot be written: Permission denied" in refuse(tmp_path / "out.csv")


@pytest.mark.parametrize("name", ["out", "out.json", "out.xlsx", "out.parquet.gz"])
def test_an_unknown_ending_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    assert ".jsonl .csv .tsv (each also with .gz) and .parquet" in refuse(tmp_path / name)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_is_told_in_one_line_and_leaves_the_target_untouched(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / f"out.{ending}"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(UsageError, match="cannot be written: No space left on device"):
        write(path, [RECORD])
    assert path.read_bytes() == b"before"
    assert names(tmp_path) == [path.name]


def test_writing_outside_the_block_is_a_programming_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        open_sink(str(tmp_path / "out.csv"), ["id"]).write({"id": 1})


def test_csv_can_be_read_by_others(tmp_path: Path) -> None:
    path = write(tmp_path / "out.csv", [{"a": "x\ry", "b": "\n"}, {"a": "", "b": '"'}])
    with path.open(newline="") as stream:
        assert list(csv.reader(stream)) == [["a", "b"], ["x\ry", "\n"], ["", '"']]
