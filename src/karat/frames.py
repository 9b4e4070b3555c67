"""Data frames of pandas and polars: rows from a frame, and verdicts appended to one.

Neither library is imported unless a frame of it is given or asked for.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Protocol

from karat.core.errors import SetupError, UsageError
from karat.core.messages import quote
from karat.core.types import ProtocolName

_LIBRARIES: Final = ("pandas", "polars")
_MISSING: Final = frozenset({"NAType", "NaTType"})
_PANDAS: Final = {"text": "object", "json": "object", "bool": "boolean", "int": "Int64", "float": "Float64"}
_POLARS: Final = {"text": "String", "bool": "Boolean", "int": "Int64", "float": "Float64"}


class Frame(Protocol):
    """A DataFrame of pandas or polars."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        ...

    @property
    def columns(self) -> Any:  # noqa: ANN401 - an index in pandas, a list in polars
        """The names of the columns."""
        ...


def find_library(given: object) -> str | None:
    """Return the library of a DataFrame; None for anything else. A single column is refused."""
    kind = type(given)
    library = kind.__module__.partition(".")[0]
    if library not in _LIBRARIES:
        return None
    if kind.__name__ == "Series":
        raise UsageError("items is one column; give the whole DataFrame")
    return library if any(each.__name__ == "DataFrame" for each in kind.__mro__) else None


def read_rows(frame: Any, library: str) -> list[dict[str, Any]]:  # noqa: ANN401 - a DataFrame
    """Return the rows of a frame as mappings of Python values; missing values are None."""
    names = [str(name) for name in frame.columns]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"the frame has two columns {quote(double)}; rename one")
    if library == "polars":
        return frame.to_dicts()
    columns = ([_read_value(value) for value in frame.iloc[:, at].tolist()] for at in range(len(names)))
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _read_value(value: Any) -> Any:  # noqa: ANN401 - a cell
    if value is None or type(value) in (str, int, bool, float):
        return value
    if type(value).__name__ in _MISSING:
        return None
    return value.tolist() if hasattr(value, "tolist") else value


def append_verdicts(
    frame: Any,  # noqa: ANN401 - a DataFrame
    library: str,
    records: Sequence[Mapping[str, Any]],
    places: Sequence[int],
    protocol: ProtocolName,
) -> Any:  # noqa: ANN401 - a DataFrame
    """Return the rows at `places` with their verdicts as further columns; `frame` is not changed.

    A column of the frame with the name of a verdict column gets the prefix `input_`, as in verdict files.
    """
    from karat.run.records import field_kinds, name_columns

    kinds = {name: kind for name, kind in field_kinds(protocol).items() if name != "id"}
    own = [name for name in frame.columns if isinstance(name, str)]
    renamed = {name: new for name, new in name_columns(own, "id=id").items() if name != new}
    values = {name: [record[name] for record in records] for name in kinds}
    if library == "polars":
        return frame[list(places)].rename(renamed).with_columns(make_columns(values, kinds, library))
    taken = frame if len(places) == len(frame) else frame.iloc[list(places)]
    added = make_columns(values, kinds, library, index=taken.index)
    return taken.rename(columns=renamed).assign(**dict(zip(kinds, added, strict=True)))


def make_frame(records: Sequence[Mapping[str, Any]], protocol: ProtocolName, library: str) -> Any:  # noqa: ANN401 - a DataFrame
    """Return verdict records as a new frame."""
    from karat.run.records import field_kinds

    kinds = field_kinds(protocol)
    columns = make_columns({name: [one[name] for one in records] for name in kinds}, kinds, library)
    own = {name: [one[name] for one in records] for name in records[0] if name not in kinds}
    module = _import(library)
    if library == "polars":
        return module.DataFrame([*columns, *(_make_series(module, *pair) for pair in own.items())])
    return module.DataFrame({**dict(zip(kinds, columns, strict=True)), **own})


def make_columns(
    values: Mapping[str, Sequence[Any]],
    kinds: Mapping[str, str],
    library: str,
    index: Any = None,  # noqa: ANN401 - an index of pandas
) -> list[Any]:
    """Return the columns of a frame, with types that hold missing values."""
    module = _import(library)
    if library == "polars":
        return [
            _make_series(module, name, values[name])
            if kind == "json"
            else module.Series(name, values[name], dtype=getattr(module, _POLARS[kind]))
            for name, kind in kinds.items()
        ]
    return [
        module.Series(list(values[name]), dtype=_PANDAS[kind], index=index) for name, kind in kinds.items()
    ]


def _make_series(module: Any, name: str, values: Sequence[Any]) -> Any:  # noqa: ANN401 - a module, a column
    """Return a column of any values; texts and numbers in one column become text."""
    return module.Series(name, list(values), strict=False)


def _import(library: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(library)
    except ImportError as error:
        raise SetupError(f"{library} is not installed; install it, or use grades.records") from error
