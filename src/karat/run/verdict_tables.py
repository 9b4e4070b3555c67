"""Verdict files and folders of them, row by row: the items with their outcomes."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from karat.core.errors import NoRowsError, UsageError, option
from karat.core.keys import hash_bytes, hash_content, item_key
from karat.core.messages import one_line
from karat.core.types import Outcome, Point, ProtocolName, Unjudged, Verdict, add_up
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
from karat.rows.containers.lines import split_ending
from karat.rows.containers.parquet import CellTypes, read_cell_types
from karat.rows.formats import Head, recognise
from karat.rows.layout import find_layout
from karat.rows.row import read_row
from karat.rows.sink import ENDINGS
from karat.run.records import FIELDS, bare_name
from karat.store.records import VERDICT_FILE

_NESTS = frozenset({"item", "sample"})  # the objects of rows as OpenAI Evals has them
_EXACT = frozenset({"lines", "document"})
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
        self.skipped = 0
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
        # files that name the same judge may contain different verdicts
        place = str(Path(self.path).resolve())
        return Card(judge, protocol, hash_content(["verdicts", judge, protocol, place]), identity)

    def _find_columns(self) -> Columns:
        records = [self._own_columns(table, record) for table, record in _first_records(self._tables)]
        names = {path: None for record in records for path in list_paths(record, {})}
        try:
            return find_columns(list(names), parse_columns(self.card.columns or ""), remedy=_REMEDY)
        except UsageError as error:
            known = recognise(Head({}, (), records)) if records and self.card.columns is None else None
            if known is not None and known.start is None:
                return find_layout(records, {}, (), {}).columns
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


def is_verdict_file(path: str) -> bool:
    """Check whether a file, or the first one of a folder, is a verdict file."""
    place = Path(path)
    found = [place] if place.is_file() else list_verdict_files(place) if place.is_dir() else []
    if not found or (place / _CARD).exists():
        return bool(found)
    _, record = next(open_table(found[0]).records(), (0, dict[str, Any]()))
    return all(field in record for field in FIELDS)


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
