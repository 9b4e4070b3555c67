"""A step for a user's Ray Data pipeline, which adds verdicts to a dataset of answers."""

from collections.abc import Mapping
from typing import Any, Literal

from karat.core.errors import UsageError
from karat.core.keys import item_key
from karat.core.types import NOTHING, Outcome
from karat.judges import Plan
from karat.ray.cluster import describe_cluster
from karat.ray.grader import Grader
from karat.ray.job import Job
from karat.ray.run import configure_worker, make_leases, pool_of, start_limits
from karat.ray.shared_budget import Spend
from karat.rows import BadRow, Columns, Row, find_columns, list_paths, read_mapping
from karat.rows.cells import convert
from karat.rows.containers.parquet import load_arrow
from karat.run.records import FIELDS, field_kinds, fixed_fields, name_columns, spent_fields

_ROWS = 1_024
_REMEDY = "set them with columns={'question': …, 'reference': …, 'answer': …}"
_ANY = Columns("", "")  # each batch finds its own
_MANY = 1_000


def grade_dataset(
    dataset: Any,  # noqa: ANN401 - a dataset of Ray's
    plan: Plan,
    chosen: Mapping[str, str],
    *,
    on_bad_row: Literal["stop", "skip"] = "stop",
    actors: int | None = None,
) -> Any:  # noqa: ANN401 - a dataset of Ray's
    """Add a step that judges every batch; nothing runs until the dataset is used."""
    job = Job(plan, _ANY, "", on_bad_row)
    limits = start_limits(job, Spend(), None) if job.pays else None
    workers = actors or describe_cluster().count_beside(_MANY, pays=job.pays)
    return dataset.map_batches(
        RowActor,
        fn_constructor_args=(job, dict(chosen), limits),
        batch_format="pyarrow",
        batch_size=_ROWS,
        **pool_of(workers, _MANY),
    )


class RowActor:
    """Judges batches of rows; identical rows of a batch are judged once."""

    def __init__(self, job: Job, chosen: dict[str, str], limits: Any = None) -> None:  # noqa: ANN401 - a handle of Ray's
        configure_worker()
        self._job = job
        self._chosen = chosen
        self._grader = Grader(
            job, None if limits is None else make_leases(limits, job), notice=lambda _: None
        )

    def __call__(self, batch: Any) -> Any:  # noqa: ANN401 - tables of Arrow's
        """Return the batch with the fixed fields of a verdict before its own columns."""
        records = batch.to_pylist()
        columns = self._find_columns(batch.schema, records)
        read = [read_mapping(number, record, columns) for number, record in enumerate(records, 1)]
        good = [(place, row) for place, row in enumerate(read) if isinstance(row, Row)]
        bad = [row for row in read if isinstance(row, BadRow)]
        if bad and self._job.on_bad_row == "stop":
            raise UsageError(
                f"row {bad[0].line} of a batch: {bad[0].problem}; correct it, or skip such rows with on_bad_row='skip'"
            )
        fields = self._judge([row for _, row in good], columns)
        arrow = load_arrow()
        kept = batch.take(arrow.array([place for place, _ in good], arrow.int64()))
        return _join(fields, kept, columns, self._job)

    def _find_columns(self, schema: Any, records: list[dict[str, Any]]) -> Columns:  # noqa: ANN401 - pyarrow has no type stubs
        """Find the columns from all rows and the schema, because nested values may be null in any row."""
        if not schema.names:
            return _ANY
        rows = [*records, {field.name: _example_value(field.type) for field in schema}]
        names = dict.fromkeys(path for row in rows for path in list_paths(row, self._chosen))
        return find_columns(list(names), self._chosen, remedy=_REMEDY)

    def _judge(self, rows: list[Row], columns: Columns) -> list[dict[str, Any]]:
        keys = [item_key(row.item) for row in rows]
        known = self._grader.judge("", dict(zip(keys, (row.item for row in rows), strict=True)))
        fields, seen = list[dict[str, Any]](), set[bytes]()
        for key, row in zip(keys, rows, strict=True):
            named = columns.id is not None and row.value(columns.id) is not None
            fields.append(self._describe(row.id if named else None, known[key], cached=key in seen))
            seen.add(key)
        return fields

    def _describe(self, name: str | None, outcome: Outcome, *, cached: bool) -> dict[str, Any]:
        plan = self._job.plan
        record = fixed_fields(name, outcome, protocol=plan.request.protocol, judge=plan.name, cached=cached)
        if cached:
            record |= spent_fields(NOTHING)
        return record


def _example_value(kind: Any) -> object:  # noqa: ANN401 - pyarrow has no type stubs
    """Return a value of a type with all its nested names."""
    types = load_arrow().types
    if types.is_struct(kind):
        return {field.name: _example_value(field.type) for field in kind}
    return [_example_value(kind.value_type)] if types.is_list(kind) or types.is_large_list(kind) else ""


def _join(fields: list[dict[str, Any]], table: Any, columns: Columns, job: Job) -> Any:  # noqa: ANN401 - tables of Arrow's
    """Return a table of the fixed fields, then the input's own columns."""
    arrow = load_arrow()
    kinds = field_kinds(job.plan.request.protocol)
    types = {
        "text": arrow.string(), "json": arrow.string(), "bool": arrow.bool_(), "int": arrow.int64(), "float": arrow.float64(),
    }  # fmt: skip
    made = {
        name: arrow.array([convert(one[name], kinds[name], name) for one in fields], types[kinds[name]])
        for name in FIELDS
    }
    names = name_columns(table.column_names, columns.describe())
    return arrow.table({**made, **{new: table.column(old) for old, new in names.items()}})
