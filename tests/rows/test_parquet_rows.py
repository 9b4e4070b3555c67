"""Rows out of Parquet."""

import datetime as dt
import decimal
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from row_reading import PLAIN, good, problems, read

from karat.core.errors import SetupError, UsageError
from karat.core.types import Item
from karat.rows import Columns, Row, open_sink, open_source


def save(folder: Path, table: Any, **options: Any) -> Path:
    path = folder / "in.parquet"
    pq.write_table(table, path, **options)
    return path


def test_a_row_is_read_with_its_own_columns(tmp_path: Path) -> None:
    table = pa.table({"id": [5, 6], "references": [["R", None, "S"], ["T"]], "answer": ["A", ""]})
    first, second = read(save(tmp_path, table))
    columns = {"id": 5, "references": ["R", None, "S"], "answer": "A"}
    assert first == Row(1, "5", Item(None, ("R", "S"), "A"), None, columns)
    assert isinstance(second, Row)
    assert (second.line, second.item.answer) == (2, "")


def test_nested_columns_are_read_by_path(tmp_path: Path) -> None:
    records = [{"item": {"input": "Q", "ideal": "R"}, "sample": {"output_text": "A"}}]
    [row] = good(read(save(tmp_path, pa.Table.from_pylist(records))))
    assert row.item == Item("Q", ("R",), "A")


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (dt.datetime(2024, 2, 29, 12, 30, 0, 5), pa.timestamp("us"), "2024-02-29T12:30:00.000005"),  # noqa: DTZ001
        (1_700_000_000_123_456_789, pa.timestamp("ns"), "2023-11-14T22:13:20.123456"),
        (1_700_000_000, pa.timestamp("s", "UTC"), "2023-11-14T22:13:20+00:00"),
        ([1], pa.list_(pa.timestamp("ns")), ["1970-01-01T00:00:00"]),
        ({"t": 1}, pa.struct([("t", pa.timestamp("ns"))]), {"t": "1970-01-01T00:00:00"}),
        (dt.date(2024, 2, 29), pa.date32(), "2024-02-29"),
        (1_000, pa.time64("ns"), "00:00:00.000001"),
        (90_000_000_000, pa.duration("ns"), "0:01:30"),
        (decimal.Decimal("1.50"), pa.decimal128(5, 2), "1.50"),
        ("é".encode(), pa.binary(), "é"),
        (b"\xff\x00", pa.binary(), "/wA="),
        (float("nan"), pa.float64(), None),
        (float("inf"), pa.float64(), None),
        ([1, None], pa.list_(pa.int8()), [1, None]),
        (
            {"a": {"b": [b"x"]}},
            pa.struct([("a", pa.struct([("b", pa.list_(pa.binary()))]))]),
            {"a": {"b": ["x"]}},
        ),
        ([("k", 1)], pa.map_(pa.string(), pa.int64()), [["k", 1]]),
        (True, pa.bool_(), True),
        (None, pa.null(), None),
    ],
)
def test_values_become_what_json_can_hold(tmp_path: Path, value: Any, kind: Any, expected: Any) -> None:
    table = pa.table({"reference": ["R"], "answer": ["A"], "extra": pa.array([value], kind)})
    [row] = good(read(save(tmp_path, table)))
    assert row.columns["extra"] == expected


def test_one_value_that_cannot_be_read_spoils_its_row_alone(tmp_path: Path) -> None:
    answers = pa.array([b"A", b"\xff", b"C"]).view(pa.string())
    times = pa.array([0, 0, 2**62], pa.timestamp("us"))
    rows = read(save(tmp_path, pa.table({"reference": ["R"] * 3, "answer": answers, "at": times})))
    assert [row.line for row in good(rows)] == [1]
    assert problems(rows)[2] == "not UTF-8"
    assert problems(rows)[3].startswith("unreadable value: ")


def test_bad_rows_bear_their_number_in_any_batch(tmp_path: Path) -> None:
    answers = [None if number % 1500 == 0 else "A" for number in range(1, 4001)]
    rows = read(save(tmp_path, pa.table({"reference": ["R"] * 4000, "answer": answers})))
    assert problems(rows) == {1500: "no answer (null)", 3000: "no answer (null)"}
    assert len(good(rows)) == 3998


def test_text_that_looks_like_a_list_is_one_reference(tmp_path: Path) -> None:
    [row] = good(read(save(tmp_path, pa.table({"reference": ['["R"]'], "answer": ["A"]}))))
    assert row.item.references == ('["R"]',)


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    path = save(
        tmp_path, pa.table({"reference": pa.array([], pa.string()), "answer": pa.array([], pa.string())})
    )
    with pytest.raises(UsageError, match="holds no rows"):
        read(path)


@pytest.mark.parametrize("content", [b"", b"PAR1", b'{"answer": 1}\n' * 9, b"PAR1" + b"\0" * 50 + b"PAR1"])
def test_a_file_that_is_not_parquet_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "in.parquet"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read(path)
    assert len(str(caught.value).splitlines()) == 1


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, pa.table({"reference": ["R" * 50] * 99, "answer": ["A"] * 99}))
    content = bytearray(path.read_bytes())
    content[4:40] = b"\xff" * 36
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"in\.parquet: "):
        read(path, PLAIN)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array(["x"])] * 3, names=["answer", "reference", "answer"])
    with pytest.raises(UsageError, match="more than one column named 'answer'"):
        read(save(tmp_path, table))


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(tmp_path, pa.table({"reference": ["R"], "answer": ["A"]}))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SetupError, match=r"pip install '\.\[parquet\]'"):
        list(open_source(str(path)).rows(Columns("reference", "answer")))
    with pytest.raises(SetupError, match=r"pip install '\.\[parquet\]'"):
        open_sink(str(tmp_path / "out.parquet"), ["id"])
