"""Read verdict files, folders of them and the exports of other tools into a store, to be used like any run."""

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias, cast

from karat.core.errors import UsageError
from karat.core.flow import Completion
from karat.core.keys import hash_bytes, hash_content
from karat.core.types import Outcome, Spent
from karat.labels import import_column
from karat.rows.formats.grades import split_grader
from karat.run.exported_verdicts import ExportedVerdicts, find_exported
from karat.run.verdict_tables import VerdictFiles, is_verdict_file
from karat.store import Dataset, NewRow, Run, Store
from karat.store.locate import Place, open_store
from karat.store.records import VERDICT_FILE

Verdicts: TypeAlias = VerdictFiles | ExportedVerdicts
_CHUNK = 500


def open_verdicts(path: str) -> Verdicts:
    """Open verdict files, or one grader's verdicts in a file of another tool, `FILE#GRADER`."""
    file, grader = split_grader(path)
    ours = is_verdict_file(file)
    if ours and grader is not None:
        raise UsageError(f"{path}: a verdict file has one judge; name {file} alone")
    return (None if ours else find_exported(file, grader)) or VerdictFiles(file)


class _Intake:
    """The rows of verdict files, for a store."""

    def __init__(self, files: Verdicts) -> None:
        self.fields: dict[str, None] = {}
        self.skipped = 0
        self._files = files

    def __iter__(self) -> Iterator[NewRow]:
        label = self._files.columns.label
        for number, judged in enumerate(self._files, 1):
            row = judged.row
            self.fields.update(dict.fromkeys(row.columns))
            said = None if label is None else row.value(label)
            yield NewRow(number, row.id, row.item, row.system, row.columns, said)
        self.skipped = self._files.skipped


def load_verdicts(store: Store, path: str) -> Run:
    """Load verdict files into the store as a run; for identical rows, the first one's verdict counts for all."""
    files = open_verdicts(path)
    dataset = _load(store, files)
    judge, identity = files.card.judge, files.card.identity
    if identity.get("from") == VERDICT_FILE:
        judge = files.name_judges()
        identity = {**identity, "judge": judge}
    run = store.open_run(dataset, files.card.fingerprint, judge, identity)
    if run.finished is None:
        _keep(store, run, files)
        store.finish_run(run)
    return store.find_run(run.id)


@contextmanager
def open_kept(place: Place, given: int | str | None) -> Generator[tuple[Store, Run]]:
    """Open a store with a run by its number, or with the verdicts in a file of another tool, kept as a run."""
    if not isinstance(given, str):
        with open_store(place) as opened:
            yield opened, opened.find_run(given)
        return
    if not isinstance(open_verdicts(given), ExportedVerdicts):
        raise UsageError(f"{given}: is a verdict file of karat; name its run by the number")
    with Store(os.fspath(place)) as opened:
        run = load_verdicts(opened, given)
        import_column(opened, run.dataset, skip=True)
        yield opened, run


@contextmanager
def open_runs(
    store: Place | None, given: Sequence[object], *, usual: str | None = None
) -> Generator[tuple[Store, list[Run]]]:
    """Open the runs of these numbers in a store, or verdict files as runs; None is the latest run.

    `usual` is the store if none is named.
    """
    files = [os.fspath(cast("Place", one)) for one in given if isinstance(one, (str, os.PathLike))]
    if files and len(files) < len(given):
        raise UsageError(
            "runs can be compared only with runs, and verdict files with verdict files; give two of the same kind"
        )
    if files and store is not None:
        raise UsageError(f"{files[0]} is a file, not a run in a store; leave the store out")
    if files:
        with _open_files(files) as opened:
            yield opened
        return
    with open_store(usual if store is None else store) as opened:
        yield opened, [opened.find_run(one if isinstance(one, int) else None) for one in given]


@contextmanager
def _open_files(paths: Sequence[str]) -> Generator[tuple[Store, list[Run]]]:
    """Open a temporary store with a run for each verdict file or folder."""
    with TemporaryDirectory(prefix="karat-") as folder, Store(str(Path(folder) / "karat.db")) as store:
        runs = [load_verdicts(store, path) for path in paths]
        for run in runs:
            import_column(store, run.dataset, skip=True)
        yield store, runs


def load_answers(store: Store, path: str) -> Dataset:
    """Load the rows of verdict files without their verdicts, for another judge."""
    return _load(store, open_verdicts(path))


def _load(store: Store, files: Verdicts) -> Dataset:
    key = hash_content(["verdicts", files.digest()])
    return store.find_dataset(key) or store.load_dataset(
        key, files.path, files.columns.describe(), _Intake(files), named=False
    )


def _keep(store: Store, run: Run, files: Verdicts) -> None:
    """Store outcomes for the items in the order of their first rows, and the cost of all rows."""
    cache, held = store.completions_of(run), list[tuple[int, Outcome]]()
    for place, judged in enumerate(files):
        for call in range(judged.outcome.spent.calls):
            spent = judged.outcome.spent if call == 0 else Spent()
            key = hash_bytes(*(str(part).encode() for part in (run.id, place, call)))
            cache.keep_completion(key, Completion("", spent=spent))
        first = store.item_at(run, place)
        if first is not None:
            held.append((first[0], judged.outcome))
        if len(held) >= _CHUNK:
            store.keep_outcomes(run, held).result()
            held = []
    if held:
        store.keep_outcomes(run, held).result()
