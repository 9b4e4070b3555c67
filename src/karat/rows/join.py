"""Join answers with references that stand in a file of their own, by a name that both have."""

import sqlite3
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from karat.core.errors import UsageError, option
from karat.core.keys import hash_content
from karat.core.messages import list_names, quote
from karat.rows.cells import read_text
from karat.rows.columns import Columns
from karat.rows.formats import MAPPED
from karat.rows.layout import Half, Layout, find_half
from karat.rows.names import simplify
from karat.rows.row import BadRow, Record, Row, pick, read_row
from karat.rows.source import Source

_CACHE: Final = "PRAGMA cache_size = -16384"  # 16 MB; the rest is on disk


class Joined(Source):
    """Answers of one input with the references of another; `on` is a column of both, or `answers=references`."""

    def __init__(self, answers: Source, references: Source, on: str) -> None:
        super().__init__(answers.name, answers.name, "")
        self._answers = answers
        self._references = references
        left, _, right = on.partition("=")
        self._on = (left.strip(), right.strip() or left.strip())
        self._halves: tuple[Half, Half] | None = None
        self._unanswered = 0

    @property
    def place(self) -> str:
        """The resolved paths of both inputs."""
        return f"{self._answers.place}\n{self._references.place}"

    @property
    def unanswered(self) -> int:
        """How many references no answer had in the last reading."""
        return self._unanswered

    def close(self) -> None:
        """Close both inputs."""
        self._answers.close()
        self._references.close()

    def digest(self) -> str:
        """Return a hash of the bytes of both inputs, and of what they are joined on."""
        return hash_content([self._answers.digest(), self._references.digest(), *self._on])

    def records(self) -> Generator[Record | BadRow]:
        """Yield the records of the answers."""
        yield from self._answers.records()

    def find_layout(self, chosen: Mapping[str, str]) -> Layout:
        """Return the layout of the joined rows."""
        key = repr(sorted(chosen.items()))
        if key not in self._layouts:
            theirs = {part: column for part, column in chosen.items() if part in ("reference", "question")}
            ours = {part: column for part, column in chosen.items() if part != "reference"}
            answers = find_half(self._answers, ours, "answer")
            references = find_half(self._references, theirs, "reference")
            self._halves = answers, references
            played = MAPPED.played()
            parts = {*answers.parts, "reference", "id", *({"question"} & {*references.parts})} & {*played}
            columns = Columns(**{part: played[part] for part in parts})
            titles = filter(None, (answers.title, references.title))
            self._layouts[key] = Layout(columns, several=tuple(dict.fromkeys(titles)))
        return self._layouts[key]

    def rows(self, columns: Columns, *, limit: int | None = None) -> Iterator[Row | BadRow]:
        """Yield the answers, each with its references; an answer without is a bad row."""
        if self._halves is None:
            self.find_layout({})
        assert self._halves is not None  # noqa: S101 - just found
        answers, references = self._halves
        good = 0
        with (
            tempfile.TemporaryDirectory(prefix="karat-") as folder,
            closing(sqlite3.connect(Path(folder) / "references.db")) as table,
        ):
            known = self._store(table, references)
            for line, flat in answers.read():
                if limit is not None and good >= limit:
                    return
                row = self._join(table, line, flat, columns)
                yield row
                good += isinstance(row, Row)
            (used,) = table.execute("SELECT COUNT(*) FROM parts WHERE used").fetchone()
            self._unanswered = known - used

    def _store(self, table: sqlite3.Connection, references: Half) -> int:
        """Write the references to a table on disk, and return how many there are."""
        table.execute(_CACHE)
        table.execute("PRAGMA journal_mode = OFF")
        table.execute("PRAGMA synchronous = OFF")
        table.execute(
            "CREATE TABLE parts (key TEXT PRIMARY KEY, line INTEGER, question BLOB, refs BLOB, used INTEGER DEFAULT 0) WITHOUT ROWID"
        )
        name, count = self._references.name, 0
        for line, flat in references.read():
            if isinstance(flat, str):
                raise UsageError(f"{name}:{line}: {flat}")
            key = self._read_key(flat, self._on[1], f"{name}:{line}")
            entry = (key, line, *(msgspec.json.encode(flat.get(part)) for part in ("question", "references")))
            try:
                table.execute("INSERT INTO parts (key, line, question, refs) VALUES (?, ?, ?, ?)", entry)
            except sqlite3.IntegrityError:
                first = table.execute("SELECT line FROM parts WHERE key = ?", (key,)).fetchone()[0]
                raise UsageError(
                    f"{name}:{line}: {self._on[1]} {quote(key)} stands already in line {first}; make them unique"
                ) from None
            count += 1
        return count

    def _join(
        self, table: sqlite3.Connection, line: int, flat: dict[str, Any] | str, columns: Columns
    ) -> Row | BadRow:
        file = self._answers.name
        if isinstance(flat, str):
            return BadRow(line, flat, file)
        key = self._read_key(flat, self._on[0], f"{file}:{line}")
        found = table.execute("SELECT question, refs FROM parts WHERE key = ?", (key,)).fetchone()
        if found is None:
            return BadRow(line, f"no {self._on[1]} {quote(key)} in {self._references.name}", file)
        table.execute("UPDATE parts SET used = 1 WHERE key = ?", (key,))
        question, references = (msgspec.json.decode(part) for part in found)
        whole = {"id": key, **flat, "references": references}
        if whole.get("question") is None and question is not None:
            whole["question"] = question
        row = read_row(line, whole, columns, lists_in_text=False)
        return BadRow(line, row.problem, file) if isinstance(row, BadRow) else row

    def _read_key(self, flat: Mapping[str, Any], name: str, place: str) -> str:
        value = pick(flat, name)
        if value is UNSET:
            alike = [column for column in flat if simplify(column) == simplify(name)]
            value = flat[alike[0]] if len(alike) == 1 else UNSET
        if value is UNSET:
            raise UsageError(
                f"{place}: ", option("on"), f" {name}: no such column; the columns are {list_names([*flat])}"
            )
        text = read_text(value)
        if text is None:
            raise UsageError(f"{place}: ", option("on"), f" {name}: holds no text")
        return text
