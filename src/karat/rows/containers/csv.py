"""Read and write CSV and TSV with a header line, safe against formulas in spreadsheets."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from karat.core.errors import NoRowsError, UsageError
from karat.core.messages import list_names, quote
from karat.rows.cells import write_json
from karat.rows.containers.lines import LIMIT, MEGABYTE, TooLong, read_lines
from karat.rows.row import BadRow, Record

Formulas: TypeAlias = Literal["escape", "keep"]
_MARK: Final = "'"
_FORMULA: Final = re.compile("[ \u00a0\ufeff]*[=+\\-@\t\r\n＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_VERDICTS: Final = frozenset({"id", "protocol", "status", "value", "score", "decided_by", "cause", "judge"})
_PROVIDER: Final = re.compile(r"(?s:.*\n)?\[[^\]\n]+\] [^\n]*\nStatus\nScore\n")
_Cells: TypeAlias = tuple[int, list[str]]
_DECLARATION: Final = re.compile(
    r'("?)sep=(?P<delimiter>[^\w\s"\x00-\x1f]|\t)\1(?P=delimiter)*', re.IGNORECASE
)


def read_csv_records(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Yield rows divided by commas, or by semicolons if the header has those and no comma."""
    lines = _Lines(stream, "CSV")
    declared, first = _peek(lines, name)
    guessed = ";" if ";" in first and "," not in first else ","
    yield from _read_records(lines, name, declared or guessed)


def read_tsv_records(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Yield rows divided by tabs, quoted as in CSV."""
    lines = _Lines(stream, "TSV")
    declared, _ = _peek(lines, name)
    yield from _read_records(lines, name, declared or "\t")


class _OverlongError(Exception):
    """A row that is longer than the limit."""


class _Lines:
    """Decoded lines for the csv reader, with the problem of the current row."""

    def __init__(self, stream: BinaryIO, form: str) -> None:
        self.form = form
        self._lines = read_lines(stream)
        self._held: str | None = None
        self._size = 0
        self.number = 0
        self.problem: str | None = None

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self._held is not None:
            text, self._held = self._held, None
            return text
        self.number, line = next(self._lines)
        if isinstance(line, TooLong):
            raise _OverlongError(line.describe())
        self._size += len(line)
        if self._size > LIMIT:
            limit = LIMIT // MEGABYTE
            raise _OverlongError(f"row is longer than the limit of {limit} MB; a quote may be left open")
        return self._decode(line)

    def start_row(self) -> None:
        """Forget the size and the problem of the row before."""
        self._size = 0
        self.problem = None

    def peek(self) -> str:
        """Return the first line that is not blank without consuming it; empty at the end."""
        self._held = next((text for text in self if text.strip()), None)
        return self._held or ""

    def _decode(self, line: bytes) -> str:
        if b"\0" in line:
            self.problem = "holds a NUL byte"
        try:
            return line.decode()
        except UnicodeDecodeError:
            self.problem = f"not UTF-8 (save it as {'CSV UTF-8' if self.form == 'CSV' else 'UTF-8'})"
            # The row's shape can still be read, so that the next row starts where it should.
            return line.decode(errors="surrogateescape")


def _peek(lines: _Lines, name: str) -> tuple[str | None, str]:
    """Return the delimiter that a line like Excel's `sep=;` declares, and the header's first line."""
    try:
        first = lines.peek()
        declared = _DECLARATION.fullmatch(first.strip("\r\n"))
        if declared is None:
            return None, first
        next(lines)
        return declared["delimiter"], lines.peek()
    except _OverlongError as problem:
        raise UsageError(f"{name}:{lines.number}: {problem}") from None


def _read_records(lines: _Lines, name: str, delimiter: str) -> Iterator[Record | BadRow]:
    csv.field_size_limit(max(csv.field_size_limit(), LIMIT))
    rows = _read_cells(lines, delimiter)
    header = _read_header(rows, name)
    escaped = is_verdict_table(header)
    if escaped:
        header = [restore_formula(column) for column in header]
    for row in rows:
        if isinstance(row, BadRow):
            yield row
            continue
        line, cells = row
        if len(cells) != len(header):
            yield BadRow(line, f"{len(cells)} cells, the header has {len(header)}")
        else:
            texts = map(restore_formula, cells) if escaped else cells
            yield line, dict(zip(header, texts, strict=True))


def _read_cells(lines: _Lines, delimiter: str) -> Iterator[_Cells | BadRow]:
    """Yield cells with the line where their row starts; after a bad row reading goes on with the next line."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = max(lines.number, 1)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _OverlongError as error:
            yield BadRow(start, str(error))
        except csv.Error as error:
            yield BadRow(start, _describe_failure(error, lines.form))
        else:
            if lines.problem:
                yield BadRow(start, lines.problem)
            elif cells:
                yield start, cells
        lines.start_row()
        start = lines.number + 1


def _describe_failure(error: csv.Error, form: str) -> str:
    """Return the csv module's message, or a clearer one."""
    text = str(error)
    if text.startswith("unexpected end"):
        text = "a quoted cell is not closed"
    elif text.startswith("new-line character"):
        text = "a carriage return stands outside quotes"
    return f"broken {form}: {text}"


def _read_header(rows: Iterator[_Cells | BadRow], name: str) -> list[str]:
    header = next(rows, None)
    if header is None:
        raise NoRowsError(f"{name}: holds no rows")
    if isinstance(header, BadRow):
        raise UsageError(f"{name}:{header.line}: the header cannot be read: {header.problem}")
    twins = [column for column, times in Counter(header[1]).items() if times > 1]
    if twins and _PROVIDER.match("\n".join(header[1])):
        return _number_twins(header[1])
    if twins:
        raise UsageError(f"{name}: the header names {list_names(twins)} more than once")
    return header[1]


def _number_twins(header: list[str]) -> list[str]:
    """Return unlike names where promptfoo repeats those of the grades for each provider: `Status`, `Status 2`."""
    seen = Counter[str]()
    names = list[str]()
    for column in header:
        seen[column] += 1
        names.append(column if seen[column] == 1 else f"{column} {seen[column]}")
    return names


class CsvWriter:
    """Writes a header and one row per record, with lists and objects as JSON text."""

    def __init__(
        self, stream: BinaryIO, fields: Sequence[str], *, delimiter: str = ",", formulas: Formulas = "keep"
    ) -> None:
        self._stream = stream
        self._fields = fields
        self._known = frozenset(fields)
        self._writer = csv.writer(_LineFeeds(stream), delimiter=delimiter)
        self._write_text = escape_formula if formulas == "escape" else escape_mark
        self._writer.writerow([self._write_cell(field) for field in fields])

    def write(self, record: Mapping[str, Any]) -> None:
        """One row in the order of the header."""
        if not record.keys() <= self._known:
            stray = next(field for field in record if field not in self._known)
            raise UsageError(f"column {quote(stray)} is not in the header")
        self._writer.writerow([self._write_cell(record.get(field)) for field in self._fields])

    def _write_cell(self, value: object) -> str:
        """Text without NULs, which would make the file unreadable; JSON escapes them."""
        if isinstance(value, str):
            return self._write_text(value.replace("\0", ""))
        text = write_json(value)
        return "" if text == "null" else text

    def finish(self) -> None:
        """Nothing is held back."""

    def abandon(self) -> None:
        """Nothing is held open."""


class _LineFeeds:
    """Ends rows with a line feed, while the csv module quotes for both kinds of line end."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        self._stream.write(text.removesuffix("\r\n").encode() + b"\n")


def escape_formula(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula."""
    return _MARK + text if _is_formula(text) else text


def escape_mark(text: str) -> str:
    """Put one more apostrophe before text that has some before a formula; reading removes it again."""
    return escape_formula(text) if text.startswith(_MARK) else text


def restore_formula(text: str) -> str:
    """Return the text that was escaped; any other as it is."""
    inner = text.removeprefix(_MARK)
    return inner if text != inner and _is_formula(inner) else text


def is_verdict_table(header: list[str]) -> bool:
    """Check by the header whether karat wrote a table, so that apostrophes before formulas are its own."""
    return set(header) >= _VERDICTS


def _is_formula(text: str) -> bool:
    # Apostrophes before a formula count as part of it, or they could not be told from the mark.
    bare = text.lstrip(_MARK)
    return _FORMULA.match(bare) is not None and not _NUMBER.fullmatch(bare)
