"""Runs to look at: those of a store, or verdict files and folders of them."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias, cast

from karat.core.errors import UsageError

if TYPE_CHECKING:
    from karat.store import Run, Store

Place: TypeAlias = str | os.PathLike[str]


@contextmanager
def open_runs(store: Place | None, given: Sequence[object]) -> "Generator[tuple[Store, list[Run]]]":
    """The runs of these numbers in a store, or verdict files as if they were runs; None is the latest run."""
    files = [cast("Place", one) for one in given if isinstance(one, (str, os.PathLike))]
    if files and len(files) < len(given):
        raise UsageError("runs are compared with runs, and verdict files with verdict files")
    if files and store is not None:
        raise UsageError(f"{os.fspath(files[0])} is no run of a store; leave the store out")
    if files:
        with _open_verdicts(files) as opened:
            yield opened
        return
    with open_store(store) as opened:
        yield opened, [opened.find_run(one if isinstance(one, int) else None) for one in given]


@contextmanager
def _open_verdicts(paths: Sequence[Place]) -> "Generator[tuple[Store, list[Run]]]":
    """A store that lasts as long as it is looked at, with a run for each verdict file or folder."""
    from karat.labels import take_column
    from karat.run.verdict_files import load_verdicts
    from karat.store import Store

    with TemporaryDirectory(prefix="karat-") as folder, Store(str(Path(folder) / "karat.db")) as store:
        runs = [load_verdicts(store, os.fspath(path)) for path in paths]
        for run in runs:
            take_column(store, run.dataset, skip=True)
        yield store, runs


@contextmanager
def open_store(store: Place | None) -> "Generator[Store]":
    """The store at a path, which must be there."""
    from karat.store import Store

    if store is None:
        raise UsageError("a run is looked up in a store: give store=PATH")
    if not Path(store).exists():
        raise UsageError(f"there is no store at {os.fspath(store)}")
    with Store(os.fspath(store)) as opened:
        yield opened
