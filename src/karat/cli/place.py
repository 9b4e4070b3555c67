"""Where the store is."""

import os
from pathlib import Path

from karat.core.errors import UsageError
from karat.store import Store

DEFAULT = ".karat/karat.db"


def place_of(path: str | None) -> str:
    """The store that was named, the one of the environment, or the one of this folder."""
    return path or os.environ.get("KARAT_STORE") or DEFAULT


def open_store(path: str | None, *, must_exist: bool = False) -> Store:
    """Open the store, which reading commands do not make."""
    chosen = place_of(path)
    if must_exist and not Path(chosen).exists():
        raise UsageError(
            f"there is no store at {chosen}; `karat grade FILE` makes one, --store names another"
        )
    return Store(chosen)
