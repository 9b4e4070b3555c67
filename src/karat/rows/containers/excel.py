"""Read the first sheet of an Excel file row by row by openpyxl, which is an extra and has no type stubs."""

import importlib
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from karat.core.errors import NoRowsError, SetupError, UsageError
from karat.core.messages import list_names, one_line
from karat.rows.cells import make_json
from karat.rows.row import BadRow, Record


def load_excel() -> Any:  # noqa: ANN401 - openpyxl has no type stubs
    """Import openpyxl when it is first needed."""
    try:
        return importlib.import_module("openpyxl")
    except ImportError:
        raise SetupError(
            "Excel files need openpyxl: pip install '.[excel]' in a clone of karat, or pip install openpyxl"
        ) from None


def read_sheet(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Yield the rows below the header with their numbers in the sheet; an empty cell is empty text, as in CSV."""
    try:
        book = load_excel().load_workbook(stream, read_only=True, data_only=True)
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{name}: not a readable Excel file: {one_line(str(error))}") from None
    try:
        rows = enumerate(book.worksheets[0].iter_rows(values_only=True), 1) if book.worksheets else iter(())
        header: list[str] | None = None
        for number, cells in rows:
            values: list[Any] = list(cells)
            while values and values[-1] is None:
                values.pop()
            if not values:
                continue
            if header is None:
                header = _read_header(values, name)
            elif len(values) > len(header):
                yield BadRow(number, f"{len(values)} cells, the header has {len(header)}")
            else:
                values += [None] * (len(header) - len(values))
                yield (
                    number,
                    {
                        column: "" if value is None else make_json(value)
                        for column, value in zip(header, values, strict=True)
                        if column
                    },
                )
        if header is None:
            raise NoRowsError(f"{name}: holds no rows")
    finally:
        book.close()


def _read_header(cells: list[Any], name: str) -> list[str]:
    header = ["" if cell is None else str(cell) for cell in cells]
    twins = [column for column, times in Counter(filter(None, header)).items() if times > 1]
    if twins:
        raise UsageError(f"{name}: the header names {list_names(twins)} more than once")
    return header
