"""The door to pyarrow, which is an extra and carries no types."""

import importlib
from typing import Any

from karat.core.errors import SetupError


def load_arrow(module: str = "pyarrow") -> Any:  # noqa: ANN401 - pyarrow has no type stubs
    """A module of pyarrow, imported when it is first needed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SetupError(
            "Parquet files need pyarrow: pip install '.[parquet]' in a clone of karat, or pip install pyarrow"
        ) from None
