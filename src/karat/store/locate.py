"""Where the store is, and opening one that must be there."""

import os
from pathlib import Path
from typing import Final, TypeAlias

from karat.core.errors import Phrase, UsageError
from karat.store.store import Store

Place: TypeAlias = str | os.PathLike[str]
_USUAL: Final = ".karat/karat.db"
_AUDITS: Final = "audit.db"
_REMEDY: Final = Phrase("; `karat grade FILE` makes one, --store names another", "")


def find_store(path: str | None) -> str:
    """The path of the store that was named, of the one that the environment names, or of that in this folder."""
    return path or os.environ.get("KARAT_STORE") or _USUAL


def find_audit_store(path: str | None) -> str:
    """The path of the store of audits that was named, or of the one beside the store of gradings."""
    return path or str(Path(find_store(None)).with_name(_AUDITS))


def open_store(path: Place | None) -> Store:
    """Open a store in order to read runs; one that is not there is refused, and not made."""
    if path is None:
        raise UsageError("a run is looked up in a store: give store=PATH")
    if not Path(path).exists():
        raise UsageError(f"there is no store at {os.fspath(path)}", _REMEDY)
    return Store(os.fspath(path))
