"""Find the store, and open an existing one."""

import os
from pathlib import Path
from typing import Final, TypeAlias

from karat.core.errors import Phrase, UsageError
from karat.store.store import Store

Place: TypeAlias = str | os.PathLike[str]
_USUAL: Final = ".karat/karat.db"
_AUDITS: Final = "audit.db"
_REMEDY: Final = Phrase("; `karat grade FILE` creates one, or name another with --store", "")


def find_store(path: str | None) -> str:
    """Return the path of the store: the given one, that of the environment, or the default in this folder."""
    return path or os.environ.get("KARAT_STORE") or _USUAL


def find_audit_store(path: str | None) -> str:
    """Return the path of the audit store: the given one, or the one next to the store of runs."""
    return path or str(Path(find_store(None)).with_name(_AUDITS))


def open_store(path: Place | None) -> Store:
    """Open a store to read runs; a missing one is refused, not created."""
    if path is None:
        raise UsageError("runs are read from a store: give store=PATH")
    if not Path(path).exists():
        raise UsageError(f"no store exists at {os.fspath(path)}", _REMEDY)
    return Store(os.fspath(path))
