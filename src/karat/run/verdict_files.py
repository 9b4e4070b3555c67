"""Read verdict files, and folders of them, into a store, so that they can be used like any run."""

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import msgspec
from msgspec import Struct

from karat.core.errors import NoRowsError, UsageError, option
from karat.core.flow import Completion
from karat.core.keys import hash_bytes, hash_content, item_key
from karat.core.messages import one_line
from karat.core.types import Outcome, Point, ProtocolName, Spent, Unjudged, Verdict, add_up
from karat.labels import import_column
from karat.rows import (
    BadRow,
    Columns,
    Record,
    Row,
    find_columns,
    list_paths,
    open_source,
    parse_columns,
    write_json,
)
from karat.rows.containers.contents import KINDS
from karat.rows.lines import split_ending
from karat.rows.parquet import CellTypes, read_cell_types
from karat.rows.row import read_row
from karat.rows.sink import ENDINGS
from karat.run.records import FIELDS, bare_name
from karat.store import Dataset, NewRow, Run, Store
from karat.store.locate import Place, open_store
from karat.store.records import VERDICT_FILE

_NESTS = frozenset({"item", "sample"})  # the objects of rows as OpenAI Evals has them
_EXACT = frozenset({"lines", "document"})
_CHUNK = 500
_REMEDY = (
    "give them common names such as question, reference and answer, or use the number of the run instead"
)
_NEEDED = ("id", "status", "cause", "decided_by")  # of every record
_FEW = 50
_CARD = "_manifests/_run.json"


class VerdictTable(Struct, frozen=True):
    """A verdict file; `exact` is true if its values are typed, and not all text."""

    path: Path
    exact: bool
    cell_types: CellTypes | None = None

    def records(self) -> Iterator[Record]:
        """Yield the records of a file; a block with only bad rows has none."""
        with open_source(str(self.path)) as source, suppress(NoRowsError):
            yield from (self._restore(record) for record in source.records())

    def own_columns(self, record: dict[str, Any], columns: str) -> dict[str, Any]:
        """Return the input's own columns by their own names; JSON objects in a column are parsed."""
        nesting = frozenset[str]() if self.exact else _find_nesting(columns)
        own = {"id": record["id"]} if record.get("id") is not None else {}
        for name, value in record.items():
            if name not in FIELDS:
                bare = bare_name(name)
                own[bare] = _read_object(value) if bare in nesting else value
        return own

    def read(self, line: int, own: dict[str, Any], columns: Columns) -> Row:
        """Return a row; text that parses as an empty list of references stays text, because every judged row has one."""
        row = read_row(line, own, columns, lists_in_text=not self.exact)
        if isinstance(row, BadRow):
            row = read_row(line, own, columns, lists_in_text=False)
        if isinstance(row, BadRow):
            raise UsageError(f"{self.path}:{line}: {row.problem}")
        return row

    def _restore(self, record: Record | BadRow) -> Record:
        if isinstance(record, BadRow):
            raise UsageError(f"{self.path}:{record.line}: {record.problem}")
        line, cells = record
        return line, cells if self.cell_types is None else self.cell_types.restore(line, cells)


def open_table(path: Path) -> VerdictTable:
    """Open a verdict file by its ending; a Parquet file records which of its columns are JSON."""
    ending, _ = split_ending(path.name, tuple(KINDS))
    cell_types = read_cell_types(str(path)) if ending == ".parquet" else None
    return VerdictTable(path, KINDS[ending] in _EXACT or cell_types is not None, cell_types)


def _find_nesting(columns: str) -> frozenset[str]:
    """Return the columns that contain objects, which are text in CSV; all other text stays text."""
    paths = (pair.partition("=")[2].strip() for pair in columns.split(","))
    return frozenset(path.partition(".")[0] for path in paths if "." in path) | _NESTS


def _read_object(value: object) -> object:
    if isinstance(value, str) and value.startswith("{"):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            return value
    return value


class Card(Struct, frozen=True):
    """The judge of the verdicts, and the roles of the input columns; a single file contains less of this than a folder."""

    judge: str
    protocol: ProtocolName
    fingerprint: str
    identity: dict[str, Any]
    columns: str | None = None


class Judged(Struct, frozen=True):
    """A row of a verdict file."""

    row: Row
    outcome: Outcome


class VerdictFiles:
    """A verdict file or a folder of them, read in the order of their names."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._tables = [open_table(file) for file in _list_files(path)]
        self._judges = dict[str, None]()
        self.card = self._read_card()
        self.columns = self._find_columns()

    def __iter__(self) -> Iterator[Judged]:
        for table in self._tables:
            for line, record in table.records():
                yield self._read(table, line, record)

    def name_judges(self) -> str:
        """Return all judges that are named by the rows read so far."""
        return " and ".join(sorted(self._judges)) or self.card.judge

    def digest(self) -> str:
        """Return a hash of the rows without their verdicts; labels and tags are part of a row."""
        digest = blake2b(digest_size=16)
        for row in (judged.row for judged in self):
            digest.update(hash_bytes(row.id.encode(), item_key(row.item), write_json(row.columns).encode()))
        return digest.hexdigest()

    def _read_card(self) -> Card:
        held = Path(self.path) / _CARD
        if held.exists():
            return _read_card(held)
        _, record = next(self._tables[0].records(), (0, dict[str, Any]()))
        missing = [field for field in FIELDS if field not in record]
        if missing:
            raise UsageError(
                f"{self._tables[0].path}: not a verdict file: it has no column {missing[0]!r}; `karat grade -o` writes verdict files"
            )
        judge, protocol = record["judge"], record["protocol"]
        identity = {"judge": judge, "protocol": protocol, "from": VERDICT_FILE}
        place = str(
            Path(self.path).resolve()
        )  # files that name the same judge may contain different verdicts
        return Card(judge, protocol, hash_content(["verdicts", judge, protocol, place]), identity)

    def _find_columns(self) -> Columns:
        names = dict[str, None]()
        for table, record in _first_records(self._tables):
            names |= dict.fromkeys(list_paths(self._own_columns(table, record), {}))
        try:
            return find_columns(list(names), parse_columns(self.card.columns or ""), remedy=_REMEDY)
        except UsageError as error:
            raise UsageError(
                f"{self.path}: the answers are needed, but ",
                option("no_input"),
                " left them out: ",
                error,
            ) from None

    def _own_columns(self, table: VerdictTable, record: dict[str, Any]) -> dict[str, Any]:
        return table.own_columns(record, self.card.columns or "")

    def _read(self, table: VerdictTable, line: int, record: dict[str, Any]) -> Judged:
        if missing := [field for field in _NEEDED if field not in record]:
            raise UsageError(
                f"{table.path}:{line}: not a verdict: it has no column {missing[0]!r}; keep other files out of a folder of verdicts"
            )
        self._judges[str(record.get("judge", self.card.judge))] = None
        row = table.read(line, self._own_columns(table, record), self.columns)
        alone = f"{table.path.name}:{line}" if len(self._tables) > 1 else str(line)
        name = str(record["id"]) if record["id"] is not None else alone
        return Judged(msgspec.structs.replace(row, id=name), _read_outcome(record, self.card.protocol))


class _Intake:
    """The rows of verdict files, for a store."""

    def __init__(self, files: VerdictFiles) -> None:
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


def load_verdicts(store: Store, path: str) -> Run:
    """Load verdict files into the store as a run; for identical rows, the first one's verdict counts for all."""
    files = VerdictFiles(path)
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
def open_runs(
    store: Place | None, given: Sequence[object], *, usual: str | None = None
) -> Generator[tuple[Store, list[Run]]]:
    """Open the runs of these numbers or names in a store, or verdict files as runs; None is the latest run.

    `usual` is the store if none is named. A file of the same name comes before a run.
    """
    given = _resolve_names(usual if store is None else store, given)
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


def _resolve_names(store: Place | None, given: Sequence[object]) -> list[object]:
    """Return the same with the numbers of runs instead of their names."""
    names = [one for one in given if isinstance(one, str) and not Path(one).exists()]
    if not names or store is None or not Path(store).exists():
        return list(given)
    with open_store(store) as opened:
        numbers = {name: opened.find_run(name).id for name in names if opened.has_run(name)}
    return [numbers.get(one, one) if isinstance(one, str) else one for one in given]


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
    return _load(store, VerdictFiles(path))


def _load(store: Store, files: VerdictFiles) -> Dataset:
    key = hash_content(["verdicts", files.digest()])
    return store.find_dataset(key) or store.load_dataset(
        key, files.path, files.columns.describe(), _Intake(files), named=False
    )


def _keep(store: Store, run: Run, files: VerdictFiles) -> None:
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


def _read_card(place: Path) -> Card:
    try:
        return msgspec.json.decode(place.read_bytes(), type=Card)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{place} is damaged: {one_line(str(error))}; restore it, or remove it") from None


def _list_files(path: str) -> list[Path]:
    place = Path(path)
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise UsageError(f"{path}: no such verdict file or folder")
    found = list_verdict_files(place)
    if not found:
        raise UsageError(f"{path}: contains no verdict files")
    return found


def list_verdict_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are read as verdicts, by name."""
    return [file for file in sorted(folder.iterdir()) if file.is_file() and _is_verdicts(file.name)]


def _is_verdicts(name: str) -> bool:
    return name[:1] not in "._" and name.removesuffix(".gz").endswith(ENDINGS)


def _first_records(tables: Iterable[VerdictTable]) -> list[tuple[VerdictTable, dict[str, Any]]]:
    """Return a few records of the first file that has any."""
    for table in tables:
        if found := [(table, record) for _, record in islice(table.records(), _FEW)]:
            return found
    return []


def _read_outcome(record: dict[str, Any], protocol: ProtocolName) -> Outcome:
    cells = {name: _read_cell(record.get(name)) for name in FIELDS}
    cost = cells["cost_usd"]
    calls, given, made = cells["calls"] or 0, cells["input_tokens"], cells["output_tokens"]
    uncounted = calls if given is None and made is None else 0
    spent = add_up(calls, given or 0, 0, made or 0, None if cost is None else float(cost), uncounted)
    reason = record.get("reason") or None
    if record["status"] == "unjudged":
        return Unjudged(record["cause"], reason, spent)
    points = cells["points"]
    return Verdict(
        value=bool(cells["value"]) if protocol == "match" else int(cells["value"]),
        score=float(cells["score"]),
        decided_by=record["decided_by"],
        confidence=None if cells["confidence"] is None else float(cells["confidence"]),
        matched_reference=cells["matched_reference"],
        reason=reason,
        points=None if points is None else msgspec.convert(points, tuple[Point, ...]),
        spent=spent,
    )


def _read_cell(value: object) -> Any:  # noqa: ANN401 - a cell holds any JSON value
    """Parse a value that was written as text."""
    if not isinstance(value, str):
        return value
    if not value:
        return None
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
