"""Named formats: result files of other tools, and data sets with predictions beside them."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from karat.core.errors import UsageError, option
from karat.core.messages import quote
from karat.rows.formats.core import MAPPED, Format, Head

_MODULES: Final = (
    "inspect_ai", "promptfoo", "lm_eval", "deepeval", "openai_evals", "langfuse", "langsmith", "braintrust", "mlflow",
    "helm", "pydantic_evals", "ragas", "data_sets",
)  # fmt: skip
TABLE: Final = "table"
"""The name by which a file is read as a plain table, by the names of its columns."""


@cache
def load_formats() -> Mapping[str, Format]:
    """All formats by name, those before others that are more certain."""
    found: dict[str, Format] = {}
    for name in _MODULES:
        module = import_module(f"karat.rows.formats.{name}")
        found |= {one.name: one for one in module.FORMATS}
    return found


def find_format(name: str) -> Format | None:
    """The format of a name; None for a plain table."""
    if name == TABLE:
        return None
    formats = load_formats()
    if name not in formats:
        raise UsageError(
            option("format"), f" knows no {quote(name)}; karat formats lists them: {', '.join(formats)}"
        )
    return formats[name]


def recognise(head: Head) -> Format | None:
    """The first format that the first records are certainly of."""
    return next((one for one in load_formats().values() if one.recognise(head)), None)


__all__ = ["MAPPED", "TABLE", "Format", "Head", "find_format", "load_formats", "recognise"]
