"""Tables and cells as they look on a terminal."""

from collections.abc import Callable, Collection, Iterable

from rich.table import Table

from karat.core.messages import name_invisible
from karat.report.format import list_reasons
from karat.stats import Number, Undefined

_COUNTS = ("rows", "judged", "questions")


def make_table(*headings: str, right: Collection[str] = _COUNTS) -> Table:
    """A table without lines; the columns `right` stand to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", no_wrap=True)
    return table


def list_table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A plain table of text cells; where the room is short, long cells go on in the next line."""
    table = make_table(*headings)
    for column in table.columns:
        column.no_wrap = column.header in ("run", "judged", "correct", "cost")
        column.overflow = "fold"
    for row in rows:
        table.add_row(*row)
    return table


def show_text(text: str, longest: int = 200) -> str:
    """Somebody else's text on one line; what would move the cursor or turn the line around is named."""
    shown = name_invisible(" ".join(text.split()))
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def show_or_dash(number: Number | None, show: Callable[[Number], str]) -> str:
    """A number where there is room for one; why it is not defined stands below the table."""
    return "–" if number is None or isinstance(number, Undefined) else show(number)


def explain_dashes(numbers: Iterable[Number | None]) -> str | None:
    """Why some numbers are not defined; None where all are."""
    reasons = list_reasons(numbers)
    return f"– not defined: {reasons}" if reasons else None
