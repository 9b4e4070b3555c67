"""Where the store is."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from karat.core.errors import UsageError

if TYPE_CHECKING:
    from karat.store import Run, Store

DEFAULT = ".karat/karat.db"
AUDITS = "audit.db"


def place_of(path: str | None) -> str:
    """The store that was named, the one of the environment, or the one of this folder."""
    return path or os.environ.get("KARAT_STORE") or DEFAULT


def audit_place_of(path: str | None) -> str:
    """The store of audits that was named, or the one beside that of gradings."""
    return path or str(Path(place_of(None)).with_name(AUDITS))


def open_store(path: str | None, *, must_exist: bool = False) -> "Store":
    """Open the store, which reading commands do not make."""
    from karat.store import Store

    chosen = place_of(path)
    if must_exist and not Path(chosen).exists():
        raise UsageError(
            f"there is no store at {chosen}; `karat grade FILE` makes one, --store names another"
        )
    return Store(chosen)


@contextmanager
def open_runs(path: str | None, given: Sequence[int | str | None]) -> "Generator[tuple[Store, list[Run]]]":
    """The runs of these numbers in the store, or verdict files as if they were runs; nothing given is the latest run."""
    from karat import _verdicts

    if any(isinstance(one, str) for one in given):
        with _verdicts.open_runs(path, given) as opened:
            yield opened
        return
    with open_store(path, must_exist=True) as store:
        yield store, [store.find_run(one) for one in given if not isinstance(one, str)]
