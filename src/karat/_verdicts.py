"""Verdict files and folders, looked at like runs of a store."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.store import Run, Store


@contextmanager
def open_verdicts(paths: Sequence[str | os.PathLike[str]]) -> "Generator[tuple[Store, list[Run]]]":
    """A store that lasts as long as it is looked at, with a run for each verdict file or folder."""
    from karat.labels import take_column
    from karat.run.verdictfiles import load_verdicts
    from karat.store import Store

    with TemporaryDirectory(prefix="karat-") as folder, Store(str(Path(folder) / "karat.db")) as store:
        runs = [load_verdicts(store, os.fspath(path)) for path in paths]
        for run in runs:
            take_column(store, run.dataset, skip=True)
        yield store, runs
