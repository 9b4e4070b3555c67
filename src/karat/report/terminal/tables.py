"""Tables and numbers as they look on a terminal."""

from collections.abc import Callable, Iterable

from rich.table import Table

from karat.core.messages import name_invisible
from karat.stats import Estimate, Number, Undefined

_COUNTS = ("rows", "judged", "questions")


def show_number(number: Number) -> str:
    """A share with its interval, or why it is not defined."""
    return f"not defined: {number.why}" if isinstance(number, Undefined) else show_estimate(number)


def show_estimate(estimate: Estimate) -> str:
    """A share with its interval, in percent."""
    return f"{show_percent(estimate.value)} [{show_percent(estimate.low)}, {show_percent(estimate.high)}]"


def show_percent(share: float | None) -> str:
    """A share in percent, a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def make_table(*headings: str) -> Table:
    """A table without lines; counts stand to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="right" if heading in _COUNTS else "left", no_wrap=True)
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


def count(number: int, noun: str, plural: str | None = None) -> str:
    """So many of something."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def show_or_dash(number: Number | None, show: Callable[[Number], str]) -> str:
    """A number where there is room for one; why it is not defined stands below the table."""
    return "–" if number is None or isinstance(number, Undefined) else show(number)


def explain_dashes(numbers: Iterable[Number | None]) -> str | None:
    """Why some numbers are not defined; None where all are."""
    reasons = dict.fromkeys(number.why for number in numbers if isinstance(number, Undefined))
    return f"– not defined: {'; '.join(reasons)}" if reasons else None


def show_plain(number: Number) -> str:
    """A statistic with its interval, to three decimals, or why it is not defined."""
    if isinstance(number, Undefined):
        return f"not defined: {number.why}"
    return f"{number.value:.3f} [{number.low:.3f}, {number.high:.3f}]"


def show_points(number: Number) -> str:
    """A difference of shares with its interval, in points, with its sign."""
    if isinstance(number, Undefined):
        return f"not defined: {number.why}"
    return f"{100 * number.value:+.1f} [{100 * number.low:+.1f}, {100 * number.high:+.1f}]"
