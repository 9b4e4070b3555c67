"""Rows out of Python mappings."""

import datetime as dt
from types import MappingProxyType
from typing import Any

import pytest

from karat.core.types import Item
from karat.rows import BadRow, Columns, Row, find_columns, list_paths, read_mapping

COLUMNS = Columns("reference", "answer", "question", "id", "system")


def test_a_mapping_is_read_by_the_rules_for_files() -> None:
    record = {"id": 7, "question": "Q", "reference": ["R", 4], "answer": True, "system": "s"}
    row = read_mapping(3, MappingProxyType(record), COLUMNS)
    assert row == Row(3, "7", Item("Q", ("R", "4"), "true"), "s", record)


def test_a_missing_id_is_the_number() -> None:
    row = read_mapping(3, {"reference": "R", "answer": "A"}, COLUMNS)
    assert isinstance(row, Row)
    assert row.id == "3"


def test_python_values_become_what_json_can_hold() -> None:
    record = {
        "reference": ("R", "S"),
        "answer": "A",
        "question": float("nan"),
        "at": dt.date(2024, 2, 29),
        5: {6: ()},
    }
    row = read_mapping(1, record, COLUMNS)  # pyright: ignore[reportArgumentType]
    assert isinstance(row, Row)
    assert row.item == Item(None, ("R", "S"), "A")
    columns = {"reference": ["R", "S"], "answer": "A", "question": None, "at": "2024-02-29", "5": {"6": []}}
    assert row.columns == columns


def make_ring() -> list[object]:
    ring: list[object] = []
    ring.append(ring)
    return ring


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"reference": "R"}, "no answer (missing)"),
        ({"reference": "R", "answer": float("nan")}, "no answer (null)"),
        ({"reference": "", "answer": "A"}, "no reference"),
        ({"reference": "R", "answer": "\ud800"}, "half a surrogate pair is no text"),
        ({"reference": "R", "answer": "A", "\udc00": 1}, "half a surrogate pair is no text"),
        ({"reference": "R", "answer": "A", "tag": make_ring()}, "nested too deeply"),
    ],
)
def test_what_a_file_could_not_hold_is_bad(record: dict[str, Any], problem: str) -> None:
    assert read_mapping(2, record, COLUMNS) == BadRow(2, problem)


def test_an_endless_number_is_bad_in_one_line() -> None:
    row = read_mapping(2, {"reference": "R", "answer": 10**5000}, COLUMNS)
    assert isinstance(row, BadRow)
    assert row.problem.startswith("unreadable value: ")


def test_columns_are_found_in_mappings_as_in_files() -> None:
    record = {"item": MappingProxyType({"input": "Q", "ideal": "R"}), "sample": {"output_text": "A"}}
    columns = find_columns(list(list_paths(record, {})), {})
    assert columns == Columns("item.ideal", "sample.output_text", "item.input")
    row = read_mapping(1, record, columns)
    assert isinstance(row, Row)
    assert row.item == Item("Q", ("R",), "A")
