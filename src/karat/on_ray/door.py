"""The door to Ray, which is an extra and is imported only where a cluster is asked for."""

import importlib
import os
from typing import Any

from karat.core.errors import SetupError


def load_ray(module: str = "ray") -> Any:  # noqa: ANN401 - its types are not strict
    """A module of Ray, imported when it is first needed; nobody is told that it is used."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SetupError("grading on a cluster needs Ray: pip install '.[ray]' in a clone of karat") from None
