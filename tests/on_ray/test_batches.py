"""Batches of a pipeline, judged like the workers of a cluster do."""

from typing import Any

import pyarrow as pa
import pytest

from karat.core.errors import UsageError
from karat.judges import build_request, plan_judge
from karat.ray.datasets import RowActor
from karat.ray.job import Job
from karat.rows import Columns
from karat.run.records import FIELDS

GOOD = {"reference": "Ada", "answer": "Ada"}
BAD = {"reference": None, "answer": "Ada"}
FLAT = pa.schema([("reference", pa.string()), ("answer", pa.string())])
NESTED = pa.schema(
    [
        ("item", pa.struct([("ideal", pa.list_(pa.string()))])),
        ("sample", pa.struct([("output_text", pa.string())])),
    ]
)
NEST = {"item": {"ideal": ["Ada"]}, "sample": {"output_text": "Ada"}}
VOID = {"item": None, "sample": None}


def judge(rows: list[dict[str, Any]], schema: Any, on_bad_row: str = "skip") -> Any:
    plan = plan_judge(build_request("rules", None, {}), {})
    actor = RowActor(Job(plan, Columns("", ""), "", on_bad_row), {})
    try:
        return actor(pa.Table.from_pylist(rows, schema=schema))
    finally:
        actor._grader.close()


@pytest.mark.parametrize("rows", [[], [BAD], [BAD, BAD]])
def test_a_batch_without_good_rows_has_all_columns(rows: list[dict[str, Any]]) -> None:
    found = judge(rows, FLAT)
    assert found.num_rows == 0
    assert found.schema == judge([GOOD], FLAT).schema
    assert found.column_names == [*FIELDS, *FLAT.names]


def test_bad_rows_are_left_out_or_stop_the_batch() -> None:
    assert judge([BAD, GOOD], FLAT)["value"].to_pylist() == [True]
    with pytest.raises(UsageError, match="row 1 of a batch: no reference"):
        judge([BAD, GOOD], FLAT, "stop")


@pytest.mark.parametrize(("rows", "values"), [([VOID, NEST], [True]), ([NEST, VOID], [True]), ([VOID], [])])
def test_columns_inside_of_others_are_found_where_some_are_null(
    rows: list[dict[str, Any]], values: list[bool]
) -> None:
    assert judge(rows, NESTED)["value"].to_pylist() == values


def test_empty_batch_has_the_fixed_fields() -> None:
    assert judge([], pa.schema([])).column_names == [*FIELDS]
