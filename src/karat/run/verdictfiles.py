"""Verdict files, and folders of them, back into a store, where they can be looked at like any run."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.exchange import Completion
from karat.core.keys import hash_bytes, hash_content, item_key
from karat.core.types import Outcome, Point, ProtocolName, Spent, Unjudged, Verdict
from karat.rows import BadRow, Columns, Row, find_columns, list_paths, open_source, parse_columns
from karat.rows.columns import NESTS
from karat.rows.row import read_row
from karat.rows.sink import ENDINGS
from karat.run.records import FIELDS
from karat.store import Dataset, NewRow, Run, Store

_CHUNK = 500
_PREFIX = "input_"
_CARD = "_manifests/_run.json"


class Card(Struct, frozen=True):
    """The judge that verdicts are of, and which input column was what; a file of its own says less than a folder."""

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
        self._files = _list_files(path)
        self.card = self._read_card()
        self._nesting = _find_nesting(self.card.columns or "")
        self.columns = self._find_columns()

    def __iter__(self) -> Iterator[Judged]:
        many = len(self._files) > 1
        for file in self._files:
            for line, record in _read_records(file):
                yield self._read(file, line, record, many=many)

    def digest(self) -> str:
        """A hash of the answers, by which two judges of the same rows are recognised."""
        digest = blake2b(digest_size=16)
        for judged in self:
            digest.update(hash_bytes(judged.row.id.encode(), item_key(judged.row.item)))
        return digest.hexdigest()

    def _read_card(self) -> Card:
        held = Path(self.path) / _CARD
        if held.exists():
            return msgspec.json.decode(held.read_bytes(), type=Card)
        _, record = next(_read_records(self._files[0]), (0, dict[str, Any]()))
        missing = [field for field in FIELDS if field not in record]
        if missing:
            raise UsageError(
                f"{self._files[0]}: no verdict file: it has no column {missing[0]!r}; `karat grade -o` writes them"
            )
        judge, protocol = record["judge"], record["protocol"]
        identity = {"judge": judge, "protocol": protocol}
        return Card(judge, protocol, hash_content(["verdicts", judge, protocol]), identity)

    def _find_columns(self) -> Columns:
        names = dict[str, None]()
        for _, record in _first_records(self._files):
            names |= dict.fromkeys(list_paths(_own_columns(record, self._nesting), {}))
        try:
            return find_columns(list(names), parse_columns(self.card.columns or ""))
        except UsageError as error:
            raise UsageError(
                f"{self.path}: the answers themselves are needed, which --no-input leaves out: {error}"
            ) from None

    def _read(self, file: Path, line: int, record: dict[str, Any], *, many: bool) -> Judged:
        lists_in_text = not file.name.endswith((".jsonl", ".jsonl.gz"))
        row = read_row(line, _own_columns(record, self._nesting), self.columns, lists_in_text=lists_in_text)
        if isinstance(row, BadRow):
            raise UsageError(f"{file}:{line}: {row.problem}")
        name = str(record["id"]) if record["id"] is not None else f"{file.name}:{line}" if many else str(line)
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
    """A run in the store as the verdict files tell it; of identical rows, the first one's verdict counts for all."""
    files = VerdictFiles(path)
    key = hash_content(["verdicts", files.digest()])
    dataset = store.find_dataset(key) or _load(store, key, files)
    card = files.card
    run = store.open_run(dataset, card.fingerprint, card.judge, card.identity)
    if run.finished is None:
        _keep(store, run, files)
        store.finish_run(run)
    return store.find_run(run.id)


def _load(store: Store, key: str, files: VerdictFiles) -> Dataset:
    return store.load_dataset(key, files.path, files.columns.describe(), _Intake(files), named=False)


def _keep(store: Store, run: Run, files: VerdictFiles) -> None:
    """Keep outcomes for the items in the order of their first rows, and what all rows cost."""
    numbers = (number for chunk in store.pending(run) for number, _ in chunk)
    cache, seen, held = store.completions_of(run), set[bytes](), list[tuple[int, Outcome]]()
    for place, judged in enumerate(files):
        for call in range(judged.outcome.spent.calls):
            spent = judged.outcome.spent if call == 0 else Spent()
            cache.keep_completion(
                hash_bytes(str(place).encode(), str(call).encode()), Completion("", spent=spent)
            )
        key = item_key(judged.row.item)
        if key not in seen:
            seen.add(key)
            held.append((next(numbers), judged.outcome))
        if len(held) >= _CHUNK:
            store.keep_outcomes(run, held).result()
            held = []
    if held:
        store.keep_outcomes(run, held).result()


def _list_files(path: str) -> list[Path]:
    place = Path(path)
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise UsageError(f"{path}: no such verdict file or folder")
    found = [file for file in sorted(place.iterdir()) if file.is_file() and _is_verdicts(file.name)]
    if not found:
        raise UsageError(f"{path}: holds no verdict files")
    return found


def _is_verdicts(name: str) -> bool:
    return name[:1] not in "._" and name.removesuffix(".gz").endswith(ENDINGS)


def _read_records(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file, which may have none: a block of bad rows left out ends so."""
    with open_source(str(file)) as source:
        try:
            yield from (_refuse_bad(file, record) for record in source.records())
        except UsageError as error:
            if not str(error).endswith("holds no rows"):
                raise


def _refuse_bad(file: Path, record: tuple[int, dict[str, Any]] | BadRow) -> tuple[int, dict[str, Any]]:
    if isinstance(record, BadRow):
        raise UsageError(f"{file}:{record.line}: {record.problem}")
    return record


def _first_records(files: Iterable[Path]) -> Iterator[tuple[int, dict[str, Any]]]:
    """A few records of the first file that has any."""
    for file in files:
        found = [record for record, _ in zip(_read_records(file), range(50), strict=False)]
        if found:
            yield from found
            return


def _find_nesting(columns: str) -> frozenset[str]:
    """The columns that hold others: a table of text takes such an object as text. All other text is what it says."""
    paths = (pair.partition("=")[2].strip() for pair in columns.split(","))
    return frozenset(path.partition(".")[0] for path in paths if "." in path) | set(NESTS)


def _own_columns(record: dict[str, Any], nesting: frozenset[str]) -> dict[str, Any]:
    """The input's own columns by their own names; one that holds others holds them again."""
    own = {"id": record["id"]} if record.get("id") is not None else {}
    for name, value in record.items():
        if name not in FIELDS:
            bare = name.removeprefix(_PREFIX)
            own[bare if bare in FIELDS else name] = _read_object(value) if name in nesting else value
    return own


def _read_object(value: object) -> object:
    if isinstance(value, str) and value.startswith("{"):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            return value
    return value


def _read_outcome(record: dict[str, Any], protocol: ProtocolName) -> Outcome:
    told = {name: _read_cell(record.get(name)) for name in FIELDS}
    cost = told["cost_usd"]
    spent = Spent(
        told["calls"] or 0,
        told["input_tokens"] or 0,
        0,
        told["output_tokens"] or 0,
        None if cost is None else float(cost),
    )
    reason = record.get("reason") or None
    if record["status"] == "unjudged":
        return Unjudged(record["cause"], reason, spent)
    points = told["points"]
    return Verdict(
        value=bool(told["value"]) if protocol == "match" else int(told["value"]),
        score=float(told["score"]),
        decided_by=record["decided_by"],
        confidence=None if told["confidence"] is None else float(told["confidence"]),
        matched_reference=told["matched_reference"],
        reason=reason,
        points=None if points is None else msgspec.convert(points, tuple[Point, ...]),
        spent=spent,
    )


def _read_cell(value: object) -> Any:  # noqa: ANN401 - a cell holds any JSON value
    """A value as it was before a table of text took it."""
    if not isinstance(value, str):
        return value
    if not value:
        return None
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
