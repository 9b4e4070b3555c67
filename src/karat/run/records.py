"""Output records: the fixed fields of a verdict, then the input's own columns."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import to_builtins

from karat.core.errors import UsageError
from karat.core.types import Outcome, ProtocolName, Spent, Unjudged, Verdict
from karat.rows import Formulas, Kind, open_sink
from karat.store import Graded, Run, Store

FIELDS: dict[str, Kind] = {
    "id": "text", "protocol": "text", "status": "text", "value": "json", "score": "float", "confidence": "float",
    "decided_by": "text", "matched_reference": "int", "reason": "text", "points": "json", "cause": "text",
    "judge": "text", "cached": "bool", "calls": "int", "input_tokens": "int", "output_tokens": "int",
    "cost_usd": "float",
}  # fmt: skip

_PREFIX = "input_"


def export_run(
    store: Store, run: Run, path: str, *, with_input: bool = True, formulas: Formulas = "escape"
) -> int:
    """Write the rows of a run to a file atomically, and return how many; rows not judged yet are left out."""
    names = name_columns(run.dataset.fields, run.dataset.columns) if with_input else {}
    count = 0
    fields, kinds = [*FIELDS, *names.values()], field_kinds(run.protocol)
    with open_sink(path, fields, kinds, formulas=formulas) as sink:
        for record in records(run, store.graded(run), with_input=with_input):
            sink.write(record)
            count += 1
    return count


def check_target(path: str) -> None:
    """Refuse a path that cannot be written to, before any call is made."""
    if path == "-":
        raise UsageError(
            "-o - (standard output) is not supported; name a file that ends in .jsonl, .csv, .tsv or .parquet"
        )
    open_sink(path, [*FIELDS], FIELDS)


def records(run: Run, rows: Iterable[Graded], *, with_input: bool = True) -> Iterator[dict[str, Any]]:
    """Yield one record per row with an outcome, in input order."""
    names = name_columns(run.dataset.fields, run.dataset.columns) if with_input else {}
    for graded in rows:
        if graded.outcome is not None:
            record = fixed_fields(
                graded.id, graded.outcome, protocol=run.protocol, judge=run.judge, cached=graded.cached
            )
            record.update({name: graded.columns.get(field) for field, name in names.items()})
            yield record


def fixed_fields(
    name: str | None, outcome: Outcome, *, protocol: ProtocolName, judge: str, cached: bool
) -> dict[str, Any]:
    """Return the fields that every output has."""
    verdict = outcome if isinstance(outcome, Verdict) else None
    spent = outcome.spent
    return {
        "id": name,
        "protocol": protocol,
        "status": "judged" if verdict else "unjudged",
        "value": verdict.value if verdict else None,
        "score": verdict.score if verdict else None,
        "confidence": verdict.confidence if verdict else None,
        "decided_by": verdict.decided_by if verdict else None,
        "matched_reference": verdict.matched_reference if verdict else None,
        "reason": outcome.reason,
        "points": to_builtins(verdict.points) if verdict and verdict.points else None,
        "cause": outcome.cause if isinstance(outcome, Unjudged) else None,
        "judge": judge,
        "cached": cached,
        **spent_fields(spent),
    }


def spent_fields(spent: Spent) -> dict[str, Any]:
    """Return the cost of a row; None if it is not known for all its calls."""
    whole = not spent.uncounted
    return {
        "calls": spent.calls,
        "input_tokens": spent.input_tokens if whole else None,
        "output_tokens": spent.output_tokens if whole else None,
        "cost_usd": spent.cost_usd if whole else None,
    }


def field_kinds(protocol: ProtocolName) -> dict[str, Kind]:
    """Return the kinds of the fixed fields; a value is a boolean by `match` and a number otherwise."""
    return {**FIELDS, "value": "bool" if protocol == "match" else "int"}


def name_columns(fields: Iterable[str], columns: str) -> dict[str, str]:
    """Return the names of the input's columns in the output; one with the name of a fixed field gets a prefix."""
    named = "id=id" in columns.split(", ")  # already written as a fixed field
    return {
        field: _PREFIX + field if _is_fixed(field) else field
        for field in fields
        if not (named and field == "id")
    }


def bare_name(name: str) -> str:
    """Return the name that an output column had in the input."""
    bare = name.removeprefix(_PREFIX)
    return bare if _is_fixed(bare) else name


def _is_fixed(name: str) -> bool:
    return name in FIELDS or (name.startswith(_PREFIX) and _is_fixed(name.removeprefix(_PREFIX)))
