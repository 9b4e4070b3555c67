"""What kind of value a column of a typed table holds."""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, cast

from karat.core.errors import UsageError
from karat.rows.values import write_json
from karat.rows.wording import quote

Kind: TypeAlias = Literal["text", "bool", "int", "float", "json"]
ColumnKind: TypeAlias = Kind | Literal["texts"]


def infer_kind(values: Iterable[object]) -> ColumnKind:
    """The narrowest kind that holds all values; text holds anything, the rest of it as JSON."""
    present = [value for value in values if value is not None]
    if not present:
        return "text"
    narrow: tuple[ColumnKind, ...] = ("bool", "int", "float", "texts", "text")
    return next(kind for kind in narrow if all(_fits(value, kind) for value in present))


def convert(value: object, kind: ColumnKind, column: str) -> Any:  # noqa: ANN401 - what the kind says
    """A value as its column's kind wants it."""
    if value is None:
        return None
    if kind == "json":
        return write_json(value)
    if kind == "text":
        return value if isinstance(value, str) else write_json(value)
    if kind == "texts" and isinstance(value, str):
        return [value]
    if not _fits(value, kind):
        raise UsageError(
            f"column {quote(column)} holds {kind} values, but then {quote(write_json(value))}; write .jsonl instead"
        )
    return float(cast("float", value)) if kind == "float" else value


def _fits(value: object, kind: ColumnKind) -> bool:
    match kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return _is_number(value) and isinstance(value, int)
        case "float":
            return _is_number(value)
        case "texts":
            return isinstance(value, list) and all(
                isinstance(text, str | None) for text in cast("list[object]", value)
            )
        case "text" | "json":
            return True


def _is_number(value: object) -> bool:
    """Integers beyond 64 bits are left to text, which keeps them whole."""
    if isinstance(value, int):
        return not isinstance(value, bool) and -(2**63) <= value < 2**63
    return isinstance(value, float)
