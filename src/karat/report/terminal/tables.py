"""Tables and cells on a terminal."""

from collections.abc import Callable, Collection, Iterable

from rich.table import Table

from karat.core.messages import name_invisible
from karat.report.format import list_reasons
from karat.stats import Number, Undefined

_COUNTS = ("rows", "judged", "questions")


def make_table(*headings: str, right: Collection[str] = _COUNTS) -> Table:
    """Make a table without lines; the columns in `right` are right-aligned."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", no_wrap=True)
    return table


def list_table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Make a plain table of text cells; long cells wrap."""
    table = make_table(*headings)
    for column in table.columns:
        column.no_wrap = column.header in ("run", "judged", "correct", "cost")
        column.overflow = "fold"
    for row in rows:
        table.add_row(*row)
    return table


def show_text(text: str, longest: int = 200) -> str:
    """Format text from data on one line; control characters and marks of writing direction are shown by name."""
    shown = name_invisible(" ".join(text.split()))
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def show_or_dash(number: Number | None, show: Callable[[Number], str]) -> str:
    """Format a number, or a dash if it is not defined; the reason is shown below the table."""
    return "–" if number is None or isinstance(number, Undefined) else show(number)


def explain_dashes(numbers: Iterable[Number | None]) -> str | None:
    """Explain why some numbers are not defined; None if all are."""
    reasons = list_reasons(numbers)
    return f"– not defined: {reasons}" if reasons else None
